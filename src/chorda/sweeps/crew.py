"""Who computes: this process, others on this machine, or the workers of a Dask scheduler.

Each is a function from chunks of points to pieces, in whatever order they get done.
"""

import pickle
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Any

import numpy as np

from chorda.errors import SolveError
from chorda.mechanics import Array
from chorda.numerics.processes import beside
from chorda.results import Code
from chorda.sweeps.computing import Piece
from chorda.sweeps.worker import compute

SERVE = "from chorda.sweeps.worker import serve; serve()"
TRIES = 2  # how often a chunk may end its process; then its points are tried one by one
LOOK = 0.2  # [s] between two looks at Ctrl-C
Chunk = tuple[int, Array]
Stop = Callable[[], bool]


@dataclass(frozen=True)
class Work:
    """What all chunks share."""

    text: str  # of the study
    shapes: Mapping[str, Sequence[int]]


def alone(work: Work, chunks: Iterable[Chunk], stop: Stop) -> Iterator[tuple[int, Piece]]:
    """All in this process."""
    for k, rows in chunks:
        if stop():
            return
        yield k, compute(work.text, rows, work.shapes)


def together(
    jobs: int, work: Work, chunks: Iterable[Chunk], stop: Stop
) -> Iterator[tuple[int, Piece]]:
    """In several processes. One that dies is replaced, and its chunk is done again.

    They are plain processes that speak in pickles over their pipes: they need no guard around the
    user's script, and end with this one.
    """
    waiting, lock = iter(chunks), threading.Lock()
    ready: Queue[Any] = Queue(2 * jobs)  # bounded: computing waits for writing
    over = threading.Event()
    helpers = [_Helper(work, over) for _ in range(jobs)]

    def run(helper: _Helper) -> None:
        try:
            while not over.is_set():
                with lock:
                    task = next(waiting, None)
                if task is None:
                    break
                ready.put((task[0], helper.piece(task[1])))
        except Exception as error:  # raised where the pieces are used
            ready.put(error)
        finally:
            ready.put(None)

    threads = [threading.Thread(target=run, args=(x,), daemon=True) for x in helpers]
    for thread in threads:
        thread.start()
    busy = jobs
    try:
        while busy and not stop():
            try:
                answer = ready.get(timeout=LOOK)
            except Empty:
                continue
            if answer is None:
                busy -= 1
            elif isinstance(answer, Exception):
                raise answer
            else:
                yield answer
    finally:
        over.set()
        for helper in helpers:
            helper.end()
        while any(thread.is_alive() for thread in threads):
            with suppress(Empty):
                ready.get(timeout=LOOK)
        for helper in helpers:
            helper.end()


class _Helper:
    """A process, started anew when it dies."""

    def __init__(self, work: Work, over: threading.Event) -> None:
        self._work, self._over = work, over
        self._process: subprocess.Popen[bytes] | None = None
        self._guard = threading.Lock()

    def piece(self, rows: Array, tries: int = TRIES) -> Piece:
        for _ in range(tries):
            try:
                return self._ask(rows)
            except (EOFError, OSError, pickle.UnpicklingError):
                code = self.end()
                if self._over.is_set():
                    raise SolveError("the sweep was ended") from None
        if len(rows) > 1:
            return _joined([self.piece(row[None], 1) for row in rows])
        shapes = self._work.shapes
        blank = {name: np.full((1, *shape), np.nan) for name, shape in shapes.items()}
        why = f"the process that computed this point ended with code {code}"
        return Piece(blank, [str(Code.FAILED)], [why])

    def _ask(self, rows: Array) -> Piece:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump(rows, process.stdin, pickle.HIGHEST_PROTOCOL)
        process.stdin.flush()
        answer: Any = pickle.load(process.stdout)
        if isinstance(answer, str):
            raise SolveError(f"a process that computes has failed: {answer}")
        found: Piece = answer
        return found

    def _running(self) -> "subprocess.Popen[bytes]":
        with self._guard:
            if self._over.is_set():
                raise EOFError
            if self._process is None:
                self._process = beside(SERVE)
                assert self._process.stdin is not None
                pickle.dump((self._work.text, dict(self._work.shapes)), self._process.stdin)
            return self._process

    def end(self) -> int | None:
        """Its exit code; it keeps nothing that would be lost."""
        with self._guard:
            process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        return code


def _joined(pieces: Sequence[Piece]) -> Piece:
    return Piece(
        {name: np.concatenate([x.arrays[name] for x in pieces]) for name in pieces[0].arrays},
        [code for x in pieces for code in x.codes],
        [message for x in pieces for message in x.messages],
    )
