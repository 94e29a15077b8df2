"""Least squares on the misfit: trust region steps, a record that grows, Ctrl-C."""

from typing import Any

import numpy as np

from chorda.dynamics.kernels import built
from chorda.dynamics.sensitivities import SensitiveLoop, differentiable
from chorda.errors import InputError
from chorda.identification.refining.fit_problem import FitProblem
from chorda.identification.refining.misfit import Misfit, is_near, misfit
from chorda.mechanics import Array
from chorda.numerics.ctrl_c import interrupts
from chorda.numerics.progress import Progress
from chorda.results import Code, Status

TOLERANCE = 1e-10  # relative change of cost and unknowns at which fitting ends
MIN_STEPS = 16  # of a record that is begun with
RECORD_GROWTH = 1.5
WARM_EVALUATIONS = 12  # before the record grows
START_DEVIATION = 0.3  # relative trust in the start values while the record is short


class Fit:
    """One call of `refine`: evaluates, remembers the best, notices Ctrl-C.

    before: at the start values, None where the motion did not reach the record's end.
    """

    def __init__(
        self,
        problem: FitProblem,
        bounds: tuple[Array, Array],
        max_evaluations: int,
        progress: bool | None,
    ) -> None:
        self.problem, self.max_evaluations, self.progress = problem, max_evaluations, progress
        self.scale = problem.scales()
        self.bounds = (bounds[0] / self.scale, bounds[1] / self.scale)
        self.before: Misfit | None = None
        self.best: Misfit | None = None
        self.evaluations = self.refused = 0

    def run(self) -> tuple[Misfit, Status]:
        """The best that was found, and how the search ended."""
        whole = self.problem
        built(SensitiveLoop(whole.system, differentiable(whole.scheme), whole.directions))
        title = f"{whole.system.robot.name}, refining"
        with (
            Progress(self.max_evaluations, self.progress, title) as self._bar,
            interrupts() as self._seen,
        ):
            try:
                self.before = self._evaluate(whole, whole.first())
                x = self._warm(self.before)
                _, status = self._solve(whole, x, self.max_evaluations)
            except KeyboardInterrupt:
                if self.best is None:
                    raise
                status = Status(
                    Code.INTERRUPTED,
                    f"Interrupted after {self.evaluations} evaluations; the best so far is kept.",
                )
        assert self.best is not None
        return self.best, status

    def _warm(self, found: Misfit | None) -> Array:
        """Unknowns from which the whole record can be fitted.

        Where the simulated motion runs away from the measured one, derivatives at its end do not
        show the way back. A short beginning is fitted first, then more and more of it.
        """
        whole, x = self.problem, self.problem.first()
        steps = whole.steps
        while found is None or not is_near(whole.shortened(steps), found):
            steps //= 2
            if steps < MIN_STEPS:
                raise InputError(
                    "start: the simulated motion leaves the measured one at once with these "
                    "parameters and this initial state; give a better `initial` or `start`"
                )
            found = self._evaluate(whole.shortened(steps), x)
        while steps < whole.steps:
            x, _ = self._solve(whole.shortened(steps), x, WARM_EVALUATIONS, START_DEVIATION)
            steps = min(int(RECORD_GROWTH * steps) + 1, whole.steps)
        return x

    def _solve(
        self, problem: FitProblem, x: Array, evaluations: int, start_deviation: float = np.inf
    ) -> tuple[Array, Status]:
        """The unknowns with the least squares."""
        from scipy.optimize import least_squares

        scale, size = self.scale, sum(len(m.time) for m in problem.measured)
        begin, prior = self.problem.first() / scale, np.eye(len(x)) / start_deviation
        last: list[Misfit] = []

        def residual(z: Array) -> Array:
            found = self._evaluate(problem, z * scale)
            if found is not None:
                last[:] = [found]
                return np.concatenate([found.residual, prior @ (z - begin)])
            if not last:
                raise InputError(
                    "start: the simulated motion leaves its ranges before the record ends; begin "
                    "with better values, a shorter record, or more substeps"
                )
            self.refused += 1
            return np.full(size + len(z), np.nan)  # the optimiser then takes a shorter step

        def derivative(z: Array) -> Array:
            if not np.array_equal(last[0].x, z * scale):
                residual(z)
            return np.vstack([last[0].J * scale, prior])

        options: Any = {"bounds": self.bounds, "max_nfev": evaluations}
        options |= dict.fromkeys(("ftol", "xtol", "gtol"), TOLERANCE)
        done = least_squares(residual, x / scale, derivative, **options)
        return np.asarray(done.x * scale, float), self._status(done.status > 0)

    def _status(self, converged: bool) -> Status:
        refused = f"; {self.refused} steps led out of range and were refused" * bool(self.refused)
        if converged:
            sentence = f"Converged after {self.evaluations} evaluations{refused}."
            return Status(Code.CONVERGED, sentence)
        return Status(
            Code.INCOMPLETE,
            f"Still falling after {self.evaluations} evaluations{refused}; raise "
            "`max_evaluations`, or begin with fewer parameters.",
        )

    def _evaluate(self, problem: FitProblem, x: Array) -> Misfit | None:
        found = misfit(problem, x, lambda _: bool(self._seen))
        if self._seen:
            raise KeyboardInterrupt
        self.evaluations += 1
        self._bar.update(min(self.evaluations, self.max_evaluations))
        better = found is not None and (self.best is None or found.cost < self.best.cost)
        if better and problem is self.problem:
            self.best = found
        return found
