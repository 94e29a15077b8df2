"""Briot2022: continuum parallel robots by assumed strain modes; tables I-VI, figures 4-14."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from chorda.errors import StorageError
from chorda.numerics.progress import Progress
from chorda.papers.briot2022.accuracy import table1, table2, table4, table5
from chorda.papers.briot2022.convergence import convergence_table, pin_table
from chorda.papers.briot2022.extent import Extent, extent
from chorda.papers.briot2022.published import SINGULAR
from chorda.papers.briot2022.stability import crossing_table, observations
from chorda.papers.briot2022.study import Study
from chorda.papers.briot2022.subjects import PLANAR, SPATIAL
from chorda.papers.briot2022.timing import table3, table6
from chorda.papers.briot2022.walks import Walk
from chorda.papers.report import Reproduction
from chorda.results import Table

TITLE = "Continuum parallel robots by assumed strain modes (Briot 2022)"
ASSUMED = (
    "Not printed, and taken from an independent solution: which motor is the left one, how the "
    "legs bulge, which leg of the 6-RFS ends where. The errors of Tables I, II and IV then come "
    "out, which they would not on another branch or with other legs."
)
RED = (
    "Figures 6 and 12 paint red where the Hessian's inverse condition number is below {0:g} and "
    "{1:g}. With the coordinates here the strips of such configurations are thinner than the "
    "cells of "
    "the maps, and red is below {2:g} and {3:g}: the same lines, broad enough to be seen."
)
CAPTIONS = {
    "figure4": "Figure 4: the RFRFR's path, 5 modes in each leg",
    "figure5a": "Figure 5a: error of the modes over the 51 configurations",
    "figure5b": "Figure 5b: error of finite differences over the 51 configurations",
    "figure6": "Figure 6: the RFRFR's workspace by flooding, and the way X1 to X5",
    "figure7": "Figure 7: the two smallest eigenvalues and the determinant from X1 to X5",
    "figure8": "Figure 8: conjugate points at X1 to X5",
    "figure9": "Figure 9: the 6-RFS where its path begins",
    "figure10": "Figure 10: the 6-RFS's path, 5 modes for each bending of a leg",
    "figure11": "Figure 11: errors of the platform's pose over the 51 configurations",
    "figure12": "Figure 12: a slice of the 6-RFS's workspace by flooding, and the way X1 to X3",
    "figure13": "Figure 13: the smallest eigenvalue and the determinant from X1 to X3",
    "figure14": "Figure 14: conjugate points at X1 to X3",
    "convergence": "How fast the modes converge to the continuous model",
}


def reproduce(
    output: str | Path, *, quick: bool = False, progress: bool | None = None
) -> Reproduction:
    """Make the paper's tables and figures in the folder `output`.

    quick: fewer modes, elements, steps and points along the ways on which stability is lost.
    """
    from chorda.papers.briot2022.maps import REGIONS
    from chorda.view import Image, Section, save_figure, write_page

    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder}: cannot be made: {error.strerror}") from None
    work = Work(extent(quick))
    jobs = [*work.tables().items(), *work.figures().items()]
    made: dict[str, Any] = {}
    with Progress(len(jobs), progress, "briot2022") as bar:
        for k, (name, job) in enumerate(jobs):
            made[name] = job()
            bar.update(k + 1)
    tables = tuple(x for x in made.values() if isinstance(x, Table))
    figures = {name: made[name] for name in CAPTIONS}
    files = [save_figure(figure, folder / f"{name}.png") for name, figure in figures.items()]
    reds = [*SINGULAR.values(), *(REGIONS[name].red for name in SINGULAR)]
    notes = (ASSUMED, RED.format(*reds))
    sections = [Section("Assumptions", notes)]
    sections += [Section(t.title, tables=(t,)) for t in tables]
    sections += [Section(CAPTIONS[k], images=(Image(f, CAPTIONS[k]),)) for k, f in figures.items()]
    files.append(write_page(folder / "index.html", TITLE, sections))
    return Reproduction("briot2022", TITLE, tables, tuple(files), notes)


class Work:
    """Both robots, and what is made of them."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.planar, self.spatial = Study(PLANAR), Study(SPATIAL)
        self.down = Walk(self.planar, extent.points)
        self.across = Walk(self.spatial, extent.points)

    def tables(self) -> dict[str, Callable[[], Table]]:
        e, walks = self.extent, [self.down, self.across]
        swept = [(self.planar, e.planar), (self.spatial, e.spatial)]
        crossed = [(self.down, e.down), (self.across, e.across)]
        return {
            "table1": lambda: table1(self.planar),
            "table2": lambda: table2(self.planar, e.elements),
            "table3": lambda: table3(self.planar, e.steps, e.repeats),
            "table4": lambda: table4(self.spatial),
            "table5": lambda: table5(self.spatial),
            "table6": lambda: table6(self.spatial, e.steps, e.repeats),
            "pin": lambda: pin_table(self.planar),
            "modes": lambda: convergence_table(swept),
            "observed": lambda: observations(walks, e.judged),
            "crossings": lambda: crossing_table(crossed),
        }

    def figures(self) -> dict[str, Callable[[], Any]]:
        from chorda.papers.briot2022 import figures as draw
        from chorda.papers.briot2022.convergence import crossing_curves, error_curves
        from chorda.papers.briot2022.maps import flooded, map_figure
        from chorda.papers.briot2022.stability_figures import eigenvalue_figure, field_figure

        e, planar, spatial = self.extent, self.planar, self.spatial
        down, across = self.down, self.across
        swept = [(planar, e.planar), (spatial, e.spatial)]
        crossed = [(down, e.down), (across, e.across)]
        return {
            "figure4": lambda: draw.path_figure(planar),
            "figure5a": lambda: draw.mode_errors(planar),
            "figure5b": lambda: draw.element_errors(planar, e.elements),
            "figure6": lambda: map_figure(planar, flooded(planar, e.cells[0]), down.stops),
            "figure7": lambda: eigenvalue_figure(down, e.judged["rfrfr"], down.stops, 2),
            "figure8": lambda: field_figure(down, down.stops),
            "figure9": lambda: draw.robot_figure(spatial),
            "figure10": lambda: draw.path_figure(spatial),
            "figure11": lambda: draw.pose_errors(spatial),
            "figure12": lambda: map_figure(spatial, flooded(spatial, e.cells[1]), across.stops),
            "figure13": lambda: eigenvalue_figure(across, e.judged["6-rfs"], across.stops, 1),
            "figure14": lambda: field_figure(across, across.stops),
            "convergence": lambda: draw.convergence_figure(
                error_curves(swept), crossing_curves(crossed)
            ),
        }
