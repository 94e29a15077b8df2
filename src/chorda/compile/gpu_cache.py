"""GPU kernels in the cache of kernels: NVRTC compiles a source once for each kind of GPU."""

import functools
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chorda.compile import cache
from chorda.errors import CompileError

Compile = Callable[[Any, str, Sequence[str]], bytes]
Tick = Callable[[], object]
TICK_INTERVAL = 0.1  # [s] while NVRTC compiles


def by_nvrtc(cp: Any, text: str, options: Sequence[str]) -> bytes:
    """The machine code of a CUDA source for this GPU; cp is the module CuPy."""
    made = cp.cuda.compiler.compile_using_nvrtc(text, tuple(options))
    code = made[0] if isinstance(made, tuple) else made
    return code.encode() if isinstance(code, str) else bytes(code)


def key(cp: Any, text: str, options: Sequence[str]) -> str:
    """What a compiled kernel depends on: source, options, NVRTC's version, and the kind of GPU."""
    version = ".".join(map(str, cp.cuda.nvrtc.getVersion()))
    capability = str(cp.cuda.Device().compute_capability)
    return cache.key("gpu", text, "\0".join(options), version, capability)


def cached_kernel(
    cp: Any,
    text: str,
    name: str,
    options: Sequence[str],
    *,
    what: str = "a kernel",
    tick: Tick = lambda: None,
    compile_text: Compile = by_nvrtc,
) -> Any:
    """The kernel of that name in a CUDA source, from the cache if it is there.

    what: is compiled, for the line that is logged before. tick: called now and then meanwhile.
    """

    def make(folder: Path) -> dict[str, Any]:
        lines = text.count("\n")
        capability = str(cp.cuda.Device().compute_capability)
        logging.getLogger("chorda").info(
            "Compiling %s for a GPU of compute capability %s (%d lines); the next time it comes "
            "from the cache.", what, capability, lines,
        )  # fmt: skip
        try:
            code = _beside(functools.partial(compile_text, cp, text, options), tick)
        except Exception as error:  # CuPy's own, which is not there without CuPy
            reason = str(error).strip()[:500] or type(error).__name__
            raise CompileError(
                f"NVRTC could not compile {what}: {reason}; take device='cpu' instead"
            ) from None
        (folder / cache.LIBRARY).write_bytes(code)
        return {"capability": capability, "options": list(options)}

    def load(library: Path, _: Any) -> Any:
        try:
            return cp.RawModule(path=str(library)).get_function(name)
        except Exception as error:
            raise OSError(f"{type(error).__name__}: {error}") from None

    return cache.obtain(key(cp, text, options), make, load)


def _beside(work: Callable[[], bytes], tick: Tick) -> bytes:
    """The result of some work on a thread of its own, so that Ctrl-C and progress have their turn;
    after Ctrl-C it is left to itself."""
    found: list[bytes | BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # raised again where it was asked for
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(TICK_INTERVAL)
        tick()
    (result,) = found
    if isinstance(result, BaseException):
        raise result
    return result
