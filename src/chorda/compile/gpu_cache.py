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


def key(cp: Any, recipe: str, options: Sequence[str]) -> str:
    """What a compiled kernel depends on: what its source follows from, options, NVRTC's version,
    and the kind of GPU."""
    version = ".".join(map(str, cp.cuda.nvrtc.getVersion()))
    capability = str(cp.cuda.Device().compute_capability)
    return cache.key("gpu", recipe, "\0".join(options), version, capability)


class Source:
    """A CUDA source, which NVRTC compiles on a thread of its own for the GPU that is chosen here.

    That begins at once unless the cache has the kernel, so that other work can be done meanwhile.
    recipe: what the text follows from, which is not made then; without it, the text itself.
    """

    def __init__(
        self,
        cp: Any,
        text: Callable[[], str],
        options: Sequence[str],
        recipe: str | None = None,
        compile_text: Compile = by_nvrtc,
    ) -> None:
        self.cp, self.options = cp, tuple(options)
        self._made, self._compile = functools.cache(text), compile_text
        self.key = key(cp, self.text if recipe is None else recipe, options)
        self._thread: threading.Thread | None = None
        if cache.lookup(cache.usable_home(), self.key) is None:
            self._begin()

    @property
    def text(self) -> str:
        return self._made()

    def code(self, tick: Tick) -> bytes:
        """The machine code, with a tick now and then until it is there; after Ctrl-C NVRTC is left
        to itself."""
        thread = self._thread or self._begin()
        while thread.is_alive():
            thread.join(TICK_INTERVAL)
            tick()
        self._thread = None
        (result,) = self._found
        if isinstance(result, BaseException):
            raise result
        return result

    def _begin(self) -> threading.Thread:
        self._found: list[bytes | BaseException] = []
        found, device, text = self._found, self.cp.cuda.Device(), self.text

        def run() -> None:
            try:
                with device:  # a thread has a choice of its own
                    found.append(self._compile(self.cp, text, self.options))
            except BaseException as error:  # raised again where it was asked for
                found.append(error)

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()
        return self._thread


def cached_kernel(
    source: Source, name: str, *, what: str = "a kernel", tick: Tick = lambda: None
) -> Any:
    """The kernel of that name in a CUDA source, from the cache if it is there.

    what: is compiled, for the line that is logged. tick: called now and then meanwhile.
    """

    def make(folder: Path) -> dict[str, Any]:
        capability = str(source.cp.cuda.Device().compute_capability)
        logging.getLogger("chorda").info(
            "Compiling %s for a GPU of compute capability %s (%d lines); the next time it comes "
            "from the cache.", what, capability, source.text.count("\n"),
        )  # fmt: skip
        try:
            code = source.code(tick)
        except Exception as error:  # CuPy's own, which is not there without CuPy
            reason = str(error).strip()[:500] or type(error).__name__
            raise CompileError(
                f"NVRTC could not compile {what}: {reason}; take device='cpu' instead"
            ) from None
        (folder / cache.LIBRARY).write_bytes(code)
        return {"capability": capability, "options": list(source.options)}

    def load(library: Path, _: Any) -> Any:
        try:
            return source.cp.RawModule(path=str(library)).get_function(name)
        except Exception as error:
            raise OSError(f"{type(error).__name__}: {error}") from None

    return cache.obtain(source.key, make, load)
