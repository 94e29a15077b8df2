"""Contacts in steps that are too long for them, as sentences.

Where friction stops what slides, a step that is long beside the slip speed carries it beyond, and
the next one back: from then on sliding turns around all the time, and never sticks. Likewise what
lies along a line may be thrown from end to end, and press too hard with one and then the other.
"""

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array, System
from chorda.mechanics.contacts.touch_records import TouchForce
from chorda.numerics.pacing import by_columns

LOOKED_AT = 1000  # last steps
TURNS, WINDOW = 8, 20  # so many in so many steps are no sliding to and fro
LEAST_JUMP = 0.5  # of the thickness of both shapes, from step to step

Rows = tuple[Array, Array, Array, Array]  # q, v, u, p in columns


def chattering(system: System, q: Array, v: Array, u: Array, p: Array) -> str:
    """Of a motion whose steps are rows: which contacts turn around in most; empty where none
    does."""
    if not system.touches or len(q) <= TURNS + 1:
        return ""
    last = slice(-LOOKED_AT, None)
    given = q[last].T, v[last].T, u[last].T, p[:, None]
    return " ".join(x for x in (_rubbing(system, given), _rocking(system, given)) if x)


def _rubbing(system: System, given: Rows) -> str:
    rubbing = [x for x in system.touches if x.slip_speed is not None]
    if not rubbing:
        return ""
    sliding, slow, N = _of_each(
        system, "rubbing", rubbing, ("sliding", "slip_speed", "pressing"), given
    )
    sliding = sliding.reshape(len(sliding), len(rubbing), 3)
    with np.errstate(invalid="ignore"):
        moves = (np.linalg.norm(sliding, axis=2) > slow) & (N > 0)
    names = _turning(rubbing, sliding, moves)
    if not names:
        return ""
    return (
        f"Sliding of {names} turns around every step or two, faster than its "
        "slip_speed: friction would stop it, and the step is too long for that. Take a smaller "
        "step, a larger slip_speed, or friction of kind: bristle."
    )


def _rocking(system: System, given: Rows) -> str:
    lying = [x for x in system.touches if x.solid]
    if not lying:
        return ""
    point, thick, N = _of_each(system, "rocking", lying, ("point", "thickness", "pressing"), given)
    jumps = np.diff(point.reshape(len(point), len(lying), 3), axis=0)
    with np.errstate(invalid="ignore"):
        far = np.linalg.norm(jumps, axis=2) > LEAST_JUMP * thick[1:]
    names = _turning(lying, jumps, far & (N[1:] > 0) & (N[:-1] > 0))
    if not names:
        return ""
    return (
        f"Contact {names} touches along a line and is thrown from end to end every step or two, "
        "with forces that are too large: take a smaller step or a lower stiffness."
    )


def _of_each(
    system: System, name: str, touches: Sequence[TouchForce], parts: Sequence[str], given: Rows
) -> list[Array]:
    """Quantities of the points (rows, points or points times 3)."""

    def make() -> Any:
        columns = [ca.vertcat(*[getattr(x, part) for x in touches]) for part in parts]
        return system.function(name, "q v u p", *map(ca.densify, columns))

    return [x.T for x in by_columns(system.once(name, make), *given)]


def _turning(touches: Sequence[TouchForce], ways: Array, counted: Array) -> str:
    """Labels of the points whose way (rows, points, 3) turns around in most rows that count."""
    with np.errstate(invalid="ignore"):
        turns = np.sum(ways[1:] * ways[:-1], axis=2) < 0
    turns = np.all([turns, counted[1:], counted[:-1]], axis=0)
    before = np.vstack([np.zeros((1, len(touches)), int), np.cumsum(turns, axis=0)])
    width = min(WINDOW, len(turns))
    most = np.max(before[width:] - before[:-width], axis=0)
    return ", ".join(x.label for x, n in zip(touches, most, strict=True) if n >= TURNS)
