"""Motions of a rod: BDF in time, the whole rod at once in each step."""

import math
import time as clock
from typing import Any

import numpy as np

from chorda.continuous.lifted_rod import Iterate, LiftedRod
from chorda.continuous.rod_at_rest import inputs_at, settled
from chorda.continuous.runge_kutta import tableau
from chorda.continuous.sheath_friction import Friction, checked
from chorda.continuous.solutions import RodMotion
from chorda.continuous.tendon_rod import tendon_rod
from chorda.continuous.time_steps import Moment, advance, bdf2, bdf_alpha, extrapolated, resting
from chorda.describe import Robot
from chorda.dynamics.signals import Signal
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.numerics.newton import Outcome
from chorda.results import Code, Status

SHORTEST_STEP = 1e-7  # of the duration
GROW, SHRINK, SAFE = 2.0, 0.2, 0.9
REMEDY = (
    "A shorter step, or adaptive=1e-5, may help; where steps are shorter than a wave's way along "
    "an interval, integrator='gauss6' or more nodes."
)


def rod_dynamics(
    robot: Robot,
    inputs: Signal = None,
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

    Parameters
    ----------
    robot : a robot of one rod on the world.
    inputs : of the actuators by name, each a number or a function of time: tension [N] or paid-out
        length [m]; zero if not given.
    duration, step : [s].
    integrator, nodes : along the rod, see `rod_statics`.
    alpha : of BDF-alpha in time, from 0 (BDF2) to -0.5 (the trapezoidal rule).
    friction : of the tendons in their sheaths: Simple or Sliding.
    adaptive : largest error of a step in the position of any node [m]; `step` is then the longest
        one.
    every : how many steps a recorded one stands for.
    tolerance : of every equation, scaled.

    Returns
    -------
    RodMotion : as far as it was possible; its status says how far that is.
    """
    _check(duration, step, alpha, adaptive, every)
    rod = LiftedRod(tendon_rod(robot, checked(friction), moving=True), nodes, tableau(integrator))
    record = _Record(rod, every)
    start = settled(rod, inputs_at(rod.problem, inputs, 0.0), tolerance).outcome
    record.count(start)
    if not start.converged:
        return record.motion(
            Status(
                Code.NOT_CONVERGED,
                "There is no equilibrium to start from: the largest scaled residual is "
                f"{start.residual:.1e}. Look at it with rod_statics.",
            )
        )
    record.add(0.0, start)
    now = resting(rod, start)
    if adaptive is None:
        status = _fixed(record, now, inputs, duration, step, alpha, tolerance)
    else:
        status = _adapted(record, now, inputs, duration, step, adaptive, tolerance)
    return record.motion(status)


def _check(duration: Any, step: Any, alpha: float, adaptive: float | None, every: Any) -> None:
    if isinstance(every, bool) or not isinstance(every, int) or every < 1:
        raise InputError(f"every: expected a whole number of at least 1, got {every!r}")
    for name, value in (("duration", duration), ("step", step), ("adaptive", adaptive)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise InputError(f"{name}: expected a positive number, got {value!r}")
    if adaptive is not None and alpha:
        raise InputError("alpha: steps that adapt are those of BDF2; leave alpha out, or adaptive")


class _Record:
    """Collects what a motion returns."""

    def __init__(self, rod: LiftedRod, every: int) -> None:
        self.rod, self.every, self.done, self.residual = rod, every, 0, 0.0
        self.rows: list[tuple[Any, ...]] = []
        self.counts = dict.fromkeys(("steps", "iterations", "factorised", "rejected"), 0.0)
        self.begin = clock.perf_counter()

    def add(self, t: float, out: Outcome[Iterate]) -> None:
        rod, base = self.rod, out.value.base
        self.residual, self.done = max(self.residual, out.residual), self.done + 1
        if (self.done - 1) % self.every == 0:
            along = rod.tensions(out.x.y).copy()
            self.rows.append((t, rod.positions(out.value), base.tension, along, base.slack))

    def count(self, out: Outcome[Iterate]) -> None:
        self.counts["steps"] += 1
        self.counts["iterations"] += out.iterations
        self.counts["factorised"] += out.matrices

    def motion(self, status: Status) -> RodMotion:
        s, nt, k = self.rod.grid.s, self.rod.nt, len(self.rows)
        shapes = (), (len(s), 3), (nt,), (len(s), nt), (nt,)
        columns = zip(*self.rows, strict=True) if k else [()] * len(shapes)
        arrays = [np.array(x).reshape(k, *shape) for x, shape in zip(columns, shapes, strict=True)]
        time, centre, tension, along, slack = arrays
        seconds = clock.perf_counter() - self.begin
        return RodMotion(
            s=s,
            time=time,
            centre=centre,
            tension=tension,
            tension_along=along,
            slack=slack,
            residual=self.residual,
            counts=self.counts | {"segments": self.rod.segments, "seconds": seconds},
            status=status,
        )


def _fixed(
    record: _Record,
    now: Moment,
    inputs: Signal,
    duration: float,
    step: float,
    alpha: float,
    tolerance: float,
) -> Status:
    rod, formula, steps = record.rod, bdf_alpha(step, alpha), round(duration / step)
    for k in range(1, steps + 1):
        t = k * step
        now, out = advance(rod, now, t, formula, inputs_at(rod.problem, inputs, t), tolerance)
        record.count(out)
        if not out.converged:
            return _stuck(t, out, REMEDY)
        record.add(t, out)
    return Status(Code.COMPLETED, f"{steps} steps to {steps * step:g} s.")


def _adapted(
    record: _Record,
    now: Moment,
    inputs: Signal,
    duration: float,
    longest: float,
    error: float,
    tolerance: float,
) -> Status:
    """BDF2 on steps of any length; the error is a part of the distance to the extrapolation."""
    rod, t, h, before = record.rod, 0.0, longest / 64, longest / 64
    now = Moment((0.0, -h, -2 * h), now.past * 3, now.stages, now.nodes)
    while t < duration * (1 - 1e-12):
        h = min(h, longest, duration - t)
        formula, u = bdf2(h, before), inputs_at(rod.problem, inputs, t + h)
        after, out = advance(rod, now, t + h, formula, u, tolerance)
        record.count(out)
        ratio = np.inf
        if out.converged:
            gap = _strayed(rod, out.x.y - extrapolated(now, t + h).y)
            ratio = gap / (formula.c0 * (t + h - now.times[2]) + 1) / error
        if ratio > 1:
            record.counts["rejected"] += 1
            h *= max(SHRINK, SAFE * ratio ** (-1 / 3)) if np.isfinite(ratio) else SHRINK
            if h < SHORTEST_STEP * duration:
                return _stuck(t + h, out, "Steps got too short; does an input jump?")
            continue
        now, t, before = after, t + h, h
        record.add(t, out)
        factor = SAFE * ratio ** (-1 / 3) if ratio > 0 else GROW
        h *= min(GROW, factor) if factor > 1.2 or factor < 1 else 1.0
    return Status(Code.COMPLETED, f"{record.done - 1} steps to {t:g} s.")


def _strayed(rod: LiftedRod, dy: Array) -> float:
    """How far the rod's points move with a change of its directions [m]."""
    turned = np.linalg.norm(dy[:, :3], axis=1)  # of the tangent
    return float(np.trapezoid(turned, rod.grid.s))


def _stuck(t: float, out: Outcome[Iterate], remedy: str) -> Status:
    return Status(
        Code.NOT_CONVERGED,
        f"The step to {t:g} s has no solution within tolerance: the largest scaled residual is "
        f"{out.residual:.1e}. {remedy}",
    )
