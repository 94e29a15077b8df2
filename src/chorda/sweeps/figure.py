"""A picture of a sweep: one dot a point."""

from pathlib import Path
from typing import TYPE_CHECKING

from chorda.errors import InputError
from chorda.sweeps.result import Sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURES = (".png", ".svg", ".pdf")


def scatter(sweep: Sweep, x: str, y: str, colour: str | None, path: str | Path | None) -> "Figure":
    from matplotlib.figure import Figure

    if path is not None and Path(path).suffix.lower() not in PICTURES:
        raise InputError(f"path: expected a file ending in {', '.join(PICTURES)}, got '{path}'")
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    across, across_name = sweep.column(x)
    up, up_name = sweep.column(y)
    shade, shade_name = sweep.column(colour) if colour else (None, "")
    dots = axes.scatter(across, up, c=shade, s=12)
    axes.set_xlabel(across_name)
    axes.set_ylabel(up_name)
    axes.set_title(sweep.study.name)
    if shade is not None:
        figure.colorbar(dots, label=shade_name)
    if path is not None:
        from chorda.files import write_whole

        kind = Path(path).suffix.lower().lstrip(".")
        write_whole(path, lambda part: figure.savefig(part, format=kind, dpi=150))
    return figure
