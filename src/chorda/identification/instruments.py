"""Instruments: regressors along a simulated motion, free of the noise in the measured one.

The model, with the parameters found so far, is moved as the robot was; what it does is correlated
with the true motion and not with the measurement noise [Janot2014]. It is moved by the motors'
measured angles: encoders have next to no noise, while an error of the measured torques would come
back in the simulated motion and be taken for an effect of the parameters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.control.controller import law_of, motor_rows
from chorda.dynamics import simulate
from chorda.errors import InputError
from chorda.identification.preparing import Prepared
from chorda.identification.samples import Samples
from chorda.mechanics import Array, System
from chorda.mechanics.frames import Expr
from chorda.mechanics.motor_limits import back_emf, input_per_torque
from chorda.results import Run

SCHEME = "implicit-euler"
TRACKING = 0.3  # [rad] per step: how fast the simulated motors follow the measured ones
INERTIA_FACTOR = 1e3  # of the rotors, so that tendons cannot pull a motor off its way


def simulated(
    prepared: Prepared, system: System, p: Array, offsets: Mapping[str, float]
) -> Samples | None:
    """Samples of the motion that the model makes of the motors' angles; None if it diverges."""
    q, u = prepared.columns(offsets)
    h = 1 / prepared.fast
    control = _MotorTracking(q, np.gradient(q, h, axis=0), u, TRACKING / h)
    parameters = physical(system, p)
    for name in _motors(system):
        parameters[f"{name}.inertia"] *= INERTIA_FACTOR
    try:
        run = replayed(prepared, q, u, parameters, scheme=SCHEME, control=control)
    except InputError:  # the measured start is outside the ranges, or tears a closure
        return None
    if not run.status.ok or len(run.time) != len(q):
        return None
    return prepared.differentiated(run.position, u)


def replayed(
    prepared: Prepared, q: Array, u: Array, parameters: Mapping[str, float], **options: Any
) -> Run:
    """The simulated motion from the measured start, at the fastest sensor's times."""
    h = 1 / prepared.fast
    run = simulate(
        prepared.system,
        duration=h * (len(q) - 1),
        step=h,
        initial=measured_start(prepared, q, u),
        parameters=parameters,
        progress=False,
        **options,
    )
    run.status.raise_if_interrupted()
    return run


def measured_start(prepared: Prepared, q: Array, u: Array) -> Array:
    """(q, v) at the first time."""
    return np.concatenate([q[0], prepared.differentiated(q, u).v[0]])


@dataclass(frozen=True, eq=False)
class _MotorTracking:
    """Motors follow the measured angles; other inputs are as measured."""

    q: Array
    rates: Array
    u: Array
    frequency: float  # [rad/s]

    def signal(self, system: System, t: Array) -> Array:
        rows, _ = motor_rows(system, _motors(system))
        return np.hstack([self.q[:, rows], self.rates[:, rows], self.u])

    def law(self, system: System) -> Any:
        motors, names = _motors(system), [x.name for x in system.inputs]
        m, f = len(motors), self.frequency
        rows = list(zip(motors, *motor_rows(system, motors), strict=True))

        def inputs(q: Expr, v: Expr, w: Expr, p: Expr) -> Expr:
            u = w[2 * m :]
            for k, (name, angle, rate) in enumerate(rows):
                inertia = p[system.parameter_names.index(f"{name}.inertia")]
                off = f * (w[k] - q[angle]) + 2 * (w[m + k] - v[rate])
                torque = input_per_torque(system, name, p) * inertia * f * off
                u[names.index(name)] = torque + back_emf(system, name, p) * v[rate]
            return u

        return system.once(("motor-tracking", f), lambda: law_of(system, 2 * m + system.nu, inputs))


def _motors(system: System) -> list[str]:
    """Inputs that are torques of motors with an angle of their own."""
    return [x.name for x in system.inputs if x.name in system.coordinate_names]


def physical(system: System, p: Array) -> dict[str, float]:
    """Parameters by name, those that must not be negative kept from it."""
    allowed = np.where(system.parameter_table.signed, p, np.maximum(p, 1e-12))
    return dict(zip(system.parameter_names, allowed.tolist(), strict=True))
