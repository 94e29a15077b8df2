"""Fasquelle2021: cable lengths around pulleys, friction and elasticity identified; tables 1-2."""

from chorda.identification import write_log
from chorda.papers.fasquelle2021 import figures, tables
from chorda.papers.fasquelle2021.published import ASSUMED
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.fasquelle2021.wiring import wiring_table
from chorda.papers.reproduction import Paper

EXPERIMENTS, QUICK_EXPERIMENTS = 200, 8  # for the coverage of the intervals

PAPER = Paper(
    title="Cable lengths, modelling and identification on a manipulator like a neck "
    "(Fasquelle 2021)",
    notes=(ASSUMED,),
    study=lambda quick: Study(QUICK_EXPERIMENTS if quick else EXPERIMENTS),
    tables=(wiring_table, tables.table1, tables.table2, tables.errors_table, tables.coverage_table),
    figures=(figures.figure6, figures.figure7, figures.figure8),
    files={
        "log.csv": lambda study, path: write_log(study.log, path),
        "identification.html": lambda study, path: study.laws["model 1"].report(path),
    },
)
