"""A batch on a GPU: the same C, one robot a thread, the whole time loop in one kernel.

The source is what the compiler gets, with many.c as a kernel; NVRTC compiles it through CuPy. Where
there is no GPU, the same text is compiled for the host in tests.
"""

import re
from functools import partial
from typing import Any

import numpy as np

from chorda.compile import Batch, source
from chorda.compile.cuda import Launch
from chorda.compile.gpu_cache import cached_kernel
from chorda.compile.kernel import DRIVERS
from chorda.dynamics.sensitivities import AnyLoop
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.tensioning import refuse_pushing_inputs
from chorda.numerics.progress import Progress

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


def launching(loop: AnyLoop, precision: str, progress: bool | None) -> Launch:
    """The kernel of a loop, from the cache or compiled now, with a line that says so."""
    robot, scheme = loop.system.robot.name, loop.scheme.name
    what = f"{scheme} of {robot} in {precision} precision"

    def make() -> Launch:
        with Progress(1, progress, f"NVRTC compiles {what}") as bar:
            obtain = partial(cached_kernel, what=what, tick=lambda: bar.update(0))
            return Launch(cupy(), cuda(loop, precision), precision, obtain)

    found: Launch = loop.system.once(("gpu", *loop.identity, precision), make)
    return found


def batch_there(
    launch: Launch, times: tuple[float, int, int], arrays: tuple[Any, ...], tolerance: float
) -> Batch:
    """A batch on the GPU; times: step, steps, and how many to each kept one; arrays: x, signal, p,
    low, high, of which those that are there stay there."""
    there = dict(zip(("x", "signal", "p", "low", "high"), launch.put(arrays), strict=True))
    h, steps, every = times
    return Batch(h, steps, every, tolerance=tolerance, xp=launch.cp, real=launch.real, **there)


def run(launch: Launch, batch: Batch) -> float:
    """Seconds of the kernel alone."""
    return launch(batch.whole, batch.h, batch.tolerance, batch.arrays)


def signal_there(cp: Any, system: System, inputs: Any, time: Array) -> Any:
    """Rows of inputs (members, inputs) or (members, times, inputs) of an array on the GPU as a
    signal there, (times, inputs, members)."""
    rows = cp.from_dlpack(inputs)
    names = [i.name for i in system.inputs]
    if rows.ndim not in (2, 3) or rows.shape[-1] != len(names):
        raise InputError(
            f"inputs: expected rows (members, {len(names)}) or (members, times, {len(names)}) on "
            f"the GPU ({', '.join(names)}), got an array of shape {rows.shape}"
        )
    if rows.ndim == 3 and rows.shape[1] not in (1, len(time)):
        raise InputError(
            f"inputs: expected 1 row or {len(time)} rows (one for each time), got {rows.shape[1]}"
        )
    others = tuple(range(rows.ndim - 1))
    least, most = rows.min(axis=others).get(), rows.max(axis=others).get()
    if not (np.all(np.isfinite(least)) and np.all(np.isfinite(most))):
        raise InputError("inputs: expected finite numbers, got NaN or infinity")
    refuse_pushing_inputs(system.robot, dict(zip(names, least.tolist(), strict=True)))
    signal = rows[None].transpose(0, 2, 1) if rows.ndim == 2 else rows.transpose(1, 2, 0)
    return cp.ascontiguousarray(signal)
