"""How often 95 % intervals hold the truth, over many virtual experiments with one motion."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from chorda.identification import Log, Sensors, identify
from chorda.identification.virtual.experiment import closed_loop
from chorda.identification.virtual.sensors import measured
from chorda.mechanics import Array
from chorda.numerics.processes import cores
from chorda.numerics.workers import Workers
from chorda.papers.fasquelle2021.study import Study
from chorda.results import Run

WAYS = ("instruments", "least squares", "instruments, deviations of eq. 66")
EXPERIMENTS_A_WORKER = 10  # at least: a process takes a while to start


@dataclass(frozen=True, eq=False)
class Coverage:
    """inside (experiments, ways, unknowns): 1 where the interval holds the truth; error
    (experiments, 2, unknowns) of instruments and of least squares; truth (unknowns)."""

    names: tuple[str, ...]
    inside: Array
    error: Array
    truth: Array


def coverage(count: int) -> Coverage:
    """`count` virtual experiments of the neck of Table 2, model 1, on all cores."""
    workers = max(1, min(cores(), count // EXPERIMENTS_A_WORKER))
    with Workers(workers, _one) as pool:
        done = dict(pool.results(((seed, seed) for seed in range(count)), stop=lambda: False))
    names, inside, error, truth = zip(*(done[seed] for seed in range(count)), strict=True)
    return Coverage(names[0], np.array(inside), np.array(error), truth[0])


@cache
def _motion() -> tuple[Study, Run]:
    """Once in each process."""
    study = Study()
    return study, closed_loop(study.system, study.motion, duration=study.duration, progress=False)


def _one(seed: int) -> tuple[tuple[str, ...], Array, Array, Array]:
    study, run = _motion()
    truth = dict(zip(run.system.parameter_names, run.parameters.tolist(), strict=True))
    log = Log(measured(run, Sensors(), seed), "virtual experiment", truth)
    made = identify(log, study.system, study.models["model 1"].parameters)
    m = len(made.estimates)
    true = np.array([x.truth for x in made.estimates], float)
    best, plain = made.regression, made.least_squares
    error = np.array([x.theta[:m] - true for x in (best, plain)])
    half = [x.coverage * x.deviation[:m] for x in (best, plain)] + [1.96 * best.white_deviation[:m]]
    inside = np.abs(error[[0, 1, 0]]) <= half
    return tuple(x.name for x in made.estimates), inside.astype(float), error, true
