"""Members that end before their time: cables that turned too far, rigid tendons that would push."""

from typing import Any

import numpy as np

from chorda.compile import Batch, Exit
from chorda.mechanics import Array, System
from chorda.mechanics.contacts.passing import solids
from chorda.statics import winding_limits as winding
from chorda.statics.rigid_tendons import one_sided_rigid, pushing_members

MAX_LOOKED_AT = 30_000_000  # numbers of states


def is_looked_at(system: System) -> bool:
    """Whether members may end so."""
    return bool(system.tendons.windings or one_sided_rigid(system))


def end_past_the_edge(system: System, batch: Batch, start: Array, p: Array) -> None:
    """Members whose cables turned too far between two kept times end before, with the code."""
    ran = np.flatnonzero(batch.done) if system.tendons.windings else np.zeros(0, int)
    before, p = start[:, ran], p[:, ran] if p.shape[1] > 1 else p
    for k, row in enumerate(batch.X):
        after = row[: system.nq, ran]
        for m in ran[winding.crossed(system, before, after, p)]:
            if batch.code[m] != Exit.WINDING_LIMIT:
                batch.X[k:, :, m], batch.code[m] = np.nan, Exit.WINDING_LIMIT
                batch.done[m] = k * batch.every
        before = np.where(np.isfinite(after), after, before)


def end_where_tendons_push(system: System, batch: Batch, law: Any, signal: Array, p: Array) -> None:
    """Members in which a rigid tendon pushes at a time that is looked at end before, with the
    code."""
    if not one_sided_rigid(system):
        return
    whole = np.broadcast_to(p, (len(p), batch.X.shape[2]))
    for k, row in enumerate(batch.X):
        going = np.flatnonzero(np.isfinite(row).all(axis=0))
        x, done = row[:, going], (k + 1) * batch.every
        w = signal[min(done, len(signal) - 1)]
        w = np.broadcast_to(w, (len(w), len(whole.T)))[:, going]
        u, own = w, whole[:, going]
        if law is not None:
            u = law(done * batch.h, x[: system.nq], x[system.nq :][: system.nv], w, own).full()
        ended = going[pushing_members(system, x, u, own)]
        batch.X[k:, :, ended], batch.code[ended] = np.nan, Exit.PUSHING
        batch.done[ended] = k * batch.every


def looks(system: System, every: int, numbers: int) -> int:
    """Looks between two kept times at cables that may turn too far and solids that may go through
    each other, as many as memory allows."""
    if not (system.tendons.windings or solids(system).any()):
        return 1
    fit = (k for k in range(1, every + 1) if every % k == 0 and numbers // k <= MAX_LOOKED_AT)
    return every // next(fit, every)
