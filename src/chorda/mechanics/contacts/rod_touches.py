"""Touches of rods: along a rod the same function is called for each capsule, or sphere, of it.

A part of a rod moves with its slices: a capsule's point with the two that it lies between, as on a
lever, so that a force on it does the work of the straight line between them. What acts is a wrench
on each slice, which scans along the rod lead to its modes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import casadi as ca

from chorda.mechanics.called import called
from chorda.mechanics.contacts.carriers import Carried
from chorda.mechanics.contacts.contact_laws import FrictionLaw, NormalLaw
from chorda.mechanics.contacts.distances import Touch, touches
from chorda.mechanics.contacts.placed_shapes import PlacedCapsule, Shape, inner_radius
from chorda.mechanics.contacts.pushed_bodies import At, Bodies
from chorda.mechanics.contacts.rod_levers import Arm, Arms, fed_rod, velocities
from chorda.mechanics.contacts.rubbing import Rubbing, bristle_axes, bristles, rubbing, slopes
from chorda.mechanics.contacts.tangents import Tangents, tangents
from chorda.mechanics.contacts.touch_records import Pair, Slope, Stuck, Tilt, TouchForce
from chorda.mechanics.first_order import FirstOrderState
from chorda.mechanics.frames import SX, Expr, cross

TINY = 1e-24  # [m^2] keeps the quotient of a segment without length finite


@dataclass(frozen=True, eq=False)
class _Holder:
    """A body or a slice as it moves; material: velocities of what passes along a rod that is fed
    (angular, linear) against the slice, for the rate of its length."""

    origin: Expr
    spin: Expr
    speed: Expr
    material: tuple[Expr, Expr] | None
    feed: Expr | None  # that rate [m/s]


@dataclass(frozen=True, eq=False)
class _Part:
    """A part of a rod, or another shape, seen from the root."""

    shape: Shape
    held: tuple[_Holder, ...]
    shared: Shape | None


@dataclass(frozen=True, eq=False)
class _Case:
    """All that decides what happens where two parts touch."""

    parts: tuple[_Part, _Part]
    law: NormalLaw
    rubs: FrictionLaw | None
    axes: Expr  # that bristles turn with
    z: Expr


@dataclass(frozen=True, eq=False)
class _Found:
    """Results: what few ask for is a field of its own."""

    gap: Expr
    place: tuple[Expr, Expr]  # normal, point
    # rate of the gap, normal force, friction, sliding velocity, grip
    seen: tuple[Expr, ...]
    energy: Expr
    # of each part: force and moment on all that holds it, and along the length of a rod that is fed
    pushes: tuple[tuple[tuple[tuple[Expr, Expr], ...], Expr], ...]
    rubbing: Rubbing
    arms: Arms
    shared: tuple[Arms, ...]  # of forces that neighbours along rods exert as well
    slopes: "_Changes"
    stuck: Expr


@dataclass(frozen=True, eq=False)
class _Changes:
    """How forces change. each: the normal force, friction, those that neighbours exert; tilts: of
    each part between two slices, the root of its stiffness (3), as the point moves along it."""

    each: tuple[tuple[Expr, Expr], ...]
    tilts: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class _Met:
    """Where two parts touch."""

    touch: Touch
    arms: Arms
    rate: Expr  # of the gap
    across: Tangents
    sliding: Expr


@dataclass(eq=False)
class _Rates:
    """Velocities of the second part against the first, per velocity (3 x nv). points: of their own
    points, of their material, and at what neighbours along rods share; tilts: of the end of a part
    between two slices against its start."""

    points: list[Expr]
    tilts: list[Expr] = field(default_factory=list)


def along_rods(
    name: str, pairs: Sequence[Pair], laws: tuple[NormalLaw, FrictionLaw | None], bodies: Bodies
) -> Iterator[tuple[TouchForce, list[FirstOrderState]]]:
    """Of pairs of the same two shapes, one of them a rod; their forces push the bodies.

    name: of the functions that are called.
    """
    tree = bodies.skeleton.tree
    first, second = pairs[0].first, pairs[0].second
    root, law = tree.common(first.node, second.node), laws[1]
    axes = bristle_axes(first, second, tree, root)
    bent = [bristles(x.label, law, range(3)) for x in pairs]
    cases = [
        _Case((_part(x.first, root, bodies), _part(x.second, root, bodies)), *laws, axes, y.z)
        for x, y in zip(pairs, bent, strict=True)
    ]
    found = [SX(0)] * len(cases)
    for group, alike in enumerate(_alike(cases)):
        results = called(f"{name}_{group}", [cases[k] for k in alike], _touch)
        for k, result in zip(alike, results, strict=True):
            found[k] = result
    moved = _rates(name, pairs, found, root, bodies)
    for pair, bristle, case, result, rates in zip(pairs, bent, cases, found, moved, strict=True):
        for x, (pushes, feed) in zip((pair.first, pair.second), result.pushes, strict=True):
            for at, (force, moment) in zip(x.held, pushes, strict=True):
                bodies.push(at, root, force, moment)
            if feed.nnz():
                bodies.push_feed(fed_rod(x.held[0]), feed)
        states = [] if law is None else bristle.states(law, result.rubbing)
        yield _record(pair, root, laws, case, result, rates, bodies), states


def _alike(cases: Sequence[_Case]) -> list[list[int]]:
    """Numbers of cases that differ in their expressions alone: the first capsule of a rod shares
    nothing with one before it."""
    groups: dict[tuple[bool, ...], list[int]] = {}
    for k, case in enumerate(cases):
        groups.setdefault(tuple(x.shared is not None for x in case.parts), []).append(k)
    return list(groups.values())


def _part(x: Carried, root: int, bodies: Bodies) -> _Part:
    shared = None if x.shared is None else x.shared.place(root)
    return _Part(x.place(root), tuple(_holder(at, root, bodies) for at in x.held), shared)


def _holder(at: At, root: int, bodies: Bodies) -> _Holder:
    moving, material = bodies.moving(at, root), bodies.passing(at, root)
    feed = None if material is None else bodies.skeleton.v[bodies.feed(fed_rod(at))]
    return _Holder(moving.origin, moving.spin, moving.speed, material, feed)


def _arms(part: _Part, point: Expr, inside: Expr) -> tuple[Arm, ...]:
    """inside: the point of a capsule's line that is nearest to the point."""
    if len(part.held) == 1:
        return (Arm(SX(1), ca.sparsify(point - part.held[0].origin)),)
    start, end = (x.origin for x in part.held)
    way = end - start
    t = ca.dot(inside - start, way) / (ca.sumsqr(way) + TINY)
    t = ca.fmin(ca.fmax(t, 0), 1)
    aside = ca.sparsify(point - start - t * way)  # from the line to the surface
    return Arm(1 - t, aside), Arm(t, aside)


def _met(parts: tuple[_Part, _Part]) -> _Met:
    (touch,) = touches(*[x.shape for x in parts])
    arms, own, passing = list[tuple[Arm, ...]](), SX(3, 1), SX(3, 1)
    for part, way in zip(parts, (-1, 1), strict=True):
        radius = part.shape.radius if isinstance(part.shape, PlacedCapsule) else SX(0)
        inside = touch.point + way * (touch.gap / 2 + radius) * touch.normal
        arms.append(_arms(part, touch.point, inside))
        for x, at in zip(part.held, arms[-1], strict=True):
            own += way * at.share * (x.speed + cross(x.spin, at.arm))
            if x.material is not None:
                spin, speed = x.material
                passing += way * at.share * x.feed * (speed + cross(spin, at.arm))
    velocity = ca.sparsify(own + passing)
    across = tangents(touch.normal, velocity)
    rate = ca.dot(touch.normal, ca.sparsify(own))
    return _Met(touch, (arms[0], arms[1]), rate, across, across.part(velocity))


def _shared(parts: tuple[_Part, _Part]) -> Iterator[tuple[int, tuple[_Part, _Part]]]:
    """What neighbours along rods would press twice: the balls in which their capsules meet.

    The union of two capsules and their intersection, the ball, count as much as both capsules do.
    So the force follows from an energy, and does not jump where one capsule takes over from the
    other.
    """
    a, b = parts
    balls = [None if x.shared is None else _Part(x.shared, x.held[:1], None) for x in parts]
    for sign, x, y in ((-1, balls[0], b), (-1, a, balls[1]), (1, balls[0], balls[1])):
        if x is not None and y is not None:
            yield sign, (x, y)


def _touch(case: _Case) -> _Found:
    law, laws = case.law, (case.law, case.rubs)
    met, more = _met(case.parts), [(sign, x, _met(x)) for sign, x in _shared(case.parts)]
    touch, across = met.touch, met.across
    own = law.force(touch.gap, met.rate)
    others = [sign * law.force(x.touch.gap, x.rate) for sign, _, x in more]
    N = own + sum(others)
    rub = rubbing(case.rubs, touch.gap, N, across, met.sliding, case.axes, case.z)
    friction, sliding = (ca.sparsify(across.vector(x)) for x in (rub.force, met.sliding))
    pushes = [_pushes(case.parts, met.arms, ca.sparsify(own * touch.normal) + friction, friction)]
    pushes += [
        _pushes(x, at.arms, force * at.touch.normal, None)
        for force, (_, x, at) in zip(others, more, strict=True)
    ]
    pressed, dragged = slopes(laws, touch, sliding, met.rate, N)
    changes = [pressed, dragged]
    for sign, _, x in more:
        (K, D), _ = slopes((law, None), x.touch, x.across.vector(x.sliding), x.rate, N)
        changes.append((sign * K, sign * D))
    return _Found(
        gap=touch.gap,
        place=(touch.normal, touch.point),
        seen=(met.rate, N, friction, sliding, rub.grip),
        energy=sum((sign * law.energy(x.touch.gap) for sign, _, x in more), law.energy(touch.gap)),
        pushes=_summed(case.parts, pushes),
        rubbing=rub,
        arms=met.arms,
        shared=tuple(x.arms for _, _, x in more),
        slopes=_Changes(tuple(changes), tuple(_tilts(case.parts, met, own))),
        stuck=ca.fmax(rub.grip, 0) * dragged[0],
    )


def _tilts(parts: tuple[_Part, _Part], met: _Met, N: Expr) -> Iterator[Expr]:
    """The root of the stiffness that the point of a normal force gives to tilts about it, as it
    moves along a part, along the normal: of each part between two slices."""
    n, tilt = met.touch.normal, SX.sym("tilt")
    for k, (part, arms, way) in enumerate(zip(parts, met.arms, (-1, 1), strict=True)):
        if len(part.held) < 2:
            continue
        assert isinstance(part.shape, PlacedCapsule)
        ends = part.shape.start, part.shape.end
        shifts = [tilt * x * n for x in (-arms[1].share, arms[0].share)]
        start, end = (x + y for x, y in zip(ends, shifts, strict=True))
        held = [replace(x, origin=x.origin + y) for x, y in zip(part.held, shifts, strict=True)]
        shape = replace(part.shape, start=start, end=end)
        tilted = [*parts]
        tilted[k] = replace(part, shape=shape, held=tuple(held))
        along = _met((tilted[0], tilted[1])).arms[k][1].share
        (moved,) = ca.substitute([ca.jacobian(along, tilt)], [tilt], [SX(0)])
        yield ca.sqrt(ca.fmax(-way * moved * N, 0)) * n


Pushes = list[tuple[list[tuple[Expr, Expr]], Expr]]


def _pushes(parts: tuple[_Part, _Part], arms: Arms, force: Expr, friction: Expr | None) -> Pushes:
    """Of a force at a point on what holds both parts; friction rubs on what passes along a rod."""
    found: Pushes = []
    for part, own, way in zip(parts, arms, (-1, 1), strict=True):
        wrenches, feed = list[tuple[Expr, Expr]](), SX(1, 1)
        for x, at in zip(part.held, own, strict=True):
            push = ca.sparsify(way * at.share * force)
            wrenches.append((push, ca.sparsify(cross(at.arm, push))))
            if x.material is not None and friction is not None:
                spin, speed = x.material
                feed += way * at.share * ca.dot(friction, speed + cross(spin, at.arm))
        found.append((wrenches, feed))
    return found


def _summed(
    parts: tuple[_Part, _Part], pushes: Sequence[Pushes]
) -> tuple[tuple[tuple[tuple[Expr, Expr], ...], Expr], ...]:
    """The first are on all that holds the parts, others on some of it."""
    found = []
    for k, part in enumerate(parts):
        wrenches = []
        for i in range(len(part.held)):
            each = [x[k][0][i] for x in pushes if i < len(x[k][0])]
            force, moment = (sum(x[1:], x[0]) for x in zip(*each, strict=True))
            wrenches.append((ca.sparsify(force), ca.sparsify(moment)))
        found.append((tuple(wrenches), pushes[0][k][1]))
    return tuple(found)


def _record(
    pair: Pair,
    root: int,
    laws: tuple[NormalLaw, FrictionLaw | None],
    case: _Case,
    found: _Found,
    rates: _Rates,
    bodies: Bodies,
) -> TouchForce:
    tree, rubs, (J, slip, *_) = bodies.skeleton.tree, laws[1], rates.points
    world, nodes = tree.pose(root), (pair.first.node, pair.second.node)
    (normal, point), (rate, pressing, friction, sliding, grip) = found.place, found.seen
    radii = [x for x in (inner_radius(y.shape) for y in case.parts) if x is not None]
    bristle = rubs is not None and rubs.bristles
    return TouchForce(
        label=pair.label,
        pair=pair.label,
        first=pair.shapes[0],
        second=pair.shapes[1],
        nodes=nodes,
        gap=found.gap,
        rate=rate,
        normal=world.R @ normal,
        sides=tuple(tree.pose(x, root).R.T @ normal for x in nodes),
        point=world.at(point),
        pressing=pressing,
        friction=world.R @ friction,
        sliding=world.R @ sliding,
        coefficient=None if rubs is None else rubs.coefficient,
        slip_speed=None if rubs is None or bristle else rubs.slip_speed,
        grip=grip,
        J=J,
        energy=found.energy,
        slopes=_slopes(rates.points, found.slopes.each),
        tilts=[Tilt(*x) for x in zip(rates.tilts, found.slopes.tilts, strict=True)],
        stuck=Stuck(slip, found.stuck) if bristle else None,
        thickness=sum(radii, SX(0)),
        solid=len(radii) == len(case.parts),
    )


def _slopes(rates: Sequence[Expr], changes: tuple[tuple[Expr, Expr], ...]) -> list[Slope]:
    """Those of the normal force and of friction are one where material moves with the slices."""
    each = [Slope(x, *y) for x, y in zip(rates, changes, strict=True)]
    pressed, dragged, *others = each
    if pressed.J is not dragged.J:
        return each
    shift, velocity = pressed.by_shift + dragged.by_shift, pressed.by_velocity + dragged.by_velocity
    return [Slope(pressed.J, shift, velocity), *others]


def _rates(
    name: str, pairs: Sequence[Pair], found: Sequence[_Found], root: int, bodies: Bodies
) -> list[_Rates]:
    sides = [(x.first, x.second) for x in pairs]
    arms = [x.arms for x in found]
    own = slips = velocities(f"{name}_rates", sides, arms, root, bodies)
    if any(bodies.passing(x.held[0], root) is not None for x in sides[0]):
        passing = velocities(f"{name}_passing", sides, arms, root, bodies, material=True)
        slips = [ca.sparsify(x + y) for x, y in zip(own, passing, strict=True)]
    rates = [_Rates([x, y]) for x, y in zip(own, slips, strict=True)]
    for i in range(max(len(x.shared) for x in found)):
        there = [k for k, x in enumerate(found) if i < len(x.shared)]
        given = [sides[k] for k in there], [found[k].shared[i] for k in there]
        moved = velocities(f"{name}_shared{i}", *given, root, bodies)
        for k, x in zip(there, moved, strict=True):
            rates[k].points.append(x)
    for pair, each in zip(rates, sides, strict=True):
        for x in each:
            if len(x.held) == 2:
                start, end = (bodies.moving(at, root).shift for at in x.held)
                pair.tilts.append(ca.sparsify(end - start))
    return rates
