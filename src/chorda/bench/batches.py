"""Many motions at once on the cores of this machine, beside one robot's steps."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chorda.bench.report import Verdict, at_least
from chorda.bench.stepping import Stepping, torques
from chorda.bench.timing import best_in_turns
from chorda.dynamics.rollouts.cores import workers
from chorda.dynamics.rollouts.rollout import rollout
from chorda.mechanics import System
from chorda.results import Table

MEMBERS, STEPS = 2000, 500


def measure_batches(
    system: System, steps: int, repeats: int
) -> tuple[list[Table], list[Verdict], dict[str, Any]]:
    """Robot-steps a second of a batch on one and on all cores."""
    alone = Stepping(system, "implicit-euler", steps)
    angles = np.linspace(-0.2, 0.2, MEMBERS)

    def batch(jobs: int) -> Callable[[], float]:
        def work() -> float:
            found = rollout(
                system,
                duration=STEPS * alone.step,
                step=alone.step,
                scheme="implicit-euler",
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
    best = best_in_turns(contenders, max(3, repeats // 3))
    one, single = best["batch, 1 core"], best["one robot"]
    many = best.get(f"batch, {cores} cores", one)
    rows = tuple(
        (name, f"{1 / t / 1e6:.3g} million", f"{single / t:.3g}") for name, t in best.items()
    )
    table = Table(
        f"A batch of {MEMBERS} necks of three joints, {STEPS} steps each",
        ("what", "robot-steps a second", "ratio"),
        tuple(rows),
    )
    verdicts = [
        at_least("batch on 2 cores over 1", 1.7, one / many if cores == 2 else None, "times"),
        at_least("batch a core over one robot", 0.8, single / (many * cores), "times"),
    ]
    return [table], verdicts, {"batch_seconds_per_step": best, "batch_cores": cores}
