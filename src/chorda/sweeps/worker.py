"""A process that computes for another one, here or on a cluster."""

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from chorda.mechanics import Array
from chorda.results.provenance import versions
from chorda.sweeps.computing import Computer, Piece, computer
from chorda.sweeps.extra import needs

_made: dict[str, Computer] = {}  # the last study, so that its system is assembled once
_lock = threading.Lock()  # the solvers of a system are for one thread at a time

__all__ = ["compute", "ready", "serve", "versions"]


def compute(text: str, rows: Array, shapes: Mapping[str, Sequence[int]]) -> Piece:
    """The points of some rows, of the study in `text`.

    Linear algebra runs on one thread: how sums are split must not depend on who computes.
    """
    with _lock, needs("threadpoolctl").threadpool_limits(1):
        if text not in _made:
            _made.clear()
            _made[text] = computer(text)
        return _made[text].piece(rows, shapes)


def ready(text: str, made: Computer) -> None:
    """What this process has made of a study already."""
    with _lock:
        _made.clear()
        _made[text] = made


def serve() -> None:
    """Until the input ends. What is printed on the way goes to stderr."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process hears it, and ends us
    into, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    text, shapes = pickle.load(into)
    while True:
        try:
            rows = pickle.load(into)
        except EOFError:
            return
        try:
            answer: Any = compute(text, rows, shapes)
        except Exception:  # told to the other process, which raises it
            answer = traceback.format_exc(limit=3)
        pickle.dump(answer, out, pickle.HIGHEST_PROTOCOL)
        out.flush()
