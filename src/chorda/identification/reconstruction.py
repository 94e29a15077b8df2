"""What the identified model makes of the measured motion, beside what was measured.

Two views, as in [Fasquelle2021, figs. 6-8]: the actuators' effect on the joints, measured and
modelled; and the tension of each tendon, from the motor's balance and from the tendon's law.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import casadi as ca
import numpy as np

from chorda.errors import InputError
from chorda.identification.identified import Identification
from chorda.identification.regressors import Regressor, own_motors, pull
from chorda.identification.samples import Samples, along
from chorda.identification.unknowns import belonging
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.results.observe import observed

T = TypeVar("T")
Smooth = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class ActuatorEffect:
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


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """Both views at the times of the samples that are used; None where one does not exist."""

    time: Array
    actuators: ActuatorEffect | None
    tensions: Tensions | None
    no_actuators: str = ""  # why there are none
    no_tensions: str = ""


@interruptible()
def reconstruct(identification: Identification) -> Reconstruction:
    """What the identified model makes of the measured motion.

    Its parameters are those for `simulate`: what cannot be negative is not. Signals alone keep
    noise that the equations lose, so the forces made of them go through the equations' filter.
    """
    prepared, system = identification.prepared, identification.system
    p = system.parameters(identification.parameters)
    samples = prepared.samples(identification.offsets)
    used = np.searchsorted(samples.time, identification.samples.time - 1e-9)

    def smooth(x: Array) -> Array:
        return prepared.smooth(x)[used]

    actuators, no_actuators = _attempt(lambda: actuator_effect(system, samples, p, smooth))
    both, no_tensions = _attempt(lambda: tensions(system, samples, p, smooth))
    time = identification.samples.time
    return Reconstruction(time, actuators, both, no_actuators, no_tensions)


def _attempt(make: Callable[[], T]) -> tuple[T | None, str]:
    try:
        return make(), ""
    except InputError as error:
        return None, str(error)


def actuator_effect(system: System, samples: Samples, p: Array, smooth: Smooth) -> ActuatorEffect:
    """The actuators' effect with the whole model, without viscous friction, and without any
    friction."""
    residual = Regressor(system, tensions="eliminated" if own_motors(system) else "modelled")
    off = replace(samples, u=np.zeros_like(samples.u))
    made, whole = residual(samples, p), residual(off, p).y
    modelled = {"whole model": smooth(whole)}
    for name, quantities in (
        ("without viscous friction", ("friction",)),
        ("without friction", ("friction", "dry_torque")),
    ):
        zero = belonging(system, system.robot.actuators, quantities)
        less = np.where(np.isin(system.parameter_names, zero), 0.0, p)
        if not np.array_equal(less, p):
            modelled[name] = smooth(residual(off, less).y)
    return ActuatorEffect(made.names, made.units, smooth(whole - made.y), modelled)


def tensions(system: System, samples: Samples, p: Array, smooth: Smooth = lambda x: x) -> Tensions:
    """Tensions two ways; their difference is what the motor's balance lacks."""
    motors = own_motors(system)
    if not motors:
        raise InputError(
            f"{system.robot.name}: no elastic tendon has a motor of its own, so that its tension "
            "is not known twice"
        )
    at = [i for i, _ in motors]
    missing = along(system.residual, samples.state, p)[0][:, [row for _, row in motors], 0]
    law = observed(system, samples.q, samples.v, samples.u, p)["tension"][:, at]
    pulls = system.function("pulls", "p", ca.vertcat(*[pull(system, i) for i in at]))
    names = tuple(system.robot.tendons[i].name for i in at)
    return Tensions(names, smooth(law + missing / pulls(p).full().ravel()), smooth(law))
