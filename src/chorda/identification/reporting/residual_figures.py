"""What the model leaves of the equations: over time, and whether it is white and normal."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import signal, stats

from chorda.identification.identified import Identification
from chorda.identification.reporting.panels import WIDTH, finish, stacked
from chorda.mechanics import Array
from chorda.view import new_figure, styled
from chorda.view.display_units import display_unit
from chorda.view.style import CYCLE, ROLES

MAX_POINTS = 1200  # of a line; longer ones are drawn as their lowest and highest values
MAX_LAG = 6.0  # lags that are shown, in periods of the equations' cut-off
DECADES = 7.0  # of a power spectrum that are shown
PROPERTIES = {  # with the label of the axis below
    "distribution": "standard deviations",
    "autocorrelation": "lag [s]",
    "power": "frequency [Hz]",
}


@dataclass(frozen=True, eq=False)
class Series:
    """Residuals of one equation on even times; NaN where samples are missing."""

    name: str
    unit: str
    rate: float
    time: Array
    value: Array

    @property
    def known(self) -> Array:
        return np.asarray(self.value[np.isfinite(self.value)])


def series(identification: Identification) -> list[Series]:
    """Residuals of every equation."""
    time, residual = identification.samples.time, identification.regression.residual
    period = float(np.median(np.diff(time))) if len(time) > 1 else 1.0
    rows = np.round((time - time[0]) / period).astype(int)
    even = np.full((rows[-1] + 1, residual.shape[1]), np.nan)
    even[rows] = residual
    at = time[0] + period * np.arange(len(even))
    equations = identification.equations
    return [
        Series(name, unit, 1 / period, at, even[:, k])
        for k, (name, unit) in enumerate(zip(equations.names, equations.units, strict=True))
    ]


def autocorrelation(x: Array, most: int) -> Array:
    """Correlation at lags 0 to `most`, of the pairs that are there."""
    there = np.isfinite(x)
    e = np.where(there, x - np.nanmean(x), 0.0)
    pairs = signal.correlate(there.astype(float), there.astype(float), method="fft")
    products = signal.correlate(e, e, method="fft")
    middle = len(x) - 1
    take = slice(middle, middle + most + 1)
    r = products[take] / np.maximum(np.round(pairs[take]), 1.0)
    return np.asarray(r / r[0]) if r[0] > 0 else np.zeros(len(r))


def lags(one: Series, cutoff: float) -> int:
    wanted = MAX_LAG / cutoff * one.rate if cutoff else 60.0
    return int(max(1, min(wanted, len(one.value) // 3)))


def plot_residuals(identification: Identification) -> Figure:
    """Residuals over time, a panel each equation."""
    all_series = series(identification)
    with styled():
        figure = new_figure(WIDTH, 0.4 + 1.1 * len(all_series))
        for ax, one in zip(stacked(figure, len(all_series)), all_series, strict=True):
            _over_time(ax, one)
        figure.align_ylabels()
    return figure


def _over_time(ax: Axes, one: Series) -> None:
    view = display_unit(one.unit, one.known)
    x = view.factor * one.value
    spread = float(np.nanstd(x))
    ax.axhspan(-1.96 * spread, 1.96 * spread, color="#eef3f8", lw=0, zorder=0)
    if len(x) <= MAX_POINTS:
        ax.plot(one.time, x, color=CYCLE[0], lw=0.9)
    else:
        every = -(-2 * len(x) // MAX_POINTS)
        whole = len(x) // every * every
        parts = x[:whole].reshape(-1, every)
        low, high = np.fmin.reduce(parts, axis=1), np.fmax.reduce(parts, axis=1)
        ax.fill_between(one.time[:whole:every], low, high, color=CYCLE[0], lw=0.4, alpha=0.75)
    ax.set_xlim(float(one.time[0]), float(one.time[-1]))
    finish(ax, one.name, f"[{view.unit}]", ticks=3)


def plot_residual_properties(identification: Identification) -> Figure:
    """Distribution, correlation in time and power spectrum, a row each equation."""
    all_series, cutoff = series(identification), identification.prepared.cutoff
    with styled():
        figure = new_figure(WIDTH, 0.55 + 1.3 * len(all_series))
        panels = figure.subplots(len(all_series), 3, squeeze=False)
        for one, (left, middle, right) in zip(all_series, panels, strict=True):
            _histogram(left, one)
            _correlation(middle, one, cutoff)
            _spectrum(right, one, cutoff)
            for ax, what in zip((left, middle, right), PROPERTIES, strict=True):
                finish(ax, f"{one.name}: {what}", ticks=0)
        for ax, text in zip(panels[-1], PROPERTIES.values(), strict=True):
            ax.set_xlabel(text)
    return figure


def _histogram(ax: Axes, one: Series) -> None:
    spread = float(np.std(one.known))
    if spread > 0:
        z = np.clip((one.known - np.mean(one.known)) / spread, -5, 5)
        bins = np.linspace(-5, 5, int(np.clip(np.sqrt(len(z)) * 1.6, 15, 51)))
        ax.hist(z, bins=bins.tolist(), density=True, color="#9cc3df", lw=0)
    x = np.linspace(-5, 5, 201)
    ax.plot(x, stats.norm.pdf(x), color=CYCLE[1], lw=1.4)
    ax.set_xlim(-5, 5)
    ax.set_yticks([])
    ax.grid(False, axis="y")


def _correlation(ax: Axes, one: Series, cutoff: float) -> None:
    most = lags(one, cutoff)
    r = autocorrelation(one.value, most)
    band = 1.96 / np.sqrt(len(one.known))
    ax.axhspan(-band, band, color="#f7dcc7", lw=0, zorder=1)
    ax.axhline(0, color=ROLES.frame, lw=0.8)
    ax.plot(np.arange(most + 1) / one.rate, r, color=CYCLE[0], lw=1.3)
    ax.set_xlim(0, most / one.rate)
    ax.set_ylim(min(-0.5, float(np.min(r)) - 0.1), 1.05)
    ax.set_yticks([-0.5, 0, 0.5, 1])


def _spectrum(ax: Axes, one: Series, cutoff: float) -> None:
    there = np.isfinite(one.value)
    x = np.interp(one.time, one.time[there], one.value[there])
    f, density = signal.welch(x, one.rate, nperseg=min(len(x), max(128, len(x) // 6)))
    f, density = f[1:], density[1:]
    if not np.any(density > 0):
        return
    ax.loglog(f, density, color=CYCLE[0], lw=1.2)
    top = float(np.max(density))
    ax.set_ylim(max(10**-DECADES * top, 0.5 * float(np.min(density))), 4 * top)
    ax.set_xlim(float(f[0]), float(f[-1]))
    if cutoff and f[0] < cutoff < f[-1]:
        ax.axvline(cutoff, color=CYCLE[1], lw=1.1, ls=(0, (4, 2)))
    ax.set_ylabel(f"[({one.unit})²/Hz]")
