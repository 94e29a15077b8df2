"""A function in a process of its own: it may crash, hang or eat memory without harm."""

import contextlib
import faulthandler
import json
import os
import resource
import select
import signal
import sys
import warnings
from collections.abc import Callable

from chorda.errors import ChordaError

MOST_MEMORY = 8 * 2**30  # [B] of address space
SLOW = 20.0  # [s] what takes longer hangs


def outcome(attempt: Callable[[], str]) -> tuple[str, str]:
    """A word and its detail: clear, accepted (or what `attempt` returns), raw, hang."""
    sys.stdout.flush()
    sys.stderr.flush()
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other threads do not matter to the child
        child = os.fork()
    if not child:
        os.close(read)
        try:
            _tried(attempt, write)
        finally:
            os._exit(0)
    os.close(write)
    found = b""
    try:
        while True:
            ready, _, _ = select.select([read], [], [], SLOW)
            if not ready:
                os.kill(child, signal.SIGKILL)
                return "hang", f"more than {SLOW:g} s"
            if not (more := os.read(read, 1 << 16)):
                break
            found += more
    finally:
        os.close(read)
        _, status = os.waitpid(child, 0)
    if not found:
        return "raw", f"the process ended with status {status}"
    word, detail = json.loads(found)
    return word, detail


def _tried(attempt: Callable[[], str], write: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.disable()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    result = ("raw", "no result")
    with warnings.catch_warnings(), contextlib.suppress(BaseException):
        warnings.simplefilter("ignore")
        try:
            result = (attempt(), "")
        except ChordaError as error:
            result = ("clear", str(error))
        except BaseException as error:
            result = ("raw", f"{type(error).__name__}: {error}")
    result = result[0], result[1].replace("\n", " ")[:300]
    os.write(write, json.dumps(result).encode())
