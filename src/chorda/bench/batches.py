"""Many motions at once on the cores of this machine, beside one robot's steps."""

import time as clock
from collections.abc import Callable
from typing import Any

import numpy as np

from chorda.bench.groups import Group, at_least, at_most
from chorda.bench.mujoco_neck import torques
from chorda.bench.steps import SCHEME, Stepping
from chorda.compile.cores import workers
from chorda.dynamics.rollouts.rollout import rollout
from chorda.mechanics import System
from chorda.numerics.timing import best_in_turns
from chorda.results import Table

MEMBERS, STEPS = 2000, 500
WHOLE_MEMBERS, WHOLE_STEPS = 131_072, 5  # of whole calls, in which members are prepared too
LARGEST_PART = 2.0  # whole call over kernel, at WHOLE_STEPS


def whole_call_group(system: System, repeats: int) -> Group:
    """Whole calls of rollout over their kernels: what preparing the members costs."""
    n, h = WHOLE_MEMBERS, 2e-3
    angles, inputs = np.linspace(-0.2, 0.2, n), np.tile(torques(system.nu - 1), (n, 1))
    stiff = next(name for name in system.parameter_names if name.endswith(".stiffness"))
    value = system.parameter_values[system.parameter_names.index(stiff)]
    given: dict[str, dict[str, Any]] = {
        "angles": {"initial": {"x1": angles}, "inputs": inputs[0]},
        "angles, tensions wound": {"initial": {"x1": angles, "tension": 20.0}},
        "rows of starts and inputs": {
            "initial": np.column_stack([angles, np.tile(system.rest[1:], (n, 1))]),
            "inputs": inputs,
        },
        "angles, a parameter": {
            "initial": {"x1": angles},
            "parameters": {stiff: value * np.linspace(0.9, 1.1, n)},
        },
    }
    fixed: dict[str, Any] = {
        "duration": WHOLE_STEPS * h,
        "step": h,
        "scheme": SCHEME,
        "progress": False,
    }
    whole, kernel = dict.fromkeys(given, np.inf), dict.fromkeys(given, np.inf)
    for _ in range(repeats):
        for name, more in given.items():
            begin = clock.perf_counter()
            found = rollout(system, **fixed, **more)
            whole[name] = min(whole[name], clock.perf_counter() - begin)
            kernel[name] = min(kernel[name], found.seconds)
    ratio = {name: whole[name] / kernel[name] for name in given}
    table = Table(
        f"Whole calls of rollout: {n} necks of three joints, {WHOLE_STEPS} steps",
        ("members differ in", "whole call", "whole : kernel"),
        tuple((name, f"{whole[name]:.3g} s", f"{ratio[name]:.3g}") for name in given),
        "The kernel is the loop in time alone, on all cores.",
    )
    what = "whole call of rollout over its kernel"
    targets = (at_most(what, LARGEST_PART, max(ratio.values()), "times"),)
    return Group(table, targets, {"whole_call_ratio": ratio})


def batch_group(system: System, steps: int, repeats: int) -> Group:
    """Robot-steps a second of a batch on one and on all cores."""
    alone = Stepping(system, SCHEME, steps)
    angles = np.linspace(-0.2, 0.2, MEMBERS)

    def batch(jobs: int) -> Callable[[], float]:
        def work() -> float:
            found = rollout(
                system,
                duration=STEPS * alone.step,
                step=alone.step,
                scheme=SCHEME,
                initial={"x1": angles},
                inputs=torques(system.nu - 1),
                jobs=jobs,
                progress=False,
            )
            return found.seconds / (MEMBERS * STEPS)

        return work

    cores = workers(None)
    contenders: dict[str, Callable[[], float]] = {"one robot": alone, "batch, 1 core": batch(1)}
    if cores > 1:
        contenders[f"batch, {cores} cores"] = batch(cores)
    best = best_in_turns(contenders, repeats)
    one, single = best["batch, 1 core"], best["one robot"]
    many = best.get(f"batch, {cores} cores", one)
    table = Table(
        f"A batch of {MEMBERS} necks of three joints, {STEPS} steps each",
        ("what", "robot-steps a second", "ratio"),
        tuple(
            (name, f"{1 / t / 1e6:.3g} million", f"{single / t:.3g}") for name, t in best.items()
        ),
    )
    targets = (
        at_least("batch on 2 cores over 1", 1.7, one / many if cores == 2 else None, "times"),
        at_least("batch a core over one robot", 0.8, single / (many * cores), "times"),
    )
    return Group(table, targets, {"batch_seconds_per_step": best, "batch_cores": cores})
