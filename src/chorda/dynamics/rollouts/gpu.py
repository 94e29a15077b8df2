"""A batch on a GPU: the same C, one robot a thread, the whole time loop in one kernel.

The source is what the compiler gets, with many.c as a kernel; NVRTC compiles it through CuPy. Where
there is no GPU, the same text is compiled for the host in tests.
"""

import re
from typing import Any

from chorda.compile import Batch, source
from chorda.compile.cuda import Launch
from chorda.compile.kernel import DRIVERS
from chorda.dynamics.sensitivities import AnyLoop
from chorda.errors import InputError

HEAD = """#define CHORDA_GPU 1
#define INFINITY (__longlong_as_double(0x7ff0000000000000LL))
"""
INSTALL = "pip install 'chorda[gpu]' (CuPy for your CUDA version) on a machine with an NVIDIA GPU"


def cuda(loop: AnyLoop, precision: str = "double") -> str:
    """CUDA source of the kernel chorda_many."""
    settings = loop.settings
    if settings.adaptive:
        raise InputError("scheme: adaptive schemes are for device='cpu'; expected fixed steps")
    text = source.generate(loop.functions(), settings.defines(), DRIVERS, long=False)
    text = re.sub(r"^#include <.*?>$", "", text, flags=re.M)
    if precision == "single":
        text = single(text)
    return HEAD + text


def single(text: str) -> str:
    """The same in single precision: types, and numbers as floats, lest they promote."""
    text = re.sub(r"\bdouble\b", "float", text)
    number = r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])"
    return re.sub(number, r"\1f", text)


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
    return found


def run(loop: AnyLoop, precision: str, batch: Batch) -> float:
    """Moves a batch to the GPU, runs it, and brings it back; seconds of the kernel alone."""
    kind = ("gpu", *loop.identity, precision)
    launch = loop.system.once(kind, lambda: Launch(cupy(), cuda(loop, precision), precision))
    there = launch.put(batch.arrays)
    seconds: float = launch(batch.whole, batch.h, batch.tolerance, there)
    x, _, _, _, _, X, done, code = (a.get() for a in there)
    batch.x[:], batch.X[:], batch.done[:], batch.code[:] = x, X, done, code
    return seconds
