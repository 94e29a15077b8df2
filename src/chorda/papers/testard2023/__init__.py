"""Testard2023: explicit and implicit integration of a neck; tables 1-3, figures 3-5."""

from chorda.papers.reproduction import Animation, Paper
from chorda.papers.testard2023 import figures, tables
from chorda.papers.testard2023.published import ASSUMED
from chorda.papers.testard2023.study import Study
from chorda.view import plot_run

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
    figures={
        "figure3": (
            "Figure 3: motion with rigid tendons, and explicit minus implicit",
            figures.figure3,
        ),
        "figure4": ("Figure 4: what elastic tendons change in the motion", figures.figure4),
        "figure5": ("Figure 5: elongation of the tendons", figures.figure5),
        "limits": (
            "The explicit limit step over motor inertia and control gains",
            figures.limits_figure,
        ),
        "motion": (
            "The controlled motion of the 3-joint neck with elastic tendons",
            lambda study: plot_run(study.motion),
        ),
    },
    files={"neck-3.nc": lambda study, path: study.motion.save(path)},
    animation=Animation(
        "neck-3.gif", "The 3-joint neck bends to the left and back", lambda study: study.motion
    ),
)
