"""Loads that are spread along rods: wind, currents, pressure, the weight of what covers them."""

from collections.abc import Mapping, Sequence

from pydantic import Field, model_validator

from chorda.describe.names import Name
from chorda.describe.quantity import Number, Record, quantity
from chorda.describe.rods import Polynomial, Rod

FORCES, MOMENTS = ("fx", "fy", "fz"), ("mx", "my", "mz")


def _component(unit: str, meaning: str) -> Polynomial:
    found: Polynomial = quantity(
        unit, f"{meaning}: a number, or [c0, c1, ...]", default=(0.0,), usual=(0, 1e5)
    )
    return found


class DistributedLoad(Record):
    """Force and moment per length on a rod, in the world's axes or following its sections.

    Components are numbers, or polynomials over the fraction of the whole rod's length. It acts from
    `start` to `end`, measured along the rod without load.

    See Also
    --------
    Load : at a point.

    Examples
    --------
    >>> from chorda.describe import DistributedLoad
    >>> DistributedLoad(name="wind", rod="spine", fy=(0.2,)).fy
    (0.2,)
    """

    name: Name
    rod: str = Field(description="name of the rod")
    fx: Polynomial = _component("N/m", "force along x per length")
    fy: Polynomial = _component("N/m", "force along y per length")
    fz: Polynomial = _component("N/m", "force along z per length")
    mx: Polynomial = _component("N m/m", "moment about x per length")
    my: Polynomial = _component("N m/m", "moment about y per length")
    mz: Polynomial = _component("N m/m", "moment about z per length")
    start: Number = quantity("m", "where it begins", default=0.0, non_negative=True, usual=(0, 100))
    end: Number | None = quantity(
        "m", "where it ends; none: at the rod's tip", default=None, positive=True, usual=(0, 100)
    )
    follows: bool = Field(
        False, description="true: axes turn with the rod's sections; false: world axes"
    )

    @model_validator(mode="after")
    def _acts(self) -> "DistributedLoad":
        if not any(any(getattr(self, x)) for x in (*FORCES, *MOMENTS)):
            raise ValueError(
                f"expected a force or moment per length ({', '.join((*FORCES, *MOMENTS))}), got "
                "none; give one, or leave the load out"
            )
        if self.end is not None and self.end <= self.start:
            raise ValueError(
                f"end: expected more than start ({self.start:g} m), got {self.end:g} m; exchange "
                "them"
            )
        return self

    def span(self, length: float) -> tuple[float, float]:
        """Where it begins and ends, as fractions of the rod's length.

        Parameters
        ----------
        length : float
            Of the rod [m].

        Returns
        -------
        (float, float)
            From 0, at the base, to 1, at the tip.
        """
        return self.start / length, 1.0 if self.end is None else self.end / length


def check_distributed(loads: Sequence[DistributedLoad], joints: Mapping[str, object]) -> None:
    """They act on rods, and not beyond their tips."""
    rods = {name: joint for name, joint in joints.items() if isinstance(joint, Rod)}
    for i, load in enumerate(loads):
        if load.rod not in rods:
            raise ValueError(
                f"distributed_loads.{i}.rod: '{load.rod}' is no rod of this robot; expected one of "
                f"{', '.join(rods) or '(there are none)'}"
            )
        if rods[load.rod].fed is not None:
            raise ValueError(
                f"distributed_loads.{i}.rod: '{load.rod}' is fed, and a load along it would move "
                "with it; leave out fed of the rod, or the load"
            )
        length = rods[load.rod].length
        for field in ("start", "end"):
            at = getattr(load, field)
            if at is not None and at > length:
                raise ValueError(
                    f"distributed_loads.{i}.{field}: {at:g} m is beyond the rod, which is "
                    f"{length:g} m long"
                )
        if load.start == length:
            raise ValueError(
                f"distributed_loads.{i}.start: {load.start:g} m is the rod's tip; expected less"
            )
