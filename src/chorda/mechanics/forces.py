"""Generalized forces of springs, dampers, joint friction and loads."""

import casadi as ca

from chorda.describe import Damper, Robot, Spring
from chorda.mechanics.frames import SX, Expr
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
    return Q + _pivot_friction(tree, v) + _damping(tree, v) + _loads(robot, tree, par, q, v, N), V


def _pivot_friction(tree: Tree, v: Expr) -> Expr:
    rows = [
        -joint.pivot_friction * (joint.pivots.T @ (joint.pivots @ joint.v))
        if joint.pivots.numel()
        else SX(joint.v.numel(), 1)
        for joint in tree.joints
    ]
    column = ca.sparsify(ca.vertcat(SX(0, 1), *rows))
    return ca.vertcat(column, SX(v.numel() - column.numel(), 1))


def _damping(tree: Tree, v: Expr) -> Expr:
    """Of rods, inside."""
    rows = [
        SX(joint.v.numel(), 1) if joint.damping is None else -joint.damping @ joint.v
        for joint in tree.joints
    ]
    column = ca.sparsify(ca.vertcat(SX(0, 1), *rows))
    return ca.vertcat(column, SX(v.numel() - column.numel(), 1))


def _loads(robot: Robot, tree: Tree, par: Parameters, q: Expr, v: Expr, N: Expr) -> Expr:
    """Virtual work of forces and moments; dR/dq takes a moment's share twice, hence the half."""
    Q = SX(v.numel(), 1)
    for load in robot.loads:
        node, point = locate(tree, load.at, f"{load.name}.at", par)
        force = par.vector(f"{load.name}.force", load.force, "N")
        moment = par.vector(f"{load.name}.moment", load.moment, "N m")
        pose = tree.pose(node)
        axes = pose.R if load.follows else SX.eye(3)
        turned = ca.skew(axes @ moment) @ pose.R / 2
        work = ca.jtimes(pose.at(point), q, axes @ force, True)
        work += ca.jtimes(ca.vec(ca.densify(pose.R)), q, ca.vec(ca.densify(turned)), True)
        Q += N.T @ work
    return ca.sparsify(Q)
