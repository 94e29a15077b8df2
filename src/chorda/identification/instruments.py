"""Instruments: regressors along a simulated motion, free of the noise in the measured one.

The model, with the parameters found so far, is moved as the robot was; what it does is correlated
with the true motion and not with the measurement noise [Janot2014]. It is moved by the motors'
measured angles: encoders have next to no noise, while an error of the measured torques would come
back in the simulated motion and be taken for an effect of the parameters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.dynamics import simulate
from chorda.errors import InputError
from chorda.identification.preparing import Prepared
from chorda.identification.samples import Samples
from chorda.mechanics import Array, System
from chorda.mechanics.frames import SX
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
    for i in control.motors(system):
        parameters[f"{system.inputs[i].name}.inertia"] *= INERTIA_FACTOR
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
    return simulate(
        prepared.system,
        duration=h * (len(q) - 1),
        step=h,
        initial=measured_start(prepared, q, u),
        parameters=parameters,
        progress=False,
        **options,
    )


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

    def motors(self, system: System) -> list[int]:
        """Inputs that are torques of motors with an angle of their own."""
        return [i for i, x in enumerate(system.inputs) if x.name in system.coordinate_names]

    def signal(self, system: System, t: Array) -> Array:
        rows = [system.coordinate_names.index(system.inputs[i].name) for i in self.motors(system)]
        return np.hstack([self.q[:, rows], self.rates[:, rows], self.u])

    def law(self, system: System) -> Any:
        return system.once(("motor-tracking", self.frequency), lambda: self._build(system))

    def _build(self, system: System) -> Any:
        motors = self.motors(system)
        m = len(motors)
        t, q, v = SX.sym("t"), SX.sym("q", system.nq), SX.sym("v", system.nv)
        w, p = SX.sym("w", 2 * m + system.nu), SX.sym("p", system.p.numel())
        u = w[2 * m :]
        shift = system.nv - system.nq
        for k, i in enumerate(motors):
            name = system.inputs[i].name
            row = system.coordinate_names.index(name)
            inertia = p[system.parameter_names.index(f"{name}.inertia")]
            off = self.frequency * (w[k] - q[row]) + 2 * (w[m + k] - v[row + shift])
            u[i] = inertia * self.frequency * off
        return ca.Function("law", [t, q, v, w, p], [u])


def physical(system: System, p: Array) -> dict[str, float]:
    """Parameters by name, those that must not be negative kept from it."""
    allowed = np.where(system.parameter_table.signed, p, np.maximum(p, 1e-12))
    return dict(zip(system.parameter_names, allowed.tolist(), strict=True))
