"""Figures 7, 8, 13 and 14: eigenvalues, determinants and conjugate points."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.continuous import ConjugatePoints
from chorda.mechanics import Array
from chorda.papers.briot2022.stability_study import LOCKED, StabilityPath
from chorda.papers.briot2022.study import Study
from chorda.papers.panels_figure import panels
from chorda.view import ROLES
from chorda.view.style import CYCLE

ORDER = ("smallest", "second")
PRINTED_STYLES = {5: ("--", 1.6), 4: ("-.", 1.0), 3: (":", 1.2)}  # of the paper's modes
FINE = 8  # modes beside the paper's
VISIBLE = 1e-3  # of the largest: what is less is a line along the axis


def figure7(study: Study) -> Figure:
    """Figure 7: the two smallest eigenvalues and the determinant from X1 to X5."""
    return _eigenvalues(study.down, FINE, 2)


def figure8(study: Study) -> Figure:
    """Figure 8: conjugate points at X1 to X5."""
    return _fields(study.down)


def figure13(study: Study) -> Figure:
    """Figure 13: the smallest eigenvalue and the determinant from X1 to X3."""
    return _eigenvalues(study.across, FINE, 1)


def figure14(study: Study) -> Figure:
    """Figure 14: conjugate points at X1 to X3."""
    return _fields(study.across)


def _shape(fields: ConjugatePoints) -> Array:
    """The determinant along the legs over its largest."""
    return np.asarray(fields.determinant / np.max(np.abs(fields.determinant)))


def _eigenvalues(path: StabilityPath, modes: int, shown: int) -> Figure:
    """Along the path: the smallest eigenvalues, the determinant, and both counts."""
    negative, y = path.by_modes(modes).stability[LOCKED].negative, path.y
    at = {stop.name: path.case.point(stop.t)[1] for stop in path.stops}
    with panels(7.6, 6.4, 3, sharex=True, height_ratios=(1.3, 1.2, 0.8)) as (figure, axes):
        top, middle, low = axes
        for k in range(shown):
            for n, (style, width) in ({modes: ("-", 1.8)} | PRINTED_STYLES).items():
                values = path.by_modes(n).stability[LOCKED].eigenvalues[:, k]
                label = f"{ORDER[k]}, {n} modes"
                top.plot(y[: len(values)], values, style, color=CYCLE[k], lw=width, label=label)
        curves = [_shape(x) for x in path.fields]
        middle.plot(y, [c.min() for c in curves], color=CYCLE[2], label="least along the legs")
        middle.plot(y, [c[-1] for c in curves], color=CYCLE[4], ls="--", label="at their bases")
        low.step(y, path.counts, where="mid", color=CYCLE[2], lw=3.2, alpha=0.5)
        low.plot(y[: len(negative)], negative, ".", color=CYCLE[0], ms=4)
        counts = f"Dots: negative eigenvalues, {modes} modes. Line: conjugate points"
        for ax, label, title in (
            (top, "eigenvalue [J]", "Eigenvalues of the Hessian with motors locked"),
            (middle, "over its largest", "Determinant of the continuous model's fields"),
            (low, "count", counts),
        ):
            ax.set_ylabel(label)
            ax.set_title(title, pad=16 if ax is top else 6)
            ax.axhline(0, color=ROLES.quiet, lw=0.8)
            _lines(ax, at, names=ax is top)
        for ax in (top, middle):
            ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        low.set_yticks(range(int(max(path.counts)) + 1))
        low.set(xlabel="y [m]", xlim=(y[0], y[-1]))
    return figure


def _lines(ax: Axes, at: dict[str, float], names: bool) -> None:
    for name, y in at.items():
        ax.axvline(y, color=ROLES.frame, lw=0.9, ls=":", zorder=1)
        if names:
            ax.annotate(
                name, (y, 1.0), (0, 2), xycoords=("data", "axes fraction"), size=8, weight="bold",
                textcoords="offset points", ha="center", va="bottom", annotation_clip=False,
            )  # fmt: skip


def _fields(path: StabilityPath) -> Figure:
    """The determinant over the legs' length at each stop; dots are conjugate points."""
    stops = path.stops
    curves = [_shape(stop.fields) for stop in stops]
    seen = [
        stop.fields.fraction[np.abs(y) > VISIBLE].max()
        for stop, y in zip(stops, curves, strict=True)
    ]
    right = min(1.0, np.ceil(10 * max(seen)) / 10)
    low = min(-0.3, *(y.min() for y in curves)) - 0.1
    with panels(2.0 * len(stops) + 0.6, 2.9, 1, len(stops), sharey=True) as (figure, axes):
        for ax, stop, curve in zip(axes, stops, curves, strict=True):
            fraction, points = stop.fields.fraction, stop.fields.positions
            ax.axhline(0, color=ROLES.quiet, lw=0.8)
            ax.plot(fraction, curve, color=CYCLE[0])
            ax.plot(points, np.zeros(len(points)), "o", ms=5.5, color=CYCLE[1])
            y, count = path.case.point(stop.t)[1], len(points)
            text = f"{count or 'no'} conjugate point{'' if count == 1 else 's'}"
            ax.set_title(f"{stop.name}: y = {y:.3f} m\n{text}", fontsize=8)
            ax.set(xlabel="along the legs [m]", xlim=(0, right), ylim=(low, 1.1))
        axes[0].set_ylabel("determinant over its largest")
    return figure
