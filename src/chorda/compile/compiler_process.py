"""A compiler at work: a child that Ctrl-C or a limit of time ends, with all that it started."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from chorda.checks import number
from chorda.numerics.ctrl_c import interruptible, pass_on_noted

DEFAULT_LIMIT = 300.0  # [s]; large kernels take seconds
POLL_INTERVAL = 0.2  # [s] between two looks at Ctrl-C
LIMIT = "CHORDA_COMPILE_LIMIT"


def limit() -> float:
    """How long a compiler may take [s]: CHORDA_COMPILE_LIMIT, else five minutes."""
    wanted = os.environ.get(LIMIT, "").strip()
    given: str | float = wanted or DEFAULT_LIMIT
    with suppress(ValueError):
        given = float(given)
    return number(LIMIT, given, above=0, unit="seconds")


@interruptible()
def ended(
    command: Sequence[str], seconds: float, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """What became of a command; a TimeoutExpired where it took longer than so many seconds."""
    return all_ended([command], seconds, folder)[0]


@interruptible()
def all_ended(
    commands: Sequence[Sequence[str]], seconds: float, folder: Path | None = None
) -> list[subprocess.CompletedProcess[str]]:
    """What became of commands that run at once.

    Each has a group of its own, since a compiler is a driver that starts others: none is left.
    folder: where they have their temporary files.
    """
    pipe, end = subprocess.PIPE, time.monotonic() + seconds
    with ExitStack() as stack:
        children = [
            stack.enter_context(
                subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=pipe,
                    stderr=pipe,
                    text=True,
                    errors="replace",
                    env=None if folder is None else os.environ | {"TMPDIR": str(folder)},
                    start_new_session=True,
                )
            )
            for command in commands
        ]
        try:
            printed = [_awaited(child, end) for child in children]
        except BaseException:
            for child in children:
                _kill(child)
            raise
    return [
        subprocess.CompletedProcess(child.args, child.returncode, *texts)
        for child, texts in zip(children, printed, strict=True)
    ]


def _awaited(child: "subprocess.Popen[str]", end: float) -> tuple[str, str]:
    """What it printed, once it has ended."""
    while True:
        left = end - time.monotonic()
        try:
            return child.communicate(timeout=max(0.0, min(left, POLL_INTERVAL)))
        except subprocess.TimeoutExpired:
            if left <= 0:
                raise
            pass_on_noted()


def _kill(child: "subprocess.Popen[str]") -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
