"""A proxy joint for a rod: its frames, its centre of mass, its tendons' lengths and, if it is fed,
how its material passes and its own length, as coordinates.

Slices on which distributed loads act are frames too. What acts on a rod from outside depends on
these alone. Forces and their derivatives over them are
small expressions without loops; the chain rule leads to the modes (`mechanics/balance.py`).
"""

from collections.abc import Iterator

import casadi as ca

from chorda.mechanics.frames import SX, Expr, Pose
from chorda.mechanics.joints.joint_model import Carried, Coordinate, Inertia, JointModel
from chorda.mechanics.rods.soft import BASE, Soft

CENTRE = "centre_of_mass"


def proxy_joint(model: JointModel) -> JointModel:
    """For a rod's model; velocities are those of each frame (angular, linear), of the centre of
    mass and of the lengths, in the base's axes."""
    soft = model.soft
    assert soft is not None
    inner = len(lengths_of(model))
    n = 6 * len(slices_of(soft)) + 3 + inner
    rates = SX.eye(n)
    q, kinematics, poses = list[Expr](), list[Expr](), dict[int, tuple[Pose, int]]()
    for i, k in enumerate(slices_of(soft)):
        pattern = soft.pose(k)
        R = SX.sym(f"R{k}", pattern.R.sparsity())
        p = SX.sym(f"p{k}", pattern.p.sparsity())
        q += [R.nz[:], p.nz[:]]
        turned = ca.horzcat(*[ca.vec(ca.skew(SX.eye(3)[:, j]) @ R) for j in range(3)])
        rows = list(pattern.R.sparsity().find())
        kinematics.append(ca.densify(turned)[rows, :])
        kinematics.append(SX.eye(3)[list(pattern.p.sparsity().find()), :])
        poses[k] = Pose(R, p), 6 * i
    centre, lengths = SX.sym("c", 3), SX.sym("l", inner)
    first = n - 3 - inner
    carried = [_frame(x, soft, poses, rates) for x in model.carried]
    for k in soft.loaded:
        pose, row = poses[k]
        moving = rates[row : row + 3, :], rates[row + 3 : row + 6, :]
        carried.append(Carried(slice_frame(k), pose, *moving))
    lump, at_centre = Inertia(soft.mass, SX(3, 1), SX(3, 3)), Pose(SX.eye(3), centre)
    carried.append(Carried(CENTRE, at_centre, SX(3, n), rates[first : first + 3, :], lump))
    everything = ca.vertcat(*q, centre, lengths)
    symbols = iter(ca.vertsplit(lengths[len(model.sheaths) :]))
    passing = {
        k: ca.vertcat(*[next(symbols) if _varies(x) else x for x in ca.vertsplit(twist)])
        for k, twist in model.passing.items()
    }
    coordinates = [Coordinate(f"y{i}", "-") for i in range(everything.numel())]
    velocities = [(f"y{i}.rate", "-") for i in range(n)]
    if soft.stock is not None:  # actuators know the length by its name
        coordinates[-1], velocities[-1] = model.coordinates[-1], model.velocities[-1]
    return JointModel(
        q=everything,
        v=SX.sym("v", n),
        coordinates=tuple(coordinates),
        velocities=tuple(velocities),
        kinematics=ca.diagcat(*kinematics, SX.eye(3 + inner)),
        carried=tuple(carried),
        sheaths={name: lengths[i] for i, name in enumerate(model.sheaths)},
        insides=dict.fromkeys(model.sheaths, ()),
        proxy_of=model,
        passing=passing,
    )


def slices_of(soft: Soft) -> list[int]:
    """Slices that frames stand on, the base apart, and those that are loaded."""
    return sorted({*soft.frames.values(), *soft.loaded} - {BASE})


def slice_frame(slice_: int) -> str:
    """Name of the frame of a slice that is loaded; no described frame has a blank in it."""
    return f"slice {slice_}"


def _frame(x: Carried, soft: Soft, poses: dict[int, tuple[Pose, int]], rates: Expr) -> Carried:
    n, k = rates.shape[1], soft.frames[x.name]
    if k == BASE:
        return Carried(x.name, x.pose, SX(3, n), SX(3, n), x.body)
    pose, row = poses[k]
    return Carried(x.name, pose, rates[row : row + 3, :], rates[row + 3 : row + 6, :], x.body)


def proxy_coordinates(model: JointModel) -> Iterator[Expr]:
    """Values of the proxy joint's coordinates from a rod's model, in its symbols."""
    soft = model.soft
    assert soft is not None
    for k in slices_of(soft):
        pose = soft.pose(k)
        yield pose.R.nz[:]
        yield pose.p.nz[:]
    yield soft.moment / soft.mass
    yield from lengths_of(model)


def lengths_of(model: JointModel) -> list[Expr]:
    """Of the tendons in a rod, and of one that is fed itself; before that, how its material passes
    where it touches."""
    assert model.soft is not None
    own = [] if model.soft.stock is None else [model.q[-1]]
    passing = [x for twist in model.passing.values() for x in ca.vertsplit(twist) if _varies(x)]
    return [*model.sheaths.values(), *passing, *own]


def _varies(x: Expr) -> bool:
    return not bool(x.is_constant())
