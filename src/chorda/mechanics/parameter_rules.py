"""What parameters must obey together: the rules of the description, for changed values too."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from chorda.describe.geometry import ROUNDING
from chorda.errors import InputError

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
SMALLER = {  # name's end: that of the name which must be larger
    ".section.inner_radius": ".section.radius",
    ".bar_length": ".diagonal_length",
    ".stop.low": ".stop.high",
}
MOMENTS = ("xx", "yy", "zz", "xy", "xz", "yz")
EDGES = tuple(f".size.{x}" for x in "xyz")
ENDS = tuple(f".{end}.{x}" for end in ("start", "end") for x in "xyz")
APART = 1e-9  # [m] closer ends of a line are one point
LONE = (".sliding", ".pin_radius", ".friction_coefficient", ".radius")
PLANAR = 1e-9  # of the largest principal moment: only the one about a hinge is given


def is_tied(name: str) -> bool:
    """Whether a rule is about this parameter."""
    ends = [*SMALLER, *SMALLER.values(), *(f".inertia.{x}" for x in MOMENTS), *LONE]
    ends += [".rounding", *EDGES, *ENDS]
    return ".rest.stretch" in name or name.endswith(tuple(ends))


def check_together(names: Sequence[str], values: Array, lines: Sequence[str] = ()) -> None:
    """Refuse values (parameters, members) that no robot can have.

    lines: shapes along a line whose ends are coordinates.
    """
    row = {name: i for i, name in enumerate(names)}

    def column(name: str) -> Array:
        return np.asarray(values[row[name]] if name in row else np.zeros(values.shape[1]))

    for what, wrong, found in (
        *_larger(row, column),
        *_moments(row, column),
        *_stretched(row, column),
        *_sliding(row, column),
        *_turning(row, column),
        *_rounded(row, column),
        *_long(lines, column),
    ):
        if wrong.any():
            member = int(np.argmax(wrong))
            which = f" of member {member}" if values.shape[1] > 1 else ""
            numbers = ", ".join(f"{x[member]:g}" for x in found)
            raise InputError(f"parameters: {what}, got {numbers}{which}")


Column = Callable[[str], Array]
Finding = tuple[str, Mask, list[Array]]  # what was expected, where it is not so, the values


def _larger(row: dict[str, int], column: Column) -> Iterator[Finding]:
    for name in row:
        for end, other in SMALLER.items():
            if name.endswith(end) and (larger := name.removesuffix(end) + other) in row:
                both = [column(name), column(larger)]
                yield f"'{name}' must be smaller than '{larger}'", both[0] >= both[1], both


def _moments(row: dict[str, int], column: Column) -> Iterator[Finding]:
    """Principal moments of bodies: none negative, none larger than the other two together."""
    ends = [f".inertia.{x}" for x in MOMENTS]
    bodies = dict.fromkeys(n.removesuffix(e) for n in row for e in ends if n.endswith(e))
    for body in bodies:
        xx, yy, zz, xy, xz, yz = (column(f"{body}.inertia.{x}") for x in MOMENTS)
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
        if not np.all(np.isfinite(tensor)):
            continue
        low, middle, high = np.linalg.eigvalsh(tensor).T
        wrong = low < -PLANAR * np.abs(high)
        wrong |= (middle > PLANAR * high) & (high > (low + middle) * (1 + ROUNDING))
        what = f"principal moments of '{body}.inertia' must not be negative, and none larger than "
        yield f"{what}the other two together", wrong, [low, middle, high]


def _stretched(row: dict[str, int], column: Column) -> Iterator[Finding]:
    """A rod at rest has a length everywhere: its stretch there is above -1 at both ends."""
    rods = dict.fromkeys(n.partition(".rest.stretch")[0] for n in row if ".rest.stretch" in n)
    for rod in rods:
        names = [n for n in row if n.startswith(f"{rod}.rest.stretch")]
        first, last = column(names[0]), np.sum([column(n) for n in names], axis=0)
        wrong = np.minimum(first, last) <= -1
        yield f"'{rod}.rest.stretch' must be above -1 at both ends", wrong, [first, last]


def _sliding(row: dict[str, int], column: Column) -> Iterator[Finding]:
    """How a tendon slid before it came to rest: released, -1, to pulled, 1."""
    for name in row:
        if name.endswith(".sliding"):
            yield f"'{name}' must be -1 to 1", np.abs(column(name)) > 1, [column(name)]


def _turning(row: dict[str, int], column: Column) -> Iterator[Finding]:
    """A pulley whose bearing rubs still turns: coefficient * pin radius is below its radius."""
    for name in row:
        at = name.removesuffix(".pin_radius")
        if name.endswith(".pin_radius") and f"{at}.friction_coefficient" in row:
            arm = column(name) * column(f"{at}.friction_coefficient")
            radius = column(f"{at}.radius")
            what = f"'{at}.friction_coefficient' times '{name}' must be below '{at}.radius'"
            yield what, arm >= radius, [arm, radius]


def _rounded(row: dict[str, int], column: Column) -> Iterator[Finding]:
    """A box has its size, with edges as round as fits into it."""
    for name in row:
        box = name.removesuffix(".rounding")
        if name.endswith(".rounding") and f"{box}.size.x" in row:
            for edge in (f"{box}{x}" for x in EDGES):
                both = [column(name), column(edge)]
                what = (
                    f"'{name}' must be at most half of '{edge}' (give a smaller rounding or a "
                    "larger size)"
                )
                yield what, 2 * both[0] > both[1], both


def _long(lines: Sequence[str], column: Column) -> Iterator[Finding]:
    """A capsule and a cylinder have a length."""
    for name in lines:
        points = [f"{name}.{end}" for end in ("start", "end")]
        first, last = (np.array([column(f"{point}.{x}") for x in "xyz"]) for point in points)
        what = (
            f"'{name}.end' must be another point than '{name}.start' (move one of them, or "
            "describe a sphere)"
        )
        yield what, np.linalg.norm(last - first, axis=0) < APART, [*first]
