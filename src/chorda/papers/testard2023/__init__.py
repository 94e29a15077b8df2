"""Testard2023: explicit and implicit integration of a neck; tables 1-3, figures 3-5."""

from chorda.papers.reproduction import Animation, Paper
from chorda.papers.testard2023 import figures, tables
from chorda.papers.testard2023.published import ASSUMED
from chorda.papers.testard2023.study import Study

PAPER = Paper(
    title="Comparison of explicit and implicit integrations for a tendon-driven robot "
    "(Testard 2023)",
    notes=(ASSUMED,),
    study=lambda quick: Study(repeats=1 if quick else 5),
    tables=(
        tables.table1,
        tables.table2,
        tables.table3,
        tables.figures_table,
        tables.inertia_table,
        tables.gains_table,
        tables.choice_table,
    ),
    figures=(figures.figure3, figures.figure4, figures.figure5, figures.limits, figures.motion),
    files={"neck-3.nc": lambda study, path: study.motion.save(path)},
    animation=Animation(
        "neck-3.gif", "The 3-joint neck bends to the left and back", lambda study: study.motion
    ),
)
