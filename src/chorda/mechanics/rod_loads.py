"""Loads along rods: what acts on each slice, and the generalized force of it all."""

import casadi as ca

from chorda.describe import DistributedLoad
from chorda.describe.distributed_loads import FORCES, MOMENTS
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import SX, Expr, cross, vector, work_of_wrench
from chorda.mechanics.joints.proxy import slice_frame
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods import bases
from chorda.mechanics.rods.grid import covered
from chorda.mechanics.rods.soft import Soft
from chorda.mechanics.skeleton import Skeleton

OnSlices = dict[int, tuple[Expr, Expr]]  # by slice: force [N] and moment [N m]


def distributed_force(skeleton: Skeleton, train: Drivetrain) -> Expr:
    """Their virtual work. Where rods have proxy joints, every slice that they cover is a frame."""
    Q = SX(train.v.numel(), 1)
    tree, robot = skeleton.tree, skeleton.robot
    names = [joint.name for joint in robot.joints]
    for load in robot.distributed_loads:
        number = names.index(load.rod)
        model, base = tree.joints[number], tree.pose(tree.index[f"{load.rod}.base"])
        soft = model.soft if model.proxy_of is None else model.proxy_of.soft
        assert soft is not None
        each = _on_slices(load, robot.named(load.rod).length, soft, skeleton.par)
        if model.proxy_of is not None:
            for k, (force, moment) in each.items():
                pose = tree.pose(tree.index[f"{load.rod}.{slice_frame(k)}"])
                axes = pose.R if load.follows else SX.eye(3)
                work = work_of_wrench(pose, pose.p, axes @ force, axes @ moment, train.q)
                Q += train.N.T @ work
            continue
        F, N, own = _along(load.follows, each, soft, base.R)
        first = sum(joint.v.numel() for joint in tree.joints[:number])
        Q[first : first + own.numel()] += own
        Q += train.N.T @ work_of_wrench(base, base.p, base.R @ F, base.R @ N, train.q)
    return ca.sparsify(Q)


def _on_slices(load: DistributedLoad, length: float, soft: Soft, par: Parameters) -> OnSlices:
    """On each slice that it covers, in the load's axes: the weights of a Gauss quadrature."""
    grid = soft.scans.slices.grid
    force, moment = (
        [bases.polynomial(f"{load.name}.{x}", getattr(load, x), unit, par) for x in names]
        for names, unit in ((FORCES, "N/m"), (MOMENTS, "N m/m"))
    )
    found = {}
    for k in covered(grid, *load.span(length)):
        x, part = float(grid.ends[k]), float(grid.weights[k]) * soft.length
        found[k] = tuple(part * vector(*[c.at(x) for c in both]) for both in (force, moment))
    return found


def _along(follows: bool, each: OnSlices, soft: Soft, R: Expr) -> tuple[Expr, Expr, Expr]:
    """Force and moment about the base in its axes, and generalized force of the modes; R: of the
    base."""
    wrenches, F, N = SX(6, soft.p.shape[1]), SX(3, 1), SX(3, 1)
    for k, parts in each.items():
        pose = soft.pose(k)
        turn = pose.R if follows else R.T
        force, moment = (turn @ x for x in parts)
        wrenches[:, k] = ca.vertcat(force, moment)
        F, N = F + force, N + moment + cross(pose.p, force)
    return F, N, soft.pulled(wrenches)
