"""Figures of several panels."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.view import dress, new_figure, styled


@contextmanager
def panels(
    width: float, height: float, rows: int = 1, columns: int = 1, **options: Any
) -> Iterator[tuple[Figure, list[Axes]]]:
    """A new figure [inches] and its axes, row by row, in Chorda's style.

    options: further ones of matplotlib's `subplots`.
    """
    with styled():
        figure = new_figure(width, height)
        axes = list(figure.subplots(rows, columns, squeeze=False, **options).flat)
        for ax in axes:
            dress(ax)
        yield figure, axes
