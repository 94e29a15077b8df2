"""Fasquelle2021: cable lengths around pulleys, friction and elasticity identified; tables 1-2."""

from chorda.identification import write_log
from chorda.papers.fasquelle2021 import figures, tables
from chorda.papers.fasquelle2021.published import ASSUMED
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.fasquelle2021.wiring import wiring_table
from chorda.papers.reproduction import Paper

EXPERIMENTS, FEW = 200, 8  # for the coverage of the intervals; few in a quick reproduction

PAPER = Paper(
    title="Cable lengths, modelling and identification on a manipulator like a neck "
    "(Fasquelle 2021)",
    notes=(ASSUMED,),
    study=lambda quick: Study(FEW if quick else EXPERIMENTS),
    tables=(
        wiring_table,
        tables.table1,
        tables.table2,
        tables.errors_table,
        tables.coverage_table,
    ),
    figures={
        "figure6": (
            "Figure 6: what the actuators do to the joints, measured and modelled",
            figures.figure6,
        ),
        "figure7": (
            "Figure 7: tension of cables that stiffen, by the motor and by each model",
            figures.figure7,
        ),
        "figure8": (
            "Figure 8: error of each model over the tension: it grows, but for the right law",
            figures.figure8,
        ),
    },
    files={
        "log.csv": lambda study, path: write_log(study.log, path),
        "identification.html": lambda study, path: study.laws["model 1"].report(path),
    },
)
