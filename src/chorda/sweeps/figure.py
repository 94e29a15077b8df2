"""A picture of a sweep: one dot a point."""

from pathlib import Path
from typing import TYPE_CHECKING

from chorda.sweeps.result import Sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def scatter(sweep: Sweep, x: str, y: str, colour: str | None, path: str | Path | None) -> "Figure":
    from chorda.view.style import new_figure, save_figure, styled

    columns = [sweep.column(name) for name in (x, y, *([colour] if colour else []))]
    (across, x_label), (up, y_label), *shade = columns
    figure = new_figure(6, 4)
    with styled():
        axes = figure.add_subplot()
        dots = axes.scatter(across, up, c=shade[0][0] if shade else None, s=12)
        axes.set(xlabel=x_label, ylabel=y_label, title=sweep.study.name)
        if shade:
            figure.colorbar(dots, label=shade[0][1])
    if path is not None:
        save_figure(figure, path)
    return figure
