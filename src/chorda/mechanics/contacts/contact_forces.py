"""Contacts: gaps of declared pairs, the forces across them, and the generalized force of all.

A contact is one more one-sided law inside the equations of motion. Seen from the nearest frame that
carries both shapes, a pair depends on the joints between them alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import casadi as ca

from chorda.describe import Contact
from chorda.describe.contact_checks import pairs
from chorda.mechanics.contacts.carriers import Carried, CarriedShape, carried_shapes
from chorda.mechanics.contacts.contact_laws import (
    FrictionLaw,
    NormalLaw,
    across,
    friction_law,
    normal_law,
)
from chorda.mechanics.contacts.distances import Touch, touches
from chorda.mechanics.contacts.placed_shapes import inner_radius
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.first_order import FirstOrderState, state
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.skeleton import Skeleton


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
    grip: Expr  # what is left before it slides, as a part of the friction; 1: nothing is used
    J: Expr  # velocity of the second against the first per velocity (3 x nv), axes of the root
    force: Expr  # generalized, with what the neighbour along a rod presses there taken off
    energy: Expr  # that it stores, likewise [J]
    # velocities per velocity (3 x nv, axes of the root), and slopes of the force's components by
    # their shift and velocity (3 x 3), near
    slopes: Sequence[tuple[Expr, Expr, Expr]]
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
    shapes = carried_shapes(skeleton)
    found, states, Q, V = list[TouchForce](), list[FirstOrderState](), SX(nv, 1), SX(0)
    for contact in robot.contacts:
        law = normal_law(contact, skeleton.par)
        rubbing = friction_law(contact.name, contact.resolved_friction, skeleton.par)
        for pair, *sides in _sides(contact, skeleton, shapes):
            made = _pair(pair, sides, (law, rubbing), skeleton)
            for touch, own in made:
                found.append(touch)
                states += own
                Q += ca.vertcat(touch.force, SX(nv - touch.force.numel(), 1))
                V += touch.energy
    return Contacts(tuple(found), ca.sparsify(Q), V, tuple(states), shapes)


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
    skeleton: Skeleton,
) -> Iterator[tuple[TouchForce, list[FirstOrderState]]]:
    """Each point, and its states.

    Normal forces push the shapes, at their own velocities; friction rubs on the material, which
    passes along the shape of a rod that is fed.
    """
    first, second = (x.carried for x in sides)
    tree = skeleton.tree
    root = tree.common(first.node, second.node)
    world = tree.pose(root)
    soft = any(joint.soft is not None or joint.proxy_of is not None for joint in tree.joints)
    shapes = first.place(root), second.place(root)
    radii = [x for x in map(inner_radius, shapes) if x is not None]
    terms = tuple(_shared(first, second, laws[0], skeleton, root))
    for touch in touches(*shapes):
        name = f"{label}.{touch.label}" if touch.label else label
        J, velocity, rate = _motion(first, second, touch, skeleton, root)
        slip, passing = J, _passing(first, second, touch, root)
        if passing is not None:
            slip = ca.sparsify(J + passing)
            velocity = ca.sparsify(slip @ skeleton.v)
        law, rubbing = laws
        own = N = law.force(touch.gap, rate)
        if terms:
            N = ca.fmax(own + sum(x.normal_force for x in terms), 0)
        sliding = across(touch.normal, velocity)
        friction, grip, states = SX(3, 1), SX(1), list[FirstOrderState]()
        if rubbing is not None:
            along = first.label and not second.label  # of a rod, whose slices turn
            axes = tree.pose((second if along else first).node, root).R
            friction, grip, states = _friction(
                name, rubbing, touch, N, sliding, axes, soft or _spans(J)
            )
        pressing, rubbed = ca.sparsify(own * touch.normal), ca.sparsify(friction)
        pushed, dragged = _slopes(laws, touch, sliding, rate, N)
        force, slopes = J.T @ pressing + slip.T @ rubbed, [(J, *pushed), (slip, *dragged)]
        if slip is J:
            force = J.T @ ca.sparsify(pressing + rubbed)
            slopes = [(J, pushed[0] + dragged[0], pushed[1] + dragged[1])]
        made = TouchForce(
            label=name,
            pair=label,
            first=sides[0].shape,
            second=sides[1].shape,
            nodes=(first.node, second.node),
            gap=touch.gap,
            rate=rate,
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
            grip=grip,
            J=J,
            force=sum((x.J.T @ x.push for x in terms), force),
            energy=sum((x.energy for x in terms), law.energy(touch.gap)),
            slopes=[*slopes, *((x.J, *x.slopes) for x in terms)],
            thickness=sum(radii, SX(0)),
            solid=len(radii) == len(shapes),
        )
        yield made, states


def _motion(
    first: Carried, second: Carried, touch: Touch, skeleton: Skeleton, root: int
) -> tuple[Expr, Expr, Expr]:
    """Of the second against the first: J, the velocity, and the rate of the gap."""
    inside = [
        touch.point + way * (touch.gap / 2 + x.radius) * touch.normal
        for x, way in ((first, -1), (second, 1))
    ]
    J = second.rates(touch.point, inside[1], root) - first.rates(touch.point, inside[0], root)
    J = ca.sparsify(J)
    velocity = ca.sparsify(J @ skeleton.v)
    return J, velocity, ca.dot(touch.normal, velocity)


def _passing(first: Carried, second: Carried, touch: Touch, root: int) -> Expr | None:
    """How the material of rods that are fed moves against their shapes, as `_motion` has J."""
    found = None
    for x, way in ((first, -1), (second, 1)):
        if x.passing is not None:
            inside = touch.point + way * (touch.gap / 2 + x.radius) * touch.normal
            own = way * x.passing(touch.point, inside, root)
            found = own if found is None else found + own
    return found


def _shared(
    first: Carried, second: Carried, law: NormalLaw, skeleton: Skeleton, root: int
) -> Iterator[_Term]:
    """What neighbours along rods would press twice: the balls in which their capsules meet.

    The union of two capsules and their intersection, the ball, count as much as both capsules do.
    So the force follows from an energy, and does not jump where one capsule takes over from the
    other.
    """
    balls = [
        (sign, x, y)
        for sign, x, y in (
            (-1, first.shared, second),
            (-1, first, second.shared),
            (1, first.shared, second.shared),
        )
        if x is not None and y is not None
    ]
    for sign, x, y in balls:
        (touch,) = touches(x.place(root), y.place(root))
        J, velocity, rate = _motion(x, y, touch, skeleton, root)
        N = sign * law.force(touch.gap, rate)
        sliding = across(touch.normal, velocity)
        (K, D), _ = _slopes((law, None), touch, sliding, rate, N)
        yield _Term(J, N, N * touch.normal, sign * law.energy(touch.gap), (sign * K, sign * D))


def _spans(J: Expr) -> list[int] | bool:
    """Axes along which a point can move at all."""
    return sorted(set(J.sparsity().row()))


def _friction(
    name: str,
    law: FrictionLaw,
    touch: Touch,
    N: Expr,
    sliding: Expr,
    axes: Expr,
    spans: list[int] | bool,
) -> tuple[Expr, Expr, list[FirstOrderState]]:
    """Force on the second shape, what is left of it, and bristles in the first shape's axes, which
    turn with it."""
    if not law.bristles:
        force = ca.sparsify(law.smooth(N, sliding))
        speed = ca.sqrt(ca.sumsqr(sliding) / (ca.sumsqr(sliding) + law.slip_speed**2))
        return force, SX(1) - speed, []
    symbols = [SX.sym(f"{name}.bristle.{axis}") for axis in "xyz"]
    local, decay = axes.T @ law.bending(sliding, touch.gap), law.decay(sliding, touch.gap)
    kept = range(3) if spans is True else _turned(axes, spans)
    z = vector_of(symbols, kept)
    states = [
        state(f"{name}.bristle.{'xyz'[i]}", "m", symbols[i], SX(local[i]), decay, law.scale)
        for i in kept
    ]
    bent = across(touch.normal, axes @ z)
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
