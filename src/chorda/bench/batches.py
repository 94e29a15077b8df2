"""Many motions at once on the cores of this machine, beside one robot's steps."""

from collections.abc import Callable

import numpy as np

from chorda.bench.groups import Group, at_least
from chorda.bench.mujoco_neck import torques
from chorda.bench.steps import SCHEME, Stepping
from chorda.dynamics.rollouts.cores import workers
from chorda.dynamics.rollouts.rollout import rollout
from chorda.mechanics import System
from chorda.numerics.timing import best_in_turns
from chorda.results import Table

MEMBERS, STEPS = 2000, 500


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
