"""Lengths of tendons: tangents to circles in their plane, and wrap angles that are followed step by
step from the reference configuration."""

import math
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from chorda.describe import Pulley, Tendon
from tests.fuzz.plain.kinematics import Kinematics, Pose

STEPS = 12  # from the reference configuration to the one that is asked for
CLOSE = 1e-9  # [rad] of a wrap angle at which it is not clear whether a pulley is touched


class Unclear(Exception):
    """A cable that is between two cases, or for which there is no room."""


class PlainCable:
    """A tendon of a robot whose length is asked for."""

    def __init__(self, tendon: Tendon, kinematics: Kinematics) -> None:
        self.tendon, self.kinematics = tendon, kinematics
        self.pulleys = [k for k, x in enumerate(tendon.path) if isinstance(x, Pulley)]

    def points(self) -> tuple[Any, ...]:
        """Elements of a path of points alone."""
        return () if self.pulleys else self.tendon.path

    def length(self, q: Any, frames: dict[str, Pose], straight: bool = True) -> float:
        """[m], at q, where the frames are there; straight: with what is between mere points."""
        total = self.tendon.lead
        for sheath in self.tendon.sheaths:
            rod = self.kinematics.rods[sheath.rod]
            first = self.kinematics.rows[sheath.rod][0]
            total += rod.sheath_length(sheath, q[first : first + rod.count])
        if not self.tendon.path:
            return total
        if not self.pulleys:
            if not straight:
                return total
            points = [self.kinematics.at(frames, x) for x in self.tendon.path]
            return total + sum(float(np.linalg.norm(b - a)) for a, b in pairwise(points))
        return total + self._around(frames)

    def anchor(self, q: Any) -> None:
        """Follow the cable from the reference configuration to q, near which it is asked for."""
        if not self.pulleys:
            return
        rest = self.kinematics.rest()
        ways = [rest + (q - rest) * s for s in np.linspace(0, 1, STEPS + 1)]
        self.states = [self._plane(self.kinematics.frames(x)) for x in ways]
        self.known: dict[tuple[int, ...], tuple[dict[int, float], Any]] = {}

    def _around(self, frames: dict[str, Pose]) -> float:
        state, path = self._plane(frames), self.tendon.path
        leaving = [k for k in self.pulleys if 0 < k < len(path) - 1 and path[k].leave]  # type: ignore[union-attr]
        lengths = []
        for size in range(len(leaving) + 1):
            for off in combinations(leaving, size):
                touched = [k for k in range(len(path)) if k not in off]
                wraps = self._wraps(state, touched)
                own = [wraps[k] for k in leaving if k in touched]
                others = [self._wraps(state, sorted([*touched, k]))[k] for k in off]
                if any(abs(x) < CLOSE for x in (*own, *others)):
                    raise Unclear
                if all(x > 0 for x in own) and all(x < 0 for x in others):
                    lengths.append(self._sum(state, touched, wraps))
        if len(lengths) != 1:
            raise Unclear
        return lengths[0]

    def _plane(self, frames: dict[str, Pose]) -> list[tuple[Any, float, float]]:
        """Of each element: its centre in a common plane, its radius with the sign of the turn, and
        the angle that its frame stands at."""
        first = self.tendon.path[self.pulleys[0]]
        z = frames[first.frame][0] @ np.array(first.normal)
        n = np.array(first.normal)
        x = np.eye(3)[int(np.argmin(np.abs(n)))]
        x = x - n * (n @ x)
        x = frames[first.frame][0] @ (x / np.linalg.norm(x))
        y = np.cross(z, x)
        found = []
        for e in self.tendon.path:
            R, p = frames[e.frame]
            at = p + R @ self.kinematics.local(e)
            turn = 0.0
            own = R[:, 0] if abs(R[:, 0] @ z) < 0.9 else R[:, 1]
            stands = math.atan2(y @ own, x @ own)
            if isinstance(e, Pulley):
                sense = float(np.sign(z @ (R @ np.array(e.normal))))
                turn = e.radius * sense * (1 if e.side == "left" else -1)
            found.append((np.array([x @ at, y @ at]), turn, stands))
        return found

    @staticmethod
    def _tangent(a: Any, b: Any) -> tuple[float, float]:
        """Length and angle of the straight cable from one circle to the next; a centre on the left
        of the cable has a positive radius."""
        d = b[0] - a[0]
        far = math.hypot(*d)
        across = a[1] - b[1]
        if far <= abs(across) * (1 + 1e-9):
            raise Unclear
        # seen along the cable the centres lie at their radii on the left, so that the way between
        # the centres turns to the left of the cable by asin((rb - ra) / far)
        angle = math.atan2(d[1], d[0]) - math.asin(-across / far)
        return math.sqrt(far**2 - across**2), angle

    def _wraps(self, state: Any, touched: list[int]) -> dict[int, float]:
        """Wrap angles of pulleys that are touched, near the anchor."""
        if tuple(touched) not in self.known:
            self.known[tuple(touched)] = self._followed(touched)
        wraps, angles = self.known[tuple(touched)]
        now, there = self._angles(state, touched), self.states[-1]
        found = {}
        for k, angle in wraps.items():
            sense = float(np.sign(state[k][1]))
            for pair, way in now.items():
                if k in pair:
                    turn = sense if pair[0] == k else -sense
                    angle += turn * _step(way - angles[pair])
            if k in (0, len(state) - 1):  # the cable's end moves with the drum
                angle += (-sense if k == 0 else sense) * _step(state[k][2] - there[k][2])
            found[k] = angle
        return found

    def _followed(self, touched: list[int]) -> tuple[dict[int, float], Any]:
        """Wrap angles at the anchor, followed from the reference configuration; angles there."""
        begin = self._angles(self.states[0], list(range(len(self.tendon.path))))
        ways = [self._angles(state, touched) for state in self.states]
        found = {}
        for k in (x for x in touched if x in self.pulleys):
            e, sense = self.tendon.path[k], float(np.sign(self.states[0][k][1]))
            assert isinstance(e, Pulley)
            angle = middle = math.pi / 2 if e.wound is None else e.wound
            drum = k in (0, len(self.tendon.path) - 1)
            if not drum:
                angle += _within(sense * (begin[k, k + 1] - begin[k - 1, k]) - middle)
            for i, j in ways[0]:
                if k in (i, j):
                    near = (k, k + 1) if i == k else (k - 1, k)
                    turn = sense if i == k else -sense
                    angle += turn * _within(ways[0][i, j] - begin[near])
                    angle += turn * sum(_step(b[i, j] - a[i, j]) for a, b in pairwise(ways))
            if drum:
                own = sum(_step(b[k][2] - a[k][2]) for a, b in pairwise(self.states))
                angle += (-sense if k == 0 else sense) * own
            found[k] = angle
        return found, ways[-1]

    def _angles(self, state: Any, touched: list[int]) -> dict[tuple[int, int], float]:
        return {(i, j): self._tangent(state[i], state[j])[1] for i, j in pairwise(touched)}

    def _sum(self, state: Any, touched: list[int], wraps: dict[int, float]) -> float:
        free = sum(self._tangent(state[i], state[j])[0] for i, j in pairwise(touched))
        return free + sum(abs(state[k][1]) * wraps[k] for k in wraps)


def _within(angle: float) -> float:
    """Within half a turn."""
    return math.remainder(angle, 2 * math.pi)


def _step(angle: float) -> float:
    """A change of less than a quarter turn."""
    angle = _within(angle)
    if abs(angle) > math.pi / 2:
        raise Unclear
    return angle
