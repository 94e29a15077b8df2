"""What the cells of a workspace are coloured by: classes, or a quantity; with a key for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib import colormaps
from matplotlib.colors import Colormap, ListedColormap, LogNorm, Normalize, TwoSlopeNorm
from matplotlib.patches import Patch

from chorda.errors import InputError
from chorda.results import Workspace
from chorda.view.style import CYCLE, ORDERED, ROLES
from chorda.view.units import Shown, shown

NOT_REACHED, STABLE, UNSTABLE = "#f1f3f6", "#9ccbe5", "#f0b08a"
BEYOND, BEYOND_UNSTABLE = "#d5e3ea", "#ecdcd1"
CLASSES = ("stability", "limits")
LOGARITHMIC = ("singularity", "condition")  # over many powers of ten
WORDS = {"singularity": "inverse condition number of the problem"}
WORDS |= {
    f"{what}.{kind}": f"{words}, {kind.replace('locked', 'motors locked')}"
    for kind in ("locked", "constant efforts")
    for what, words in {
        "margin": "smallest over largest eigenvalue",
        "condition": "inverse condition number of the Hessian",
    }.items()
}


@dataclass(frozen=True, eq=False)
class Paint:
    """Colours of cells: numbers over the grid, what they mean, and a key for them."""

    values: npt.NDArray[Any]  # NaN: nothing to show
    colours: Colormap
    norm: Normalize
    patches: tuple[Patch, ...] = ()
    label: str = ""


def painted(workspace: Workspace, colour: str, kind: str) -> Paint:
    if colour == "stability":
        return _classes(*_stability(workspace, kind))
    if colour == "limits":
        return _classes(*_limits(workspace))
    check_colour(colour, workspace.quantities)
    values = workspace.quantity(colour)
    scale = shown(workspace.unit(colour), values)
    if workspace.unit(colour) == "Pa":
        scale = Shown(1e-6, "MPa")
    values = values * scale.factor
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    label = scale.label(WORDS.get(colour, colour))
    if colour.startswith(LOGARITHMIC) and high > 0:
        low = max(float(finite[finite > 0].min()), 1e-5 * high)
        return Paint(np.maximum(values, low), ORDERED, LogNorm(low, high), label=label)
    if low < 0 < high and colour.startswith("margin"):
        return Paint(values, colormaps["RdBu"], TwoSlopeNorm(0, low, high), label=label)
    return Paint(values, ORDERED, Normalize(low, high if high > low else low + 1), label=label)


def check_colour(colour: str, quantities: Sequence[str], field: str = "colour") -> None:
    known = (*CLASSES, *quantities)
    if colour not in known:
        raise InputError(f"{field}: expected one of {', '.join(known)}, got '{colour}'")


def _stability(workspace: Workspace, kind: str) -> tuple[npt.NDArray[Any], list[tuple[str, str]]]:
    stable, reached, allowed = workspace.stable(kind), workspace.reached, workspace.allowed
    what = np.full(workspace.shape, 0)
    what[reached & ~stable] = 2
    what[reached & stable] = 1
    what[reached & ~allowed & stable] = 3
    what[reached & ~allowed & ~stable] = 4
    motors = "motors locked" if kind == "locked" else kind
    return what, [
        (NOT_REACHED, "not reached"),
        (STABLE, f"stable, {motors}"),
        (UNSTABLE, f"unstable, {motors}"),
        (BEYOND, "stable, beyond limits"),
        (BEYOND_UNSTABLE, "unstable, beyond limits"),
    ]


def _limits(workspace: Workspace) -> tuple[npt.NDArray[Any], list[tuple[str, str]]]:
    """The limit that is violated; several are one class of their own."""
    masks = list(workspace.violations.values())
    count = np.sum(masks, axis=0) if masks else np.zeros(workspace.shape, int)
    what = np.where(workspace.reached, 1, 0)
    for k, mask in enumerate(masks):
        what[mask] = k + 2
    what[count > 1] = len(masks) + 2
    tints = [ROLES.slack, *CYCLE[1:], *CYCLE[:1]]
    names = [
        (tints[(k + 1) % len(tints)], _limit(workspace, name))
        for k, name in enumerate(workspace.limits)
    ]
    inside = (STABLE, "within all limits")
    several = (ROLES.quiet, "beyond several limits")
    return what, [(NOT_REACHED, "not reached"), inside, *names, several]


def _limit(workspace: Workspace, name: str) -> str:
    """A limit in words, such as 'beyond stress 500 MPa'."""
    low, high = workspace.limits[name]
    unit = workspace.unit(name)
    ends = np.array([x for x in (low, high) if np.isfinite(x)])
    scale = Shown(1e-6, "MPa") if unit == "Pa" else shown(unit, ends)
    text = [f"{x * scale.factor:.4g}" for x in ends]
    span = f"±{text[1]}" if len(ends) == 2 and low == -high else " to ".join(text)
    return f"beyond {name} {span} {scale.unit}".strip()


def _classes(what: npt.NDArray[Any], classes: Sequence[tuple[str, str]]) -> Paint:
    there = [k for k in range(len(classes)) if np.any(what == k)]
    share = {k: np.mean(what == k) for k in there}
    patches = tuple(
        Patch(
            facecolor=classes[k][0], edgecolor=ROLES.frame, lw=0.5, label=_named(classes[k][1], s)
        )
        for k, s in share.items()
    )
    colours = ListedColormap([tint for tint, _ in classes])
    return Paint(what.astype(float), colours, Normalize(-0.5, len(classes) - 0.5), patches)


def _named(words: str, share: float) -> str:
    percent = f"{100 * share:.0f}" if share >= 0.01 else f"{100 * share:.1g}"
    return f"{words} ({percent} %)"
