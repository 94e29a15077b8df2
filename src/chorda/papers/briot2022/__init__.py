"""Briot2022: continuum parallel robots by assumed strain modes; tables I-VI, figures 4-14."""

from chorda.papers.briot2022 import (
    basis_table,
    convergence_tables,
    efficiency_table,
    figures,
    map_figures,
    map_table,
    motor_table,
    singularity_tables,
    stability_figures,
    stability_tables,
    tables,
    time_tables,
)
from chorda.papers.briot2022.published import CHOICES
from chorda.papers.briot2022.study import STABILITY_MODES, Study
from chorda.papers.reproduction import Paper

PAPER = Paper(
    title="Continuum parallel robots by assumed strain modes (Briot 2022)",
    notes=(
        "Figures 6 and 12 show limits of stability by the "
        "sign of the Hessian's eigenvalues, which no unit changes; the paper paints red where an "
        "inverse condition number is small, which depends on the units of its coordinates.",
    ),
    study=Study,
    tables=(
        lambda s: tables.table1(s.planar),
        lambda s: tables.table1_as_published(s.planar, s.settings.as_published),
        lambda s: tables.table2(s.planar, s.settings.elements),
        lambda s: time_tables.table3(s.planar, s.settings.steps, s.settings.repeats),
        lambda s: efficiency_table.efficiency_table(s.planar),
        lambda s: basis_table.basis_table(s.planar),
        lambda s: tables.table4(s.spatial, s.planar),
        lambda s: motor_table.table5(s.spatial),
        lambda s: time_tables.table6(s.spatial, s.settings.steps, s.settings.repeats),
        lambda s: singularity_tables.kinematostatics_table(s.singular),
        lambda s: singularity_tables.distances_table(s.singular[1]),
        lambda s: singularity_tables.singularity_table(s.singular[1], [s.down, s.across]),
        lambda s: stability_tables.observations([s.down, s.across], STABILITY_MODES),
        lambda s: stability_tables.change_values(s.changing),
        lambda s: stability_tables.change_checks(s.changing),
        lambda s: map_table.limits_table([s.down, s.across]),
        lambda s: convergence_tables.pin_table(s.planar),
        lambda s: convergence_tables.convergence_table(s.converging),
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
        figures.singularities,
    ),
    choices=CHOICES,
)
