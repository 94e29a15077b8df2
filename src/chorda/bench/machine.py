"""The machine that the numbers come from, without names or paths."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

from chorda.compile import find


def describe() -> dict[str, str]:
    """CPU, cores, system, versions, compiler, and how busy the machine is."""
    compiler = find()
    out = {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "casadi": version("casadi"),
        "compiler": compiler.identity if compiler else "none",
    }
    if hasattr(os, "getloadavg"):
        out["load average"] = f"{os.getloadavg()[0]:.1f}"
    return out


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n")
        return next(x.split(":", 1)[1].strip() for x in lines if x.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"
