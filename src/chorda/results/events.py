"""Where one-sided tendons go slack and get taut along a motion, located between its times.

Between two recorded times the state is a cubic Hermite curve through both, with the rates that the
equations of motion give there; the tension that the tendon would have if it could push changes
sign on it. The curve is off by O(h^2) in the velocities (their second derivative jumps with the
stiffness), the instant likewise; a tendon that is slack for less than a step may pass unseen.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from chorda.mechanics import Array, System
from chorda.results.observe import accelerations

ROUNDING = 1e-9  # of the largest tension: smaller ones are neither slack nor taut


@dataclass(frozen=True)
class Event:
    """A tendon goes "slack" or gets "taut" at a time [s]."""

    time: float
    tendon: str
    kind: str

    def __str__(self) -> str:
        return f"{self.tendon} {self.kind} at {self.time:.6g} s"


def events(system: System, time: Array, q: Array, v: Array, u: Array, p: Array) -> list[Event]:
    """All events of a motion in the order of time."""
    if not system.tendons.one_sided or len(time) < 2:
        return []
    P = np.repeat(p[:, None], len(time), 1)
    pull = system.tautness(q.T, v.T, u.T, P).full().T
    found = []
    for row, tendon in enumerate(system.tendons.one_sided):
        for k, kind in _changes(pull[:, row]):
            at = slice(k, k + 2)
            span = _Span(system, time[at], q[at], v[at], u[at], p)
            found.append(Event(span.root(row, pull[at, row]), tendon, kind))
    return sorted(found, key=lambda event: event.time)


def _changes(pull: Array) -> Iterator[tuple[int, str]]:
    """(k, kind) where the sign changes for good between k and k + 1; rounding is no sign."""
    clear = np.flatnonzero(np.abs(pull) > ROUNDING * np.max(np.abs(pull)))
    for i, j in pairwise(clear.tolist()):
        if (pull[i] > 0) != (pull[j] > 0):
            between = pull[i : j + 1] > 0
            k = int(np.flatnonzero(between != between[0])[0])
            yield i + k - 1, "taut" if pull[j] > 0 else "slack"


class _Span:
    """The state between two times, as a curve over 0 to 1."""

    def __init__(self, system: System, time: Array, q: Array, v: Array, u: Array, p: Array) -> None:
        self.system, self.time, self.p = system, time, p
        h = time[1] - time[0]
        a, _ = accelerations(system, q, v, u, np.repeat(p[:, None], 2, 1))
        q_rate = [system.kinematics(x).full() @ y for x, y in zip(q, v, strict=True)]
        self.q, self.dq = q, h * np.array(q_rate)
        self.v, self.dv = v, h * a
        self.u = u

    def root(self, row: int, ends: Array) -> float:
        """The time where the tension of a one-sided tendon changes sign."""
        from scipy.optimize import brentq

        if ends[0] == 0 or ends[1] == 0:
            return float(self.time[0] if ends[0] == 0 else self.time[1])

        def pull(s: float) -> float:
            q, v = hermite(s, self.q, self.dq), hermite(s, self.v, self.dv)
            u = (1 - s) * self.u[0] + s * self.u[1]
            return float(self.system.tautness(q, v, u, self.p)[row])

        s = brentq(pull, 0.0, 1.0, xtol=1e-12)
        return float(self.time[0] + s * (self.time[1] - self.time[0]))


def hermite(s: float | Array, x: Array, dx: Array) -> Array:
    """The cubic with values x[0], x[1] and slopes dx[0], dx[1] at 0 and 1."""
    turn = s * (1 - s) * ((1 - s) * (dx[0] - x[1] + x[0]) + s * (x[1] - x[0] - dx[1]))
    return np.asarray((1 - s) * x[0] + s * x[1] + turn, float)
