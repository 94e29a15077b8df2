"""Briot2022: continuum parallel robots by assumed strain modes; tables I-VI, figures 4-14."""

from chorda.papers.briot2022 import (
    figures,
    map_figures,
    stability_figures,
    stability_tables,
    tables,
    time_tables,
)
from chorda.papers.briot2022.published import ASSUMED
from chorda.papers.briot2022.study import Study
from chorda.papers.reproduction import Paper

PAPER = Paper(
    title="Continuum parallel robots by assumed strain modes (Briot 2022)",
    notes=(ASSUMED, map_figures.RED_NOTE),
    study=Study,
    tables=(
        lambda s: tables.table1(s.planar),
        lambda s: tables.table2(s.planar, s.settings.elements),
        lambda s: time_tables.table3(s.planar, s.settings.steps, s.settings.repeats),
        lambda s: tables.table4(s.spatial),
        lambda s: tables.table5(s.spatial),
        lambda s: time_tables.table6(s.spatial, s.settings.steps, s.settings.repeats),
        lambda s: tables.pin_table(s.planar),
        lambda s: tables.convergence_table(s.converging),
        lambda s: stability_tables.observations([s.down, s.across], s.settings.counted),
        lambda s: stability_tables.change_table(s.changing),
    ),
    figures=(
        figures.figure4,
        figures.figure5a,
        figures.figure5b,
        map_figures.figure6,
        stability_figures.figure7,
        stability_figures.figure8,
        figures.figure9,
        figures.figure10,
        figures.figure11,
        map_figures.figure12,
        stability_figures.figure13,
        stability_figures.figure14,
        figures.convergence,
    ),
)
