"""Rods that are fed out of their base and drawn back: their length is a coordinate."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import model_validator

from chorda.describe.geometry import Interval
from chorda.describe.quantity import Number, Record, optional, quantity
from chorda.errors import InputError

if TYPE_CHECKING:
    from chorda.describe.rods import Rod

LENGTH = ".length"  # of the coordinate's name, ROD.length
POLYNOMIALS = ("legendre", "chebyshev", "monomial")
ONE_COORDINATE = ("revolute", "prismatic", "x", "fed length")  # that an actuator moves


class Feeder(Record):
    """Feeds the rod through its base: the length that is out is the coordinate ROD.length [m].

    The rod is uniform. What is not out, up to the longest length, waits at the base: a point mass
    that moves with it. Material that passes the base gets the bend that the rod has there, which
    the feeder feels.

    See Also
    --------
    Rod : has it as `fed`.

    Examples
    --------
    >>> from chorda.describe import Feeder
    >>> Feeder(range=(0.05, 0.3)).range
    (0.05, 0.3)
    """

    range: Interval = quantity("m", "shortest and longest length", usual=(1e-3, 100))
    friction: Number | None = optional("N s/m", "viscous friction along the rod", 1e5)

    @model_validator(mode="after")
    def _runs_upwards(self) -> "Feeder":
        low, high = self.range
        if not 0 < low < high:
            raise ValueError(f"range: expected 0 < shortest < longest [m], got {list(self.range)}")
        return self


def check_fed(rod: "Rod") -> None:
    """What a rod that is fed cannot have, as it would move along with the material."""
    if rod.fed is None:
        return
    low, high = rod.fed.range
    if not low <= rod.length <= high:
        raise ValueError(f"length: {rod.length:g} m is not within fed.range, {low:g} to {high:g} m")
    curved = [f"rest.{name}" for name, c in rod.rest if c is not None and any(c[1:])]
    there = {
        "taper": rod.taper is not None,
        "disks": bool(rod.disks),
        "frames": bool(rod.frames),
        "drag": rod.drag is not None,
        "modes.breaks": bool(rod.modes.breaks),
        "modes.auto": rod.modes.auto,
        f"modes.basis: {rod.modes.basis}": rod.modes.basis not in POLYNOMIALS,
        **{f"{name} that varies": True for name in curved},
    }
    if found := [name for name, is_there in there.items() if is_there]:
        raise ValueError(
            f"fed: a rod that is fed is uniform, with smooth functions of a given number, got "
            f"{', '.join(found)}; leave that out, or leave out fed and actuate the length at rest"
        )


def check_fed_sheaths(tendons: Sequence[Any], rods: Mapping[str, "Rod"]) -> None:
    """Tendons run in rods whose length stays."""
    for i, tendon in enumerate(tendons):
        for k, sheath in enumerate(tendon.sheaths):
            if (rod := rods.get(sheath.rod)) is not None and rod.fed is not None:
                raise ValueError(
                    f"tendons.{i}.sheaths.{k}.rod: '{rod.name}' is fed, and a sheath would move "
                    "along with it; leave out fed of the rod, or the sheath"
                )


def refuse_fed(rod: "Rod") -> None:
    """By models whose rods have a constant length."""
    if rod.fed is not None:
        raise InputError(
            f"{rod.name}.fed: expected none, as lengths do not change in the continuous model; "
            "leave it out for a rod of this length, or take chorda.equilibrium and simulate"
        )


def coordinate_kinds(joints: Sequence[Any]) -> dict[str, str]:
    """By name of joints, and of lengths that are coordinates: their kind."""
    fed = {f"{x.name}{LENGTH}": "fed length" for x in joints if getattr(x, "fed", None)}
    return {x.name: x.kind for x in joints} | fed
