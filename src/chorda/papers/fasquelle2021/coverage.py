"""How often 95 % intervals hold the truth, over many virtual experiments with one motion."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from chorda.identification import identify
from chorda.mechanics import Array
from chorda.numerics.processes import cores
from chorda.numerics.workers import Workers
from chorda.papers.comparison import Comparison, own_check
from chorda.papers.fasquelle2021.published_estimator import PublishedEstimator
from chorda.papers.fasquelle2021.study import Study, seen
from chorda.papers.tolerance import between, percent

WAYS = ("instruments", "least squares", "the paper's estimator, 2 deviations by eq. 66")
EXPERIMENTS_A_WORKER = 10  # at least: a process takes a while to start
NOMINAL = 0.95
KINDS = {".dry_torque": "f_s", ".stiffness": "k", ".damping": "c_a"}


@dataclass(frozen=True, eq=False)
class Coverage:
    """inside (experiments, ways, unknowns): 1 where the interval holds the truth; error: of the
    same shape; truth (unknowns)."""

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
def _shared() -> tuple[Study, PublishedEstimator]:
    """Once in each process."""
    study = Study()
    return study, study.estimator("model 1")


def _one(seed: int) -> tuple[tuple[str, ...], Array, Array, Array]:
    study, estimator = _shared()
    log = seen(study.run, seed)
    made = identify(log, study.system, study.models["model 1"].parameters)
    as_published = estimator(log)
    names = tuple(x.name for x in made.estimates)
    assert names == as_published.names
    m = len(names)
    true = np.array([x.truth for x in made.estimates], float)
    best, plain = made.regression, made.least_squares
    error = np.array([best.theta[:m], plain.theta[:m], as_published.theta]) - true
    half = [x.coverage * x.deviation[:m] for x in (best, plain)] + [2 * as_published.deviation]
    return names, (np.abs(error) <= half).astype(float), error, true


def coverage_table(study: Study) -> Comparison:
    """How often intervals hold the truth, and how far off the estimates are on average."""
    found = coverage(study.experiments)
    count = len(found.inside)
    share = np.mean(found.inside, axis=(0, 2))
    spread = 2 * np.sqrt(NOMINAL * (1 - NOMINAL) / count)  # intervals of a log may fail together
    allowed = between(NOMINAL - spread, min(NOMINAL + spread, 1.0))
    rows = [
        own_check(
            name, float(share[way]), allowed, expected=percent(NOMINAL), shown=percent,
            why="residuals of filtered signals are not independent" if "66" in name else "",
            beside=tuple(_bias(found, way, x) for x in KINDS),
        )
        for way, name in enumerate(WAYS)
    ]  # fmt: skip
    return Comparison(
        f"How often intervals hold the truth: {count} virtual experiments, model 1",
        rows,
        "Tolerance: two deviations of a share of 95 % of so many experiments. Columns before: the "
        "largest mean error of a kind of parameter.",
        columns=tuple(f"{symbol}: mean error" for symbol in KINDS.values()),
        first="interval",
        paper="expected",
    )


def _bias(found: Coverage, way: int, ending: str) -> str:
    at = [i for i, x in enumerate(found.names) if x.endswith(ending) and found.truth[i] != 0]
    off = np.mean(found.error[:, way, at], axis=0) / found.truth[at]
    return f"{100 * off[np.argmax(np.abs(off))]:+.2g} %"
