"""Where one-sided tendons go slack and get taut along a motion, located between its times.

Between two recorded times the state is a cubic Hermite curve through both, with the rates that the
equations of motion give there; the tension that the tendon would have if it could push changes
sign on it. The curve is off by O(h^2) in the velocities (their second derivative jumps with the
stiffness), the instant likewise; a tendon that is slack for less than a step may pass unseen.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.pacing import by_columns
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


@interruptible()
def events(
    system: System,
    time: Array,
    q: Array,
    v: Array,
    u: Array,
    p: Array,
    pull: Array | None = None,
    stop: Callable[[int], bool] | None = None,
) -> list[Event]:
    """All events of a motion in the order of time.

    pull: what `pulls` gives, if it is known. stop: called before an event is located with the row
    before it; no more are located once it returns True.
    """
    if not system.tendons.one_sided or len(time) < 2:
        return []
    pull = pulls(system, q, v, u, p) if pull is None else pull
    found = []
    changes = [(k, row, kind) for row in range(pull.shape[1]) for k, kind in _changes(pull[:, row])]
    for k, row, kind in sorted(changes):
        if stop is not None and stop(k):
            break
        at = slice(k, k + 2)
        span = _Span(system, time[at], q[at], v[at], u[at], p)
        found.append(Event(span.root(row, pull[at, row]), system.tendons.one_sided[row], kind))
    return sorted(found, key=lambda event: event.time)


def pulls(system: System, q: Array, v: Array, u: Array, p: Array) -> Array:
    """Tensions (n, tendons) that one-sided tendons would have if they could push [N]."""
    return by_columns(system.tautness, q.T, v.T, u.T, p[:, None])[0].T


def _changes(pull: Array) -> Iterator[tuple[int, str]]:
    """(k, kind) where the sign changes for good between k and k + 1; rounding is no sign."""
    clear = np.flatnonzero(np.abs(pull) > ROUNDING * np.max(np.abs(pull)))
    turns = np.flatnonzero(np.diff(pull[clear] > 0))
    for i, j in zip(clear[turns].tolist(), clear[turns + 1].tolist(), strict=True):
        between = pull[i : j + 1] > 0
        k = int(np.flatnonzero(between != between[0])[0])
        yield i + k - 1, "taut" if pull[j] > 0 else "slack"


class _Span:
    """The state between two times, as a curve over 0 to 1."""

    def __init__(self, system: System, time: Array, q: Array, v: Array, u: Array, p: Array) -> None:
        self.system, self.time, self.p = system, time, p
        h = time[1] - time[0]
        a, _ = accelerations(system, q, v, u, np.repeat(p[:, None], 2, 1))
        columns = (q.T, v.T, u.T, np.repeat(p[:, None], 2, 1))
        self.q, self.dq = q, h * system.moving(*columns).full().T
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
