"""Members that end before their time: cables that turned too far, loops that came apart, rigid
tendons that would push."""

from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from chorda.compile import Batch, Exit
from chorda.mechanics import Array, System
from chorda.mechanics.contacts.passing import solids
from chorda.statics import winding_limits as winding
from chorda.statics.loop_checks import LOOKS, may_open, opened_columns
from chorda.statics.rigid_tendons import one_sided_rigid, pushing_members

MAX_LOOKED_AT = 30_000_000  # numbers of states
AT_ONCE = 50_000  # states

Members = np.typing.NDArray[np.intp]


def needs_host(system: System) -> bool:
    """Whether members may end so that a result that stays on a GPU would be wrong."""
    return bool(system.tendons.windings or one_sided_rigid(system))


def end_before(
    system: System, batch: Batch, start: Array, law: Any, signal: Array, p: Array, led: bool = True
) -> None:
    """Members end before the first look at which something is as it cannot be, with the code.

    start: configurations; law, signal: what gives the inputs; led: whether closures that inputs
    move have followed these.
    """
    if system.tendons.windings:
        _end_past_the_edge(system, batch, start, p)
    whole = batch.members * len(batch.X)
    if may_open(system):
        for x in _looks(batch, p):
            # a law's inputs have moved closures from the step before, whose state is not there
            u = x.inputs(signal) if law is None else np.zeros((system.nu, 1))
            follow = led and law is None
            open_ = opened_columns(system, x.state[: system.nq], u, x.p, follow, whole)
            _end(batch, x, open_, Exit.OPENED)
    if one_sided_rigid(system):
        for x in _looks(batch, p):
            u = x.inputs(signal)
            if law is not None:
                q, v = x.state[: system.nq], x.state[system.nq :][: system.nv]
                u = law(x.done[None] * batch.h, q, v, u, x.p).full()
            _end(batch, x, pushing_members(system, x.state, u, x.p, whole), Exit.PUSHING)


def looks(system: System, every: int, steps: int, numbers: int, loops: int = LOOKS) -> int:
    """Looks between two kept times: at each step, as far as memory allows, at cables that may turn
    too far, solids that may go through each other and tendons that may push; `loops` times in all
    steps at loops, which stay open."""
    most = 1  # steps from look to look
    if not (needs_host(system) or solids(system).any()):
        if not may_open(system):
            return 1
        most = ceil(steps / loops)
    fit = [k for k in range(1, every + 1) if every % k == 0 and numbers // k <= MAX_LOOKED_AT]
    return every // max((k for k in fit if k <= most), default=min(fit, default=every))


class _Look(NamedTuple):
    """States of members that go on, and their parameters (columns), after so many steps; rows: of
    batch.X."""

    rows: Members
    members: Members
    done: Members
    state: Array
    p: Array

    def inputs(self, signal: Array) -> Array:
        """What a signal (times, inputs, members) is there."""
        one = self.members if signal.shape[2] > 1 else np.zeros_like(self.members)
        return np.asarray(signal[np.minimum(self.done, len(signal) - 1), :, one].T)


def _looks(batch: Batch, p: Array) -> Iterator[_Look]:
    """Blocks of looks."""
    size = max(1, AT_ONCE // batch.members)
    for first in range(0, len(batch.X), size):
        block = batch.X[first : first + size]
        row, m = np.nonzero(np.isfinite(block).all(axis=1))
        if len(m):
            own = p[:, m] if p.shape[1] > 1 else np.repeat(p, len(m), 1)
            done = (first + row + 1) * batch.every
            yield _Look(first + row, m, done, block[row, :, m].T, own)


def _end(batch: Batch, look: _Look, ended: Any, code: Exit) -> None:
    """Where something ended, the members do before it."""
    members, first = np.unique(look.members[ended], return_index=True)
    for m, row in zip(members, look.rows[ended][first], strict=True):
        batch.X[row:, :, m], batch.code[m] = np.nan, code
        batch.done[m] = row * batch.every


def _end_past_the_edge(system: System, batch: Batch, start: Array, p: Array) -> None:
    """Members whose cables turned too far between two kept times end before, with the code."""
    ran = np.flatnonzero(batch.done)
    before, p = start[:, ran], p[:, ran] if p.shape[1] > 1 else p
    for k, row in enumerate(batch.X):
        after = row[: system.nq, ran]
        for m in ran[winding.crossed(system, before, after, p)]:
            if batch.code[m] != Exit.WINDING_LIMIT:
                batch.X[k:, :, m], batch.code[m] = np.nan, Exit.WINDING_LIMIT
                batch.done[m] = k * batch.every
        before = np.where(np.isfinite(after), after, before)
