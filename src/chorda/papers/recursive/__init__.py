"""Recursive: Newton-Euler dynamics with compliant tendons; both examples, and endless tendons."""

from chorda.papers.recursive import (
    belt_figures,
    belt_tables,
    equation_tables,
    example1_figures,
    example1_tables,
    example2_figures,
    example2_tables,
)
from chorda.papers.recursive.choices import CHOICES
from chorda.papers.recursive.example2 import Case
from chorda.papers.recursive.published import NOTE, PRETENSIONS
from chorda.papers.recursive.study import Study
from chorda.papers.reproduction import Animation, Paper

PAPER = Paper(
    title="Dynamics of tendon-driven mechanisms with compliant tendons, recursively (Recursive)",
    notes=(NOTE,),
    study=lambda quick: Study(),
    tables=(
        equation_tables.equations_table,
        example1_tables.motion_table,
        example1_tables.segments_table,
        example1_tables.reactions_table,
        example2_tables.statements_table,
        example2_tables.stiffness_table,
        example2_tables.pretension_table,
        example2_tables.tip_table,
        example2_tables.slack_table,
        belt_tables.belts_table,
        belt_tables.runs_table,
    ),
    figures=(
        example1_figures.figures1b_7_8,
        example1_figures.example1_motion,
        example1_figures.example1_tensions,
        example1_figures.example1_reactions,
        example2_figures.figure2,
        example2_figures.figure10,
        example2_figures.figure11,
        example2_figures.figure12,
        example2_figures.figures13_14,
        example2_figures.stiffness,
        example2_figures.tip_stiffness,
        belt_figures.belts,
    ),
    animation=Animation(
        "example2.gif",
        "Example 2: the joint between its cables; a slack one is dashed",
        lambda study: study.example2.run(Case(True, PRETENSIONS[0])),
    ),
    choices=CHOICES,
)
