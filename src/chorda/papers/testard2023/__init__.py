"""Testard2023: explicit and implicit integration of a neck; tables 1-3, figures 1-5."""

from chorda.papers.reproduction import Animation, Paper
from chorda.papers.testard2023 import figures, limit_tables, tables, time_tables
from chorda.papers.testard2023.published import CHOICES
from chorda.papers.testard2023.study import Study

PAPER = Paper(
    title="Comparison of explicit and implicit integrations for a tendon-driven robot "
    "(Testard 2023)",
    notes=(
        "The paper prints neither the motors' inertia nor the wanted motion, the gains, the lowest "
        "tension or which way is up: they are listed as chosen.",
    ),
    study=lambda quick: Study(quick),
    tables=(
        time_tables.times_table,
        time_tables.operations_table,
        tables.rigid_table,
        tables.table3,
        limit_tables.amplitudes_table,
        tables.figures_table,
        tables.printed_scheme_table,
        limit_tables.inertia_table,
        limit_tables.limits_over_inertia,
        limit_tables.limits_over_gains,
    ),
    figures=(
        figures.figure1,
        figures.figure2,
        figures.figure3,
        figures.figure4,
        figures.figure5,
        figures.limits,
        figures.motion,
    ),
    choices=CHOICES,
    files={"neck-3.nc": lambda study, path: study.motion.save(path)},
    animation=Animation(
        "neck-3.gif", "The 3-joint neck bends to the left and back", lambda study: study.motion
    ),
)
