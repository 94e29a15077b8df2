"""Where something begins or ends along a motion, located between its times: one-sided tendons go
slack and get taut, limits of motors and of controllers are reached and left.

Each is a quantity that changes sign. Between two recorded times the state is a cubic Hermite curve
through both, with the rates that the equations of motion give there, and inputs are linear. The
curve is off by O(h^2) in the velocities (their second derivative jumps with the stiffness), the
instant likewise; what begins and ends within a step may pass unseen.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.pacing import by_columns
from chorda.results.observe import accelerations

ROUNDING = 1e-9  # of the largest value: smaller ones have no sign


@dataclass(frozen=True)
class Event:
    """Something that happens at an instant of a run.

    Attributes
    ----------
    time : float
        When [s].
    name : str
        Of the tendon, actuator or contact.
    kind : str
        A tendon is "slack" or "taut" from then on; of a motor "reached max_torque" or "left
        max_torque", likewise with its other limits; of a tendon that a controller pulls "reached
        maximum_tension" or "left maximum_tension"; a pair of shapes "touches" or "leaves", and one
        with friction "slips" where it comes within a twentieth of all the friction that its normal
        force gives, or "sticks" where it is below that again and still touches.

    See Also
    --------
    Run.events : those of a run.

    Examples
    --------
    >>> import chorda
    >>> print(chorda.Event(0.5, "left", "slack"))
    left slack at 0.5 s
    """

    time: float
    name: str
    kind: str

    def __str__(self) -> str:
        return f"{self.name} {self.kind} at {self.time:.6g} s"


class States(NamedTuple):
    """Rows of a motion, as of a Run."""

    time: Array
    position: Array
    velocity: Array
    input: Array

    def until(self, time: float) -> "States":
        """Those up to a time."""
        n = int(np.searchsorted(self.time, time, side="right"))
        return States(*(x[:n] for x in self))


@dataclass(frozen=True, eq=False)
class Watched:
    """Quantities whose changes of sign are events.

    names: of what they belong to; below, above: kinds of the events where they get negative, and
    positive; function: (q, v, signal, p) -> the quantities; where: (q, v, signal, p) -> what has to
    be negative for a rise to be an event, if not all are.
    """

    names: tuple[str, ...]
    below: tuple[str, ...]
    above: tuple[str, ...]
    function: Any
    where: Any = None

    @classmethod
    def limits(cls, names: tuple[str, ...], words: tuple[str, ...], function: Any) -> "Watched":
        """What is left of limits."""
        below, above = (tuple(f"{x} {word}" for word in words) for x in ("reached", "left"))
        return cls(names, below, above, function)

    def values(self, q: Array, v: Array, signal: Array, p: Array) -> Array:
        """Of many states, a row for each."""
        if not self.names:
            return np.zeros((len(q), 0))
        return by_columns(self.function, q.T, v.T, signal.T, p[:, None])[0].T


def watched(system: System) -> tuple[Watched, ...]:
    """Of a system with its inputs for signal: tensions that one-sided tendons would have if they
    could push [N], what is left of the motors' limits, gaps of shapes [m], and what is left of
    their friction."""
    tendons = system.tendons.one_sided
    count, limits = len(tendons), system.limits
    words = tuple(x.field for x in limits)
    touches = tuple(x.label for x in system.touches)
    meets, leaves = (("touches",) * len(touches), ("leaves",) * len(touches))
    rubbing = tuple(x.label for x in system.rubbing_touches)
    slips, sticks = (("slips",) * len(rubbing), ("sticks",) * len(rubbing))
    return (
        Watched(tendons, ("slack",) * count, ("taut",) * count, system.tautness),
        Watched.limits(tuple(x.name for x in limits), words, system.margins),
        Watched(touches, meets, leaves, system.touch_gaps),
        Watched(rubbing, slips, sticks, system.grips, system.rubbing_gaps),
    )


@interruptible()
def events(
    system: System,
    of: Watched,
    time: Array,
    q: Array,
    v: Array,
    u: Array,
    p: Array,
    signal: Array | None = None,
    values: Array | None = None,
    stop: Callable[[int], bool] | None = None,
) -> list[Event]:
    """All events of a motion in the order of time.

    signal: what the watched function takes for it, the inputs u if not given. values: of the
    watched quantities, if they are known. stop: called before an event is located with the row
    before it; no more are located once it returns True.
    """
    if not of.names or len(time) < 2:
        return []
    signal = u if signal is None else signal
    values = of.values(q, v, signal, p) if values is None else values
    found = []
    changes = [
        (k, row, rises) for row in range(values.shape[1]) for k, rises in _changes(values[:, row])
    ]
    for k, row, rises in sorted(changes):
        if stop is not None and stop(k):
            break
        at = slice(k, k + 2)
        if rises and of.where is not None:
            after = of.where(q[k + 1], v[k + 1], signal[k + 1], p)
            if float(after[row]) >= 0:
                continue
        span = _Span(system, time[at], q[at], v[at], u[at], p)
        when = span.root(of.function, signal[at], row, values[at, row])
        found.append(Event(when, of.names[row], (of.above if rises else of.below)[row]))
    return in_order(found)


def in_order(found: Iterable[Event]) -> list[Event]:
    """By time; those at one time, to rounding, as they were watched: what touches, then slips."""
    return sorted(found, key=lambda event: float(f"{event.time:.9g}"))


def _changes(values: Array) -> Iterator[tuple[int, bool]]:
    """(k, whether it rises) where the sign changes for good between k and k + 1; rounding is no
    sign, and neither is NaN, where a controller found nothing."""
    values = np.nan_to_num(values)
    clear = np.flatnonzero(np.abs(values) > ROUNDING * np.max(np.abs(values)))
    turns = np.flatnonzero(np.diff(values[clear] > 0))
    for i, j in zip(clear[turns].tolist(), clear[turns + 1].tolist(), strict=True):
        between = values[i : j + 1] > 0
        k = int(np.flatnonzero(between != between[0])[0])
        yield i + k - 1, bool(values[j] > 0)


class _Span:
    """The state between two times, as a curve over 0 to 1."""

    def __init__(self, system: System, time: Array, q: Array, v: Array, u: Array, p: Array) -> None:
        self.time, self.p = time, p
        h = time[1] - time[0]
        a, _ = accelerations(system, q, v, u, np.repeat(p[:, None], 2, 1))
        columns = (q.T, v.T, u.T, np.repeat(p[:, None], 2, 1))
        self.q, self.dq = q, h * system.moving(*columns).full().T
        self.v, self.dv = v, h * a

    def root(self, function: Any, signal: Array, row: int, ends: Array) -> float:
        """The time where a quantity changes sign."""
        from scipy.optimize import brentq

        if ends[0] == 0 or ends[1] == 0:
            return float(self.time[0] if ends[0] == 0 else self.time[1])

        def value(s: float) -> float:
            q, v = hermite(s, self.q, self.dq), hermite(s, self.v, self.dv)
            return float(function(q, v, (1 - s) * signal[0] + s * signal[1], self.p)[row])

        s = brentq(value, 0.0, 1.0, xtol=1e-12)
        return float(self.time[0] + s * (self.time[1] - self.time[0]))


def hermite(s: float | Array, x: Array, dx: Array) -> Array:
    """The cubic with values x[0], x[1] and slopes dx[0], dx[1] at 0 and 1."""
    turn = s * (1 - s) * ((1 - s) * (dx[0] - x[1] + x[0]) + s * (x[1] - x[0] - dx[1]))
    return np.asarray((1 - s) * x[0] + s * x[1] + turn, float)
