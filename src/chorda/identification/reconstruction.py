"""What the identified model makes of the measured motion, beside what was measured.

Two views, as in [Fasquelle2021, figs. 6-8]: the actuators' effect on the joints, measured and
modelled; and the tension of each tendon, from the motor's balance and from the tendon's law.
"""

from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.errors import InputError
from chorda.identification.preparing import Samples
from chorda.identification.regressors import Regressor, Unknowns, own_motors, pull
from chorda.mechanics import Array, System
from chorda.results.observe import observed


@dataclass(frozen=True, eq=False)
class Actuators:
    """Generalized force of the actuators on each joint (n, joints), measured and by models."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    measured: Array
    modelled: dict[str, Array]


@dataclass(frozen=True, eq=False)
class Tensions:
    """Tension of each tendon on a motor of its own (n, tendons) [N]."""

    names: tuple[str, ...]
    by_motor: Array  # input less friction and inertia
    by_law: Array  # from the elongation

    @property
    def error(self) -> Array:
        return self.by_law - self.by_motor


def actuators(system: System, samples: Samples, p: Array) -> Actuators:
    """The actuators' effect with the whole model, without viscous friction, without any
    friction."""
    tensions = "eliminated" if own_motors(system) else "modelled"
    residual = Regressor(system, Unknowns((), (), ()), tensions)
    off = Samples(samples.time, samples.q, samples.v, samples.a, np.zeros_like(samples.u))
    made = residual(samples, p)
    whole = residual(off, p).y
    modelled = {"whole model": whole}
    if len(without := _without(system, p, (".friction",))) and not np.array_equal(without, p):
        modelled["without viscous friction"] = residual(off, without).y
    if not np.array_equal(none := _without(system, p, (".friction", ".dry_torque")), p):
        modelled["without friction"] = residual(off, none).y
    return Actuators(made.names, made.units, whole - made.y, modelled)


def _without(system: System, p: Array, endings: tuple[str, ...]) -> Array:
    motors = {d.name for d in system.robot.actuators}
    p = p.copy()
    for i, name in enumerate(system.parameter_names):
        if name.rpartition(".")[0] in motors and name.endswith(endings):
            p[i] = 0.0
    return p


def tensions(system: System, samples: Samples, p: Array) -> Tensions:
    """Tensions two ways; their difference is what the motor's balance lacks."""
    motors = own_motors(system)
    if not motors:
        raise InputError(
            f"{system.robot.name}: no elastic tendon has a motor of its own, so that its tension "
            "is not known twice"
        )
    at = [i for i, _, _ in motors]
    n = len(samples)
    columns = [samples.q.T, samples.v.T, samples.a.T, samples.u.T, np.repeat(p[:, None], n, 1)]
    missing = system.residual.map(n)(*columns).full().T[:, [row for _, row, _ in motors]]
    law = observed(system, samples.q, samples.v, samples.u, p)["tension"][:, at]
    pulls = system.function("pulls", "p", ca.vertcat(*[pull(system, i) for i in at]))
    names = tuple(system.robot.tendons[i].name for i in at)
    return Tensions(names, law + missing / pulls(p).full().ravel(), law)
