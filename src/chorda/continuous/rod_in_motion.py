"""Motions of a rod: BDF in time, the whole rod at once in each step."""

import time as clock
from typing import Any

import numpy as np

from chorda.checks import number, whole_number
from chorda.continuous.continuous_results import RodMotion
from chorda.continuous.lifted_rod import LiftedRod
from chorda.continuous.rod_at_rest import inputs_along, inputs_at, rod_settled
from chorda.continuous.rod_grid import pieces
from chorda.continuous.sheath_friction import Friction
from chorda.continuous.single_shooting import Method, Solves, solver_by
from chorda.continuous.tendon_rod import tendon_rod
from chorda.continuous.time_steps import Formula, Moment, advance, bdf2, bdf_alpha, resting
from chorda.describe import Robot
from chorda.dynamics.signals import Signal
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.equal_steps import equal_steps
from chorda.numerics.newton import Outcome
from chorda.numerics.one_thread import one_thread
from chorda.numerics.runge_kutta_steps import tableau
from chorda.results import Code, Status

USUAL_NODES = 41
SHORTEST_STEP = 1e-7  # of the duration
GROW, SHRINK, SAFE = 2.0, 0.2, 0.9


@interruptible()
@one_thread()
def rod_dynamics(
    robot: Robot,
    inputs: Signal = None,
    *,
    duration: float,
    step: float,
    integrator: str = "rk4",
    nodes: int | None = None,
    alpha: float = 0.0,
    friction: Friction = None,
    adaptive: float | None = None,
    every: int = 1,
    tolerance: float = 1e-9,
    method: Method = "all-nodes",
) -> RodMotion:
    """Motion of one rod with its tendons from its equilibrium at time 0.

    Parameters
    ----------
    robot : Robot
        One rod on the world.
    inputs : mapping, callable or float, optional
        Of the actuators by name, each a number or a function of time: tension [N] or paid-out
        length [m]; zero if not given.
    duration, step : float
        [s]; a step that does not divide the duration is shortened until it does.
    integrator : {"euler", "rk4", "gauss4", "gauss6"}
        Along the rod, see `rod_statics`.
    nodes : int, optional
        Along the rod; 41 if not given, or 12 a turn.
    alpha : float
        Of BDF-alpha in time, from 0 (BDF2) to -0.5 (the trapezoidal rule).
    friction : Simple or Sliding, optional
        Of the tendons in their sheaths; that of the description if not given. Their options
        `moment`, `counted_from` and `printed` are choices of the public program of [Till2019].
    adaptive : float, optional
        Largest error of a step in the position of any node [m]; `step` is then the longest one.
    every : int
        How many steps a recorded one stands for.
    tolerance : float
        Of every equation, scaled.
    method : {"all-nodes", "single-shooting"} or SingleShooting
        How each step is solved; see `rod_statics`. 'single-shooting' fails at short steps.

    Returns
    -------
    RodMotion
        As far as it was possible; its status says how far that is.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    rod_statics : where it starts.

    Examples
    --------
    >>> import chorda
    >>> run = rod_dynamics(chorda.load("till"), lambda t: -0.02 * t, duration=0.1, step=0.05)
    >>> run.tension.round(3).ravel().tolist()
    [2.508, 3.307, 3.441]
    """
    _check(duration, step, alpha, adaptive, every)
    solver_of = solver_by(method)
    problem = tendon_rod(robot, friction, moving=True)
    rod = LiftedRod(problem, pieces(problem, nodes, USUAL_NODES), tableau(integrator))
    motion = _Motion(rod, solver_of(rod), inputs, tolerance, every)
    start, _ = rod_settled(rod, motion.given(0.0), tolerance, motion.solver)
    motion.count(start)
    if not start.converged:
        message = (
            "There is no equilibrium to start from: the largest scaled residual is "
            f"{start.residual:.1e}. Look at it with rod_statics."
        )
        return motion.result(Status(Code.NOT_CONVERGED, message))
    motion.record(0.0, start)
    if adaptive is None:
        steps = equal_steps(duration, step)
        status = motion.fixed(start, steps.count, steps.step, alpha)
        return motion.result(status.with_remarks(steps.message))
    return motion.result(motion.adapted(start, duration, step, adaptive))


def _check(duration: Any, step: Any, alpha: float, adaptive: float | None, every: Any) -> None:
    whole_number("every", every)
    for name, value in (("duration", duration), ("step", step), ("adaptive", adaptive)):
        if value is not None:
            number(name, value, above=0)
    if adaptive is not None and alpha:
        raise InputError("alpha: steps that adapt are those of BDF2; leave alpha out, or adaptive")


class _Motion:
    """Steps of a rod, and what they leave to be returned."""

    def __init__(
        self, rod: LiftedRod, solver: Solves, inputs: Signal, tolerance: float, every: int
    ) -> None:
        self.rod, self.solver, self.inputs = rod, solver, inputs
        self.tolerance, self.every = tolerance, every
        self.begin, self.residual, self.done = clock.perf_counter(), 0.0, 0
        self.rows: list[tuple[Any, ...]] = []
        self.counts = dict.fromkeys(("steps", "iterations", "factorised", "rejected"), 0.0)

    def given(self, t: float) -> Array:
        return inputs_at(self.rod.problem, self.inputs, t)

    def count(self, out: Outcome[Array]) -> None:
        self.counts["steps"] += 1
        self.counts["iterations"] += out.iterations
        self.counts["factorised"] += out.matrices

    def record(self, t: float, out: Outcome[Array]) -> None:
        rod, base = self.rod, out.value.base
        self.residual, self.done = max(self.residual, out.residual), self.done + 1
        if (self.done - 1) % self.every == 0:
            along = rod.tensions(out.x).copy()
            self.rows.append((t, rod.positions(out.value), base.tension, along, base.slack))

    def step(
        self, now: Moment, t: float, formula: Formula, given: Array
    ) -> tuple[Moment, Outcome[Array]]:
        after, out = advance(self.rod, now, t, formula, given, self.tolerance, self.solver)
        self.count(out)
        return after, out

    def fixed(self, start: Outcome[Array], steps: int, h: float, alpha: float) -> Status:
        times = np.linspace(0.0, steps * h, steps + 1)
        given = inputs_along(self.rod.problem, self.inputs, times)
        now, formula = resting(self.rod, start, given[0]), bdf_alpha(h, alpha)
        for k in range(1, steps + 1):
            now, out = self.step(now, k * h, formula, given[k])
            if not out.converged:
                return _stuck(k * h, out, self.solver.remedy)
            self.record(k * h, out)
        return Status(Code.COMPLETED, f"{steps} steps to {steps * h:g} s.")

    def adapted(
        self, start: Outcome[Array], duration: float, longest: float, error: float
    ) -> Status:
        """BDF2 on steps of any length; the error is a part of the distance to the extrapolation."""
        t, h, before = 0.0, longest / 64, longest / 64
        now = resting(self.rod, start, self.given(0.0), (0.0, -h, -2 * h))
        while t < duration * (1 - 1e-12):
            h = min(h, longest, duration - t)
            formula = bdf2(h, before)
            after, out = self.step(now, t + h, formula, self.given(t + h))
            ratio = np.inf
            if out.converged:  # how far points move with a change of the tangents [m]
                turned = self.rod.y(out.x - now.extrapolated(t + h))[:, :3]
                gap = float(np.trapezoid(np.linalg.norm(turned, axis=1), self.rod.grid.s))
                ratio = gap / (formula.c0 * (t + h - now.times[2]) + 1) / error
            if ratio > 1:
                self.counts["rejected"] += 1
                h *= max(SHRINK, SAFE * ratio ** (-1 / 3)) if np.isfinite(ratio) else SHRINK
                if h < SHORTEST_STEP * duration:
                    return _stuck(t + h, out, "Steps got too short; does an input jump?")
                continue
            now, t, before = after, t + h, h
            self.record(t, out)
            factor = SAFE * ratio ** (-1 / 3) if ratio > 0 else GROW
            h *= min(GROW, factor) if factor > 1.2 or factor < 1 else 1.0
        return Status(Code.COMPLETED, f"{self.done - 1} steps to {t:g} s.")

    def result(self, status: Status) -> RodMotion:
        s, nt, k = self.rod.grid.s, self.rod.nt, len(self.rows)
        shapes = (), (len(s), 3), (nt,), (len(s), nt), (nt,)
        columns = zip(*self.rows, strict=True) if k else [()] * len(shapes)
        time, centre, tension, along, slack = (
            np.array(x).reshape(k, *shape) for x, shape in zip(columns, shapes, strict=True)
        )
        seconds = clock.perf_counter() - self.begin
        counts = self.counts | {"segments": self.rod.segments, "seconds": seconds}
        return RodMotion(s, time, centre, tension, along, slack, self.residual, counts, status)


def _stuck(t: float, out: Outcome[Array], remedy: str) -> Status:
    return Status(
        Code.NOT_CONVERGED,
        f"The step to {t:g} s has no solution within tolerance: the largest scaled residual is "
        f"{out.residual:.1e}. {remedy}",
    )
