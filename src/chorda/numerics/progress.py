"""A progress bar for long work: on terminals only, and only when the work takes a while."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self

from chorda.checks import flag
from chorda.safe_text import one_line

PATIENCE = 1.0  # [s] before a bar appears


class Progress:
    """wanted: True shows it at once, False never, None on a terminal after a second."""

    def __init__(self, total: int, wanted: bool | None, title: str) -> None:
        self._total, self._title = total, one_line(title)
        wanted = None if wanted is None else flag("progress", wanted)
        self._wanted = sys.stderr.isatty() if wanted is None else wanted
        self._wait = 0.0 if wanted else PATIENCE
        self._begin = time.perf_counter()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def update(self, done: int) -> None:
        if not self._wanted or time.perf_counter() - self._begin < self._wait:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f} %"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task(self._title, total=self._total)
        self._bar.update(self._task, completed=done)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """The Ctrl-C that came: look after each piece of work; the second one raises.

    A KeyboardInterrupt raised inside CasADi may come out as a failed evaluation, as a result that
    is None, or not at all.
    """
    seen: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        seen.append(number)
        if len(seen) > 1:
            raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield seen
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
