"""What the cells of a workspace are coloured by: classes, or a quantity; with a key for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib import colormaps
from matplotlib.colors import Colormap, ListedColormap, LogNorm, Normalize, TwoSlopeNorm
from matplotlib.patches import Patch

from chorda.checks import refuse_idle
from chorda.errors import InputError
from chorda.results import Workspace
from chorda.view.display_units import display_unit
from chorda.view.style import CYCLE, ORDERED, ROLES

NOT_REACHED, STABLE, UNSTABLE = "#f1f3f6", "#9ccbe5", "#f0b08a"
BEYOND_STABLE, BEYOND_UNSTABLE = "#d5e3ea", "#ecdcd1"
CLASSES = ("stability", "limits")
LOGARITHMIC = ("singularity", "condition")  # over many powers of ten
WORDS = {"singularity": "inverse condition number of the problem"}
WORDS |= {
    f"{what}.{kind}": f"{words}, {motors}"
    for kind, motors in (("locked", "motors locked"), ("constant efforts", "constant efforts"))
    for what, words in (
        ("margin", "smallest over largest eigenvalue"),
        ("condition", "inverse condition number of the Hessian"),
    )
}
Class = tuple[str, str]  # colour, meaning


@dataclass(frozen=True, eq=False)
class CellColours:
    """Colours of cells: numbers over the grid, what they mean, and a key for them."""

    values: npt.NDArray[Any]  # NaN: nothing to show
    colours: Colormap
    norm: Normalize
    patches: tuple[Patch, ...] = ()
    label: str = ""


def cell_colours(workspace: Workspace, colour: str, kind: str | None) -> CellColours:
    """By stability, by limits, or by a quantity; kind: what the motors do, of the stability."""
    check_kind(colour, kind)
    if colour == "stability":
        return _classes(*_stability(workspace, kind or "locked"))
    if colour == "limits":
        return _classes(*_limits(workspace))
    check_colour(colour, workspace.quantities)
    values = workspace.quantity(colour)
    unit = display_unit(workspace.unit(colour), values)
    values = values * unit.factor
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    label = unit.label(WORDS.get(colour, colour))
    if colour.startswith(LOGARITHMIC) and high > 0:
        low = max(float(finite[finite > 0].min()), 1e-5 * high)
        return CellColours(np.maximum(values, low), ORDERED, LogNorm(low, high), label=label)
    if low < 0 < high and colour.startswith("margin"):
        return CellColours(values, colormaps["RdBu"], TwoSlopeNorm(0, low, high), label=label)
    norm = Normalize(low, high if high > low else low + 1)
    return CellColours(values, ORDERED, norm, label=label)


def check_kind(colour: str, kind: str | None, field: str = "kind", other: str = "colour") -> None:
    """The kind belongs to colours that show the stability."""
    if colour != "stability":
        why = f"with {other} '{colour}'"
        refuse_idle({field: kind}, why, f"take {other} stability")


def check_colour(colour: str, quantities: Sequence[str], field: str = "colour") -> None:
    known = (*CLASSES, *quantities)
    if colour not in known:
        raise InputError(f"{field}: expected one of {', '.join(known)}, got '{colour}'")


def _stability(workspace: Workspace, kind: str) -> tuple[npt.NDArray[Any], list[Class]]:
    stable, allowed = workspace.stable(kind), workspace.allowed
    rows = np.where(allowed, np.where(stable, 1, 2), np.where(stable, 3, 4))
    motors = "motors locked" if kind == "locked" else kind
    return np.where(workspace.reached, rows, 0), [
        (NOT_REACHED, "not reached"),
        (STABLE, f"stable, {motors}"),
        (UNSTABLE, f"unstable, {motors}"),
        (BEYOND_STABLE, "stable, beyond limits"),
        (BEYOND_UNSTABLE, "unstable, beyond limits"),
    ]


def _limits(workspace: Workspace) -> tuple[npt.NDArray[Any], list[Class]]:
    """The limit that is violated; several are one class of their own."""
    masks = list(workspace.violations.values())
    rows = np.where(workspace.reached, 1, 0)
    for k, mask in enumerate(masks):
        rows[mask] = k + 2
    rows[np.sum([np.zeros(workspace.shape, int), *masks], axis=0) > 1] = len(masks) + 2
    tints = [*CYCLE[1:], CYCLE[0], ROLES.slack]
    names = [
        (tints[k % len(tints)], _limit(workspace, name)) for k, name in enumerate(workspace.limits)
    ]
    inside = (STABLE, "within all limits")
    several = (ROLES.quiet, "beyond several limits")
    return rows, [(NOT_REACHED, "not reached"), inside, *names, several]


def _limit(workspace: Workspace, name: str) -> str:
    """A limit in words, such as 'beyond stress 500 MPa'."""
    low, high = workspace.limits[name]
    ends = np.array([x for x in (low, high) if np.isfinite(x)])
    unit = display_unit(workspace.unit(name), ends)
    text = [f"{x * unit.factor:.4g}" for x in ends]
    span = f"±{text[1]}" if len(ends) == 2 and low == -high else " to ".join(text)
    return f"beyond {name} {span} {unit.unit}".strip()


def _classes(rows: npt.NDArray[Any], classes: Sequence[Class]) -> CellColours:
    """rows: which class each cell has; the key has those that occur, with their share of cells."""
    patches = []
    for k, (tint, words) in enumerate(classes):
        if share := 100 * np.mean(rows == k):
            label = f"{words} ({share:.0f} %)" if share >= 1 else f"{words} ({share:.1g} %)"
            patches.append(Patch(facecolor=tint, edgecolor=ROLES.frame, lw=0.5, label=label))
    colours = ListedColormap([tint for tint, _ in classes])
    norm = Normalize(-0.5, len(classes) - 0.5)
    return CellColours(rows.astype(float), colours, norm, tuple(patches))
