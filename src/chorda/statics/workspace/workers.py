"""Who surveys: this process, or others beside it on the other cores.

The others are plain processes that speak in pickles over their pipes. They need no guard around
the user's script, and a Ctrl-C that reaches all of them ends none of them at once.
"""

import pickle
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

from chorda.describe import dump
from chorda.errors import SolveError
from chorda.mechanics import Array
from chorda.numerics.processes import beside
from chorda.statics.problem import Problem
from chorda.statics.workspace.pieces import Finds, Surveyor, Task, packed

SMALLEST, LARGEST = 4, 32  # tasks in a piece
SERVE = "from chorda.statics.workspace.worker import serve; serve()"
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
Stop = Callable[[], bool]


class Alone:
    """All work in this process."""

    jobs = 1

    def __init__(self, surveyor: Surveyor) -> None:
        self._surveyor = surveyor

    def survey(self, tasks: Sequence[Task], stop: Stop) -> Iterator[Finds]:
        for i in range(0, len(tasks), LARGEST):
            if stop():
                return
            yield self._surveyor.survey(tasks[i : i + LARGEST])

    def close(self) -> None:
        pass


class Crew:
    """Work in several processes; pieces come back as they are done."""

    def __init__(
        self,
        jobs: int,
        problem: Problem,
        columns: tuple[int, ...],
        start: tuple[Array, Array],
        leaps: bool,
    ) -> None:
        _ = problem.kernel  # compiled once, before everyone asks for it
        system = problem.system
        setup = {
            "robot": dump(system.robot),
            "tendons": system.mode,
            "prescription": problem.prescription,
            "u": problem.u,
            "p": problem.p,
            "columns": columns,
            "start": start,
            "leaps": leaps,
        }
        self.jobs = jobs
        self._all = [_Worker(setup) for _ in range(jobs)]
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._all:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(jobs)

    def survey(self, tasks: Sequence[Task], stop: Stop) -> Iterator[Finds]:
        size = min(LARGEST, max(SMALLEST, len(tasks) // (4 * self.jobs)))
        pieces = [tasks[i : i + size] for i in range(0, len(tasks), size)]
        waiting = [self._threads.submit(self._one, piece, stop) for piece in pieces]
        for done in as_completed(waiting):
            if (finds := done.result()) is not None:
                yield finds

    def _one(self, piece: Sequence[Task], stop: Stop) -> Finds | None:
        if stop():
            return None
        worker = self._idle.get()
        try:
            return worker.ask(piece)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        for worker in self._all:
            worker.close()


class _Worker:
    def __init__(self, setup: dict[str, Any]) -> None:
        self._process = beside(SERVE, **ONE_THREAD)
        self._setup: dict[str, Any] | None = setup
        self._lock = threading.Lock()

    def ask(self, piece: Sequence[Task]) -> Finds:
        into, out = self._pipes()
        with self._lock:
            try:
                if self._setup is not None:
                    pickle.dump(self._setup, into)
                    self._setup = None
                pickle.dump(packed(piece), into, pickle.HIGHEST_PROTOCOL)
                into.flush()
                answer = pickle.load(out)
            except (EOFError, OSError):
                raise SolveError(
                    "jobs: a process that helps has ended (out of memory?); take fewer jobs, "
                    "jobs=1 works in this process alone"
                ) from None
        if isinstance(answer, str):
            raise SolveError(f"jobs: a process that helps has failed: {answer}")
        found: Finds = answer
        return found

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def close(self) -> None:
        into, out = self._pipes()
        with suppress(OSError):
            into.close()  # its end of work
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        out.close()
