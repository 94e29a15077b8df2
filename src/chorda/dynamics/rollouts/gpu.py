"""A batch on a GPU: the same C, one robot a thread, the whole time loop in one kernel."""

from typing import Any

import numpy as np

from chorda.compile import Batch
from chorda.compile.cuda import Launch
from chorda.compile.cuda_text import cuda_text
from chorda.compile.device import launching
from chorda.compile.kernel import DRIVERS
from chorda.dynamics.sensitivities import AnyLoop
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.tensioning import refuse_pushing_inputs


def cuda(loop: AnyLoop, precision: str = "double") -> str:
    """CUDA source of the kernel chorda_many."""
    settings = loop.settings
    if settings.adaptive:
        raise InputError("scheme: adaptive schemes are for device='cpu'; expected fixed steps")
    return cuda_text(loop.functions(), settings.defines(), DRIVERS, precision)


def launch_of(loop: AnyLoop, precision: str, progress: bool | None) -> Launch:
    """The kernel of a loop, from the cache or compiled now, with a line that says so."""
    what = f"{loop.scheme.name} of {loop.system.robot.name} in {precision} precision"
    return launching(
        loop.system,
        loop.identity,
        "chorda_many",
        lambda: cuda(loop, precision),
        what,
        precision=precision,
        progress=progress,
    )


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
