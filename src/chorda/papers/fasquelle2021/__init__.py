"""Fasquelle2021: cable lengths around pulleys, friction and elasticity identified; tables 1-2."""

from chorda.identification import write_log
from chorda.papers.fasquelle2021 import (
    figures,
    statements,
    tables,
    tension_errors,
    wiring,
    wiring_figures,
)
from chorda.papers.fasquelle2021.choices import CHOICES
from chorda.papers.fasquelle2021.coverage import coverage_table
from chorda.papers.fasquelle2021.published import ASSUMED
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.reproduction import Paper

EXPERIMENTS, QUICK_EXPERIMENTS = 200, 3  # for the coverage of the intervals
REPEATS, QUICK_REPEATS = 40, 5  # of the paper's estimator, with other errors of the sensors

PAPER = Paper(
    title="Cable lengths, modelling and identification on a manipulator like a neck "
    "(Fasquelle 2021)",
    notes=ASSUMED,
    study=lambda quick: (
        Study(QUICK_EXPERIMENTS, QUICK_REPEATS) if quick else Study(EXPERIMENTS, REPEATS)
    ),
    tables=(
        wiring.wiring_table,
        wiring.inertia_table,
        tables.values_table,
        tables.deviations_table,
        tables.classes_table,
        tables.instruments_table,
        statements.friction_table,
        statements.models_table,
        tension_errors.errors_table,
        tension_errors.growth_table,
        tension_errors.held_out_table,
        statements.friction_settings_table,
        statements.settings_table,
        coverage_table,
    ),
    figures=(
        wiring_figures.figure1,
        wiring_figures.figure2,
        figures.figure6,
        figures.figure7,
        figures.figure8,
    ),
    files={
        "log.csv": lambda study, path: write_log(study.log, path),
        "identification.html": lambda study, path: study.identified["model 1"].report(path),
    },
    choices=CHOICES,
)
