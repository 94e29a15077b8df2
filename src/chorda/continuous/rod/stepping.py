"""One step in time of a rod."""

from dataclasses import dataclass, replace

import numpy as np

from chorda.continuous.rod.bdf import Formula, Past, rest
from chorda.continuous.rod.condensing import Condensed
from chorda.continuous.rod.march import Iterate, March, Setting
from chorda.continuous.rod.newton import Outcome, newton
from chorda.mechanics import Array

ITERATIONS = 30


@dataclass(frozen=True, eq=False)
class Moment:
    """A rod in motion: its last iterates with their times (newest first), and what has rates."""

    times: tuple[float, ...]
    past: tuple[Iterate, ...]
    stages: Past
    nodes: Past
    linear: Condensed | None = None
    formula: Formula | None = None


def resting(march: March, out: Outcome, t: float = 0.0) -> Moment:
    stages, nodes = march.kept(out.missed, out.x.y)
    return Moment((t,), (out.x,), rest(stages), rest(nodes))


def advance(
    march: March, now: Moment, t: float, formula: Formula, inputs: Array, tolerance: float
) -> tuple[Moment, Outcome]:
    """The moment after a step to time t; the same moment if Newton's method failed."""
    at = Setting(
        inputs,
        np.array([formula.c0, 1.0]),
        now.stages.history(formula),
        now.nodes.history(formula),
    )
    kept = now.linear if now.formula == formula else None
    segments = now.linear.segments if now.linear is not None else 1
    out = _solved(march, extrapolated(now, t, 3), at, tolerance, kept, segments)
    if not out.converged:  # an input that jumps makes a bad extrapolation
        again = _solved(march, now.past[0], at, tolerance, None, segments)
        out = replace(again, iterations=out.iterations + again.iterations)
    if not out.converged:
        return now, out
    stages, nodes = march.kept(out.missed, out.x.y)
    after = Moment(
        (t, *now.times[:2]),
        (out.x, *now.past[:2]),
        now.stages.then(stages, formula, at.at_stages),
        now.nodes.then(nodes, formula, at.at_nodes),
        out.linear,
        formula,
    )
    return after, out


def _solved(
    march: March,
    x: Iterate,
    at: Setting,
    tolerance: float,
    linear: Condensed | None,
    segments: int,
) -> Outcome:
    return newton(
        march,
        x,
        at,
        tolerance=tolerance,
        most=ITERATIONS,
        linear=linear,
        segments=segments,
        least=1,  # what was extrapolated is no solution, however small its residual
    )


def extrapolated(now: Moment, t: float, most: int) -> Iterate:
    """Polynomial through the last iterates, at time t."""
    times, past = now.times[:most], now.past[:most]
    weights = [
        float(np.prod([(t - b) / (a - b) for b in times if b != a])) for a in times
    ]  # Lagrange
    parts = zip(*((x.y, x.g, x.k) for x in past), strict=True)
    return Iterate(*(sum(w * a for w, a in zip(weights, part, strict=True)) for part in parts))
