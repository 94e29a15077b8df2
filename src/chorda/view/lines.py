"""Curves over time with their names at their ends: the building block of every panel."""

from collections.abc import Collection, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.view.labels import name_ends
from chorda.view.style import colors, dress, new_figure, styled

Series = Mapping[str, Array | tuple[Array, Array]]
Curves = Mapping[str, tuple[Array, Array]]  # times, values


def plot_lines(
    time: Array,
    series: Series,
    ylabel: str = "",
    title: str = "",
    ax: Axes | None = None,
    *,
    xlabel: str = "time [s]",
    dashed: Collection[str] = (),
    palette: Mapping[str, str] | None = None,
    include: Collection[float] = (),
    legend: bool = False,
) -> Axes:
    """Draw named curves over time.

    Parameters
    ----------
    time : array of shape (n,)
        Times (n) [s].
    series : mapping of str to arrays
        By label: values (n) at `time`, or a pair of the curve's own times and values.
    ylabel, title : str
        Text of the vertical axis, and above the axes.
    ax : Axes, optional
        Axes to draw into; without it, those of a new figure.
    xlabel : str
        Text of the horizontal axis.
    dashed : collection of str
        Labels of curves to draw dashed, such as what another program or a paper found.
    palette : mapping of str to str, optional
        Colours by label, where the usual ones will not do.
    include : collection of float
        Values that the vertical axis must show.
    legend : bool
        Put the labels into a legend, not at the ends of the curves.

    Returns
    -------
    Axes
        The axes; `ax.figure` is the figure.

    Raises
    ------
    InputError
        A curve has not one value for each time.

    See Also
    --------
    plot_run : quantities of a motion.

    Examples
    --------
    >>> t = np.linspace(0, 1, 50)
    >>> ax = plot_lines(t, {"ours": np.sin(t), "published": np.sin(t)}, dashed=["published"])
    >>> [line.get_linestyle() for line in ax.get_lines()[:2]]
    ['-', '--']
    """
    curves = {label: _curve(label, time, values) for label, values in series.items()}
    tints = dict(zip(curves, colors(len(curves)), strict=True)) | dict(palette or {})
    with styled():
        if ax is None:
            ax = new_figure(6.4, 3.2).add_subplot()
        dress(ax)
        for label, (t, y) in curves.items():
            style, mark = "--" if label in dashed else "-", "o" if len(t) == 1 else ""
            ax.plot(t, y, color=tints[label], label=label, linestyle=style, marker=mark)
        ax.set(xlabel=xlabel, ylabel=ylabel)
        if title:
            ax.set_title(title)
        _set_limits(ax, curves, include)
        if legend:
            ax.legend()
        else:
            name_ends(ax, curves, tints)
    return ax


def _curve(label: str, time: Array, values: Array | tuple[Array, Array]) -> tuple[Array, Array]:
    t, y = values if isinstance(values, tuple) else (time, values)
    t, y = np.atleast_1d(np.asarray(t, float)), np.atleast_1d(np.asarray(y, float))
    if t.shape != y.shape or t.ndim != 1:
        raise InputError(
            f"series: '{label}' has values of shape {y.shape} at times of shape {t.shape}; "
            "give one value for each time"
        )
    return t, y


def _set_limits(ax: Axes, curves: Curves, include: Collection[float]) -> None:
    """Limits that fit the data, and few ticks."""
    times, values = (
        np.concatenate([np.zeros(0), *(c[k][np.isfinite(c[k])] for c in curves.values())])
        for k in range(2)
    )
    if times.size and times.max() > times.min():
        ax.set_xlim(float(times.min()), float(times.max()))
    if values.size:
        low, high = float(values.min()), float(values.max())
        # a constant would fill the panel with its rounding errors
        room = max(0.06 * (high - low), 0.02 * max(abs(low), abs(high))) or 1.0
        ax.set_ylim(min(low - room, *include, np.inf), max(high + room, *include, -np.inf))
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
