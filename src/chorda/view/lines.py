"""Curves over time with their names at their ends: the building block of every panel."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.view.style import colors, dress, new_figure, styled

Series = Mapping[str, Array | tuple[Array, Array]]


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
    """Draw named curves over time [s] and return their axes (`ax.figure` is the figure).

    series: label -> values at `time`, or label -> (its own times, values). Labels stand at the
    ends of the curves, or in a legend. dashed: labels of curves to draw dashed, such as what
    another program or a paper found. palette: colours by label, where the usual will not do.
    include: values that the vertical axis must show.

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
            ax.plot(
                t,
                y,
                color=tints[label],
                label=label,
                linestyle="--" if label in dashed else "-",
                marker="o" if len(t) == 1 else "",
            )
        ax.set(xlabel=xlabel, ylabel=ylabel)
        if title:
            ax.set_title(title)
        tidy(ax, curves, include)
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


def tidy(
    ax: Axes, curves: Mapping[str, tuple[Array, Array]], include: Collection[float] = ()
) -> None:
    """Limits that fit the data, and few ticks."""
    times = [t[np.isfinite(t)] for t, _ in curves.values()]
    all_times = np.concatenate([np.zeros(0), *times])
    if all_times.size and all_times.max() > all_times.min():
        ax.set_xlim(float(all_times.min()), float(all_times.max()))
    values = np.concatenate([np.zeros(0), *[y[np.isfinite(y)] for _, y in curves.values()]])
    if values.size:
        low, high = float(values.min()), float(values.max())
        # a constant would fill the panel with its rounding errors
        room = max(0.06 * (high - low), 0.02 * max(abs(low), abs(high))) or 1.0
        ax.set_ylim(min(low - room, *include, np.inf), max(high + room, *include, -np.inf))
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))


def name_ends(
    ax: Axes, curves: Mapping[str, tuple[Array, Array]], tints: Mapping[str, str]
) -> None:
    """Write each curve's name at its end, moved apart where ends are close.

    The positions fit the limits that the axes have now.
    """
    ends = {
        label: y[np.isfinite(y)][-1] for label, (_, y) in curves.items() if np.isfinite(y).any()
    }
    if not ends:
        return
    low, high = ax.get_ylim()
    # the layout has not run yet and will make the panel higher: margins are narrow here
    height = 1.15 * ax.get_window_extent().height * 72 / ax.figure.dpi
    size = min(8.0, max(5.0, height / (1.25 * len(ends))))
    wanted = np.clip((np.array(list(ends.values())) - low) / (high - low), 0.0, 1.0)
    placed = spread(wanted, 1.25 * size / height)
    for label, end, y in zip(ends, wanted, placed, strict=True):
        look: dict[str, Any] = {"transform": ax.transAxes, "color": tints[label]}
        ax.plot([1.004, 1.016, 1.028], [end, y, y], lw=0.8, clip_on=False, label="_end", **look)
        ax.text(1.036, y, label, fontsize=size, va="center", **look)


def spread(wanted: Array, gap: float) -> Array:
    """Positions near the wanted ones, at least `gap` apart, within [0, 1] if they fit.

    >>> spread(np.array([0.5, 0.5]), 0.2)
    array([0.6, 0.4])
    """
    # from the top; where all are about the same, as given
    together = np.ptp(wanted) < 0.05
    order = np.arange(len(wanted)) if together else np.argsort(-wanted, kind="stable")
    groups: list[tuple[float, int]] = []  # labels that touch: mean of the wanted places, count

    def middle(mean: float, count: int) -> float:
        half = gap * (count - 1) / 2
        return min(max(mean, half), max(1 - half, half))

    for x in wanted[order]:
        groups.append((float(x), 1))
        while len(groups) > 1:
            (above, m), (below, n) = groups[-2:]
            if middle(above, m) - middle(below, n) >= gap * (m + n) / 2 - 1e-12:
                break
            groups[-2:] = [((above * m + below * n) / (m + n), m + n)]
    places = [
        middle(mean, count) + gap * ((count - 1) / 2 - k)
        for mean, count in groups
        for k in range(count)
    ]
    out = np.empty(len(wanted))
    out[order] = places
    return out
