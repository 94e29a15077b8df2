"""How sure the estimates are: intervals, and what they have to do with each other."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from chorda.identification.identified import MAX_RELATIVE, Identification
from chorda.identification.parameter_estimates import WELL_DEVIATION, ParameterEstimate
from chorda.identification.reporting.panels import NEITHER, POOR, WELL, WIDTH, one_legend
from chorda.mechanics import Array
from chorda.view import new_figure, styled
from chorda.view.style import CYCLE, ROLES, color_bar

DIVERGING = LinearSegmentedColormap.from_list("correlation", [CYCLE[1], "#ffffff", CYCLE[0]])
MAX_ROWS = 14  # rows of a matrix whose numbers can be read
MARKS = {"well identified": (WELL, WELL), "poorly identified": (POOR, "#ffffff")}
INTERVAL: dict[str, Any] = {"lw": 2.2, "solid_capstyle": "butt", "ms": 7, "mew": 1.6}
TRUTH: dict[str, Any] = {"color": ROLES.text, "ms": 4.2, "mec": "#ffffff", "mew": 0.6, "zorder": 5}


def plot_intervals(identification: Identification) -> Figure:
    """95 % intervals in percent of the values; a logarithmic axis beyond the narrowest."""
    found = identification.estimates
    wide = next(
        ((x.high - x.value) / x.deviation for x in found if x.deviation > 0 and _shown(x)), 1.96
    )
    with styled():
        figure = new_figure(WIDTH, 0.95 + 0.27 * len(found))
        ax = figure.add_subplot()
        limit, label = 100 * wide * WELL_DEVIATION, "as wide as a well identified one may be"
        ax.axvspan(-limit, limit, color="#eef3f8", lw=0, zorder=0, label=label)
        ax.axvline(0, color=ROLES.frame, lw=1)
        for row, item in enumerate(found):
            _interval(ax, row, item)
        ax.set_yticks(range(len(found)), [x.name for x in found])
        ax.tick_params(axis="y", labelcolor=ROLES.text)
        ax.set_ylim(len(found) - 0.4, -0.6)
        ax.grid(False, axis="y")
        _scale(ax, found, wide)
        ax.set_xlabel("95 % interval, difference from the value [% of the value]")
        one_legend(figure, [ax], across=4, markers=1.0)
    return figure


def _shown(item: ParameterEstimate) -> bool:
    """Whether percents of the value mean something: not where it is as good as zero."""
    return item.verdict != "not identifiable" and item.relative < MAX_RELATIVE


def _interval(ax: Axes, row: int, item: ParameterEstimate) -> None:
    if not _shown(item):
        text, color = str(item.verdict), NEITHER
        if text != "not identifiable" and np.isfinite(item.low):
            text, color = f"about zero: {item.low:.4g} to {item.high:.4g} {item.unit}", POOR
        ax.text(0, row, f"  {text}", color=color, fontsize=7.5, va="center")
        return
    size = abs(item.value)
    half = 100 * (item.high - item.value) / size
    color, face = MARKS[item.verdict]
    ax.plot([-half, half], [row, row], "|-", label=item.verdict, color=color, **INTERVAL)
    ax.plot(0, row, "o", mfc=face, mec=color, ms=5)
    if item.truth is not None:
        ax.plot(100 * (item.truth - item.value) / size, row, "D", label="truth", **TRUTH)


def _scale(ax: Axes, found: tuple[ParameterEstimate, ...], wide: float) -> None:
    """Linear where the intervals are alike; otherwise logarithmic to both sides."""
    halves = [100 * wide * x.relative for x in found if _shown(x) and x.relative > 0]
    if not halves:
        ax.set_xticks([])
        return
    errors = [
        abs(100 * (x.truth - x.value) / x.value) for x in found if x.truth is not None and _shown(x)
    ]
    most, least = max(*halves, *errors, 1e-9), min(halves)
    if most < 12 * least:
        ax.set_xlim(-1.15 * most, 1.15 * most)
        return
    first = 10.0 ** np.floor(np.log10(least))
    ax.set_xscale("symlog", linthresh=first, linscale=0.6)
    decades = range(round(np.log10(first)), int(np.floor(np.log10(1.4 * most))) + 1)
    stride = -(-len(decades) // 5)
    ticks = [10.0**k for k in decades][::stride]
    ax.set_xticks([*[-t for t in reversed(ticks)], 0.0, *ticks])
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}".replace("-", "\u2212")))
    ax.minorticks_off()
    ax.set_xlim(-1.7 * most, 1.7 * most)


def correlations(identification: Identification) -> tuple[list[str], Array]:
    """Names of what the data determine, clocks included, and the correlations between them."""
    if identification.refined is None:
        C = identification.regression.covariance
        clocks = [f"clock.{name}" for name in identification.offset_deviations]
        names = [*identification.unknowns.names, *clocks][: len(C)]  # given clocks are not in it
    else:
        C, names = identification.refined.covariance, list(identification.refined.names)
    s = np.sqrt(np.diag(C))
    wanted = np.array([not name.startswith("start.") for name in names])
    known = np.flatnonzero(wanted & np.isfinite(s) & (s > 0))
    return [names[k] for k in known], C[np.ix_(known, known)] / np.outer(s[known], s[known])


def plot_correlations(identification: Identification) -> Figure:
    """The correlation matrix of the estimates."""
    names, R = correlations(identification)
    n = max(len(names), 1)
    cell = 0.42 if n <= MAX_ROWS else 0.24
    with styled():
        figure = new_figure(min(WIDTH, 2.6 + cell * n), min(6.5, 1.25 + cell * n))
        ax = figure.add_subplot()
        ax.imshow(R, cmap=DIVERGING, vmin=-1, vmax=1)
        ax.set_xticks(range(len(names)), names, rotation=50, ha="right", rotation_mode="anchor")
        ax.set_yticks(range(len(names)), names)
        ax.tick_params(length=0, labelcolor=ROLES.text, labelsize=7.5 if n <= MAX_ROWS else 6)
        ax.grid(False)
        for side in ax.spines.values():
            side.set_visible(False)
        if n <= MAX_ROWS:
            _write(ax, R)
        where: dict[str, Any] = {"ax": ax, "shrink": 0.7, "ticks": [-1, -0.5, 0, 0.5, 1]}
        color_bar(figure, Normalize(-1, 1), DIVERGING, "correlation", **where)
    return figure


def _write(ax: Axes, R: Array) -> None:
    for i, j in np.ndindex(*R.shape):
        if i != j:
            color = "#ffffff" if abs(R[i, j]) > 0.65 else ROLES.text
            text = f"{round(float(R[i, j]), 2) + 0.0:.2f}".replace("0.", ".").replace("-", "\u2212")
            ax.text(j, i, text, ha="center", va="center", fontsize=6.5, color=color)
