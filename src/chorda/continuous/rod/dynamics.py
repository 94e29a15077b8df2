"""Motions of a rod: BDF in time, the whole rod at once in each step."""

import math
import time as clock
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chorda.continuous.rod.bdf import bdf2, bdf_alpha
from chorda.continuous.rod.friction import Friction, checked
from chorda.continuous.rod.inputs import Given, at_time
from chorda.continuous.rod.march import March
from chorda.continuous.rod.newton import Outcome
from chorda.continuous.rod.problem import problem
from chorda.continuous.rod.results import RodMotion
from chorda.continuous.rod.statics import settle
from chorda.continuous.rod.stepping import Moment, advance, extrapolated, resting
from chorda.continuous.rod.tableaus import tableau
from chorda.describe import Robot
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.results.status import Code, Status

SHORTEST = 1e-7  # of the duration: the shortest step that is tried
GROW, SHRINK, SAFE = 2.0, 0.2, 0.9
REMEDY = (
    "A shorter step, or adaptive=1e-5, may help; where steps are shorter than a wave's way along "
    "an interval, integrator='gauss6' or more nodes."
)
COUNTED = ("steps", "iterations", "factorised", "rejected", "segments")


@dataclass
class Record:
    """Collects what a motion returns."""

    march: March
    every: int = 1
    done: int = 0
    time: list[float] = field(default_factory=list)
    centre: list[Array] = field(default_factory=list)
    tension: list[Array] = field(default_factory=list)
    end: list[Array] = field(default_factory=list)
    slack: list[Array] = field(default_factory=list)
    residual: float = 0.0
    counts: dict[str, float] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0.0))

    def add(self, t: float, out: Outcome) -> None:
        march, nt = self.march, self.march.nt
        self.residual, self.done = max(self.residual, out.residual), self.done + 1
        if (self.done - 1) % self.every:
            return
        self.time.append(t)
        self.centre.append(march.positions(out.missed))
        self.tension.append(out.missed.base.tension)
        self.slack.append(out.missed.base.slack)
        self.end.append(out.x.y[-1, 21 + nt :].copy())

    def count(self, out: Outcome) -> None:
        self.counts["steps"] += 1
        self.counts["iterations"] += out.iterations
        self.counts["factorised"] += out.factorised
        if out.linear is not None:
            self.counts["segments"] = max(self.counts["segments"], out.linear.segments)

    def motion(self, status: Status, begin: float) -> RodMotion:
        counts: Mapping[str, float] = {**self.counts, "seconds": clock.perf_counter() - begin}
        k = len(self.time)
        centre = np.array(self.centre).reshape(k, self.march.maps + 1, 3)
        return RodMotion(
            s=self.march.grid.s,
            time=np.array(self.time),
            tip=centre[:, -1],
            tension=np.array(self.tension).reshape(k, -1),
            end_tension=np.array(self.end).reshape(k, -1),
            slack=np.array(self.slack).reshape(k, -1),
            centre=centre,
            residual=self.residual,
            counts=counts,
            status=status,
        )


def rod_dynamics(
    robot: Robot,
    inputs: Given = None,
    *,
    duration: float,
    step: float,
    integrator: str = "rk4",
    nodes: int = 41,
    alpha: float = 0.0,
    friction: Friction = None,
    adaptive: float | None = None,
    every: int = 1,
    tolerance: float = 1e-9,
) -> RodMotion:
    """Motion of one rod with its tendons from its equilibrium at time 0.

    inputs: of the actuators by name, a number or a function of time. duration, step [s].
    integrator,
    nodes: along the rod, see `rod_statics`. alpha: of BDF-alpha in time. friction: of the tendons,
    Simple or Sliding. adaptive: largest error of a step in the position of any node [m]; `step`
    is then the longest one. every: how many steps a recorded one stands for. tolerance: of every
    equation, scaled.
    """
    _check(duration, step, alpha, adaptive, every)
    march = March(problem(robot, checked(friction), moving=True), nodes, tableau(integrator))
    begin = clock.perf_counter()
    record = Record(march, every)
    start = settle(march, at_time(march.problem, inputs, 0.0), tolerance)
    record.count(start.outcome)
    if not start.outcome.converged:
        return record.motion(
            Status(
                Code.NOT_CONVERGED,
                "There is no equilibrium to start from: the largest scaled residual is "
                f"{start.outcome.residual:.1e}. Look at it with rod_statics.",
            ),
            begin,
        )
    record.add(0.0, start.outcome)
    now = resting(march, start.outcome)
    if adaptive is None:
        status = _fixed(record, now, inputs, duration, step, alpha, tolerance)
    else:
        status = _adapted(record, now, inputs, duration, step, adaptive, tolerance)
    return record.motion(status, begin)


def _check(duration: Any, step: Any, alpha: float, adaptive: float | None, every: Any) -> None:
    if isinstance(every, bool) or not isinstance(every, int) or every < 1:
        raise InputError(f"every: expected a whole number of at least 1, got {every!r}")
    for name, value in (("duration", duration), ("step", step), ("adaptive", adaptive)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise InputError(f"{name}: expected a positive number, got {value!r}")
    if adaptive is not None and alpha:
        raise InputError("alpha: steps that adapt are those of BDF2; leave alpha out, or adaptive")


def _fixed(
    record: Record,
    now: Moment,
    inputs: Given,
    duration: float,
    step: float,
    alpha: float,
    tolerance: float,
) -> Status:
    march, formula = record.march, bdf_alpha(step, alpha)
    for k in range(1, round(duration / step) + 1):
        t = k * step
        u = at_time(march.problem, inputs, t)
        now, out = advance(march, now, t, formula, u, tolerance)
        record.count(out)
        if not out.converged:
            return _stuck(t, out, REMEDY)
        record.add(t, out)
    return Status(Code.COMPLETED, f"{record.done - 1} steps to {record.done * step - step:g} s.")


def _adapted(
    record: Record,
    now: Moment,
    inputs: Given,
    duration: float,
    longest: float,
    error: float,
    tolerance: float,
) -> Status:
    """BDF2 on steps of any length; the error is the distance to the extrapolation, in share."""
    march, problem = record.march, record.march.problem
    t, h, before = 0.0, longest / 64, longest / 64
    now = Moment((0.0, -h, -2 * h), now.past * 3, now.stages, now.nodes)
    while t < duration * (1 - 1e-12):
        h = min(h, longest, duration - t)
        formula = bdf2(h, before)
        after, out = advance(march, now, t + h, formula, at_time(problem, inputs, t + h), tolerance)
        record.count(out)
        ratio = np.inf
        if out.converged:
            guess = extrapolated(now, t + h, 3)
            span = t + h - now.times[2]
            gap = _strayed(march, out.x.y - guess.y)
            ratio = gap / (formula.c0 * span + 1) / error
        if ratio > 1:
            record.counts["rejected"] += 1
            h *= max(SHRINK, SAFE * ratio ** (-1 / 3)) if np.isfinite(ratio) else SHRINK
            if h < SHORTEST * duration:
                return _stuck(t + h, out, "Steps got too short; does an input jump?")
            continue
        now, t, before = after, t + h, h
        record.add(t, out)
        factor = SAFE * ratio ** (-1 / 3) if ratio > 0 else GROW
        h *= min(GROW, factor) if factor > 1.2 or factor < 1 else 1.0
    return Status(Code.COMPLETED, f"{record.done - 1} steps to {t:g} s.")


def _strayed(march: March, dy: Array) -> float:
    """How far the rod's points move with a change of its directions [m]."""
    d = np.linalg.norm(dy[:, :3], axis=1)  # of the tangent
    s = march.grid.s
    return float(np.sum((d[1:] + d[:-1]) / 2 * np.diff(s)))


def _stuck(t: float, out: Outcome, remedy: str) -> Status:
    return Status(
        Code.NOT_CONVERGED,
        f"The step to {t:g} s has no solution within tolerance: the largest scaled residual is "
        f"{out.residual:.1e}. {remedy}",
    )
