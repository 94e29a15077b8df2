"""Eq. 9 as it is printed: friction torques Gamma are held over a step, their arms J^T are not.

Chorda's implicit Euler holds the whole force J^T Gamma. Both are steps (M - h^2 K - h D) dv =
h F + h^2 K v; as printed, K has the derivative of J^T at constant Gamma too.
"""

from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array, System
from chorda.mechanics.algebra import solve
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.tensioning import gain
from chorda.results import Run


def motor_friction(system: System, rates: Expr) -> Expr:
    """Gamma of each motor that turns at a rate [rad/s] [Testard2023, section 2]."""
    parameter = {name: system.p[i] for i, name in enumerate(system.parameter_names)}
    return ca.vertcat(
        *[
            2 / np.pi * ca.atan(parameter[f"{x.name}.dry_slope"] * rate)
            * parameter[f"{x.name}.dry_torque"]
            for x, rate in zip(system.inputs, ca.vertsplit(rates), strict=True)
        ]
    )  # fmt: skip


def motor_jacobian(system: System) -> Expr:
    """J_theta of rigid tendons: rates of the motors per rate of the joints, Z = -J_theta^T B."""
    B = ca.vertcat(*[gain(system, x.name, system.p) for x in system.inputs])
    return -ca.diag(1 / B) @ ca.densify(system.tendons.Z).T


def printed_step(system: System) -> Any:
    """(q, v, h, u, p) -> q, v after a step of eq. 9 as printed; of a neck with rigid tendons."""
    q, v, u, h = system.q, system.v, system.u, SX.sym("h")
    M, F, dry, *_ = system.equations(q, v, u, system.p)
    J, held = motor_jacobian(system), SX.sym("Gamma", system.nu)
    arms = ca.jacobian(-J.T @ held, q)
    arms = ca.substitute(arms, held, motor_friction(system, J @ v))
    K = ca.jacobian(F - dry, q) + arms  # [Testard2023, eqs. 6 and 9]
    D = ca.jacobian(F - dry, v)
    v1 = v + solve(M - h**2 * K - h * D, h * F + h**2 * (K @ v))
    return ca.Function("printed", [q, v, h, u, system.p], [q + h * v1, v1])


def apart_in_one_step(run: Run, step: float) -> Array:
    """v of a step as printed, from every state of a run of Chorda's scheme, less the v that the run
    has after that step (n - 1, joints) [rad/s]."""
    states = run.position[:-1].T, run.velocity[:-1].T, step, run.input[:-1].T, run.parameters
    v = printed_step(run.system)(*states)[1]
    return np.asarray(v.full().T - run.velocity[1:])


def moved_as_printed(run: Run, step: float, control: Any) -> Array:
    """Joints' angles of the motion that a run makes, in steps of eq. 9 as printed (n, joints)."""
    system, p = run.system, run.parameters
    law, after, wanted = control.law(system), printed_step(system), control.signal(system, run.time)
    q, v = run.position[0], run.velocity[0]
    angles = [q]
    for t, w in zip(run.time[:-1], wanted[:-1], strict=True):
        q, v = after(q, v, step, law(t, q, v, w, p), p)
        angles.append(q.full().ravel())
    return np.array(angles)
