"""Contacts: gaps of declared pairs, the forces across them, and the generalized force of all.

A contact is one more one-sided law inside the equations of motion. Seen from the nearest frame that
carries both shapes, a pair depends on the joints between them alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import casadi as ca

from chorda.describe import Contact
from chorda.describe.contact_checks import pairs
from chorda.mechanics.contacts.carriers import Carried, CarriedShape, carried_shapes
from chorda.mechanics.contacts.contact_laws import (
    FrictionLaw,
    NormalLaw,
    friction_law,
    normal_law,
)
from chorda.mechanics.contacts.distances import Touch, touches
from chorda.mechanics.contacts.placed_shapes import inner_radius
from chorda.mechanics.contacts.pushed_bodies import Bodies
from chorda.mechanics.contacts.relative_motion import Meeting, Motion, motion, push
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.first_order import FirstOrderState, state
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Stuck:
    """Bristles as springs: velocities per velocity (3 x nv, in some axes), and the least stiffness
    with which they resist shifts, in these axes (3 x 3) [N/m]."""

    J: Expr
    stiffness: Expr


@dataclass(frozen=True, eq=False)
class TouchForce:
    """One point where a pair may touch; vectors are in world axes, of the force on the second."""

    label: str
    pair: str
    first: str  # name of the first shape
    second: str
    nodes: tuple[int, int]  # frames of both
    gap: Expr  # [m]
    rate: Expr  # of the gap [m/s]
    normal: Expr
    sides: tuple[Expr, Expr]  # the normal in the axes of both frames
    point: Expr  # [m]
    pressing: Expr  # normal force [N]
    friction: Expr  # [N]
    sliding: Expr  # velocity of the second against the first across the normal [m/s]
    coefficient: Expr | None
    slip_speed: Expr | None  # of smooth friction [m/s]
    grip: Expr  # what is left before it slides, as a part of the friction; 1: nothing is used
    J: Expr  # velocity of the second against the first per velocity (3 x nv), axes of the root
    energy: Expr  # that it stores, less what the neighbour along a rod stores there [J]
    # velocities per velocity (3 x nv, axes of the root), and slopes of the force's components by
    # their shift and velocity (3 x 3), near
    slopes: Sequence[tuple[Expr, Expr, Expr]]
    stuck: Stuck | None  # of bristles
    thickness: Expr  # of both in the middle: their inner radii [m]
    solid: bool  # whether both have another side


@dataclass(frozen=True, eq=False)
class Contacts:
    """Of all declared pairs."""

    touches: tuple[TouchForce, ...]
    force: Expr  # generalized
    energy: Expr  # that they store [J]
    states: tuple[FirstOrderState, ...]  # bristles
    shapes: Mapping[str, CarriedShape] = field(default_factory=dict)  # all, by name

    def tangent(self) -> tuple[Expr, Expr]:
        """K and D near -dF/dq N and -dF/dv: without how normals and arms change."""
        nv = self.force.numel()
        K, D = SX(nv, nv), SX(nv, nv)
        for J, *slopes in (each for x in self.touches for each in x.slopes):
            wide = ca.horzcat(J, SX(3, nv - J.shape[1]))
            K, D = (A + wide.T @ slope @ wide for A, slope in zip((K, D), slopes, strict=True))
        return K, D


def contact_forces(skeleton: Skeleton, train: Drivetrain) -> Contacts:
    """The stage of assembling; v of the train moves the shapes."""
    robot, nv = skeleton.robot, train.v.numel()
    bodies = Bodies(skeleton)
    shapes = carried_shapes(skeleton, bodies)
    found, states, V = list[TouchForce](), list[FirstOrderState](), SX(0)
    Q = SX(skeleton.v.numel(), 1)
    for contact in robot.contacts:
        law = normal_law(contact, skeleton.par)
        rubbing = friction_law(contact.name, contact.resolved_friction, skeleton.par)
        for pair, *sides in _sides(contact, skeleton, shapes):
            for touch, own, along_rods in _pair(pair, sides, (law, rubbing), bodies):
                found.append(touch)
                states += own
                Q += along_rods
                V += touch.energy
    Q = ca.sparsify(Q + bodies.force())
    return Contacts(tuple(found), ca.vertcat(Q, SX(nv - Q.numel(), 1)), V, tuple(states), shapes)


@dataclass(frozen=True, eq=False)
class _Term:
    """A force without friction that is taken off another, or given back."""

    J: Expr
    normal_force: Expr  # negative where it is taken off [N]
    push: Expr
    energy: Expr
    slopes: tuple[Expr, Expr]


@dataclass(frozen=True, eq=False)
class _Named:
    shape: str
    carried: Carried


def _sides(
    contact: Contact, skeleton: Skeleton, shapes: dict[str, CarriedShape]
) -> Iterator[tuple[str, _Named, _Named]]:
    """Label and sides of all pairs of a contact; a rod has many parts."""
    declared = pairs(contact, skeleton.robot.shapes, skeleton.robot.joints)
    for a, b in declared:
        pair = contact.name if len(declared) == 1 else f"{contact.name}.{a.name}-{b.name}"
        for x in shapes[a.name].beside(b.kind):
            for y in shapes[b.name].beside(a.kind):
                parts = [part for part in (x.label, y.label) if part]
                label = ".".join([pair, *parts])
                yield label, _Named(a.name, x), _Named(b.name, y)


def _pair(
    label: str,
    sides: Sequence[_Named],
    laws: tuple[NormalLaw, FrictionLaw | None],
    bodies: Bodies,
) -> Iterator[tuple[TouchForce, list[FirstOrderState], Expr]]:
    """Each point, its states, and the generalized force of what presses and rubs along rods.

    Normal forces push the shapes, at their own velocities; friction rubs on the material, which
    passes along the shape of a rod that is fed.
    """
    first, second = (x.carried for x in sides)
    tree = bodies.skeleton.tree
    root = tree.common(first.node, second.node)
    meeting, world = Meeting(first, second, root, bodies), tree.pose(root)
    soft = any(joint.soft is not None or joint.proxy_of is not None for joint in tree.joints)
    shapes = first.place(root), second.place(root)
    radii = [x for x in map(inner_radius, shapes) if x is not None]
    terms = tuple(_shared(meeting, laws[0]))
    for touch in touches(*shapes):
        name = f"{label}.{touch.label}" if touch.label else label
        moving = motion(meeting, touch)
        law, rubbing = laws
        own = N = law.force(touch.gap, moving.rate)
        if terms:
            N = ca.fmax(own + sum(x.normal_force for x in terms), 0)
        rubbed, grip, states = moving.across.part(SX(3, 1)), SX(1), list[FirstOrderState]()
        if rubbing is not None:
            along = first.label and not second.label  # of a rod, whose slices turn
            axes = tree.pose((second if along else first).node, root).R
            spans = soft or _spans(moving.J)
            rubbed, grip, states = _friction(name, rubbing, touch, N, moving, axes, spans)
        sliding, friction = (moving.across.vector(x) for x in (moving.sliding, rubbed))
        force = push(meeting, touch, moving, own, rubbed)
        pushed, dragged = _slopes(laws, touch, sliding, moving.rate, N)
        slopes = [(moving.J, *pushed), (moving.slip, *dragged)]
        if moving.slip is moving.J:
            slopes = [(moving.J, pushed[0] + dragged[0], pushed[1] + dragged[1])]
        made = TouchForce(
            label=name,
            pair=label,
            first=sides[0].shape,
            second=sides[1].shape,
            nodes=(first.node, second.node),
            gap=touch.gap,
            rate=moving.rate,
            normal=world.R @ touch.normal,
            sides=(
                tree.pose(first.node, root).R.T @ touch.normal,
                tree.pose(second.node, root).R.T @ touch.normal,
            ),
            point=world.at(touch.point),
            pressing=N,
            friction=world.R @ friction,
            sliding=world.R @ sliding,
            coefficient=None if rubbing is None else rubbing.coefficient,
            slip_speed=None if rubbing is None or rubbing.bristles else rubbing.slip_speed,
            grip=grip,
            J=moving.J,
            energy=sum((x.energy for x in terms), law.energy(touch.gap)),
            slopes=[*slopes, *((x.J, *x.slopes) for x in terms)],
            stuck=Stuck(moving.slip, ca.fmax(grip, 0) * dragged[0]) if states else None,
            thickness=sum(radii, SX(0)),
            solid=len(radii) == len(shapes),
        )
        yield made, states, sum((x.J.T @ x.push for x in terms), force)


def _shared(of: Meeting, law: NormalLaw) -> Iterator[_Term]:
    """What neighbours along rods would press twice: the balls in which their capsules meet.

    The union of two capsules and their intersection, the ball, count as much as both capsules do.
    So the force follows from an energy, and does not jump where one capsule takes over from the
    other.
    """
    balls = [
        (sign, x, y)
        for sign, x, y in (
            (-1, of.first.shared, of.second),
            (-1, of.first, of.second.shared),
            (1, of.first.shared, of.second.shared),
        )
        if x is not None and y is not None
    ]
    for sign, x, y in balls:
        (touch,) = touches(x.place(of.root), y.place(of.root))
        moving = motion(replace(of, first=x, second=y), touch)
        N = sign * law.force(touch.gap, moving.rate)
        sliding = moving.across.vector(moving.sliding)
        (K, D), _ = _slopes((law, None), touch, sliding, moving.rate, N)
        energy = sign * law.energy(touch.gap)
        yield _Term(moving.J, N, N * touch.normal, energy, (sign * K, sign * D))


def _spans(J: Expr) -> list[int] | bool:
    """Axes along which a point can move at all."""
    return sorted(set(J.sparsity().row()))


def _friction(
    name: str,
    law: FrictionLaw,
    touch: Touch,
    N: Expr,
    moving: Motion,
    axes: Expr,
    spans: list[int] | bool,
) -> tuple[Expr, Expr, list[FirstOrderState]]:
    """Force on the second shape across the normal, what is left of it, and bristles in the first
    shape's axes, which turn with it."""
    sliding, across = moving.sliding, moving.across
    if not law.bristles:
        force = ca.sparsify(law.smooth(N, sliding))
        speed = ca.sqrt(ca.sumsqr(sliding) / (ca.sumsqr(sliding) + law.slip_speed**2))
        return force, SX(1) - speed, []
    symbols = [SX.sym(f"{name}.bristle.{axis}") for axis in "xyz"]
    bending, decay = law.bending(sliding, touch.gap), law.decay(sliding, touch.gap)
    local = axes.T @ across.vector(bending)
    kept = range(3) if spans is True else _turned(axes, spans)
    z = vector_of(symbols, kept)
    states = [
        state(f"{name}.bristle.{'xyz'[i]}", "m", symbols[i], SX(local[i]), decay, law.scale)
        for i in kept
    ]
    bent = across.part(axes @ z)
    force = ca.sparsify(law.carried(N, sliding, bent, decay))
    left = SX(1) - ca.sqrt(ca.sumsqr(bent)) / law.deflection
    return force, left, states


def _turned(axes: Expr, spans: list[int] | bool) -> list[int]:
    """The same axes seen from a frame."""
    assert not isinstance(spans, bool)
    along = ca.sparsify(axes.T @ SX(ca.DM([float(i in spans) for i in range(3)])))
    return sorted(set(along.sparsity().row()))


def vector_of(symbols: Sequence[Expr], kept: Sequence[int]) -> Expr:
    """Components that are kept; the others are structural zeros."""
    return ca.sparsify(ca.vertcat(*[x if i in kept else SX(1, 1) for i, x in enumerate(symbols)]))


def _slopes(
    laws: tuple[NormalLaw, FrictionLaw | None], touch: Touch, sliding: Expr, rate: Expr, N: Expr
) -> tuple[tuple[Expr, Expr], tuple[Expr, Expr]]:
    """-d force / d shift and -d force / d velocity with the normal as it is: of the normal force,
    of friction."""
    law, rubbing = laws
    gap, speed = SX.sym("gap"), SX.sym("rate")
    force = law.force(gap, speed)
    by = [ca.jacobian(force, x) for x in (gap, speed)]
    stiff, damped = (-x for x in ca.substitute(by, [gap, speed], [touch.gap, SX(rate)]))
    n = touch.normal
    K, D = SX(3, 3), SX(3, 3)
    if rubbing is not None:
        plane = SX.eye(3) - n @ n.T
        if rubbing.bristles:
            K = rubbing.coefficient * N / rubbing.deflection * plane
        else:
            size = ca.sqrt(ca.sumsqr(sliding) + rubbing.slip_speed**2)
            D = rubbing.coefficient * N / size * plane
    return (stiff * (n @ n.T), damped * (n @ n.T)), (K, D)
