"""Cores that this process may use, and processes of this package beside it."""

import os
import subprocess
import sys
from pathlib import Path


def cores() -> int:
    """That this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def beside(code: str, **environment: str) -> "subprocess.Popen[bytes]":
    """Python with this package, running the code, with pipes for what it reads and writes."""
    package = str(Path(__file__).parents[2])
    paths = os.pathsep.join(x for x in (package, os.environ.get("PYTHONPATH", "")) if x)
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | environment | {"PYTHONPATH": paths},
    )
