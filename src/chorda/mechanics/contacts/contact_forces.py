"""Contacts: gaps of declared pairs, the forces across them, and the generalized force of all.

A contact is one more one-sided law inside the equations of motion. Seen from the nearest frame that
carries both shapes, a pair depends on the joints between them alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import casadi as ca

from chorda.describe import Contact
from chorda.describe.contact_checks import pairs
from chorda.mechanics.called import NODE
from chorda.mechanics.contacts.carriers import CarriedShape, carried_shapes
from chorda.mechanics.contacts.contact_laws import (
    FrictionLaw,
    NormalLaw,
    friction_law,
    normal_law,
)
from chorda.mechanics.contacts.distances import touches
from chorda.mechanics.contacts.placed_shapes import inner_radius
from chorda.mechanics.contacts.pushed_bodies import Bodies
from chorda.mechanics.contacts.relative_motion import Meeting
from chorda.mechanics.contacts.rod_touches import along_rods
from chorda.mechanics.contacts.rubbing import bristle_axes, bristles, rubbing, slopes
from chorda.mechanics.contacts.touch_records import Pair, Slope, Stuck, Tilt, TouchForce
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.first_order import FirstOrderState
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.skeleton import Skeleton

Across = TypeVar("Across", Slope, Tilt)


@dataclass(frozen=True, eq=False)
class Contacts:
    """Of all declared pairs."""

    touches: tuple[TouchForce, ...]
    force: Expr  # generalized
    energy: Expr  # that they store [J]
    states: tuple[FirstOrderState, ...]  # bristles
    shapes: Mapping[str, CarriedShape] = field(default_factory=dict)  # all, by name

    def tangent(self) -> tuple[Expr, Expr]:
        """K and D near -dF/dq N and -dF/dv: without how normals turn."""
        nv = self.force.numel()
        K, D = SX(nv, nv), SX(nv, nv)
        for k, (rows, moved, each) in enumerate(_alike(y for x in self.touches for y in x.slopes)):
            stiff, damped = _through(f"pushing{k}", rows, moved, each)
            K[moved, moved] += stiff
            D[moved, moved] += damped
        for k, (rows, moved, own) in enumerate(_alike(y for x in self.touches for y in x.tilts)):
            K[moved, moved] += _tilting(f"tilting{k}", rows, moved, own)
        return K, D


Where = list[int]


def _alike(each: Iterable[Across]) -> Iterator[tuple[Where, Where, list[Across]]]:
    """Those whose velocities have the same zeros; rows and columns that have others."""
    found: dict[tuple[int, ...], list[Across]] = {}
    for x in each:
        if x.J.nnz():
            found.setdefault(tuple(x.J.sparsity().find()), []).append(x)
    for alike in found.values():
        zeros = alike[0].J.sparsity()
        yield sorted(set(zeros.row())), sorted(set(zeros.get_col())), alike


def _through(name: str, rows: Where, moved: Where, slopes: Sequence[Slope]) -> tuple[Expr, Expr]:
    """The sums of J^T slope J, by shifts and by velocities: of many, by loops."""
    J = ca.vertcat(*[x.J[rows, moved] for x in slopes])
    both = [
        ca.horzcat(*[x[rows, rows] for x in each])
        for each in ([x.by_shift for x in slopes], [x.by_velocity for x in slopes])
    ]
    if len(slopes) < 2:
        return tuple(J.T @ x @ J for x in both)
    given = [ca.MX.sym("J", J.sparsity()), *[ca.MX.sym("slopes", *x.shape) for x in both]]
    found = [given[0].T @ ca.diagcat(*ca.horzsplit(x, len(rows))) @ given[0] for x in given[1:]]
    function = ca.Function(name, given, [ca.densify(x) for x in found], NODE)
    stiff, damped = function(J, *map(ca.densify, both))
    return stiff, damped


def _tilting(name: str, rows: Where, moved: Where, tilts: Sequence[Tilt]) -> Expr:
    """The sum of (root^T J)^T (root^T J): of many, by loops."""
    J = ca.vertcat(*[x.J[rows, moved] for x in tilts])
    roots = ca.densify(ca.horzcat(*[x.root[rows] for x in tilts]))
    if len(tilts) < 2:
        return (roots.T @ J).T @ (roots.T @ J)
    given = [ca.MX.sym("J", J.sparsity()), ca.MX.sym("roots", *roots.shape)]
    each = ca.diagcat(*ca.horzsplit(given[1])).T @ given[0]
    return ca.Function(name, given, [ca.densify(each.T @ each)], NODE)(J, roots)


def contact_forces(skeleton: Skeleton, train: Drivetrain) -> Contacts:
    """The stage of assembling; v of the train moves the shapes."""
    robot, nv = skeleton.robot, train.v.numel()
    bodies = Bodies(skeleton)
    shapes = carried_shapes(skeleton, bodies)
    found, states = list[TouchForce](), list[FirstOrderState]()
    for number, contact in enumerate(robot.contacts):
        rubs = friction_law(contact.name, contact.resolved_friction, skeleton.par)
        laws = normal_law(contact, skeleton.par), rubs
        for k, each in enumerate(_pairs(contact, skeleton, shapes)):
            if any(x.label for x in (each[0].first, each[0].second)):
                met = along_rods(f"touch{number}_{k}", each, laws, bodies)
            else:
                met = _between_bodies(each[0], laws, bodies)
            for touch, own in met:
                found.append(touch)
                states += own
    Q = bodies.force()
    energy = sum((x.energy for x in found), SX(0))
    return Contacts(
        tuple(found), ca.vertcat(Q, SX(nv - Q.numel(), 1)), energy, tuple(states), shapes
    )


def _pairs(
    contact: Contact, skeleton: Skeleton, shapes: dict[str, CarriedShape]
) -> Iterator[list[Pair]]:
    """Of each two shapes of a contact all parts that may touch; a rod has many."""
    declared = pairs(contact, skeleton.robot.shapes, skeleton.robot.joints)
    for a, b in declared:
        pair = contact.name if len(declared) == 1 else f"{contact.name}.{a.name}-{b.name}"
        yield [
            Pair(".".join(x for x in (pair, x.label, y.label) if x), (a.name, b.name), x, y)
            for x in shapes[a.name].beside(b.kind)
            for y in shapes[b.name].beside(a.kind)
        ]


def _between_bodies(
    pair: Pair, laws: tuple[NormalLaw, FrictionLaw | None], bodies: Bodies
) -> Iterator[tuple[TouchForce, list[FirstOrderState]]]:
    """Each point of two shapes that are fixed to bodies, and its states."""
    first, second = pair.first, pair.second
    tree = bodies.skeleton.tree
    root = tree.common(first.node, second.node)
    meeting, world = Meeting(first, second, root, bodies), tree.pose(root)
    soft = any(joint.soft is not None or joint.proxy_of is not None for joint in tree.joints)
    shapes = first.place(root), second.place(root)
    radii = [x for x in map(inner_radius, shapes) if x is not None]
    law, rubs = laws
    axes = bristle_axes(first, second, tree, root)
    for touch in touches(*shapes):
        name = f"{pair.label}.{touch.label}" if touch.label else pair.label
        moving = meeting.motion(touch)
        N = law.force(touch.gap, moving.rate)
        kept = range(3) if soft else _turned(axes, _spans(moving.J))
        bent = bristles(name, rubs, kept)
        rub = rubbing(rubs, touch.gap, N, moving.across, moving.sliding, axes, bent.z)
        sliding, friction = (moving.across.vector(x) for x in (moving.sliding, rub.force))
        meeting.push(touch, moving, N, rub.force)
        pushed, dragged = slopes(laws, touch, sliding, moving.rate, N)
        both = (x + y for x, y in zip(pushed, dragged, strict=True))
        made = TouchForce(
            label=name,
            pair=pair.label,
            first=pair.shapes[0],
            second=pair.shapes[1],
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
            coefficient=None if rubs is None else rubs.coefficient,
            slip_speed=None if rubs is None or rubs.bristles else rubs.slip_speed,
            grip=rub.grip,
            J=moving.J,
            energy=law.energy(touch.gap),
            slopes=[Slope(moving.J, *both)],
            tilts=(),
            stuck=Stuck(moving.J, ca.fmax(rub.grip, 0) * dragged[0]) if bent.symbols else None,
            thickness=sum(radii, SX(0)),
            solid=len(radii) == len(shapes),
        )
        yield made, [] if rubs is None else bent.states(rubs, rub)


def _spans(J: Expr) -> list[int]:
    """Axes along which a point can move at all."""
    return sorted(set(J.sparsity().row()))


def _turned(axes: Expr, spans: Sequence[int]) -> list[int]:
    """The same axes seen from a frame."""
    along = ca.sparsify(axes.T @ SX(ca.DM([float(i in spans) for i in range(3)])))
    return sorted(set(along.sparsity().row()))
