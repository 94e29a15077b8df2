"""Least squares on the misfit: trust region steps, a record that grows, Ctrl-C."""

from dataclasses import dataclass

import numpy as np

from chorda.dynamics.kernels import built
from chorda.dynamics.sensitivities import SensitiveLoop, differentiable
from chorda.errors import InputError
from chorda.identification.refining.misfit import Misfit, Setting, misfit, near, shortened
from chorda.mechanics import Array
from chorda.numerics.progress import Progress, interrupts
from chorda.results import Code, Status

TOLERANCE = 1e-10  # relative change of cost and unknowns at which fitting ends
SHORTEST = 16  # steps of a record that is begun with
GROWTH = 1.5
WARM_STEPS = 12  # evaluations before the record grows
DOUBT = 0.3  # relative trust in the start values while the record is short


@dataclass(frozen=True, eq=False)
class Fitted:
    """before: at the start values, None where the motion did not reach the record's end."""

    before: Misfit | None
    best: Misfit
    evaluations: int
    status: Status


class _Stopped(Exception):
    """Ctrl-C, on its way out of the optimiser."""


class Fit:
    """One call of `refine`: evaluates, remembers the best, notices Ctrl-C."""

    def __init__(
        self, setting: Setting, limits: tuple[Array, Array], most: int, progress: bool | None
    ) -> None:
        self.whole, self.limits, self.most, self.progress = setting, limits, most, progress
        self.best: Misfit | None = None
        self.evaluations = self.refused = 0
        self._scale = _scales(setting)

    def run(self) -> Fitted:
        whole = self.whole
        built(SensitiveLoop(whole.system, differentiable(whole.scheme), whole.directions))
        title = f"{whole.system.robot.name}, refining"
        with Progress(self.most, self.progress, title) as bar, interrupts() as seen:
            before = None
            try:
                before = self._evaluate(whole, whole.first(), bar, seen)
                x = self._warm(before, bar, seen)
                _, status = self._solve(whole, x, self.most, bar, seen)
            except (_Stopped, KeyboardInterrupt):
                if self.best is None:
                    raise KeyboardInterrupt from None
                status = Status(
                    Code.INTERRUPTED,
                    f"Interrupted after {self.evaluations} evaluations; the best so far is kept.",
                )
        assert self.best is not None
        return Fitted(before, self.best, self.evaluations, status)

    def _warm(self, found: Misfit | None, bar: Progress, seen: list[int]) -> Array:
        """Unknowns from which the whole record can be fitted.

        Where the simulated motion runs away from the measured one, derivatives at its end say
        nothing about the way back. A short beginning is fitted first, then more and more of it.
        """
        whole, x = self.whole, self.whole.first()
        steps = whole.steps
        while found is None or not near(shortened(whole, steps), found):
            steps //= 2
            if steps < SHORTEST:
                raise InputError(
                    "start: the simulated motion leaves the measured one at once with these "
                    "parameters and this initial state; give a better `initial` or `start`"
                )
            found = self._evaluate(shortened(whole, steps), x, bar, seen)
        while steps < whole.steps:
            x, _ = self._solve(shortened(whole, steps), x, WARM_STEPS, bar, seen, DOUBT)
            steps = min(int(GROWTH * steps) + 1, whole.steps)
        return x

    def _solve(
        self,
        setting: Setting,
        x: Array,
        most: int,
        bar: Progress,
        seen: list[int],
        doubt: float = np.inf,
    ) -> tuple[Array, Status]:
        """The unknowns with the least squares; doubt: how far start values are trusted."""
        from scipy.optimize import least_squares

        scale, size = self._scale, sum(len(m.time) for m in setting.measured)
        begin, prior = self.whole.first() / scale, np.eye(len(x)) / doubt
        last: list[Misfit] = []

        def residual(z: Array) -> Array:
            found = self._evaluate(setting, z * scale, bar, seen)
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

        done = least_squares(
            residual,
            x / scale,
            derivative,
            bounds=(self.limits[0] / scale, self.limits[1] / scale),
            ftol=TOLERANCE,
            xtol=TOLERANCE,
            gtol=TOLERANCE,
            max_nfev=most,
        )
        return np.asarray(done.x * scale, float), self._status(done.status > 0)

    def _status(self, converged: bool) -> Status:
        refused = f"; {self.refused} steps led out of range and were refused" * bool(self.refused)
        if converged:
            return Status(
                Code.CONVERGED, f"Converged after {self.evaluations} evaluations{refused}."
            )
        return Status(
            Code.INCOMPLETE,
            f"Still falling after {self.evaluations} evaluations{refused}; raise `most`, or begin "
            "with fewer parameters.",
        )

    def _evaluate(
        self, setting: Setting, x: Array, bar: Progress, seen: list[int]
    ) -> Misfit | None:
        found = misfit(setting, x, lambda _: bool(seen))
        if seen:
            raise _Stopped
        self.evaluations += 1
        bar.update(min(self.evaluations, self.most))
        better = found is not None and (self.best is None or found.cost < self.best.cost)
        if better and setting is self.whole:
            self.best = found
        return found


def _scales(setting: Setting) -> Array:
    """How far each unknown may be off: the first trust region.

    Not the effects of the unknowns: those of weak ones would let them run off by orders of
    magnitude while the strong ones are still wrong.
    """
    system, k, x = setting.system, len(setting.directions.moves), setting.first()
    scale = np.where(x != 0, np.abs(x), 1.0)
    if setting.directions.start:
        scale[k : k + system.nq] = 0.1  # [rad or m]
        scale[k + system.nq : k + system.nq + system.nv] = 1.0
    scale[len(x) - len(setting.clocks) :] = 0.01  # [s]
    return scale
