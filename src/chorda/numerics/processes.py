"""Python processes beside this one that compute for it, and the cores that they may use.

Parent and child send each other pickles over the child's pipes. The child runs this file and knows
nothing of the user's script, which therefore needs no guard. It ignores Ctrl-C, on which the parent
decides, and ends with its parent.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Death:
    """In place of an answer: the child ended, with this exit code."""

    code: int


class Process:
    """A child that holds `work`, a pickled function, and calls it with one task after the other.

    Its answers are put into `answers` as (process, pickle of (True, result) or of (False,
    traceback)), and as (process, Death) when it ends.
    """

    def __init__(self, work: bytes, answers: "SimpleQueue[tuple[Process, Any]]") -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-P", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | ONE_THREAD,
        )
        self._tasks: SimpleQueue[bytes | None] = SimpleQueue()
        # a thread, because a pipe takes no more than the child reads
        threading.Thread(target=self._converse, args=(work, answers), daemon=True).start()

    def give(self, task: Any) -> None:
        self._tasks.put(pickle.dumps(task, pickle.HIGHEST_PROTOCOL))

    def end(self) -> None:
        """At once: a child keeps nothing that would be lost."""
        self._child.kill()
        self._child.wait()
        self._tasks.put(None)

    def _converse(self, work: bytes, answers: "SimpleQueue[tuple[Process, Any]]") -> None:
        into, out = self._child.stdin, self._child.stdout
        assert into is not None
        assert out is not None
        with suppress(EOFError, OSError, pickle.UnpicklingError), into, out:
            for setup in (pickle.dumps(sys.path), work):
                pickle.dump(setup, into)
            while (task := self._tasks.get()) is not None:
                pickle.dump(task, into)
                into.flush()
                answers.put((self, pickle.load(out)))
        answers.put((self, Death(self._child.wait())))


def serve() -> None:
    """What the child does. The text that it prints on the way goes to stderr."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    received: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_receive, args=(received,), daemon=True).start()
    sys.path[:] = pickle.loads(received.get())
    work: Callable[[Any], Any] | None = None
    while True:
        try:
            if work is None:
                work = pickle.loads(received.get())
            result = work(pickle.loads(received.get()))
            answer = pickle.dumps((True, result), pickle.HIGHEST_PROTOCOL)
        except Exception:  # raised in the parent
            answer = pickle.dumps((False, traceback.format_exc()))
        pickle.dump(answer, answers)
        answers.flush()


def _receive(received: "SimpleQueue[bytes]") -> None:
    """Until the parent closes the pipe or is gone; then the child ends, also within a task."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            received.put(pickle.load(sys.stdin.buffer))
    os._exit(0)


if __name__ == "__main__":
    serve()
