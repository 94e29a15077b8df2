"""A continuum arm that is pulled around a post, with more and more capsules along it."""

import os
import tempfile
import time
from dataclasses import asdict, dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

from chorda.bench.groups import Group, at_most, us
from chorda.bench.sizes import fitted_growth
from chorda.catalogue import load
from chorda.describe import Robot
from chorda.dynamics import simulate
from chorda.mechanics import System, assemble
from chorda.mechanics.subexpressions import operations
from chorda.results import Run, Table

INTERVALS, QUICK_INTERVALS = (12, 24, 48, 96), (12, 24)
PULL, RISE, DURATION, STEP = 0.008, 0.1, 0.3, 1e-3  # [m, s, s, s]
MAX_GROWTH, MAX_COLD = 1.2, 10.0


@dataclass(frozen=True)
class Wrapped:
    """A motion with contact, and the same without: seconds a step, iterations a step."""

    intervals: int
    capsules: int
    pressing: int  # at the end
    operations: int
    cold: float  # [s] assembling and the first call
    step: float
    iterations: float
    free_step: float
    free_iterations: float


def arm(intervals: int) -> Robot:
    """arm-post without its disks, which are slices of their own."""
    robot = load("arm-post")
    (rod,) = robot.joints
    modes = rod.modes.model_copy(update={"intervals": intervals})  # type: ignore[union-attr]
    bare = rod.model_copy(update={"modes": modes, "disks": ()})
    return robot.model_copy(update={"joints": (bare,)})


def rod_contact_group(quick: bool, repeats: int) -> Group:
    found = [wrapped(n, repeats) for n in (QUICK_INTERVALS if quick else INTERVALS)]
    growth = fitted_growth([(x.capsules, x.step / x.iterations) for x in found])
    table = Table(
        "An arm that is pulled around a post, bdf2, steps of 1 ms",
        ("capsules", "that press", "operations", "cold build", "a step", "without the post"),
        tuple(
            (
                str(x.capsules),
                str(x.pressing),
                str(x.operations),
                f"{x.cold:.1f} s",
                f"{us(x.step)} ({x.iterations:.1f} iterations)",
                f"{us(x.free_step)} ({x.free_iterations:.1f})",
            )
            for x in found
        ),
        "Whole calls of simulate, 300 steps; operations of the forces, with what they call. An "
        f"iteration takes time as capsules^{growth:.2f}.",
    )
    slowest = max(found, key=lambda x: x.cold)
    targets = (
        at_most("time of an iteration, exponent over capsules", MAX_GROWTH, growth, ""),
        at_most(
            f"cold build of an arm of {slowest.capsules} capsules", MAX_COLD, slowest.cold, "s"
        ),
    )
    return Group(table, targets, {"rod contact": [asdict(x) for x in found]})


def wrapped(intervals: int, repeats: int) -> Wrapped:
    robot = arm(intervals)
    with (
        tempfile.TemporaryDirectory(prefix="chorda-bench-") as cache,
        patch.dict(os.environ, CHORDA_CACHE=cache),
    ):
        begin = time.perf_counter()
        system = assemble(robot)
        pulled(system, STEP)
        cold = time.perf_counter() - begin
    step, run = _best(system, repeats)
    free_step, free = _best(assemble(robot.model_copy(update={"contacts": ()})), repeats)
    forces = system.function("F", "q v u p", system.dynamics.F)
    pressing = run.data["normal_force"].values[-1] > 0
    counts = [x.counts["iterations"] / x.counts["steps"] for x in (run, free)]
    return Wrapped(
        intervals,
        len(system.touches),
        int(np.count_nonzero(pressing)),
        operations(forces),
        cold,
        step,
        counts[0],
        free_step,
        counts[1],
    )


def pulled(system: System, duration: float = DURATION) -> Run:
    def winches(t: float) -> Any:
        return PULL * min(t / RISE, 1.0) * np.array([-1.0, 1.0])

    given: dict[str, Any] = {"scheme": "bdf2", "progress": False, "strict": True}
    return simulate(system, duration=duration, step=STEP, inputs=winches, **given)


def _best(system: System, repeats: int) -> tuple[float, Run]:
    """Seconds a step, and the motion."""
    best, run = np.inf, pulled(system)
    for _ in range(repeats):
        begin = time.perf_counter()
        run = pulled(system)
        best = min(best, time.perf_counter() - begin)
    return best / run.counts["steps"], run
