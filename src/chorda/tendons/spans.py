"""Tendons as vectors: where each free span touches what it connects, and how long the cable is.

A cable acts on what it touches by the forces of its free spans: at a point both act there, at a
pulley each acts at its tangent point. On a pulley between the ends the two have equal moments about
its axis, so that it passes the tension on; on a drum the one span turns what carries it. What is
before the first element is fixed in that element's frame: the span's pull acts there, and the
reaction of a winch acts on the world.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from chorda.describe import Material, Pulley, Rigid, Stiffening, Tendon
from chorda.describe.laws import Law
from chorda.mechanics import Array
from chorda.mechanics.tree import COINCIDENCE
from chorda.tendons.links import Configuration, Tree, Wrenches, turn

SAMPLES = 100  # configurations in which turns are compared
TILT_TOLERANCE = 1e-9  # sine of an angle
DEFAULT_WRAP = math.pi / 2  # where the description gives none


@dataclass(frozen=True)
class Element:
    """A pulley, or a point (radius 0), in its frame."""

    frame: int
    center: Array
    radius: float
    axis: Array  # about which the cable turns; 0 for a point


@dataclass(frozen=True)
class Span:
    """Free cable between two elements, in world axes, where the cable takes this way."""

    first: int
    second: int
    used: Array  # whether, for each sample
    direction: Array
    start: Array  # where it leaves the first element [m]
    end: Array  # where it reaches the second [m]
    length: Array  # [m]


@dataclass(frozen=True)
class Cable:
    """A tendon's elements; `laid` finds its spans in a configuration."""

    tendon: Tendon
    tree: Tree
    elements: tuple[Element, ...]
    _followers: dict[tuple[int, int], int] = field(default_factory=dict, repr=False)

    @cached_property
    def at_rest(self) -> "Laid":
        """In the reference configuration, from which wrap angles count."""
        nothing = np.zeros((1, len(self.tree.moving)))
        return Laid(self, self.tree.outward(nothing, nothing, nothing, np.zeros(3)), nothing)

    @cached_property
    def all_around(self) -> "Laid":
        """In some configurations all around."""
        q = np.random.default_rng(3).uniform(-math.pi, math.pi, (SAMPLES, len(self.tree.moving)))
        return Laid(self, self.tree.outward(q, 0 * q, 0 * q, np.zeros(3)), q)

    def follower(self, k: int, other: int) -> int:
        """The frame in which the cable between k and another element turns least.

        Turns against it are counted over the joints and may be as many as one likes.
        """
        if (k, other) not in self._followers:
            own, far = (self.elements[x].frame for x in (k, other))
            around = self.all_around
            frames = [
                x
                for x in self.tree.way(own, far)
                if np.ptp(around.axis(x, k), 0).max() < TILT_TOLERANCE
            ]
            sizes = [np.abs(around.swept_in(x, k, other)).max() for x in frames]
            self._followers[k, other] = frames[int(np.argmin(np.round(sizes, 6)))]
        return self._followers[k, other]

    def leaves(self, k: int) -> bool:
        element = self.tendon.path[k]
        between = 0 < k < len(self.elements) - 1
        return between and isinstance(element, Pulley) and element.leave

    def wound(self, k: int) -> float:
        """Wrap angle at the reference configuration [rad]."""
        described, name = self.tendon.path[k], f"{self.tendon.name}.path{k}"
        assert isinstance(described, Pulley)
        middle = DEFAULT_WRAP if described.wound is None else described.wound
        if k in (0, len(self.elements) - 1):
            return self.tree.values.scalar(f"{name}.wound", middle)
        around = self.at_rest.swept(k, self.at_rest.seen(k, k - 1), self.at_rest.seen(k, k + 1))
        off = float(around[0]) - middle  # the turn nearest to what is described
        return middle + math.atan2(math.sin(off), math.cos(off))


@dataclass(frozen=True)
class Laid:
    """A cable in a configuration of the robot."""

    cable: Cable
    at: Configuration
    q: Array
    _spans: dict[tuple[int, int], tuple[Array, Array, Array, Array]] = field(default_factory=dict)

    def span(self, i: int, j: int) -> tuple[Array, Array, Array, Array]:
        """Direction, both ends and length of the free cable from element i to j."""
        if (i, j) not in self._spans:
            a, b = self.cable.elements[i], self.cable.elements[j]
            A, B = (self.at[x.frame].at(x.center) for x in (a, b))
            arm_a, arm_b = (x.radius * (self.at[x.frame].R @ x.axis) for x in (a, b))
            d, e = B - A, arm_b - arm_a
            square = np.einsum("ni,ni->n", d, d)
            # a way that the cable does not take may be too short for a tangent
            length = np.sqrt(np.maximum(square - np.einsum("ni,ni->n", e, e), 0))
            t = (length[:, None] * d - np.cross(e, d)) / np.maximum(square, COINCIDENCE**2)[:, None]
            self._spans[i, j] = t, A - np.cross(arm_a, t), B - np.cross(arm_b, t), length
        return self._spans[i, j]

    def seen(self, k: int, other: int, frame: int | None = None) -> Array:
        """Direction of the cable between k and another, along the path, in k's frame or another."""
        R = self.at[self.cable.elements[k].frame if frame is None else frame].R
        return turn(R.transpose(0, 2, 1), self.span(*sorted((k, other)))[0])

    def swept(self, k: int, start: Array, end: Array) -> Array:
        """Angle from one direction to another about pulley k [rad]."""
        n = self.cable.elements[k].axis
        return np.arctan2(np.cross(start, end) @ n, np.sum(start * end, 1))

    def turned(self, k: int, other: int) -> Array:
        """How far the cable to (or from) another element has turned about k since rest [rad]."""
        frame = self.cable.follower(k, other)
        return self.swept_in(frame, k, other) - self.turn_against(k, frame)

    def swept_in(self, frame: int, k: int, other: int) -> Array:
        """The same as seen from a frame, within half a turn."""
        near = k + 1 if other > k else k - 1
        start = self.cable.at_rest.seen(k, near, frame)
        end = self.seen(k, other, frame)
        sine = np.sum(np.cross(start, end) * self.axis(frame, k), 1)
        return np.arctan2(sine, np.sum(start * end, 1))

    def axis(self, frame: int, k: int) -> Array:
        """Axis of pulley k as seen from a frame."""
        own = self.cable.elements[k]
        return np.asarray(self.at[frame].R.transpose(0, 2, 1) @ self.at[own.frame].R @ own.axis)

    def turn_against(self, k: int, carrier: int) -> Array:
        """How far pulley k has turned about its axis against a frame since rest [rad]."""
        element, links = self.cable.elements[k], self.cable.tree.links
        n = self.at[element.frame].R @ element.axis
        total = np.zeros(len(n))
        for frame, sign in ((element.frame, 1), (carrier, -1)):
            while frame:
                link = links[frame - 1]
                if link.column >= 0 and not link.slides:
                    along = np.sum(n * (self.at[frame].R @ link.axis), 1)
                    total += sign * along * self.q[:, link.column]
                frame = link.parent
        return total

    def wrap(self, k: int, before: int, after: int) -> Array:
        return self.cable.wound(k) + self.turned(k, after) - self.turned(k, before)

    def ways(self) -> Iterator[tuple[tuple[int, ...], Array]]:
        """Pieces of the cable between elements that hold it: what it touches there, and when."""
        cable, n = self.cable, len(self.at[0].p)
        holding = [k for k in range(len(cable.elements)) if not cable.leaves(k)]
        for first, last in pairwise(holding):
            inside = range(first + 1, last)
            left = np.ones(n, bool)
            for size in range(len(inside), -1, -1):
                for touched in combinations(inside, size):
                    way = (first, *touched, last)
                    used = left.copy()
                    for k in inside if size else ():
                        before = max(x for x in way if x < k)
                        after = min(x for x in way if x > k)
                        used &= (self.wrap(k, before, after) >= 0) == (k in touched)
                    left &= ~used
                    yield way, used

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """All free spans that the cable has at some sample."""
        return tuple(
            Span(i, j, used, *self.span(i, j))
            for way, used in self.ways()
            if used.any()
            for i, j in pairwise(way)
        )

    @cached_property
    def length(self) -> Array:
        """Along the path, lead included [m]."""
        name, lead = self.cable.tendon.name, self.cable.tendon.lead
        total = np.full(len(self.at[0].p), self.cable.tree.values.scalar(f"{name}.lead", lead))
        for k, element in enumerate(self.cable.elements):
            if element.radius and not self.cable.leaves(k):
                total += element.radius * self.cable.wound(k)
        for way, used in self.ways():
            part = np.zeros_like(total)
            for i, j in pairwise(way):
                part += self.span(i, j)[3]
                for k, other, sign in ((i, j, 1), (j, i, -1)):
                    if radius := self.cable.elements[k].radius:
                        part += sign * radius * self.turned(k, other)
            for k in way[1:-1]:
                part += self.cable.elements[k].radius * self.cable.wound(k)
            total += np.where(used, part, 0)
        return total

    @cached_property
    def rate(self) -> Array:
        """Of the length [m/s]: how fast the ends of each span move apart along it."""
        total = np.zeros(len(self.at[0].p))
        for x in self.spans:
            ends = [self.cable.elements[k].frame for k in (x.first, x.second)]
            apart = self.at[ends[1]].speed(x.end) - self.at[ends[0]].speed(x.start)
            total += np.where(x.used, np.sum(apart * x.direction, 1), 0)
        return total

    def pull(self, tension: Array, on: Wrenches) -> Array:
        """Adds the spans' forces to `on`; returns the cable's force on each element (n, k, 3).

        tension: behind each element but the last (n, k - 1).
        """
        forces = np.zeros((len(tension), len(self.cable.elements), 3))
        for x in self.spans:
            force = (tension[:, x.first] * x.used)[:, None] * x.direction
            for k, sign, place in ((x.first, 1, x.start), (x.second, -1, x.end)):
                on.push(self.at, self.cable.elements[k].frame, sign * force, place)
                forces[:, k] += sign * force
        return forces


def cables(tree: Tree) -> tuple[Cable, ...]:
    """The robot's tendons."""
    return tuple(Cable(t, tree, tuple(_elements(t, tree))) for t in tree.robot.tendons)


def _elements(tendon: Tendon, tree: Tree) -> Iterator[Element]:
    for k, described in enumerate(tendon.path):
        name = f"{tendon.name}.path{k}"
        center = tree.values.place(name, described)
        radius, axis = 0.0, np.zeros(3)
        if isinstance(described, Pulley):
            radius = tree.values.scalar(f"{name}.radius", described.radius)
            axis = np.array(described.normal) * (1 if described.side == "left" else -1)
        yield Element(tree.index[described.frame], center, radius, axis)


def tension(laid: Laid, law: Law, paid: Array, paid_rate: Array) -> Array:
    """T = T0 + k x + s x |x| + d x_dot of a tendon that stretches, with x = l - l0 - paid [N]."""
    assert not isinstance(law, Rigid)
    name, value = laid.cable.tendon.name, laid.cable.tree.values.scalar
    at_rest = laid.cable.at_rest.length
    x, x_dot = laid.length - at_rest - paid, laid.rate - paid_rate
    s = 0.0
    if isinstance(law, Material):
        over = laid.length if law.over == "unwound" else at_rest
        if law.over == "total" and law.length is not None:
            over = np.array(value(f"{name}.total_length", law.length))
        S = value(f"{name}.section", law.section)
        k = value(f"{name}.young_modulus", law.young_modulus) * S / over
        d = value(f"{name}.damping_modulus", law.damping_modulus) * S / over
    else:
        k = np.array(value(f"{name}.stiffness", law.stiffness))
        d = np.array(value(f"{name}.damping", law.damping))
        if isinstance(law, Stiffening):
            s = value(f"{name}.stiffening", law.stiffening)
    T = value(f"{name}.pretension", law.pretension or 0.0) + k * x + s * x * np.abs(x) + d * x_dot
    if law.smoothing is not None:
        least = value(f"{name}.smoothing", law.smoothing)
        return (T + np.sqrt(T**2 + 4 * least**2)) / 2
    return np.maximum(T, 0) if law.one_sided else T
