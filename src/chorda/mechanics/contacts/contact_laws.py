"""The force between two surfaces in symbols: along the normal, and friction across it."""

from dataclasses import dataclass

import casadi as ca

from chorda.describe import Contact, ContactFriction
from chorda.mechanics.contacts.point_distances import length_and_inverse
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.stop_forces import LEAST_SMOOTHING, depth, integral

TINY = 1e-12  # [m] below which a power of the depth has no more slope
STILL = 1e-9  # [m/s] a speed that is none: a direction needs one
LIFTED = 1e3  # [1/s] rate at which bristles straighten that touch nothing


@dataclass(frozen=True, eq=False)
class NormalLaw:
    """Hunt and Crossley's: k x^n (1 + c x'), never negative, for a depth x [Hunt1975]."""

    k: Expr
    exponent: float
    c: Expr | None
    w: Expr | None

    def stored(self, gap: Expr) -> Expr:
        """The part that is the slope of an energy [N]."""
        if self.exponent == 1:
            return self.k * depth(-gap, self.w)[0]
        x = ca.fmax(-gap, 0)
        if self.exponent == 1.5:
            return self.k * x * ca.sqrt(x + TINY)
        return self.k * x * (x + TINY) ** (self.exponent - 1)

    def energy(self, gap: Expr) -> Expr:
        """That is stored [J]."""
        if self.exponent == 1:
            return self.k * integral(-gap, self.w)
        n, x = self.exponent, ca.fmax(-gap, 0)
        whole = (x + TINY) ** (n + 1) / (n + 1) - TINY * (x + TINY) ** n / n
        return self.k * (whole - TINY ** (n + 1) * (1 / (n + 1) - 1 / n))

    def force(self, gap: Expr, rate: Expr) -> Expr:
        """The whole normal force [N]; rate: of the gap [m/s]."""
        stored = self.stored(gap)
        return stored if self.c is None else stored * ca.fmax(1 - self.c * rate, 0)


def normal_law(contact: Contact, par: Parameters) -> NormalLaw:
    name, c, w = contact.name, None, None
    unit = "N/m" if contact.exponent == 1 else f"N/m^{contact.exponent:g}"
    k = par.scalar(f"{name}.stiffness", contact.resolved_stiffness, unit, positive=True)
    if contact.resolved_dissipation is not None:
        c = par.scalar(f"{name}.dissipation", contact.resolved_dissipation, "s/m")
    if contact.smoothing is not None:
        w = ca.fmax(par.scalar(f"{name}.smoothing", contact.smoothing, "m"), LEAST_SMOOTHING)
    return NormalLaw(k, contact.exponent, c, w)


@dataclass(frozen=True, eq=False)
class FrictionLaw:
    """Coulomb's, of the normal force N and the sliding velocity across it: a vector, or in a plane
    one number. Forces and bristles are alike."""

    coefficient: Expr
    slip_speed: Expr  # zero with bristles
    deflection: Expr | None
    relaxation: Expr | None
    scale: float  # of the deflection, as described

    @property
    def bristles(self) -> bool:
        return self.deflection is not None

    def smooth(self, N: Expr, sliding: Expr) -> Expr:
        """Force on what slides at this velocity."""
        _, inverse = length_and_inverse(ca.sumsqr(sliding) + self.slip_speed**2)
        return -self.coefficient * N * (sliding * inverse)

    def decay(self, sliding: Expr, gap: Expr) -> Expr:
        """w of the bristles' z_dot = sliding - w z [1/s]; lifted, they straighten."""
        speed = ca.sqrt(ca.sumsqr(sliding) + STILL**2)
        return speed / self.deflection + LIFTED * (gap > 0)

    def bending(self, sliding: Expr, gap: Expr) -> Expr:
        """s of the same [m/s]: what touches nothing bends no bristles."""
        return ca.sparsify((gap <= 0) * sliding)

    def carried(self, N: Expr, sliding: Expr, z: Expr, decay: Expr) -> Expr:
        """Force of bristles that are bent by z."""
        bent = z
        if self.relaxation is not None:
            bent = z + self.relaxation * (sliding - decay * z)
        return -self.coefficient * N / self.deflection * bent


def friction_law(name: str, law: ContactFriction | None, par: Parameters) -> FrictionLaw | None:
    if law is None:
        return None
    slip, deflection, relaxation = SX(0), None, None
    coefficient = par.scalar(f"{name}.friction.coefficient", law.coefficient, "-")
    if law.kind == "smooth":
        slip = par.scalar(f"{name}.friction.slip_speed", law.slip_speed, "m/s", positive=True)
    else:
        assert law.deflection is not None
        deflection = par.scalar(f"{name}.friction.deflection", law.deflection, "m", positive=True)
        if law.relaxation is not None:
            relaxation = par.scalar(f"{name}.friction.relaxation", law.relaxation, "s")
    return FrictionLaw(coefficient, slip, deflection, relaxation, law.deflection or 1.0)
