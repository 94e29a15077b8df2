"""Paths of tendons: the length along them, and where they touch their pulleys.

    l = lead + sum of the free spans + sum of radius * wrap angle

A path is a sequence of elements, points (attachments or eyelets) and pulleys. Nothing downstream
needs more than l(q); angles, contacts and places are there to be looked at.
"""

from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.describe import Tendon
from chorda.mechanics.frames import SX, Expr, cross, vector
from chorda.mechanics.leaving import Stretch, stretches
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import Tree
from chorda.mechanics.wrapping import Path, Span, Winding, build_path

ARC, RIM = 9, 36  # points that draw the cable on a pulley, and the pulley


@dataclass(frozen=True)
class Wrap:
    """The cable on one pulley."""

    label: str
    angle: Expr  # [rad]; 0 where the cable does not touch it
    contact: Expr  # 1 or 0
    arc: tuple[Expr, ...]  # world positions along the cable, from where it comes to where it goes
    rim: tuple[Expr, ...]  # world positions around the pulley [m]


@dataclass(frozen=True)
class Cable:
    """A tendon in symbols."""

    name: str
    length: Expr  # along the path, lead included [m]
    reference: Expr  # length at the reference configuration [m]
    points: tuple[tuple[int, Expr], ...]  # frame and coordinates of points and pulleys' centres
    wraps: dict[int, Wrap]  # by element
    spans: dict[tuple[int, int], Span]  # by elements; those that touch a pulley
    windings: tuple[Winding, ...]  # that are known within half a turn only
    inside: tuple[tuple[int, Expr], ...] = ()  # frame and coordinates of places inside rods


def path_length(tendon: Tendon, tree: Tree, par: Parameters, q: Expr, rest: Expr) -> Cable:
    """The cable of a tendon; its length depends only on the joints that the path crosses."""
    path = build_path(tendon, tree, par, q, rest)
    lead = par.scalar(f"{tendon.name}.lead", tendon.lead, "m") if tendon.lead else SX(0)
    within, inside = _sheaths(tendon, tree)
    parts = stretches(path) if tendon.path else []
    length = lead + within + sum((part.straight() for part in parts), SX(0))
    wraps = {k: _wrap(path, parts, k) for k in range(len(path.elements)) if path.is_pulley(k)}
    length += sum((path.elements[k].radius * wrap.angle for k, wrap in wraps.items()), SX(0))
    return Cable(
        tendon.name,
        length,
        ca.substitute(length, q, rest),
        tuple((x.node, x.center) for x in path.elements),
        wraps,
        path.spans,
        tuple(path.windings),
        tuple(inside),
    )


def _sheaths(tendon: Tendon, tree: Tree) -> tuple[Expr, list[tuple[int, Expr]]]:
    """Length inside rods, and places there."""
    length, places = SX(0), list[tuple[int, Expr]]()
    for k, sheath in enumerate(tendon.sheaths):
        name = f"{tendon.name}.sheath{k}"
        joint = next(j for j in tree.joints if name in j.sheaths)
        length += joint.sheaths[name]
        places += [(tree.index[f"{sheath.rod}.base"], x) for x in joint.insides[name]]
    return length, places


def _wrap(path: Path, parts: list[Stretch], k: int) -> Wrap:
    label = f"{path.tendon.name}.path{k}"
    around = next((part for part in parts if k in part.between), None)
    if around is not None:
        return _may_leave(path, around, k, label)
    before = next((part for part in parts if part.last == k), None)
    after = next((part for part in parts if part.first == k), None)
    angle = path.wrapped_at_rest(k)
    come = go = None
    if before is not None:
        angle -= before.pick(lambda s: path.turned(k, before.before(k, s)))
        come = before.pick(lambda s: path.along(k, before.before(k, s), k))
    if after is not None:
        angle += after.pick(lambda s: path.turned(k, after.after(k, s)))
        go = after.pick(lambda s: path.along(k, k, after.after(k, s)))
    return Wrap(label, angle, SX(1), tuple(_arc(path, k, angle, come, go)), _rim(path, k))


def _may_leave(path: Path, part: Stretch, k: int, label: str) -> Wrap:
    def angle_of(touched: tuple[int, ...]) -> Expr:
        return (
            path.wrap(k, part.before(k, touched), part.after(k, touched)) if k in touched else SX(0)
        )

    contact, angle = part.touches(k), part.pick(angle_of)
    come = part.pick(lambda s: path.along(k, part.before(k, s), k))
    foot = part.pick(lambda s: _foot(path, k, part.before(k, s), part.after(k, s)), without=k)
    arc = tuple(ca.if_else(contact, x, foot) for x in _arc(path, k, angle, come, None))
    return Wrap(label, angle, contact, arc, _rim(path, k))


def _arc(path: Path, k: int, angle: Expr, come: Expr | None, go: Expr | None) -> list[Expr]:
    """World positions along the rim, laid out from the tangent that is known."""
    element = path.elements[k]
    start = come if come is not None else go
    radius = -cross(element.turn, start)  # from the centre to the tangent point
    aside = cross(element.axis, radius)
    pose = path.tree.pose(element.node)
    shares = [i / (ARC - 1) - (come is None) for i in range(ARC)]
    return [
        pose.at(element.center + ca.cos(s * angle) * radius + ca.sin(s * angle) * aside)
        for s in shares
    ]


def _rim(path: Path, k: int) -> tuple[Expr, ...]:
    element = path.elements[k]
    n = np.array(ca.DM(element.axis)).ravel()
    across = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
    across /= np.linalg.norm(across)
    pose = path.tree.pose(element.node)
    return tuple(
        pose.at(element.center + element.radius * vector(*(c * across + s * np.cross(n, across))))
        for c, s in ((np.cos(a), np.sin(a)) for a in 2 * np.pi * np.arange(RIM) / RIM)
    )


def _foot(path: Path, k: int, i: int, j: int) -> Expr:
    """The place nearest to pulley k on the cable that passes it by, in the world."""
    world = path.tree.pose
    a, b, passed = path.elements[i], path.elements[j], path.elements[k]
    start, end = world(a.node).at(a.center), world(b.node).at(b.center)
    if path.is_pulley(i) or path.is_pulley(j):
        t = path.span(i, j)
        t = world(t.root).R @ t.direction
        start = start - cross(world(a.node).R @ a.turn, t)
    else:
        t = (end - start) / ca.norm_2(end - start)
    return start + t * ca.dot(t, world(passed.node).at(passed.center) - start)
