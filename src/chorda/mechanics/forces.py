"""Generalized forces of springs, dampers, joint friction, loads and motors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca

from chorda.describe import Damper, Motor, Robot, Spring
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.motion import motions
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import Tree, locate

Ends = dict[str, tuple[tuple[int, Expr], tuple[int, Expr]]]


def between(robot: Robot) -> tuple[Spring | Damper, ...]:
    """What acts between two points."""
    return (*robot.springs, *robot.dampers)


def fastenings(robot: Robot, tree: Tree, par: Parameters) -> Ends:
    """Where each spring and damper is fastened."""
    return {
        item.name: (
            locate(tree, item.start, f"{item.name}.start", par),
            locate(tree, item.end, f"{item.name}.end", par),
        )
        for item in between(robot)
    }


def passive(
    robot: Robot, tree: Tree, par: Parameters, ends: Ends, q: Expr, v: Expr, N: Expr
) -> tuple[Expr, Expr]:
    """Force of everything between and on the bodies but tendons, and the energy it stores."""
    V = sum((joint.spring_energy for joint in tree.joints), SX(0))
    stretch: list[tuple[Expr, Expr]] = []  # (length, damping)
    for item in between(robot):
        length = tree.distance(*ends[item.name])
        if isinstance(item, Spring):
            k = par.scalar(f"{item.name}.stiffness", item.stiffness, "N/m")
            free = par.scalar(f"{item.name}.free_length", item.free_length, "m")
            V += k * (length - free) ** 2 / 2
        if item.damping is not None:
            stretch.append((length, par.scalar(f"{item.name}.damping", item.damping, "N s/m")))
    Q = -(ca.jacobian(V, q) @ N).T
    for length, damping in stretch:
        J = ca.jacobian(length, q) @ N
        Q -= J.T @ (damping * (J @ v))
    return Q + _pivot_friction(tree, v) + _loads(robot, tree, par, q, v, N), V


def _pivot_friction(tree: Tree, v: Expr) -> Expr:
    rows = [
        -joint.pivot_friction * (joint.pivots.T @ (joint.pivots @ joint.v))
        if joint.pivots.numel()
        else SX(joint.v.numel(), 1)
        for joint in tree.joints
    ]
    column = ca.sparsify(ca.vertcat(SX(0, 1), *rows))
    return ca.vertcat(column, SX(v.numel() - column.numel(), 1))


def _loads(robot: Robot, tree: Tree, par: Parameters, q: Expr, v: Expr, N: Expr) -> Expr:
    Q = SX(v.numel(), 1)
    if not robot.loads:
        return Q
    pieces = [joint.v for joint in tree.joints]
    moving = motions(tree, pieces, [SX(x.numel(), 1) for x in pieces], SX(3, 1))
    for load in robot.loads:
        node, point = locate(tree, load.at, f"{load.name}.at", par)
        force = par.vector(f"{load.name}.force", load.force, "N")
        moment = par.vector(f"{load.name}.moment", load.moment, "N m")
        R = tree.pose(node).R if load.follows else SX.eye(3)
        J_point = ca.jacobian(tree.pose(node).at(point), q) @ N
        J_turn = ca.jacobian(moving[node].w, v)
        Q += J_point.T @ (R @ force) + J_turn.T @ (R @ moment)
    return Q


@dataclass(frozen=True)
class DriveForces:
    """What motors add to M a + bias = force + dry, and each motor's own balance."""

    M: Expr
    bias: Expr
    force: Expr
    dry: Expr
    jumping: Expr
    kinetic: Expr
    balances: dict[str, Callable[[Expr], Expr]]

    def balance(self, motor: str, a: Expr) -> Expr:
        """Torque that the motor's leading tendon must bring: I theta_dd - torque + friction."""
        return self.balances[motor](a)


def drive_forces(
    motors: list[Motor],
    angle: dict[str, Expr],
    pay: dict[str, Expr],
    torque: dict[str, Expr],
    pulls: list[tuple[str | None, int, Expr]],
    motion: tuple[Expr, Expr, Expr],
    led: set[str],
    frictions: Callable[[Any, Expr, Parameters], tuple[Expr, Expr]],
    par: Parameters,
) -> DriveForces:
    """Motors in generalized coordinates, theta = angle(q) being a coordinate or not.

    With theta_dot = J v each adds J^T I J to M, J^T I J_dot v to the bias and J^T (torque -
    friction + B t) to the force [Testard2023, eqs. 1 and 3].
    """
    q, v, N = motion
    nv = v.numel()
    M, bias, force, T = SX(nv, nv), SX(nv, 1), SX(nv, 1), SX(0)
    dry_force, jumping = SX(nv, 1), SX(nv, 1)
    balances: dict[str, Callable[[Expr], Expr]] = {}
    for motor in motors:
        rotor = par.scalar(f"{motor.name}.inertia", motor.inertia, "kg m^2")
        theta, B = angle[motor.name], pay[motor.name]
        J = ca.jacobian(theta, q) @ N
        rate = J @ v
        J_dot_v = ca.sparsify(ca.jtimes(rate, q, N @ v))
        viscous, dry = frictions(motor, rate, par)
        pull = sum((w * B * t for drive, w, t in pulls if drive == motor.name), SX(0))
        M += J.T @ rotor @ J
        bias += J.T @ (rotor * J_dot_v)
        # Z t already holds what a led motor's other tendons do to the joints; the drum's share
        # of an elastic tendon acts on theta, wherever theta comes from
        force += J.T @ (torque[motor.name] - viscous + pull)
        dry_force -= J.T @ dry
        if motor.dry_friction is not None and motor.dry_friction.kind == "sign":
            jumping -= J.T @ dry
        T += rotor * rate**2 / 2
        if motor.name in led:
            rest = -torque[motor.name] + viscous + dry - pull

            def balance(
                a: Expr, rotor: Expr = rotor, J: Expr = J, J_dot_v: Expr = J_dot_v, rest: Expr = rest
            ) -> Expr:
                return rotor * (J @ a + J_dot_v) + rest

            balances[motor.name] = balance
    return DriveForces(
        M, bias, ca.sparsify(force), ca.sparsify(dry_force), ca.sparsify(jumping), T, balances
    )
