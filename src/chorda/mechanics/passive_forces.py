"""Generalized forces of springs, dampers, joint friction, stops, teeth of gears, and loads; of
forces that are inputs too."""

from collections.abc import Iterator
from dataclasses import dataclass

import casadi as ca

from chorda.describe import Spring, WrenchActuator
from chorda.mechanics.contacts.contact_forces import Contacts
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import SX, Expr, vector, work_of_wrench
from chorda.mechanics.rod_loads import distributed_force
from chorda.mechanics.skeleton import Skeleton, springs_and_dampers
from chorda.mechanics.tree import locate


@dataclass(frozen=True, eq=False)
class Wrench:
    """A load on a frame: a force at a point, and a moment, all in the world and its axes."""

    node: int
    point: Expr  # [m]
    force: Expr  # [N]
    moment: Expr  # [N m]
    follows: bool  # whether it turns with the frame


@dataclass(frozen=True, eq=False)
class PassiveForces:
    """Of everything between and on the bodies but tendons."""

    unloaded: Expr  # generalized force of all but loads, contacts and dry friction; bristles are in
    loaded: Expr  # generalized force of loads
    distributed: Expr  # generalized force of loads along rods
    contacts: Contacts  # and of what touches, with its friction
    loads: tuple[Wrench, ...]
    smooth: Expr  # dry friction of joints that has a slope
    jumping: Expr  # and that which jumps where a rate changes sign
    energy: Expr  # that they store [J]

    @property
    def force(self) -> Expr:
        """All but dry friction without bristles."""
        return self.unloaded + self.loaded + self.distributed + self.contacts.force

    @property
    def dry(self) -> Expr:
        """Dry friction of joints, without bristles."""
        return self.smooth + self.jumping


def passive_forces(skeleton: Skeleton, train: Drivetrain, contacts: Contacts) -> PassiveForces:
    tree, par = skeleton.tree, skeleton.par
    V = sum((joint.spring_energy for joint in tree.joints), SX(0))
    V += sum((x.stop.energy(x.q) for x in tree.joints if x.stop is not None), SX(0))
    plays = [x.drum.play for x in train.motors if x.drum.play is not None]
    V += sum((play.teeth.energy(play.ahead) for play in plays), SX(0))
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
    for play in plays:
        J = ca.jacobian(play.ahead, train.q) @ train.N
        Q += J.T @ play.teeth.damping_force(play.ahead, J @ train.v)
    loads = (*_loads(skeleton), *_pushes(skeleton, train))
    return PassiveForces(
        unloaded=Q + _friction(skeleton, train.v) + _bristles(skeleton, train.v),
        loaded=_work(loads, skeleton, train),
        distributed=distributed_force(skeleton, train),
        contacts=contacts,
        loads=loads,
        smooth=_dry_friction(skeleton, train.v, False),
        jumping=_dry_friction(skeleton, train.v, True),
        energy=V + contacts.energy,
    )


def _friction(skeleton: Skeleton, v: Expr) -> Expr:
    """Of joints' pivots and stops, and inside rods."""
    rows = []
    for joint, own in zip(skeleton.tree.joints, skeleton.by_joint(v), strict=True):
        row = SX(own.numel(), 1)
        if joint.pivots.numel():
            row -= joint.pivot_friction * (joint.pivots.T @ (joint.pivots @ own))
        if joint.stop is not None:
            row += joint.stop.damping_force(joint.q, own)
        if joint.damping is not None:
            row -= joint.damping @ own
        rows.append(row)
    return _filled(rows, v)


def _dry_friction(skeleton: Skeleton, v: Expr, jumping: bool) -> Expr:
    """In the pivots of joints whose friction jumps, or of those where it has a slope."""
    rows = []
    for joint, own in zip(skeleton.tree.joints, skeleton.by_joint(v), strict=True):
        row, law = SX(own.numel(), 1), joint.dry
        if law is not None and not law.bristles and law.jumps == jumping:
            each = [law.torque(rate) for rate in ca.vertsplit(joint.pivots @ own)]
            row -= joint.pivots.T @ ca.vertcat(*each)
        rows.append(row)
    return _filled(rows, v)


def _bristles(skeleton: Skeleton, v: Expr) -> Expr:
    """Of bent bristles in joints, which act like springs within a step: none of it is held."""
    rows = []
    for joint, own in zip(skeleton.tree.joints, skeleton.by_joint(v), strict=True):
        row = SX(own.numel(), 1)
        for x in joint.bristles:
            assert joint.dry is not None
            pivot = joint.pivots[x.pivots[0], :]
            row -= len(x.pivots) * pivot.T @ joint.dry.carried(pivot @ own, x.z)
        rows.append(row)
    return _filled(rows, v)


def _filled(rows: list[Expr], v: Expr) -> Expr:
    """Forces on the joints, and none on what follows them."""
    column = ca.sparsify(ca.vertcat(*rows))
    return ca.vertcat(column, SX(v.numel() - column.numel(), 1))


def _loads(skeleton: Skeleton) -> Iterator[Wrench]:
    tree, par = skeleton.tree, skeleton.par
    for load in skeleton.robot.loads:
        node, point = locate(tree, load.at, f"{load.name}.at", par)
        force = par.vector(f"{load.name}.force", load.force, "N")
        moment = par.vector(f"{load.name}.moment", load.moment, "N m")
        pose = tree.pose(node)
        axes = pose.R if load.follows else SX.eye(3)
        yield Wrench(node, pose.at(point), axes @ force, axes @ moment, load.follows)


def _pushes(skeleton: Skeleton, train: Drivetrain) -> Iterator[Wrench]:
    """Forces and moments that are inputs."""
    tree = skeleton.tree
    for x in skeleton.robot.actuators:
        if not isinstance(x, WrenchActuator):
            continue
        node, point = locate(tree, x.at, f"{x.name}.at", skeleton.par)
        both = [SX(3, 1), SX(3, 1)]
        for name, _, direction, is_moment in x.inputs():
            both[is_moment] += vector(*direction) * train.input(name)
        pose = tree.pose(node)
        axes = pose.R if x.follows else SX.eye(3)
        force, moment = (axes @ ca.sparsify(part) for part in both)
        yield Wrench(node, pose.at(point), force, moment, x.follows)


def _work(loads: tuple[Wrench, ...], skeleton: Skeleton, train: Drivetrain) -> Expr:
    """Virtual work of forces and moments."""
    Q = SX(train.v.numel(), 1)
    for x in loads:
        pose = skeleton.tree.pose(x.node)
        Q += train.N.T @ work_of_wrench(pose, x.point, x.force, x.moment, train.q)
    return ca.sparsify(Q)
