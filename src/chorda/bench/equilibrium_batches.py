"""Many equilibria at once: a Monte-Carlo study of a parallel robot, on one and on all cores."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from chorda.bench.groups import Group, at_least, at_most
from chorda.compile.cores import workers
from chorda.numerics.timing import best_in_turns, seconds
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, RobotStudy
from chorda.papers.briot2022.robots import PLANAR
from chorda.results import Table
from chorda.results.spectra import KINDS
from chorda.statics import equilibrium_batch

COUNT, QUICK_COUNT, LIMIT = 100_000, 5_000, 10.0  # members; [s] for COUNT of them
ANGLE, SPREAD = 0.3, 0.1  # [rad] of the motors; of Young's moduli


def equilibrium_batch_group(quick: bool, repeats: int) -> Group:
    """quick: fewer members, whose time is scaled to all of them."""
    start = RobotStudy(PLANAR).start(5, CATALOGUE_INTERVALS)
    members = QUICK_COUNT if quick else COUNT
    given, cores = drawn(start, members), workers(None)

    def solve(jobs: int) -> None:
        found = equilibrium_batch(start, **given, jobs=jobs, progress=False)
        found.raise_unless_ok()
        assert all(len(found.stability[kind].words) == members for kind in KINDS)

    equilibrium_batch(start, progress=False)  # compiles
    contenders: dict[str, Callable[[], float]] = {
        f"{jobs} core{'s' * (jobs > 1)}": partial(seconds, partial(solve, jobs))
        for jobs in sorted({1, cores})
    }
    best = best_in_turns(contenders, repeats)
    one, many = next(iter(best.values())), list(best.values())[-1]
    table = Table(
        f"{members} equilibria of rfrfr with both kinds of stability, whole calls",
        ("on", "time", "a second", "ratio"),
        tuple(
            (name, f"{t:.3g} s", f"{members / t:.3g}", f"{one / t:.3g}") for name, t in best.items()
        ),
        f"Motors within {ANGLE} rad and Young's moduli within {SPREAD:.0%} of one equilibrium, "
        "from which each member starts; 5 modes a leg.",
    )
    scaled = many * COUNT / members
    how = f", from {members}" * (members != COUNT)
    what = f"rfrfr, {COUNT} equilibria with both kinds of stability{how}"
    targets = (
        at_most(what, LIMIT, scaled, "s"),
        at_least("equilibria on 2 cores over 1", 1.3, one / many if cores == 2 else None, "times"),
    )
    return Group(table, targets, {"equilibrium_batch_seconds": best, "equilibrium_batch": members})


def drawn(start: Any, members: int) -> dict[str, Any]:
    """Angles and moduli around those of the start."""
    random = np.random.default_rng(0)
    names = [x for x in start.system.parameter_names if x.endswith(".young_modulus")]
    value = dict(zip(start.system.parameter_names, start.parameters.tolist(), strict=True))
    return {
        "hold": {
            name: start.position[name] + random.uniform(-ANGLE, ANGLE, members)
            for name in start.prescription.held
        },
        "parameters": {
            name: value[name] * random.uniform(1 - SPREAD, 1 + SPREAD, members) for name in names
        },
    }
