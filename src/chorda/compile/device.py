"""The GPU of this machine, and kernels on it that are kept with a system."""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from chorda.compile.cuda import OPTIONS, Launch
from chorda.compile.gpu_cache import Source, cached_kernel
from chorda.errors import InputError
from chorda.mechanics import System
from chorda.numerics.progress import Progress

DEVICES = ("cpu", "gpu")
INSTALL = "pip install 'chorda[gpu]' (CuPy for your CUDA version) on a machine with an NVIDIA GPU"


def cupy() -> Any:
    """CuPy with a GPU, or the sentence that says what is missing."""
    try:
        import cupy as found
    except ImportError:
        raise InputError(f"device: 'gpu' needs CuPy, which is not installed; {INSTALL}") from None
    try:
        count = found.cuda.runtime.getDeviceCount()
    except Exception as error:
        raise InputError(f"device: no GPU can be used ({error}); {INSTALL}") from None
    if not count:
        raise InputError(f"device: no GPU was found; {INSTALL}")
    _wake(found, found.cuda.Device().id)
    return found


@cache
def _wake(cp: Any, number: int) -> None:
    """CUDA begins to start on a GPU, which takes a fifth of a second, while other work is done."""

    def start() -> None:
        with suppress(Exception), cp.cuda.Device(number):  # whoever needs it meets the same error
            cp.cuda.runtime.free(0)

    threading.Thread(target=start, daemon=True).start()


def source(
    system: System,
    identity: Any,
    name: str,
    text: Callable[[], str],
    *,
    cp: Any,
    precision: str = "double",
    recipe: Callable[[], str] | None = None,
) -> Source:
    """The source of a kernel that `launching` will ask for: NVRTC compiles it while other work is
    done, unless it is in the cache. recipe: what the text follows from."""

    def make() -> Source:
        return Source(cp, text, OPTIONS[precision], None if recipe is None else recipe())

    found: Source = system.once(("gpu source", name, identity, precision), make)
    return found


def launching(
    system: System,
    identity: Any,
    name: str,
    text: Callable[[], str],
    what: str,
    *,
    cp: Any,
    precision: str = "double",
    recipe: Callable[[], str] | None = None,
    progress: bool | None = None,
) -> Launch:
    """The kernel of that name, from the cache or compiled, with a line that says so.

    identity: what the kernel is, among those of the system; text: makes its source, unless the
    cache has what follows from its recipe; what: the words for it; cp: the module CuPy.
    """

    def make() -> Launch:
        with Progress(1, progress, f"NVRTC compiles {what}") as bar:
            begun = source(system, identity, name, text, cp=cp, precision=precision, recipe=recipe)
            kernel = cached_kernel(begun, name, what=what, tick=lambda: bar.update(0))
            return Launch(cp, kernel, precision)

    found: Launch = system.once(("gpu", name, identity, precision), make)
    return found
