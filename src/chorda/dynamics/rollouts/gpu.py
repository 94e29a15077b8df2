"""A batch on a GPU: the same C, one robot a thread, the whole time loop in one kernel."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from chorda.checks import check_names
from chorda.compile import Batch, device
from chorda.compile.cuda import Launch
from chorda.compile.cuda_text import cuda_text
from chorda.compile.kernel import DRIVERS
from chorda.compile.library import WRITERS, written
from chorda.dynamics.kernels import recipe
from chorda.dynamics.sensitivities import AnyLoop
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.tensioning import refuse_pushing_inputs
from chorda.numerics.array_library import library

NAME = "chorda_many"
CUDA_WRITERS = (*WRITERS, "cuda_text.py")


def cuda(loop: AnyLoop, precision: str = "double") -> str:
    """CUDA source of the kernel chorda_many."""
    return cuda_text(loop.functions(), loop.settings.defines(), DRIVERS, precision)


def begin(loop: AnyLoop, precision: str, cp: Any) -> None:
    """NVRTC begins with the kernel of a loop, unless it is in the cache."""
    device.source(loop.system, cp=cp, **_made_of(loop, precision))


def launch_of(loop: AnyLoop, precision: str, cp: Any, progress: bool | None) -> Launch:
    """The kernel of a loop, from the cache or compiled, with a line that says so."""
    what = f"{loop.scheme.name} of {loop.system.robot.name} in {precision} precision"
    made_of = _made_of(loop, precision)
    return device.launching(loop.system, what=what, cp=cp, progress=progress, **made_of)


def _made_of(loop: AnyLoop, precision: str) -> dict[str, Any]:
    """Its identity, name and source, and what that follows from."""
    defines = loop.settings.defines()
    if loop.settings.adaptive:
        raise InputError("scheme: adaptive schemes are for device='cpu'; expected fixed steps")
    return {
        "identity": loop.identity,
        "name": NAME,
        "text": partial(cuda, loop, precision),
        "precision": precision,
        "recipe": lambda: precision + written(recipe(loop), defines, DRIVERS, CUDA_WRITERS),
    }


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
    members, *whole = batch.whole
    tolerance = float(max(batch.tolerance, launch.least))
    return launch(members, (*whole, float(batch.h), tolerance), batch.arrays)


def is_there(inputs: Any) -> bool:
    """Whether inputs are on the GPU, or some of those given by name."""
    given = inputs.values() if isinstance(inputs, Mapping) else [inputs]
    return any(hasattr(x, "shape") and library(x) is not np for x in given)


def signal_there(system: System, inputs: Any, time: Array, members: int) -> Any:
    """Inputs that are on the GPU, as a signal there, (times, inputs, members).

    inputs: rows (members, inputs) or (members, times, inputs), or by name numbers, arrays (members)
    and (members, times).
    """
    if isinstance(inputs, Mapping):
        return _by_name(system, inputs, time, members)
    cp, names = library(inputs), [i.name for i in system.inputs]
    if inputs.ndim not in (2, 3) or inputs.shape[-1] != len(names):
        raise InputError(
            f"inputs: expected rows (members, {len(names)}) or (members, times, {len(names)}) on "
            f"the GPU ({', '.join(names)}), got an array of shape {inputs.shape}"
        )
    if inputs.ndim == 3 and inputs.shape[1] not in (1, len(time)):
        raise InputError(
            f"inputs: expected 1 row or {len(time)} rows (one for each time), got {inputs.shape[1]}"
        )
    rows = inputs[None].transpose(0, 2, 1) if inputs.ndim == 2 else inputs.transpose(1, 2, 0)
    return _looked_at(system, cp.ascontiguousarray(rows))


def _by_name(system: System, inputs: Mapping[str, Any], time: Array, members: int) -> Any:
    names = [i.name for i in system.inputs]
    check_names("inputs", inputs, tuple(names))
    (cp,) = {library(x) for x in inputs.values() if library(x) is not np}
    rates = [name for name in names if name not in system.given and name not in inputs]
    if any(np.ndim(x) > 1 for x in inputs.values()) and rates:
        raise InputError(
            f"inputs: expected {', '.join(rates)} too where series are on the GPU, as rates are "
            "not found there; give them, or series on the host"
        )
    columns = {}
    for name, value in inputs.items():
        if callable(value):
            raise InputError(f"inputs.{name}: expected numbers beside arrays on the GPU")
        x = cp.asarray(value, np.float64)
        if x.ndim > 2 or (x.ndim and x.shape[0] not in (1, members)):
            raise InputError(
                f"inputs.{name}: expected a number, or an array of {members} members, got one of "
                f"shape {x.shape}"
            )
        if x.ndim == 2 and x.shape[1] != len(time):
            raise InputError(
                f"inputs.{name}: expected {len(time)} values (one for each time), got {x.shape[1]}"
            )
        columns[name] = x.T if x.ndim == 2 else x.reshape(1, -1)
    signal = cp.zeros((max(len(x) for x in columns.values()), len(names), members))
    for name, x in system.idle().items():
        signal[:, names.index(name)] = x
    for name, x in columns.items():
        signal[:, names.index(name)] = x
    return _looked_at(system, signal)


def _looked_at(system: System, signal: Any) -> Any:
    """The same, once the least and the largest of each input have been seen to be fine."""
    least, most = signal.min(axis=(0, 2)).get(), signal.max(axis=(0, 2)).get()
    if not (np.all(np.isfinite(least)) and np.all(np.isfinite(most))):
        raise InputError("inputs: expected finite numbers, got NaN or infinity")
    names = [i.name for i in system.inputs]
    refuse_pushing_inputs(system.robot, dict(zip(names, least.tolist(), strict=True)))
    return signal
