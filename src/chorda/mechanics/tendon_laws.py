"""Laws of tendons: tension and stored energy from the elongation, and the way back."""

from dataclasses import dataclass

import casadi as ca

from chorda.describe import KelvinVoigt, Material, Stiffening
from chorda.mechanics.cables import Cable
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters

LEAST_SMOOTHING = 1e-150  # [N] instead of a smoothing that is set to zero
SLACK_FRACTION = 1e-3  # of the smoothing: a rounded law never gets to zero, this counts as it
Elastic = KelvinVoigt | Stiffening | Material


@dataclass(frozen=True)
class Stretch:
    """An elastic tendon: its tension, its stored energy, and its elongation under `pull`."""

    tension: Expr  # [N]
    unrectified: Expr  # the same if the tendon could push [N]
    energy: Expr  # [J]
    under: Expr  # static elongation [m]

    def at(self, symbols: Expr, values: Expr) -> "Stretch":
        """The same with other values for symbols."""
        mine = [self.tension, self.unrectified, self.energy, self.under]
        return Stretch(*ca.substitute(mine, [symbols], [values]))


def stretched(
    cable: Cable, law: Elastic, x: Expr, rate: Expr, pull: Expr, par: Parameters
) -> Stretch:
    """T = T0 + k x + s x |x| + d x_dot, the elongation being x [Testard2023, eq. 2].

    Kelvin-Voigt (s = 0) is the first model of [Fasquelle2021, eq. 53]; a material (k = E S / l)
    the second and the third [eq. 57]. The third has l(q) in it and is not quite conservative: the
    energy given for it leaves out a term of the order of the strain.
    """
    k, s, d = _coefficients(cable, law, x, par)
    t0 = SX(0)
    if law.pretension is not None:
        t0 = par.scalar(f"{cable.name}.pretension", law.pretension, "N", signed=True)
    static = t0 + k * x + s * x * ca.fabs(x)
    tension = unrectified = static + d * rate
    slack = _elongation(-t0, k, s)

    def work(x: Expr) -> Expr:
        return t0 * x + k * x**2 / 2 + s * ca.fabs(x) ** 3 / 3

    energy = work(x) - work(slack)  # what it gives back until it is slack
    if law.one_sided:  # the operator O+: a slack tendon does not push
        tension, energy = ca.fmax(tension, 0), ca.if_else(static > 0, energy, 0)
    if law.smoothing is not None:
        least = ca.fmax(par.scalar(f"{cable.name}.smoothing", law.smoothing, "N"), LEAST_SMOOTHING)
        tension = _rounded(unrectified, least)
        energy += _rounding(static, least) / (k + 2 * s * ca.fabs(x))
        pull = pull - least**2 / ca.fmax(pull, SLACK_FRACTION * least)  # the inverse of _rounded
    return Stretch(tension, unrectified, energy, _under(pull - t0, cable, law, x, k, s))


def _under(force: Expr, cable: Cable, law: Elastic, x: Expr, k: Expr, s: Expr) -> Expr:
    """Elongation x (a symbol in k) under a force: over the free length, force (l - x) = E S x."""
    if isinstance(law, Material) and law.over == "free":
        ES = ca.substitute(k, x, SX(0)) * cable.length
        return force * cable.length / (ES + force)
    return _elongation(force, k, s)


def _rounded(t: Expr, least: Expr) -> Expr:
    """(t + sqrt(t^2 + 4 s^2)) / 2, s = `least`: smooth, positive, s at t = 0.

    It exceeds max(t, 0) by s at the most, by s^2 / |t| far from the corner. The second form keeps
    the digits of slack tendons.
    """
    r = ca.sqrt(t**2 + 4 * least**2)
    return ca.if_else(t > 0, (t + r) / 2, 2 * least**2 / (r - t))


def _rounding(t: Expr, least: Expr) -> Expr:
    """The integral over t of what rounding adds to max(t, 0), zero at t = 0.

    Divided by the stiffness it is the energy that rounding adds: exact where the stiffness is
    constant, else up to least^2 times the relative change of the stiffness.
    """
    whole = t * _rounded(t, least) / 2 + least**2 * ca.asinh(t / (2 * least))
    return whole - ca.fmax(t, 0) ** 2 / 2


def _elongation(force: Expr, k: Expr, s: Expr) -> Expr:
    """x of force = k x + s x |x|, in the form that suits s = 0."""
    return 2 * force / (k + ca.sqrt(k**2 + 4 * s * ca.fabs(force)))


def _coefficients(cable: Cable, law: Elastic, x: Expr, par: Parameters) -> tuple[Expr, Expr, Expr]:
    """Stiffness [N/m], stiffening [N/m^2], damping [N s/m]."""
    name = cable.name
    if isinstance(law, Material):
        E = par.scalar(f"{name}.young_modulus", law.young_modulus, "Pa", positive=True)
        c = par.scalar(f"{name}.damping_modulus", law.damping_modulus, "Pa s")
        S = par.scalar(f"{name}.section", law.section, "m^2", positive=True)
        length = cable.length if law.over == "unwound" else cable.reference
        if law.over == "free":
            length = cable.length - x
        if law.over == "total" and law.length is not None:
            length = par.scalar(f"{name}.total_length", law.length, "m", positive=True)
        return E * S / length, SX(0), c * S / length
    k = par.scalar(f"{name}.stiffness", law.stiffness, "N/m", positive=True)
    s = SX(0)
    if isinstance(law, Stiffening):
        s = par.scalar(f"{name}.stiffening", law.stiffening, "N/m^2")
    return k, s, par.scalar(f"{name}.damping", law.damping, "N s/m")
