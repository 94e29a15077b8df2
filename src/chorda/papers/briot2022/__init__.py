"""Briot2022: continuum parallel robots by assumed strain modes; tables I-VI, figures 4-14."""

from chorda.papers.briot2022 import figures, stability_tables, tables, time_tables
from chorda.papers.briot2022.map_figures import RED_NOTE, map_figure
from chorda.papers.briot2022.published import ASSUMED
from chorda.papers.briot2022.robots import PLANAR, SPATIAL
from chorda.papers.briot2022.settings import QUICK, WHOLE
from chorda.papers.briot2022.stability_figures import eigenvalue_figure, field_figure
from chorda.papers.briot2022.stability_study import StabilityPath
from chorda.papers.briot2022.study import RobotStudy
from chorda.papers.reproduction import Paper


class Study:
    """Both robots, and the paths on which they lose stability."""

    def __init__(self, quick: bool) -> None:
        self.settings = s = QUICK if quick else WHOLE
        self.planar, self.spatial = RobotStudy(PLANAR), RobotStudy(SPATIAL)
        self.down = StabilityPath(self.planar, s.points)
        self.across = StabilityPath(self.spatial, s.points)
        self.converging = [(self.planar, s.planar), (self.spatial, s.spatial)]
        self.changing = [(self.down, s.down), (self.across, s.across)]


PAPER = Paper(
    title="Continuum parallel robots by assumed strain modes (Briot 2022)",
    notes=(ASSUMED, RED_NOTE),
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
    figures={
        "figure4": (
            "Figure 4: the RFRFR's path, 5 modes in each leg",
            lambda s: figures.path_figure(s.planar),
        ),
        "figure5a": (
            "Figure 5a: error of the modes over the 51 configurations",
            lambda s: figures.mode_errors(s.planar),
        ),
        "figure5b": (
            "Figure 5b: error of finite differences over the 51 configurations",
            lambda s: figures.element_errors(s.planar, s.settings.elements),
        ),
        "figure6": (
            "Figure 6: the RFRFR's workspace by flooding, and the path X1 to X5",
            lambda s: map_figure(s.down, s.settings.cells[0]),
        ),
        "figure7": (
            "Figure 7: the two smallest eigenvalues and the determinant from X1 to X5",
            lambda s: eigenvalue_figure(s.down, s.settings.counted["rfrfr"], 2),
        ),
        "figure8": ("Figure 8: conjugate points at X1 to X5", lambda s: field_figure(s.down)),
        "figure9": (
            "Figure 9: the 6-RFS where its path begins",
            lambda s: figures.robot_figure(s.spatial),
        ),
        "figure10": (
            "Figure 10: the 6-RFS's path, 5 modes for each bending of a leg",
            lambda s: figures.path_figure(s.spatial),
        ),
        "figure11": (
            "Figure 11: errors of the platform's pose over the 51 configurations",
            lambda s: figures.pose_errors(s.spatial),
        ),
        "figure12": (
            "Figure 12: a slice of the 6-RFS's workspace by flooding, and the path X1 to X3",
            lambda s: map_figure(s.across, s.settings.cells[1]),
        ),
        "figure13": (
            "Figure 13: the smallest eigenvalue and the determinant from X1 to X3",
            lambda s: eigenvalue_figure(s.across, s.settings.counted["6-rfs"], 1),
        ),
        "figure14": ("Figure 14: conjugate points at X1 to X3", lambda s: field_figure(s.across)),
        "convergence": (
            "How fast the modes converge to the continuous model",
            lambda s: figures.convergence_figure(s.converging, s.changing),
        ),
    },
)
