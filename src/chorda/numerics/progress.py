"""A progress bar for long work: on terminals only, and only when the work takes a while."""

import sys
import time
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
