"""One pool of workers: the same work on many tasks, in this process or in several beside it."""

import pickle
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar

from chorda.errors import SolveError
from chorda.numerics.ctrl_c import abandonable
from chorda.numerics.processes import Death, Process

MAX_DEATHS = 2  # processes that a task may end before it is given up
POLL_INTERVAL = 0.2  # [s] between two looks at `stop`
Key = TypeVar("Key")
Stop = Callable[[], bool]


class Workers:
    """A pool of processes.

    Parameters
    ----------
    count
        How many processes. One worker is this process itself.
    work
        A function of one task that can be pickled. It is sent to each process once.
    """

    def __init__(self, count: int, work: Callable[[Any], Any]) -> None:
        self.count, self._work = count, work
        self._processes: list[Process] = []
        self._answers: SimpleQueue[tuple[Process, Any]] = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.end()
        self._processes.clear()

    def results(self, tasks: Iterable[tuple[Key, Any]], stop: Stop) -> Iterator[tuple[Key, Any]]:
        """Pairs (key, answer) for pairs (key, task), in the order in which they get done.

        A process takes its next task when it has done one, so that `tasks` is read as slowly as
        the answers are used. A process that dies is replaced and its task is done again; a task
        that ends two processes has a `Death` for an answer. An exception in a process is raised
        here, with its traceback. Once `stop()` is true no more answers come, and what was
        begun is given up.
        """
        if self.count > 1:
            yield from self._beside(tasks, stop)
            return
        for key, task in tasks:
            if stop():
                return
            try:
                with abandonable():
                    answer = self._work(task)
            except KeyboardInterrupt:
                if not stop():
                    raise
                return
            if stop():  # loops within the work have looked too
                return
            yield key, answer

    def _beside(self, tasks: Iterable[tuple[Key, Any]], stop: Stop) -> Iterator[tuple[Key, Any]]:
        waiting = ((key, task, 0) for key, task in tasks)
        busy: dict[Process, tuple[Key, Any, int]] = {}

        def give(process: Process, item: tuple[Key, Any, int] | None) -> None:
            if item is not None:
                process.give(item[1])
                busy[process] = item

        work = pickle.dumps(self._work)
        while len(self._processes) < self.count:
            self._processes.append(Process(work, self._answers))
        try:
            for process in self._processes:
                give(process, next(waiting, None))
            while busy and not stop():
                try:
                    process, answer = self._answers.get(timeout=POLL_INTERVAL)
                except Empty:
                    continue
                if process not in busy:  # ended before
                    continue
                key, task, deaths = busy.pop(process)
                if isinstance(answer, Death):
                    self._processes.remove(process)
                    process = Process(work, self._answers)
                    self._processes.append(process)
                    if deaths + 1 < MAX_DEATHS:
                        give(process, (key, task, deaths + 1))
                        continue
                else:
                    fine, answer = pickle.loads(answer)
                    if not fine:
                        raise SolveError(f"a worker process has failed:\n{answer}")
                give(process, next(waiting, None))  # it works while the answer is used
                yield key, answer
        finally:
            for process in busy:
                process.end()
                self._processes.remove(process)
