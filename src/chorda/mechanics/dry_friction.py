"""Dry friction: a torque or force that opposes a rate, smooth, with a jump, or by bristles."""

from dataclasses import dataclass
from typing import Any

import casadi as ca

from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters


@dataclass(frozen=True, eq=False)
class DryLaw:
    """A described law (`DryFriction`, `SlidingFriction`) in symbols.

    With Stribeck's effect it falls from the breakaway torque to the one that stays:
    c + (b - c) exp(-(rate / r)^2), times the step [Armstrong1994].
    """

    kind: str
    unit: str  # of the coordinate
    level: Expr
    slope: Expr
    breakaway: Expr | None
    falls: Expr
    deflection: Expr
    damping: Expr
    scale: float  # of the deflection, as described
    arm: Expr | None  # friction in sliding per newton of load [m or -]

    @property
    def jumps(self) -> bool:
        """Whether it jumps where the rate changes sign."""
        return self.kind == "sign"

    @property
    def bristles(self) -> bool:
        """Whether it has a state: the deflection z of bristles."""
        return self.kind == "bristle"

    def _sliding(self, rate: Expr) -> Expr:
        """Friction while it slides at a rate."""
        if self.breakaway is None:
            return self.level
        return self.level + (self.breakaway - self.level) * ca.exp(-((rate / self.falls) ** 2))

    def _step(self, rate: Expr) -> Expr:
        if self.kind == "sign":
            return ca.sign(rate)
        if self.kind == "tanh":
            return ca.tanh(self.slope * rate)
        return 2 / ca.pi * ca.atan(self.slope * rate)

    def torque(self, rate: Expr) -> Expr:
        """What opposes the rate, without bristles and load [N m or N]."""
        return SX(self._sliding(rate) * self._step(rate))

    def by_load(self, rate: Expr, z: Expr | None) -> Expr:
        """What each newton of load adds to that, or to what bristles carry [m or -]."""
        assert self.arm is not None
        return self.arm * (self._step(rate) if z is None else z / self.deflection)

    def decay(self, rate: Expr) -> Expr:
        """w of the bristles' z_dot = rate - w z [1/s]: while sliding, z tends to where they carry
        the friction of that rate [Dahl1968; CanudasDeWit1995]."""
        if self.breakaway is None:
            return ca.fabs(rate) / self.deflection
        return ca.fabs(rate) * self.breakaway / (self.deflection * self._sliding(rate))

    def carried(self, rate: Expr, z: Expr) -> Expr:
        """What bristles that are bent by z oppose to the rate, without load [N m or N]."""
        most = self.level if self.breakaway is None else self.breakaway
        return SX(most * z / self.deflection + self.damping * (rate - self.decay(rate) * z))


def dry_law(name: str, law: Any, par: Parameters) -> DryLaw:
    """The law of a joint or motor."""
    unit, effort = law.UNITS
    level = par.scalar(f"{name}.dry_{law.LEVEL}", law.level, effort)
    slope = falls = deflection = damping = SX(0)
    most = None
    if law.kind == "bristle":
        deflection = par.scalar(f"{name}.dry_deflection", law.deflection, unit, positive=True)
        if law.damping is not None:
            damping = par.scalar(f"{name}.dry_damping", law.damping, f"{effort} s/{unit}")
    elif law.kind != "sign":
        slope = par.scalar(f"{name}.dry_slope", law.slope, f"s/{unit}", positive=True)
    if law.breakaway is not None:
        positive = law.kind == "bristle"
        most = par.scalar(f"{name}.dry_breakaway", law.breakaway, effort, positive=positive)
        falls = par.scalar(
            f"{name}.dry_stribeck_rate", law.stribeck_rate, f"{unit}/s", positive=True
        )
    arm = None
    if law.coefficient is not None:
        arm = par.scalar(f"{name}.dry_coefficient", law.coefficient, "-")
        if (radius := getattr(law, "pin_radius", None)) is not None:
            arm *= par.scalar(f"{name}.dry_pin_radius", radius, "m", positive=True)
    scale = law.deflection or 1.0
    return DryLaw(law.kind, unit, level, slope, most, falls, deflection, damping, scale, arm)
