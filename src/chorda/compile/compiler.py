"""The system's C compiler, if there is one."""

import hashlib
import logging
import os
import platform
import shlex
import shutil
import subprocess
import sys
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chorda.compile.compiler_process import LIMIT, ended, limit
from chorda.errors import InputError

NONE = "none"
PROBE_LIMIT = 20.0  # [s] in which a compiler tells its version
FAST, PLAIN = ("-O2",), ("-Os",)  # most kernels; long ones, whose time is that of reading code
ARITHMETIC = ("-Og",)  # pieces without loops, in which there is nothing to be gained


def flags_on(system: str, machine: str) -> tuple[str, ...]:
    """What every compiler of a system takes: clang refuses -fPIC on Windows, and -march=native on
    Apple's processors until its version 15, where it means that processor anyway."""
    place = () if system == "Windows" else ("-fPIC",)
    native = () if (system, machine) == ("Darwin", "arm64") else ("-march=native",)
    return (*place, *native, "-fno-math-errno", "-w")


FLAGS = flags_on(platform.system(), platform.machine())


@dataclass(frozen=True)
class Compiler:
    """A command that compiles C, and what identifies it."""

    command: tuple[str, ...]
    identity: str


given_up: set[Compiler] = set()  # of this process: they took longer than they may


@cache
def _probe(command: tuple[str, ...]) -> Compiler | None:
    try:
        run = ended([*command, "--version"], PROBE_LIMIT)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    identity = run.stdout.split("\n")[0]
    return Compiler(command, identity) if run.returncode == 0 else None


def find() -> Compiler | None:
    """The compiler to use: CHORDA_COMPILER (a command, or 'none'), else cc, gcc, clang, zig."""
    wanted = os.environ.get("CHORDA_COMPILER", "").strip()
    if wanted == NONE:
        return None
    if wanted:
        try:
            found = _probe(words_of(wanted, windows=os.name == "nt"))
        except ValueError:  # an open quote
            found = None
        if found is None:
            raise InputError(
                f"CHORDA_COMPILER: '{wanted}' does not run; give a C compiler's command, or "
                "'none' to do without"
            )
        return found
    return _first_on(os.environ.get("PATH", ""))


def words_of(command: str, windows: bool) -> tuple[str, ...]:
    """A command as its system reads it: on Windows a backslash divides folders."""
    words = shlex.split(command, posix=not windows)
    return tuple(x.strip('"') for x in words) if windows else tuple(words)


@cache
def _first_on(path: str) -> Compiler | None:
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name, path=path) and (found := _probe((name,))):
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


def announcement(found: Compiler | None) -> str:
    """The sentence that says how kernels run."""
    if found is None:
        return (
            "No C compiler is used: kernels run in CasADi's virtual machine, correct but about "
            "100 times slower. Install gcc or clang, or pip install 'chorda[compiler]'."
        )
    return f"Kernels are compiled with {found.identity} and cached."


def give_up(found: Compiler) -> None:
    """Do not wait for this compiler again in this process, and say so once."""
    if found in given_up:
        return
    given_up.add(found)
    warnings.warn(
        f"The compiler {found.command[0]} was ended after {LIMIT} = {limit():g} s. Kernels that "
        "are not in the cache run in CasADi's virtual machine from now on, correct but about 100 "
        f"times slower; raise {LIMIT} if the compiler needs longer, or choose another one by "
        "CHORDA_COMPILER.",
        stacklevel=2,
    )


@cache
def announce(found: Compiler | None) -> None:
    """Log that sentence, once a process: as a warning only where a compiler was looked for."""
    missing = found is None and os.environ.get("CHORDA_COMPILER", "").strip() != NONE
    logging.getLogger("chorda").log(
        logging.WARNING if missing else logging.INFO, announcement(found)
    )
