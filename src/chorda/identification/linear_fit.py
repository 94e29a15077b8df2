"""Unknowns in which the equations of motion are linear, fitted to a log, the clocks included."""

from dataclasses import replace
from typing import Any

import casadi as ca
import numpy as np
from scipy.ndimage import maximum_filter1d

from chorda.errors import LogError
from chorda.identification.clocks import MAX_OFFSET, first_guess
from chorda.identification.instruments import simulated
from chorda.identification.logs.log import Log
from chorda.identification.preparing import Preparation, Prepared
from chorda.identification.regressors import Regressor, relaxed
from chorda.identification.samples import Samples
from chorda.identification.unknowns import Unknowns
from chorda.mechanics import Array, System
from chorda.mechanics.motor_limits import without_limits
from chorda.numerics.pacing import by_columns
from chorda.numerics.regression import Equations, Estimate, least_squares, solve
from chorda.results.observe import observed
from chorda.statics import winding_limits as winding

CLOCK_PASSES = 5  # of fitting the clocks
MAX_CLOCK_STEP = 0.05  # [s] that a clock is moved in one of them
MAX_CLOCK_DEVIATION = 0.05  # [s] above which a clock counts as not determined
CURVED_PASSES = 12  # of linearising equations that are curved
CURVED_STEP = 1e-5  # change of a coefficient of friction that ends them
NEAR_LIMIT = 0.01  # of a limit: so near to it, noise may be what is beyond
SLACK_PASSES = 8  # of leaving out slack tendons


class LinearFit:
    """The steps of a fit and what they share; `notes` say what was left out or assumed."""

    def __init__(
        self, system: System, log: Log, unknowns: Unknowns, tensions: str, how: Preparation
    ) -> None:
        self.system, self.unknowns = system, unknowns
        self.p = without_limits(system, system.parameter_values)
        self.prepared = Prepared(system, log, how)
        self.model = relaxed(system)
        self.regressor = Regressor(self.model, unknowns, tensions)
        self.notes = _notes(self.prepared)
        self.moving = [
            s for s in self.prepared.sensors if s != self.prepared.clock and s not in how.offsets
        ]
        guess = {s: first_guess(self.prepared, s) for s in self.moving}
        self.offsets: dict[str, float] = {**how.offsets, **guess}

    def least_squares(self) -> Estimate:
        """Least squares, with the clocks' offsets brought to where the equations fit best, and
        with equations that are curved linearised at the values that are found."""
        found = self._least_squares()
        curved = self.regressor.curved
        for _ in range(CURVED_PASSES if curved else 0):
            before = self.unknowns.of(self.p)
            theta = found.theta[: len(before)]
            theta = np.where(np.isfinite(theta), theta, before)
            theta[curved] = np.maximum(theta[curved], 0.0)
            self.p = self.unknowns.into(self.p, theta)
            found = self._least_squares()
            if np.max(np.abs(theta - before)[curved]) < CURVED_STEP:
                return found
        if curved:
            names = ", ".join(self.unknowns.names[j] for j in curved)
            self.notes.append(f"The values of {names} still changed after {CURVED_PASSES} passes.")
        return found

    def _least_squares(self) -> Estimate:
        self._fit_clocks()
        samples = self.prepared.samples(self.offsets)
        if (past := winding.along(self.system, samples.q, self.p)) is not None:
            when = f"at t = {samples.time[past.row]:.3g} s"
            raise LogError(f"{self.prepared.log.source}: {past.message(when)}")
        self.keep = self.prepared.kept(samples.time, self.offsets)
        if not len(self.keep):
            raise LogError(
                f"{self.prepared.log.source}: nothing is left of the log between gaps and the "
                "filter's transients; measure longer or raise the cut-off"
            )
        self._leave_out_limited(samples)
        self.equations = self._equations(samples)
        theta = self._without_slack(samples)
        self.samples = samples.at(self.keep)
        self.with_clocks = self._joined(self.equations, self._drift(samples, theta))
        return least_squares(self.with_clocks)

    def instruments(self, plain: Estimate) -> Estimate | None:
        """The estimate with regressors along a simulated motion; None if it does not complete."""
        theta = np.nan_to_num(plain.theta[: len(self.unknowns)])
        p = self.unknowns.into(self.p, theta)
        samples = simulated(self.prepared, self.system, p, self.offsets)
        if samples is None:
            return None
        V = self._joined(self._equations(samples), self._drift(samples, theta)).W
        return least_squares(self.with_clocks, V)

    def corrected(self, estimate: Estimate) -> dict[str, float]:
        """The clocks' offsets with what the estimate found beside them [s]."""
        change = estimate.theta[len(self.unknowns) :]
        moved = {s: self.offsets[s] + float(x) for s, x in zip(self.moving, change, strict=True)}
        return {**self.offsets, **moved}

    def clock_deviations(self, estimate: Estimate) -> dict[str, float]:
        """Standard deviations of the offsets that were fitted [s]."""
        deviations = estimate.deviation[len(self.unknowns) :].tolist()
        return dict(zip(self.moving, deviations, strict=True))

    def _fit_clocks(self) -> None:
        m, every = len(self.unknowns), self.prepared.every
        guess = {s: self.offsets[s] for s in self.moving}
        deviation = np.zeros(len(self.moving))
        for _ in range(CLOCK_PASSES if self.moving else 0):
            thin = self.prepared.samples(self.offsets).thinned(every)
            rough = self._smoothed(self.regressor(thin, self.p), every)
            drift = self._smoothed_drift(thin, solve(rough).theta)
            found = least_squares(self._joined(rough, drift))
            change, deviation = found.theta[m:], found.deviation[m:]
            for sensor, x in zip(self.moving, change, strict=True):
                self.offsets[sensor] += float(np.clip(x, -MAX_CLOCK_STEP, MAX_CLOCK_STEP))
            if np.max(np.abs(change)) < 1e-5:
                break
        for sensor, s in zip(list(self.moving), deviation, strict=True):
            if not (s <= MAX_CLOCK_DEVIATION and abs(self.offsets[sensor]) <= MAX_OFFSET):
                self.moving.remove(sensor)
                self.offsets[sensor] = guess[sensor]
                self.notes.append(
                    f"The clock of {sensor} cannot be compared with that of {self.prepared.clock} "
                    f"by this motion; an offset of {1e3 * guess[sensor]:.3g} ms is taken."
                )

    def _equations(self, samples: Samples) -> Equations:
        """Filtered equations at the samples that are used."""
        made = self._smoothed(self.regressor(samples, self.p))
        return replace(made, W=made.W[self.keep], y=made.y[self.keep])

    def _smoothed(self, made: Equations, every: int = 1) -> Equations:
        smooth = self.prepared.smooth
        return replace(made, W=smooth(made.W, every), y=smooth(made.y, every))

    def _drift(self, samples: Samples, theta: Array) -> Array:
        """Effect of the clocks at the samples that are used; fewer are enough to make it."""
        every = self.prepared.every
        return self._smoothed_drift(samples.thinned(every), theta)[self.keep // every]

    def _smoothed_drift(self, thin: Samples, theta: Array) -> Array:
        """Effect of each moving clock on the filtered equations (n, rows, clocks)."""
        p = self.unknowns.into(self.p, theta)
        drift = np.zeros((len(thin), self.regressor.rows, len(self.moving)))
        for k, sensor in enumerate(self.moving):
            drift[..., k] = self.regressor.drift(thin, p, self._seen_by(sensor))
        return self.prepared.smooth(drift, self.prepared.every)

    def _seen_by(self, sensor: str) -> Array:
        """1 for the velocities of coordinates that a sensor measures, 0 for the others."""
        channels = [c for s, c in self.prepared.wanted if s.kind != "input"]
        seen = np.array([c.sensor == sensor for c in channels], float)
        depends = np.array(ca.DM(self.system.dynamics.N.sparsity(), 1))
        return np.asarray(depends.T @ seen > 0, float)

    def _joined(self, made: Equations, drift: Array) -> Equations:
        return replace(made, W=np.concatenate([made.W, -drift], axis=2))

    def _leave_out_limited(self, samples: Samples) -> None:
        """Leave out samples near which a motor is at a limit: what acts there is the limit, which
        is not measured."""
        system, p = self.system, self.system.parameter_values
        if not system.limits:
            return
        state = samples.q.T, samples.v.T, samples.u.T
        still = (state[0], *(np.zeros_like(x) for x in state[1:]))
        left, whole = (by_columns(system.margins, *x, p[:, None])[0] for x in (state, still))
        limited = self._reached(np.any(left <= NEAR_LIMIT * whole, axis=0))[self.keep]
        if np.all(limited):
            raise LogError(
                f"{self.prepared.log.source}: a motor is at its limit near every sample; take a "
                "slower motion, or correct the limits of the motors"
            )
        if np.any(limited):
            self.notes.append(
                f"{np.sum(limited)} of {len(limited)} samples with a motor at its limit left out."
            )
        self.keep = self.keep[~limited]

    def _reached(self, wrong: Any) -> Any:
        """Samples into which the filter brings one that is wrong."""
        step = self.prepared.stride / self.prepared.fast
        reach = int(self.prepared.room / step + 1e-9)
        return maximum_filter1d(wrong, 2 * reach + 1, mode="constant", cval=False)

    def _without_slack(self, samples: Samples) -> Array:
        """Leave out samples near which a tendon is slack; which ones, depends on what is found."""
        theta = solve(self.equations).theta
        keep, made, before = self.keep, self.equations, np.zeros(len(self.keep), bool)
        for _ in range(SLACK_PASSES):
            slack = self._slack(samples, theta)[keep]
            if np.array_equal(slack, before):
                break
            before, self.keep = slack, keep[~slack]
            self.equations = replace(made, W=made.W[~slack], y=made.y[~slack])
            theta = solve(self.equations).theta
        if np.any(before):
            self.notes.append(
                f"{np.sum(before)} of {len(before)} samples with a slack tendon left out."
            )
        return theta

    def _slack(self, samples: Samples, theta: Array) -> Any:
        """Samples into which the filter brings a tendon that would have to push."""
        both = zip(self.system.robot.tendons, self.system.tendons.elastic, strict=True)
        one_sided = [t.law.one_sided and stretches for t, stretches in both]
        if self.system.mode == "rigid" or not any(one_sided):
            return np.zeros(len(samples), bool)
        p = self.unknowns.into(self.p, theta)
        tension = observed(self.model, samples.q, samples.v, samples.u, p)["tension"]
        return self._reached(np.any(tension[:, one_sided] <= 0, axis=1))


def _notes(prepared: Prepared) -> list[str]:
    """What is lost of a log, and whether it is one of this robot."""
    about, robot = prepared.log.about, prepared.system.robot.name
    notes = [
        f"{count} outlier{'s' * (count > 1)} of {name} left out."
        for name, count in prepared.removed.items()
    ]
    notes += [
        f"{name} is missing from {start:.3g} s to {end:.3g} s."
        for name, start, end in about.get("gaps", ())
    ]
    if about.get("robot", robot) not in (robot, ""):
        notes.append(f"The log says that it is one of {about['robot']}, not of {robot}.")
    return notes
