"""Recursive: Newton-Euler dynamics with compliant tendons; example 1 and figures 10-14."""

from chorda.papers.recursive import figures, tables
from chorda.papers.recursive.published import ASSUMED, PRETENSIONS
from chorda.papers.recursive.study import Case, Study
from chorda.papers.reproduction import Animation, Paper

PAPER = Paper(
    title="Dynamics of tendon-driven mechanisms with compliant tendons, recursively (Recursive)",
    notes=(ASSUMED,),
    study=lambda quick: Study(),
    tables=(tables.equations_table, tables.statements_table, tables.stiffness_table),
    figures={
        "figure10": ("Figure 10: the joint with and without O+", figures.figure10),
        "figure11": ("Figure 11: tensions with and without O+", figures.figure11),
        "figure12": ("Figure 12: the joint with two pretensions", figures.figure12),
        "figures13-14": (
            "Figures 13 and 14: tensions with two pretensions",
            figures.figures13_14,
        ),
        "stiffness": ("Both models get alike as the tendons get stiffer", figures.stiffness_figure),
    },
    animation=Animation(
        "example2.gif",
        "Example 2: the joint between its cables; a slack one is dashed",
        lambda study: study.run(Case(True, PRETENSIONS[0])),
    ),
)
