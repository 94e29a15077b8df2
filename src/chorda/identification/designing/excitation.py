"""A robot along a wanted motion of its joints: tensions, motors, inputs and the regressor there.

The tensions that a motion needs satisfy Z t = tau; with spare tendons many do. Those taken here are
the nearest to a wanted level c: t = c + Z^+ (tau - Z c). Unlike the smallest ones above a bound
they have no corners, so that the motors that stretch the tendons have accelerations too.
"""

from collections.abc import Sequence

import casadi as ca
import numpy as np

from chorda.control.joint_control import rigid_structure, structure_demand
from chorda.errors import InputError
from chorda.identification.samples import along
from chorda.identification.unknowns import refuse_states
from chorda.mechanics import Array, System
from chorda.mechanics.frames import SX
from chorda.mechanics.tensioning import winder


class Excitation:
    """Evaluates a system along motions; parameters stay as they are."""

    def __init__(self, system: System, p: Array, rows: Sequence[int]) -> None:
        self.system, self.p, self.rows = system, p, list(rows)
        self.joints = _checked(system)
        q, v, a = (SX.sym(name, self.joints) for name in "qva")
        rigid = rigid_structure(system.robot)
        force, Z, *_ = structure_demand(rigid, system, system.p, q, v, a)
        self._demand = ca.Function("demand", [q, v, a, system.p], ca.cse([force, Z]))
        W = ca.densify(ca.jacobian(system.dynamics.residual, system.p[self.rows]))
        self._regressor = system.function("regressor", "q v a u p", W)

    def demand(self, x: Array, v: Array, a: Array) -> tuple[Array, Array]:
        """Forces (n, joints) that the motion asks for, and arms (n, joints, tendons)."""
        force, Z = along(self._demand, (x, v, a), self.p)
        return force[..., 0], Z

    def positions(self, x: Array, tension: Array) -> Array:
        """q of the whole system (n, nq): motors turned until the tendons have these tensions."""
        q = np.hstack([x, np.zeros((len(x), self.system.nq - self.joints))])
        return along(winder(self.system), (tension, q), self.p)[0][..., 0]

    def inputs(self, q: Array, v: Array, a: Array, tension: Array) -> Array:
        """Torques of the motors, and tensions of actuators that pull."""
        u, names = tension.copy(), self.system.coordinate_names
        motors = [i for i, x in enumerate(self.system.inputs) if x.name in names]
        u[:, motors] = 0.0
        balance = along(self.system.residual, (q, v, a, u), self.p)[0]
        u[:, motors] = balance[:, self.joints :, 0]
        return u

    def regressor(self, q: Array, v: Array, a: Array, u: Array) -> Array:
        """d(M a - F)/d(parameters) times the parameters: (n, nv, parameters)."""
        size = np.abs(self.p[self.rows])
        return along(self._regressor, (q, v, a, u), self.p)[0] * np.where(size > 0, size, 1.0)


def nearest_tensions(level: Array, force: Array, arms: Array) -> Array:
    """The tensions nearest to a level (n, tendons) that give the forces."""
    missing = force - np.einsum("tij,tj->ti", arms, level)
    return level + np.einsum("tji,ti->tj", np.linalg.pinv(arms), missing)


def periodic_rates(x: Array, period: float) -> tuple[Array, Array]:
    """Velocities and accelerations of samples (n, k) over one period, by their Fourier series."""
    n = len(x)
    w = 2j * np.pi * np.fft.rfftfreq(n, period / n)[:, None]
    X = np.fft.rfft(x, axis=0)
    if n % 2 == 0:
        X[-1] = 0.0  # the highest one has no derivative on the grid
    return np.fft.irfft(w * X, n, axis=0), np.fft.irfft(w**2 * X, n, axis=0)


def _checked(system: System) -> int:
    """Number of joint coordinates of a system whose tendons can all be wound."""
    refuse_states(system)
    if system.quaternions or system.nc:
        raise InputError(
            "design: expected a tree of joints with one degree of freedom, without closures"
        )
    if [t.actuator for t in system.robot.tendons] != [i.name for i in system.inputs]:
        raise InputError("design: expected one actuator for each tendon, listed in the same order")
    for item in system.inputs:
        if item.kind == "tension" or item.name in system.coordinate_names:
            continue
        raise InputError(
            f"design: actuator '{item.name}' turns with the joints or sets a length; expected "
            "motors on elastic tendons (assemble with tendons='elastic') or tension actuators"
        )
    return sum(c.kind == "joint" for c in system.coordinates)
