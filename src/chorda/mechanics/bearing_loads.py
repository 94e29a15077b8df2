"""What bearings carry at rest, and the dry friction that grows with it.

A joint's bearing carries everything beyond it: weight, loads, springs, and the tensions of cables
along those free spans that cross it, from an element beyond it to one that is not. The forces of
inertia and of dampers are left out, so that friction follows from (q, v, u, p) without the
accelerations.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.describe import Spring, TensionActuator
from chorda.describe.contact_checks import refuse_contacts
from chorda.errors import InputError
from chorda.mechanics.cables import Cable
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.dry_friction import DryLaw
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.passive_forces import PassiveForces
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tendon_forces import Tendons
from chorda.mechanics.tree import COINCIDENCE, Tree

UNLOADED = 1e-9  # [N] below which a load counts as none: its size has a slope everywhere


@dataclass(frozen=True, eq=False)
class BearingFriction:
    """Friction of one joint by its load: generalized force per newton, and the load."""

    law: DryLaw
    per_newton: Expr
    load: Expr  # [N], over the tensions' symbols


def bearing_friction(
    skeleton: Skeleton,
    cables: tuple[Cable, ...],
    train: Drivetrain,
    passive: PassiveForces,
    tendons: Tendons,
) -> tuple[BearingFriction, ...]:
    """Of all joints whose dry friction has a coefficient."""
    found = []
    ends = np.cumsum([0, *[joint.v.numel() for joint in skeleton.tree.joints]]).tolist()
    for number, joint in enumerate(skeleton.tree.joints):
        if joint.dry is None or joint.dry.arm is None:
            continue
        row, pivot = ends[number], joint.pivots[0, :]
        z = joint.bristles[0].z if joint.bristles else None
        per_newton = SX(train.v.numel(), 1)
        per_newton[row] = -pivot * joint.dry.by_load(pivot @ train.v[row], z)
        _refuse(skeleton, train, number)
        load = _load(skeleton, cables, passive, tendons, number)
        found.append(BearingFriction(joint.dry, ca.sparsify(per_newton), load))
    return tuple(found)


def _beyond(tree: Tree, number: int) -> set[int]:
    """Frames that a joint carries, near or far."""
    own = {i for i, node in enumerate(tree.nodes) if node.joint == number}
    return {i for i in range(len(tree.nodes)) if own & {*tree.ancestry(i)}}


def _load(
    skeleton: Skeleton,
    cables: tuple[Cable, ...],
    passive: PassiveForces,
    tendons: Tendons,
    number: int,
) -> Expr:
    """Of a pin the whole force, of a slide what is normal to its axis [N]."""
    tree = skeleton.tree
    beyond = _beyond(tree, number)
    force = _mass(tree, beyond) * skeleton.gravity
    force += sum((x.force for x in passive.loads if x.node in beyond), SX(3, 1))
    force += sum(_springs(skeleton, beyond), SX(3, 1))
    for i, cable in enumerate(cables):
        rubs = tendons.each[i].rubbing
        for k, direction in _spans(tree, cable, beyond):
            share = SX(1) if rubs is None else rubs.behind(f"{cable.name}.path", k)
            force += tendons.pulls[i] * share * direction
    carried = next(i for i in sorted(beyond) if tree.nodes[i].joint == number)
    node = tree.nodes[carried]
    assert node.carried is not None
    along = ca.sparsify(tree.pose(node.parent).R @ node.carried.linear)
    if along.nnz():
        force -= along * ca.dot(along, force)
    return ca.sqrt(ca.sumsqr(force) + UNLOADED**2)


def _mass(tree: Tree, beyond: set[int]) -> Expr:
    rods = {tree.nodes[i].joint for i in beyond if tree.nodes[i].carried is not None}
    soft = (tree.joints[k].soft for k in sorted(rods))
    bodies = (tree.nodes[i].carried for i in sorted(beyond))
    return sum((x.mass for x in soft if x is not None), SX(1, 1)) + sum(
        (x.body.mass for x in bodies if x is not None and x.body is not None), SX(1, 1)
    )


def _springs(skeleton: Skeleton, beyond: set[int]) -> Iterator[Expr]:
    """Forces on what is beyond of springs that cross the joint."""
    par, tree = skeleton.par, skeleton.tree
    for item in skeleton.robot.springs:
        assert isinstance(item, Spring)
        start, end = skeleton.ends[item.name]
        if (start[0] in beyond) == (end[0] in beyond):
            continue
        k, free = (par.symbol(f"{item.name}.{x}") for x in ("stiffness", "free_length"))
        way = tree.pose(end[0]).at(end[1]) - tree.pose(start[0]).at(start[1])
        pull = k * way * (1 - free / tree.distance(start, end))
        yield pull if start[0] in beyond else -pull


def _spans(tree: Tree, cable: Cable, beyond: set[int]) -> Iterator[tuple[int, Expr]]:
    """Free spans that cross the joint: the element before each, and its direction out of what is
    beyond."""
    places = []  # where the cable gets to each element, and where it leaves it
    for k, (node, point) in enumerate(cable.points):
        at = tree.pose(node).at(point)
        wrap = cable.wraps.get(k)
        places.append((at, at) if wrap is None else (wrap.arc[:, 0], wrap.arc[:, -1]))
    for k in range(len(places) - 1):
        inside = [cable.points[i][0] in beyond for i in (k, k + 1)]
        if inside[0] == inside[1]:
            continue
        way = places[k + 1][0] - places[k][1]
        direction = way / ca.sqrt(ca.sumsqr(way) + COINCIDENCE**2)
        yield k, direction if inside[0] else -direction


def _refuse(skeleton: Skeleton, train: Drivetrain, number: int) -> None:
    """Loads that do not follow from the configuration, velocities and inputs."""
    robot, tree = skeleton.robot, skeleton.tree
    beyond = _beyond(tree, number)
    where = f"joints.{number}.dry_friction.coefficient"
    name, remedy = robot.joints[number].name, "leave coefficient out"

    def crosses(frames: list[str]) -> bool:
        return len({tree.index[x] in beyond for x in frames}) > 1

    refuse_contacts(robot.contacts, f"{where}: friction by the load of a bearing", remedy)
    for load in robot.distributed_loads:
        if tree.index[f"{load.rod}.tip"] in beyond:
            raise InputError(
                f"{where}: '{name}' carries the rod '{load.rod}' with the load '{load.name}' along "
                f"it, which is not part of what bearings carry here; {remedy}, or give the load at "
                "a point"
            )
    for closure in robot.closures:
        if crosses([closure.start.frame, closure.end.frame]):
            raise InputError(
                f"{where}: what '{name}' carries depends on the forces of closure "
                f"'{closure.name}', which follow from the motion; {remedy}, or put the coefficient "
                "on a joint outside the loop"
            )
    actuators = {x.name: x for x in robot.actuators}
    for i, tendon in enumerate(robot.tendons):
        sheaths = [f"{x.rod}.base" for x in tendon.sheaths]
        if sheaths and crosses([*sheaths, *(x.frame for x in tendon.path[-1:])]):
            raise InputError(
                f"{where}: tendon '{tendon.name}' crosses '{name}' inside rods, where it has no "
                f"free span; {remedy}"
            )
        pulls = train.elastic[i] or isinstance(
            actuators.get(tendon.actuator or ""), TensionActuator
        )
        if not pulls and crosses([x.frame for x in tendon.path]):
            raise InputError(
                f"{where}: tendon '{tendon.name}' crosses '{name}' and is rigid, so that its "
                f"tension follows from the motion; give it an elastic law and assemble with "
                f"tendons='elastic', or {remedy}"
            )
