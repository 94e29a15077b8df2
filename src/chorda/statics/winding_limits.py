"""Cables that turn about a pulley further than their length can be followed.

Turns that coordinates count have no limit (mechanics/winding_count.py). The others jump at half a
turn, and with them the length: a motion ends before.
"""

from dataclasses import dataclass

import numpy as np

from chorda.describe.path_checks import element_text
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.winding_count import WINDING_LIMIT
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.pacing import by_columns
from chorda.results import Code, Run, Status
from chorda.results.events import hermite

REMEDY = (
    "Give the joints a range that ends before, or lead the tendon over pulleys on the axes of the "
    "joints that it passes: turns of what keeps its place in one link, its carrier, are counted "
    "without limit."
)
NEAR_EDGE = 0.05  # [rad] before the edge: where solvers that failed were on their way to it
FINE = 0.02  # [rad or m] between two looks along a straight way
LOOKS = 33  # between two times
MAX_LOOKS = 100_000
AT_ONCE = 2000  # members
Mask = np.typing.NDArray[np.bool_]


@dataclass(frozen=True)
class Past:
    """What has turned too far, where, and the row of the motion."""

    what: str
    configuration: str
    row: int = 0

    def message(self, when: str) -> str:
        return (
            f"{self.what} {when} ({self.configuration}); beyond, its length is not known. {REMEDY}"
        )

    def status(self, when: str) -> Status:
        """when: words in the middle of a sentence, or one of its own."""
        text = f"{when}: {self.message('there')}" if when[0].isupper() else self.message(when)
        return Status(Code.WINDING_LIMIT, text)


def beyond(system: System, x: Array, h: float, p: Array) -> Past | None:
    """The first row of a motion that is past the edge, row 0 apart."""
    if not system.tendons.windings:
        return None
    q, v = x[:, : system.nq], x[:, system.nq : system.nq + system.nv]
    turns = _turns(system, q, p)
    past = np.abs(turns) > WINDING_LIMIT
    for k in np.flatnonzero((np.abs(np.diff(turns, axis=0)) > np.pi / 2).any(axis=1)):
        rate = np.array([h * (system.kinematics(q[i]).full() @ v[i]) for i in (k, k + 1)])
        between = hermite(np.linspace(0, 1, LOOKS)[:, None], q[k : k + 2], rate)
        past[k + 1] |= _jumps(system, between, p)
    rows = np.flatnonzero(past[1:].any(axis=1))
    if not len(rows):
        return None
    row = int(rows[0]) + 1
    return _past(system, int(np.argmax(past[row])), q[row], row)


def on_the_way(system: System, start: Array, end: Array, p: Array) -> Past | None:
    """What gets past the edge on the straight way from one configuration to another."""
    if not system.tendons.windings:
        return None
    count = int(min(np.max(np.abs(end - start)) / FINE, MAX_LOOKS)) + 2
    past = _jumps(system, start + np.linspace(0, 1, count)[:, None] * (end - start), p)
    return _past(system, int(np.argmax(past)), end) if past.any() else None


def along(system: System, q: Array, p: Array) -> Past | None:
    """The first of the configurations (n, nq) of a measured motion that is past the edge."""
    if not system.tendons.windings:
        return None
    turns = _turns(system, q, p)
    past = np.abs(turns) > WINDING_LIMIT
    past[1:] |= np.abs(np.diff(turns, axis=0)) > np.pi
    past[0] |= _jumps(system, np.linspace(system.rest, q[0], LOOKS), p)
    rows = np.flatnonzero(past.any(axis=1))
    if not len(rows):
        return None
    row = int(rows[0])
    return _past(system, int(np.argmax(past[row])), q[row], row)


def crossed(system: System, start: Array, end: Array, p: Array) -> Mask:
    """Which members (nq, n) get past the edge on the straight way from one configuration to
    another; parameters (np, n), or (np, 1) for all."""
    if not system.tendons.windings:
        return np.zeros(end.shape[1], bool)
    return _crossed(system, start, end, p)


@interruptible()
def _crossed(system: System, start: Array, end: Array, p: Array) -> Mask:
    n = end.shape[1]
    past, s = np.zeros(n, bool), np.linspace(0, 1, LOOKS)[:, None]
    for first in range(0, n, AT_ONCE):
        part = slice(first, first + AT_ONCE)
        a, b, own = (np.broadcast_to(x, (len(x), n))[:, part] for x in (start, end, p))
        ways = (a[:, None] + s * (b - a)[:, None]).reshape(len(a), -1)
        turns = system.winding(ways, np.tile(own, LOOKS)).full().reshape(-1, LOOKS, a.shape[1])
        turns = np.nan_to_num(turns, nan=0.0)
        hops = np.abs(np.diff(turns, axis=1)) > np.pi
        past[part] = (np.abs(turns) > WINDING_LIMIT).any(axis=(0, 1)) | hops.any(axis=(0, 1))
    return past


def near(system: System, x: Array, h: float, p: Array) -> Past | None:
    """What was about to reach the edge where a motion could not go on from a state."""
    if not system.tendons.windings:
        return None
    q, v = x[: system.nq], x[system.nq : system.nq + system.nv]
    ahead = q + np.array([0.0, 1.0, 2.0])[:, None] * h * (system.kinematics(q).full() @ v)
    turns = np.abs(_turns(system, ahead, p)).max(axis=0)
    worst = int(np.argmax(turns))
    return _past(system, worst, q) if turns[worst] > WINDING_LIMIT - NEAR_EDGE else None


def refuse(
    system: System, initial: object, q: Array, p: Array, what: str = "initial", which: str = ""
) -> None:
    """Refuse a start that lies beyond the edge; a Run has come to its end without crossing it."""
    if not isinstance(initial, Run) and (past := on_the_way(system, system.rest, q, p)):
        way = "on the way from the reference configuration"
        raise InputError(f"{what}: {which}{past.message(way)}")


def _turns(system: System, q: Array, p: Array) -> Array:
    """(n, turns); 0 where a cable has no way, which other checks report."""
    seen = by_columns(system.winding, q.T, p[:, None])[0].T
    return np.asarray(np.nan_to_num(seen, nan=0.0))


def _jumps(system: System, q: Array, p: Array) -> Array:
    """Which turns get past the edge along a fine sequence of configurations."""
    turns = _turns(system, q, p)
    hops = np.abs(np.diff(turns, axis=0)) > np.pi
    return np.asarray((np.abs(turns) > WINDING_LIMIT).any(axis=0) | hops.any(axis=0))


def _past(system: System, number: int, q: Array, row: int = 0) -> Past:
    turn = system.tendons.windings[number]
    tendon = system.robot.named(turn.tendon)
    pulley = element_text(tendon, turn.element)
    what = f"Tendon '{tendon.name}' has turned by half a turn about {pulley}"
    return Past(what, configuration_text(system, q), row)


def configuration_text(system: System, q: Array) -> str:
    """The coordinates of joints, for people."""
    return ", ".join(
        f"{c.name} = {x:.3g} {c.unit}"
        for c, x in zip(system.coordinates, q, strict=True)
        if c.kind not in ("motor", "state")
    )
