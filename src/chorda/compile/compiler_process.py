"""A compiler at work: a child that Ctrl-C or a limit of time ends, with all that it started."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
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
    """What became of a command; a TimeoutExpired where it took longer than so many seconds.

    It has a group of its own, since a compiler is a driver that starts others: none is left.
    folder: where it has its temporary files.
    """
    pipe, end = subprocess.PIPE, time.monotonic() + seconds
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        text=True,
        errors="replace",
        env=None if folder is None else os.environ | {"TMPDIR": str(folder)},
        start_new_session=True,
    ) as child:
        try:
            while True:
                left = end - time.monotonic()
                try:
                    out, error = child.communicate(timeout=max(0.0, min(left, POLL_INTERVAL)))
                    return subprocess.CompletedProcess(command, child.returncode, out, error)
                except subprocess.TimeoutExpired:
                    if left <= 0:
                        raise
                    pass_on_noted()
        except BaseException:
            _kill(child)
            raise


def _kill(child: "subprocess.Popen[str]") -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
