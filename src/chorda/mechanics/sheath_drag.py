"""Viscous friction of a tendon in its sheath: a force on the rod at every slice."""

from typing import Any

import casadi as ca

from chorda.describe import Viscous
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import SX, Expr, cross, work_of_wrench
from chorda.mechanics.tree import Tree


def sheath_drag(
    law: Viscous, sheath: Any, coefficient: Expr, speeds: Expr, tree: Tree, train: Drivetrain
) -> Expr:
    """Generalized force of a unit tension; speeds: of sliding, at the sheath's guides [m/s].

    On a slice that turns the tendon by the angle a it is coefficient * a * speed, along the
    tendon, at the tendon, or with the opposite moment [Till2019].
    """
    number = next(i for i, x in enumerate(tree.joints) if x.soft is not None and x.q is sheath.q)
    soft = tree.joints[number].soft
    assert soft is not None
    turn, along = sheath.turning()
    way = 1 if law.moment == "consistent" else -1
    wrenches, F, N = SX(6, soft.p.shape[1]), SX(3, 1), SX(3, 1)
    for i, k in enumerate(sheath.at):
        pose, speed = soft.pose(k), (speeds[i] + speeds[i + 1]) / 2
        force = coefficient * turn[i] * speed * along[:, i]
        lever = ca.vertcat(SX(1, 1), sheath.offsets[:2, i])
        force, moment = pose.R @ force, way * (pose.R @ cross(lever, force))
        wrenches[:, k] = ca.vertcat(force, moment)
        F, N = F + force, N + moment + cross(pose.p, force)
    given = soft.q, soft.length, soft.rest, soft.R, wrenches
    own = soft.scans.pulling(*[ca.densify(x) for x in given])
    Q = SX(train.v.numel(), 1)
    first = sum(joint.v.numel() for joint in tree.joints[:number])
    Q[first : first + own.numel()] += own
    base = next(x for x in tree.nodes if x.joint == number)
    at = tree.pose(base.parent)
    return ca.sparsify(Q + train.N.T @ work_of_wrench(at, at.p, at.R @ F, at.R @ N, train.q))
