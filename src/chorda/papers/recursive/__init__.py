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
    figures=(
        figures.figure10,
        figures.figure11,
        figures.figure12,
        figures.figures13_14,
        figures.stiffness,
    ),
    animation=Animation(
        "example2.gif",
        "Example 2: the joint between its cables; a slack one is dashed",
        lambda study: study.run(Case(True, PRETENSIONS[0])),
    ),
)
