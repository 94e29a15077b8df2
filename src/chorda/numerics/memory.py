"""Memory that is free, asked before work begins that would not fit."""

import math
import os
from contextlib import suppress
from pathlib import Path

from chorda.errors import InputError

NEGLIGIBLE = 2.0**24  # [bytes] not worth the half millisecond that asking takes
GROUPS = Path("/sys/fs/cgroup")
GROUP_FILES = {  # by controller: the most, what is used, and the part of it that can be given back
    "": (GROUPS, "memory.max", "memory.current", "inactive_file"),
    "memory": (
        GROUPS / "memory",
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "total_inactive_file",
    ),
}


def free_memory() -> float:
    """[bytes] that this process may still take; infinity where nobody knows."""
    return min(_of_machine(), _of_container(), _of_process())


def refuse_beyond(field: str, what: str, size: float, remedy: str) -> None:
    """Refuse work that needs more memory [bytes] than is free.

    >>> refuse_beyond("every", "1e18 rows of 2 numbers", 1.6e19, "keep fewer")
    Traceback (most recent call last):
    chorda.errors.InputError: every: 1e18 rows of 2 numbers need about 1.6e+10 GB of memory, ...
    """
    if size <= NEGLIGIBLE:
        return
    free = free_memory()
    if size > free:
        raise InputError(
            f"{field}: {what} need about {size / 1e9:.3g} GB of memory, expected at most the "
            f"{free / 1e9:.3g} GB that are free; {remedy}"
        )


def _of_machine() -> float:
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().split("\n"):
            if line.startswith("MemAvailable:"):
                return 1024.0 * int(line.split()[1])
    with suppress(AttributeError, OSError, ValueError):
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return math.inf


def _of_container() -> float:
    """The least of what the groups leave that this process is in."""
    free = math.inf
    for controller, (root, most, used, idle) in GROUP_FILES.items():
        for folder in (root, root / _group(controller)):
            with suppress(OSError, ValueError):  # 'max', or no such group
                left = int((folder / most).read_text()) - int((folder / used).read_text())
                stat = (folder / "memory.stat").read_text().split("\n")
                left += sum(int(x.split()[1]) for x in stat if x.startswith(f"{idle} "))
                free = min(free, float(left))
    return free


def _group(controller: str) -> str:
    """The path of the group for this controller, '' at the root."""
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/cgroup").read_text().split("\n"):
            _, controllers, path = line.split(":", 2)
            if controller in controllers.split(","):
                return path.strip("/")
    return ""


def _of_process() -> float:
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return math.inf
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return float(limit - pages * resource.getpagesize())
    except (ImportError, OSError, ValueError):
        return math.inf
