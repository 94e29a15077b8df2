"""Figures 7, 8, 13 and 14: eigenvalues, determinants and conjugate points."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.continuous import ConjugatePoints
from chorda.mechanics import Array
from chorda.papers.briot2022.published import PRINTED_MODES
from chorda.papers.briot2022.walks import LOCKED, Stop, Walk
from chorda.view import ROLES, dress, new_figure, styled
from chorda.view.style import CYCLE

ORDER = ("smallest", "second")
SEEN = 1e-3  # of the largest: what is less is a line along the axis


def shape(fields: ConjugatePoints) -> Array:
    """The determinant along the legs over its largest."""
    return np.asarray(fields.determinant / np.max(np.abs(fields.determinant)))


def eigenvalue_figure(walk: Walk, modes: int, stops: list[Stop], shown: int) -> Figure:
    """Along the way: the smallest eigenvalues, the determinant, and both counts."""
    fine, few = walk.by_modes(modes), walk.by_modes(PRINTED_MODES)
    negative = fine.stability[LOCKED].negative
    y = np.array([walk.subject.on_walk(float(s))[1] for s in walk.share])
    at = {stop.name: walk.subject.on_walk(stop.share)[1] for stop in stops}
    with styled():
        figure = new_figure(7.6, 6.4)
        axes = figure.subplots(3, 1, sharex=True, height_ratios=(1.3, 1.2, 0.8))
        top, middle, low = axes
        for k in range(shown):
            for path, name, style in ((fine, modes, "-"), (few, PRINTED_MODES, "--")):
                values = path.stability[LOCKED].eigenvalues[:, k]
                label = f"{ORDER[k]}, {name} modes"
                top.plot(y[: len(values)], values, style, color=CYCLE[k], label=label)
        curves = [shape(x) for x in walk.fields]
        middle.plot(y, [c.min() for c in curves], color=CYCLE[2], label="least along the legs")
        middle.plot(y, [c[-1] for c in curves], color=CYCLE[4], ls="--", label="at their bases")
        low.step(y, walk.counts, where="mid", color=CYCLE[2], lw=3.2, alpha=0.5)
        low.plot(y[: len(negative)], negative, ".", color=CYCLE[0], ms=4)
        for ax, label, title in (
            (top, "eigenvalue [J]", "Eigenvalues of the Hessian with motors locked"),
            (middle, "over its largest", "Determinant of the continuous model's fields"),
            (
                low,
                "count",
                f"Dots: negative eigenvalues, {modes} modes. Line: conjugate points",
            ),
        ):
            dress(ax)
            ax.set_ylabel(label)
            ax.set_title(title, pad=16 if ax is top else 6)
            ax.axhline(0, color=ROLES.quiet, lw=0.8)
            _lines(ax, at, names=ax is top)
        for ax in (top, middle):
            ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        low.set_yticks(range(int(max(walk.counts)) + 1))
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


def field_figure(walk: Walk, stops: list[Stop]) -> Figure:
    """The determinant over the legs' length at each stop; dots are conjugate points."""
    with styled():
        figure = new_figure(2.0 * len(stops) + 0.6, 2.9)
        axes = figure.subplots(1, len(stops), sharey=True)
        right = max(
            float(stop.fields.fraction[np.abs(shape(stop.fields)) > SEEN].max()) for stop in stops
        )
        right = min(1.0, np.ceil(10 * right) / 10)
        low = min(-0.3, *(float(shape(stop.fields).min()) for stop in stops)) - 0.1
        for ax, stop in zip(axes, stops, strict=True):
            dress(ax)
            fields = stop.fields
            ax.axhline(0, color=ROLES.quiet, lw=0.8)
            ax.plot(fields.fraction, shape(fields), color=CYCLE[0])
            ax.plot(fields.positions, np.zeros(len(fields.positions)), "o", ms=5.5, color=CYCLE[1])
            y = walk.subject.on_walk(stop.share)[1]
            count = len(fields.positions)
            points = f"{count or 'no'} conjugate point{'' if count == 1 else 's'}"
            ax.set_title(f"{stop.name}: y = {y:.3f} m\n{points}", fontsize=8)
            ax.set(xlabel="along the legs [m]", xlim=(0, right), ylim=(low, 1.1))
        axes[0].set_ylabel("determinant over its largest")
    return figure
