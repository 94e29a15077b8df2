"""The system's C compiler, if there is one."""

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chorda.errors import InputError

NONE = "none"
FAST, PLAIN = ("-O2",), ("-O1",)  # small kernels; large ones, where -O2 takes minutes
FLAGS = ("-shared", "-fPIC", "-march=native", "-fno-math-errno", "-w")


@dataclass(frozen=True)
class Compiler:
    """A command that compiles C, and what identifies it."""

    command: tuple[str, ...]
    identity: str


@cache
def _probe(command: tuple[str, ...]) -> Compiler | None:
    try:
        run = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Compiler(command, run.stdout.split("\n")[0]) if run.returncode == 0 else None


def find() -> Compiler | None:
    """The compiler to use: CHORDA_COMPILER (a command, or 'none'), else cc, gcc, clang, zig."""
    wanted = os.environ.get("CHORDA_COMPILER", "").strip()
    if wanted == NONE:
        return None
    if wanted:
        found = _probe(tuple(shlex.split(wanted)))
        if found is None:
            raise InputError(
                f"CHORDA_COMPILER: '{wanted}' does not run; give a C compiler's command, or "
                "'none' to do without"
            )
        return found
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name) and (found := _probe((name,))):
            return found
    return _probe((sys.executable, "-m", "ziglang", "cc"))


@cache
def processor() -> str:
    """What -march=native depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].split("\n")
        kept = sorted(x for x in lines if x.startswith(("model name", "flags", "Features")))
        return hashlib.sha256("\n".join(kept).encode()).hexdigest()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"


@cache
def announcement(found: Compiler | None) -> str:
    """The sentence that says how kernels run."""
    if found is None:
        return (
            "No C compiler is used: kernels run in CasADi's virtual machine, correct but about "
            "20 times slower. Install gcc or clang, or pip install 'chorda[compiler]'."
        )
    return f"Kernels are compiled with {found.identity} and cached."
