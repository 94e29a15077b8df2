"""Plotted: the axes that a plot drew, by number and by what they show."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.checks import unknown
from chorda.errors import InputError
from chorda.view.style import png, save_figure


class Plotted:
    """Axes of a plot, in their order and by name; notebooks show the figure.

    Parameters
    ----------
    figure : Figure
        Of matplotlib; it belongs to no window.
    axes : mapping of str to Axes
        By what they show.

    See Also
    --------
    plot_run : makes it.

    Examples
    --------
    >>> import chorda
    >>> run = chorda.simulate(chorda.assemble(chorda.neck(1)), duration=0.1, step=1e-3)
    >>> shown = run.plot(what=["tension", "position"])
    >>> shown
    <Plotted tension, position>
    >>> shown["tension"].get_ylabel(), len(shown)
    ('tension [N]', 2)
    """

    def __init__(self, figure: Figure, axes: Mapping[str, Axes]) -> None:
        self.figure, self._axes = figure, dict(axes)

    @property
    def names(self) -> tuple[str, ...]:
        """What the axes show, in order."""
        return tuple(self._axes)

    def __getitem__(self, key: int | str) -> Axes:
        if isinstance(key, str):
            if key not in self._axes:
                raise InputError(unknown("axes", key, self.names))
            return self._axes[key]
        return list(self._axes.values())[key]

    def __iter__(self) -> Iterator[Axes]:
        return iter(self._axes.values())

    def __len__(self) -> int:
        return len(self._axes)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._axes)

    def save(self, path: str | Path) -> Path:
        """Write the figure.

        Parameters
        ----------
        path : str or Path
            Of the file to write (.png, .svg or .pdf).

        Returns
        -------
        Path
            Of the file that was written.
        """
        return save_figure(self.figure, path)

    def _repr_png_(self) -> bytes:
        return png(self.figure)

    def __repr__(self) -> str:
        return f"<Plotted {', '.join(self._axes)}>"
