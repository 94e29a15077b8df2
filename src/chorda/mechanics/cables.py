"""Cables along the paths of tendons: their lengths, and where they touch their pulleys.

    l = lead + sum of the free spans + sum of radius * wrap angle

A path is a sequence of elements, points (attachments or eyelets) and pulleys. Nothing downstream
needs more than l(q); angles, contacts and positions are for people to look at.
"""

from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.describe import Tendon
from chorda.describe.friction_checks import rubs
from chorda.mechanics.configuration_survey import Survey
from chorda.mechanics.frames import SX, Expr, cross
from chorda.mechanics.guides import Guided, guided
from chorda.mechanics.pulley_contact import Stretch, stretches
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tree import Located, Tree
from chorda.mechanics.wrapping import Element, Path, Span, Winding, build_path

ARC_POINTS = 9  # points that draw the cable on a pulley


@dataclass(frozen=True)
class Wrap:
    """The cable on one pulley."""

    label: str
    angle: Expr  # [rad]; 0 where the cable does not touch it
    contact: Expr  # 1 or 0
    arc: Expr  # world positions along the cable on the rim (3 x ARC_POINTS) [m]
    pulley: Element


@dataclass(frozen=True)
class Cable:
    """A tendon in symbols."""

    name: str
    length: Expr  # along the path, lead included [m]
    reference: Expr  # length at the reference configuration [m]
    points: tuple[Located, ...]  # points and pulleys' centres
    wraps: dict[int, Wrap]  # by element
    spans: dict[tuple[int, int], Span]  # by elements; those that touch a pulley
    windings: tuple[Winding, ...]  # that are known within half a turn only
    inside: tuple[Located, ...]  # points inside rods
    guided: Guided | None = None  # of one that rubs: where, and what lies between


def lay_cable(tendon: Tendon, skeleton: Skeleton, look: Survey) -> Cable:
    """The cable of a tendon; its length depends only on the joints that the path crosses."""
    path = build_path(tendon, skeleton, look)
    lead = SX(0)
    if tendon.lead:
        lead = skeleton.par.scalar(f"{tendon.name}.lead", tendon.lead, "m")
    within, inside = _sheaths(tendon, skeleton.tree)
    parts = stretches(path) if tendon.path else []
    length = lead + within + sum((part.straight() for part in parts), SX(0))
    wraps = {k: _wrap(path, parts, k) for k in range(len(path.elements)) if path.is_pulley(k)}
    length += sum((path.elements[k].radius * wrap.angle for k, wrap in wraps.items()), SX(0))
    return Cable(
        tendon.name,
        length,
        skeleton.at_reference(length),
        tuple((x.node, x.center) for x in path.elements),
        wraps,
        path.spans,
        tuple(path.windings),
        tuple(inside),
        guided(path, parts, wraps) if rubs(tendon) else None,
    )


def _sheaths(tendon: Tendon, tree: Tree) -> tuple[Expr, list[Located]]:
    """Length inside rods, and points there."""
    length, points = SX(0), list[Located]()
    for k, sheath in enumerate(tendon.sheaths):
        name = f"{tendon.name}.sheath{k}"
        joint = next(j for j in tree.joints if name in j.sheaths)
        length += joint.sheaths[name]
        points += [(tree.index[f"{sheath.rod}.base"], x) for x in joint.insides[name]]
    return length, points


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
    return Wrap(label, angle, SX(1), _arc(path, k, angle, come, go), path.elements[k])


def _may_leave(path: Path, part: Stretch, k: int, label: str) -> Wrap:
    def angle_of(touched: tuple[int, ...]) -> Expr:
        return (
            path.wrap(k, part.before(k, touched), part.after(k, touched)) if k in touched else SX(0)
        )

    contact, angle = part.touches(k), part.pick(angle_of)
    come = part.pick(lambda s: path.along(k, part.before(k, s), k))
    foot = part.pick(lambda s: _foot(path, k, part.before(k, s), part.after(k, s)), without=k)
    arc = _arc(path, k, angle, come, None)
    arc = ca.if_else(contact, arc, ca.repmat(foot, 1, ARC_POINTS))
    return Wrap(label, angle, contact, arc, path.elements[k])


def _arc(path: Path, k: int, angle: Expr, come: Expr | None, go: Expr | None) -> Expr:
    """World positions along the rim, laid out from the tangent that is known."""
    element = path.elements[k]
    start = come if come is not None else go
    radius = -cross(element.turn, start)  # from the centre to the tangent point
    angles = angle * SX(ca.DM(np.linspace(0, 1, ARC_POINTS) - (come is None))).T
    spokes = radius @ ca.cos(angles) + cross(element.axis, radius) @ ca.sin(angles)
    return path.tree.pose(element.node).at(ca.repmat(element.center, 1, ARC_POINTS) + spokes)


def _foot(path: Path, k: int, i: int, j: int) -> Expr:
    """The point nearest to pulley k on the cable that passes it by, in the world."""
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
