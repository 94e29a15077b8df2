"""Cables around pulleys: tangents between two elements of a path, and winding angles.

A pulley is a centre c, a radius r and the unit axis w about which the cable turns (the normal, or
its opposite for a centre on the right); a point is a pulley of radius zero. With d = c_j - c_i and
E = r_j w_j - r_i w_i the cable between two of them is l = sqrt(d.d - E.E) long and has the
direction t = (l d - E x d) / d.d; it touches each at c - r w x t. No angle is computed for that.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

import casadi as ca

from chorda.describe import Point, Pulley, Tendon
from chorda.mechanics.configuration_survey import Survey
from chorda.mechanics.frames import SX, Expr, cross, vector
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tree import Tree, locate
from chorda.mechanics.winding_count import WINDING_LIMIT, View, choose, turn_against

QUARTER_TURN = math.pi / 2  # wrap angle where the description gives none


@dataclass(frozen=True)
class Element:
    """An element of a path in its frame: a pulley, or a point (no axis)."""

    node: int
    center: Expr  # [m]
    radius: Expr  # [m]
    axis: Expr | None = None  # about which the cable turns
    wound: Expr | None = None  # on a drum: wrap angle at the reference configuration [rad]

    @property
    def turn(self) -> Expr:
        return SX(3, 1) if self.axis is None else self.radius * self.axis


@dataclass(frozen=True)
class Span:
    """The free cable between two elements, in the axes of a frame; what is asked for is made."""

    root: int
    d: Expr  # between the centres [m]
    E: Expr  # difference of the radii, along the axes [m]
    axes: list[Expr]  # of those that are pulleys

    @cached_property
    def squares(self) -> tuple[Expr, Expr]:
        return ca.sumsqr(self.d), ca.sumsqr(self.E)

    @cached_property
    def length(self) -> Expr:
        """[m]"""
        return ca.sqrt(self.squares[0] - self.squares[1])

    @cached_property
    def direction(self) -> Expr:
        return ca.sparsify((self.length * self.d - cross(self.E, self.d)) / self.squares[0])

    @property
    def gap(self) -> Expr:
        """What is left of the centres' distance over its least value [m]."""
        return ca.sqrt(self.squares[0]) - ca.sqrt(self.squares[1])

    @property
    def offset(self) -> Expr:
        """Of the centres, across the pulleys' planes [m]; must be 0."""
        return ca.sparsify(ca.dot(self.axes[0], self.d))

    @property
    def tilt(self) -> Expr:
        """Sine of the angle between the planes; must be 0."""
        return ca.norm_2(ca.sparsify(cross(self.axes[0], self.axes[-1])))


@dataclass(frozen=True)
class Winding:
    """How far a cable is wound about a pulley, where that is known within half a turn only."""

    tendon: str
    element: int
    angle: Expr  # since the reference configuration, in the frame where it stays smallest [rad]


@dataclass(frozen=True)
class Path:
    """A tendon's elements and the spans between any two of them."""

    tendon: Tendon
    skeleton: Skeleton
    look: Survey
    elements: tuple[Element, ...]
    windings: list[Winding] = field(default_factory=list, repr=False)
    spans: dict[tuple[int, int], Span] = field(default_factory=dict, repr=False)  # asked for
    _angles: dict[tuple[int, int], Expr] = field(default_factory=dict, repr=False)

    @property
    def tree(self) -> Tree:
        return self.skeleton.tree

    @property
    def last(self) -> int:
        return len(self.elements) - 1

    def at_rest(self, x: Expr) -> Expr:
        """An expression at the reference configuration."""
        return ca.sparsify(self.skeleton.at_reference(x))

    def is_pulley(self, k: int) -> bool:
        return self.elements[k].axis is not None

    def may_leave(self, k: int) -> bool:
        described = self.tendon.path[k]
        return 0 < k < self.last and isinstance(described, Pulley) and described.leave

    def straight(self, i: int, j: int) -> Expr:
        """Length of the free cable between two elements [m]."""
        if self.is_pulley(i) or self.is_pulley(j):
            return self.span(i, j).length
        a, b = self.elements[i], self.elements[j]
        return self.tree.distance((a.node, a.center), (b.node, b.center))

    def span(self, i: int, j: int) -> Span:
        if (i, j) not in self.spans:
            a, b = self.elements[i], self.elements[j]
            self.spans[i, j] = _span(self.tree, a, b, self.tree.common(a.node, b.node))
        return self.spans[i, j]

    def along(self, k: int, i: int, j: int) -> Expr:
        """Direction of the cable from i to j, in the axes of the element k's frame."""
        span = self.span(i, j)
        return ca.sparsify(self.tree.pose(self.elements[k].node, span.root).R.T @ span.direction)

    def turned(self, k: int, other: int) -> Expr:
        """How far the cable to (or from) another element has turned about pulley k [rad].

        It counts from the cable to the path's next (or previous) element at the reference
        configuration, as far as coordinates count it; the rest is continuous within half a turn.
        """
        if (k, other) not in self._angles:
            view, far = choose(self._views(k, other), self.look, self.skeleton.coordinates)
            angle = view.angle
            if far:
                self.windings.append(Winding(self.tendon.name, k, angle))
                angle += ca.if_else(ca.fabs(angle) < WINDING_LIMIT, 0, math.nan)
            self._angles[k, other] = angle + view.count
        return self._angles[k, other]

    def _views(self, k: int, other: int) -> Iterator[View]:
        """The turn about pulley k, seen from each frame between the two elements."""
        own, near = self.elements[k], k + 1 if other > k else k - 1

        def view(direction: Callable[[int], Expr], axis: Expr, count: Expr) -> View:
            """The angle to the cable, from where it was to its neighbour at the reference."""
            end = direction(other)
            moves = ca.depends_on(end, self.skeleton.moved)
            if near == other and not moves:
                return View(SX(0), count, moves)
            start = self.at_rest(end if near == other else direction(near))
            angle = ca.atan2(ca.dot(axis, cross(start, end)), ca.dot(start, end))
            return View(angle, count, moves)

        yield view(lambda n: self.along(k, *sorted((k, n))), own.axis, SX(0))
        for frame in self.tree.between(own.node, self.elements[other].node)[1:]:
            turn = turn_against(self.tree, own.node, frame, own.axis, self.look)
            if turn is not None:
                axis = self.at_rest(self.tree.seen(own.node, frame).R @ own.axis)
                yield view(partial(self._direction, k, frame), axis, -turn)

    def _direction(self, k: int, frame: int, other: int) -> Expr:
        """Direction of the cable between two elements along the path, in the axes of a frame."""
        i, j = sorted((k, other))
        return _span(self.tree, self.elements[i], self.elements[j], frame).direction

    def wrapped_at_rest(self, k: int) -> Expr:
        """Wrap angle at the reference configuration [rad]."""
        if k in (0, self.last):
            return self.elements[k].wound
        come, go = (self.at_rest(self.along(k, i, i + 1)) for i in (k - 1, k))
        sine = ca.dot(self.elements[k].axis, cross(come, go))
        cosine = ca.dot(come, go)
        described = self.tendon.path[k]
        wound = described.wound if isinstance(described, Pulley) else None
        turns = QUARTER_TURN if wound is None else wound
        c, s = (0.0, 1.0) if wound is None else (math.cos(turns), math.sin(turns))
        return turns + ca.atan2(c * sine - s * cosine, c * cosine + s * sine)

    def wrap(self, k: int, before: int, after: int) -> Expr:
        """Wrap angle of pulley k between two elements [rad]; an end of the path has one."""
        angle = self.wrapped_at_rest(k)
        if k < self.last:
            angle += self.turned(k, after)
        if k > 0:
            angle -= self.turned(k, before)
        return angle


def build_path(tendon: Tendon, skeleton: Skeleton, look: Survey) -> Path:
    """A tendon's path in symbols."""
    par = skeleton.par
    elements: list[Element] = []
    for k, described in enumerate(tendon.path):
        name = f"{tendon.name}.path{k}"
        point = Point(frame=described.frame, point=described.point)
        node, center = locate(skeleton.tree, point, name, par)
        if isinstance(described, Point):
            elements.append(Element(node, center, SX(1, 1)))
            continue
        radius = par.scalar(f"{name}.radius", described.radius, "m", positive=True)
        sign = 1 if described.side == "left" else -1
        wound = SX(QUARTER_TURN)
        if k in (0, len(tendon.path) - 1) and described.wound is not None:
            wound = par.scalar(f"{name}.wound", described.wound, "rad", signed=True)
        elements.append(Element(node, center, radius, sign * vector(*described.normal), wound))
    return Path(tendon, skeleton, look, tuple(elements))


def direction_between(path: Path, k: int, i: int, j: int) -> Expr:
    """Direction from point i to point j in the axes of the element k's frame."""
    tree, a, b = path.tree, path.elements[i], path.elements[j]
    root = tree.common(a.node, b.node)
    d = tree.pose(b.node, root).at(b.center) - tree.pose(a.node, root).at(a.center)
    away = ca.sparsify(tree.pose(path.elements[k].node, root).R.T @ ca.sparsify(d))
    return away / path.straight(i, j)


def _span(tree: Tree, a: Element, b: Element, root: int) -> Span:
    at_a, at_b = tree.seen(a.node, root), tree.seen(b.node, root)
    return Span(
        root,
        ca.sparsify(at_b.at(b.center) - at_a.at(a.center)),
        ca.sparsify(at_b.R @ b.turn - at_a.R @ a.turn),
        [at.R @ x.axis for at, x in ((at_a, a), (at_b, b)) if x.axis is not None],
    )
