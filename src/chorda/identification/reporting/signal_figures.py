"""Raw signals beside filtered ones: what the filter takes away, and why it cuts where it does."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.identification.identified import Identification
from chorda.identification.logs.log import Channel
from chorda.identification.preparing import Prepared
from chorda.identification.reporting.panels import WIDTH, finish, one_legend
from chorda.mechanics import Array
from chorda.numerics.filtering import even, noise_floor
from chorda.view import new_figure, styled
from chorda.view.display_units import display_unit
from chorda.view.style import CYCLE, ROLES

DURATION = 3.0  # [s] in which single measurements can be seen
RAW = "#8fa0b3"


def plot_signals(identification: Identification) -> Figure:
    """One signal of each sensor and kind: raw and filtered, their difference, power density."""
    prepared = identification.prepared
    q, u = prepared.columns(identification.offsets)
    filtered = np.hstack([q, u])
    chosen = shown_channels(prepared)
    with styled():
        figure = new_figure(WIDTH, 0.75 + 1.75 * len(chosen))
        panels = figure.subplots(len(chosen), 3, squeeze=False, width_ratios=[1.15, 1, 1.15])
        for k, (left, middle, right) in zip(chosen, panels, strict=True):
            _both(left, middle, identification, k, filtered[:, k])
            _density(right, prepared, prepared.wanted[k][1])
        for ax, text in zip(panels[-1], ("time [s]", "time [s]", "frequency [Hz]"), strict=True):
            ax.set_xlabel(text)
        one_legend(figure, figure.axes)
    return figure


def shown_channels(prepared: Prepared) -> list[int]:
    """Of each sensor and kind of signal the one that sinks into its noise first."""
    groups: dict[tuple[str, str], list[int]] = {}
    for k, (wanted, channel) in enumerate(prepared.wanted):
        groups.setdefault((channel.sensor, wanted.kind), []).append(k)

    def width(k: int) -> float:
        found = prepared.bandwidths[prepared.wanted[k][1].name]
        return np.inf if found is None else found

    return [min(rows, key=width) for rows in groups.values()]


def _both(ax: Axes, rest: Axes, found: Identification, k: int, filtered: Array) -> None:
    """The k-th signal with what the filter makes of it, and their difference."""
    channel, grid = found.prepared.wanted[k][1], found.prepared.grid
    time = channel.time - found.offsets.get(channel.sensor, 0.0)
    view = display_unit(channel.unit, channel.value)
    middle = (max(time[0], grid[0]) + min(time[-1], grid[-1])) / 2
    raw = np.abs(time - middle) <= DURATION / 2
    line = np.abs(grid - middle) <= DURATION / 2
    ax.plot(
        time[raw], view.factor * channel.value[raw], "o", ms=1.8, mew=0, color=RAW, label="raw",
        rasterized=True,
    )  # fmt: skip
    ax.plot(grid[line], view.factor * filtered[line], color=CYCLE[0], lw=1.3, label="filtered")
    finish(ax, f"{channel.name} ({channel.sensor})", f"[{view.unit}]")
    gone = channel.value[raw] - np.interp(time[raw], grid, filtered)
    small = display_unit(channel.unit, gone)
    rest.axhline(0, color=ROLES.frame, lw=0.8)
    rest.plot(time[raw], small.factor * gone, "o", ms=1.8, mew=0, color=RAW, rasterized=True)
    finish(rest, "raw less filtered", f"[{small.unit}]")


def _density(ax: Axes, prepared: Prepared, channel: Channel) -> None:
    view = display_unit(channel.unit, channel.value)
    value, rate = even(channel.time, channel.value)
    f, density, floor = noise_floor(view.factor * value, rate)
    ax.loglog(f[1:], density[1:], color=RAW, lw=1.2)
    ax.axhline(floor, color=CYCLE[2], lw=1.2, ls=":", label="noise floor")
    if own := prepared.cutoffs.get(channel.name):
        ax.axvline(own, color=ROLES.text, lw=1.1, label="cut-off of the signal")
    if prepared.cutoff:
        label = "cut-off of the equations"
        ax.axvline(prepared.cutoff, color=CYCLE[1], lw=1.4, ls=(0, (4, 2)), label=label)
    ax.set_xlim(float(f[1]), float(f[-1]))
    unit = f"({view.unit})" if " " in view.unit or "/" in view.unit else view.unit
    finish(ax, "power density", f"[{unit}²/Hz]", ticks=0)
