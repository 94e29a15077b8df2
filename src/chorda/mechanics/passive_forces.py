"""Generalized forces of springs, dampers, joint friction and loads."""

from typing import NamedTuple

import casadi as ca

from chorda.describe import Spring
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import SX, Expr, work_of_wrench
from chorda.mechanics.skeleton import Skeleton, springs_and_dampers
from chorda.mechanics.tree import locate


class PassiveForces(NamedTuple):
    """Of everything between and on the bodies but tendons."""

    force: Expr
    energy: Expr  # that they store [J]


def passive_forces(skeleton: Skeleton, train: Drivetrain) -> PassiveForces:
    tree, par = skeleton.tree, skeleton.par
    V = sum((joint.spring_energy for joint in tree.joints), SX(0))
    dampers: list[tuple[Expr, Expr]] = []  # (length, damping)
    for item in springs_and_dampers(skeleton.robot):
        length = tree.distance(*skeleton.ends[item.name])
        if isinstance(item, Spring):
            k = par.scalar(f"{item.name}.stiffness", item.stiffness, "N/m")
            free = par.scalar(f"{item.name}.free_length", item.free_length, "m")
            if item.free_length:
                V += k * (length - free) ** 2 / 2
            else:  # the force is then linear in the distance, and has a direction at none too
                squared = tree.squared_distance(*skeleton.ends[item.name])
                V += k * (squared - 2 * free * length + free**2) / 2
        if item.damping is not None:
            dampers.append((length, par.scalar(f"{item.name}.damping", item.damping, "N s/m")))
    Q = -(ca.jacobian(V, train.q) @ train.N).T
    for length, damping in dampers:
        J = ca.jacobian(length, train.q) @ train.N
        Q -= J.T @ (damping * (J @ train.v))
    return PassiveForces(Q + _friction(skeleton, train.v) + _loads(skeleton, train), V)


def _friction(skeleton: Skeleton, v: Expr) -> Expr:
    """Of joints' pivots, and inside rods."""
    rows = []
    for joint, own in zip(skeleton.tree.joints, skeleton.by_joint(v), strict=True):
        row = SX(own.numel(), 1)
        if joint.pivots.numel():
            row -= joint.pivot_friction * (joint.pivots.T @ (joint.pivots @ own))
        if joint.damping is not None:
            row -= joint.damping @ own
        rows.append(row)
    column = ca.sparsify(ca.vertcat(*rows))
    return ca.vertcat(column, SX(v.numel() - column.numel(), 1))


def _loads(skeleton: Skeleton, train: Drivetrain) -> Expr:
    """Virtual work of forces and moments."""
    tree, par, q = skeleton.tree, skeleton.par, train.q
    Q = SX(train.v.numel(), 1)
    for load in skeleton.robot.loads:
        node, point = locate(tree, load.at, f"{load.name}.at", par)
        force = par.vector(f"{load.name}.force", load.force, "N")
        moment = par.vector(f"{load.name}.moment", load.moment, "N m")
        pose = tree.pose(node)
        axes = pose.R if load.follows else SX.eye(3)
        work = work_of_wrench(pose, pose.at(point), axes @ force, axes @ moment, q)
        Q += train.N.T @ work
    return ca.sparsify(Q)
