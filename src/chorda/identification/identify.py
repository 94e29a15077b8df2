"""identify: friction, tendon and other parameters of a robot from a log."""

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from chorda.describe import Rigid, Robot
from chorda.errors import InputError, LogError
from chorda.identification.clocks import FARTHEST, first_guess
from chorda.identification.identification import Identification, judged
from chorda.identification.instruments import simulated
from chorda.identification.logs.log import Log
from chorda.identification.preparing import Preparation, Prepared, Samples
from chorda.identification.refining.simulation_error import refined
from chorda.identification.regression import Equations, Estimate, least_squares, solve
from chorda.identification.regressors import Regressor, Unknowns, choose, relaxed
from chorda.mechanics import Array, System, assemble
from chorda.results.observe import observed

CLOCK_PASSES = 5  # of fitting the clocks
FARTHEST_STEP = 0.05  # [s] that a clock is moved in one of them
SLACK_PASSES = 8  # of leaving out slack tendons
UNSURE = 0.05  # [s] of deviation above which a clock counts as not determined
BIASED = 2.0  # deviations between least squares and instruments that are called a bias


def identify(
    log: Log | str | Path,
    robot: Robot | System,
    parameters: Sequence[str] | None = None,
    *,
    tied: Sequence[str] = (),
    tensions: Literal["modelled", "eliminated"] = "modelled",
    prepare: Preparation | None = None,
    columns: Mapping[str, Any] | None = None,
    method: Literal["auto", "least squares", "instruments"] = "auto",
    refine: bool | Sequence[str] = False,
    progress: bool | None = None,
) -> Identification:
    """Parameters that explain a log, with their uncertainty.

    parameters: names, '*' matching many (default: motor friction and the tendons' laws), each an
    unknown of its own; `tied` patterns are one unknown each. The equations of motion must be
    linear in them. tensions: see `Regressor`. method: "auto" takes instruments where the model can
    be simulated. refine: True fits the simulated motion to the measured one, starting from there;
    names add parameters that may enter as they like.

    >>> import chorda
    >>> log = chorda.experiment(chorda.assemble(chorda.load("neck-1")), duration=30.0)
    >>> identify(log, chorda.load("neck-1"))["left.stiffness"].verdict
    'well identified'
    """
    begin = clock.perf_counter()
    if method not in ("auto", "least squares", "instruments"):
        raise InputError(
            f"method: expected 'auto', 'least squares' or 'instruments', got {method!r}"
        )
    system = robot if isinstance(robot, System) else assemble(robot)
    if not isinstance(log, Log):
        from chorda.identification.logs.log_files import read_log

        log = read_log(log, system, columns)
    unknowns = choose(system, _wanted(system, parameters, tensions), tied)
    how, unsure = prepare or Preparation(), dict[str, float]()
    if tensions == "eliminated":
        offsets, unsure = _clocks(system, log, how)
        how = replace(how, offsets=offsets)
    work = _Work(system, log, unknowns, tensions, how)
    plain = work.least_squares()
    estimate, used, notes = plain, "least squares", list(work.notes)
    if method != "least squares":
        better = work.instruments(plain)
        if better is not None:
            estimate, used = better, "instruments"
            notes += _bias(unknowns, plain, better)
        elif method == "instruments":
            raise LogError(
                f"{log.source}: the model led by the measured motors does not complete the "
                "motion, so that there are no instruments; use method='least squares'"
            )
        else:
            notes.append(
                "The model led by the measured motors does not complete the motion: the "
                "estimate is least squares, and noise in the regressor may bias it."
            )
    m = len(unknowns.names)
    truth = _truth(system, unknowns, log.truth)
    signed = [all(system.parameter_table.signed[row] for row in rows) for rows in unknowns.rows]
    linear = Identification(
        system=system,
        unknowns=unknowns,
        found=judged(unknowns, estimate, plain, unknowns.of(work.p), truth, signed),
        estimate=estimate,
        plain_estimate=plain,
        method=used,  # type: ignore[arg-type]
        offsets=work.corrected(estimate),
        offset_deviations=unsure | dict(zip(work.moving, estimate.deviation[m:], strict=True)),
        prepared=work.prepared,
        samples=work.used,
        equations=work.made,
        notes=tuple(notes),
        seconds=clock.perf_counter() - begin,
    )
    if not refine:
        return linear
    better_fit = refined(linear, () if isinstance(refine, bool) else refine, progress)
    return replace(better_fit, seconds=clock.perf_counter() - begin)


def _clocks(
    system: System, log: Log, how: Preparation
) -> tuple[Mapping[str, float], dict[str, float]]:
    """Offsets of the sensors' clocks and their deviations, by the tendons' elongations.

    Without tensions in the equations, joints and motors hardly depend on each other any more.
    """
    laws = [t.name for t in system.robot.tendons if not isinstance(t.law, Rigid)]
    if not laws or system.mode == "rigid":
        return how.offsets, {}
    unknowns = choose(system)
    work = _Work(system, log, unknowns, "modelled", how)
    plain = work.least_squares()
    better = work.instruments(plain) or plain
    deviations = better.deviation[len(unknowns.names) :]
    return work.corrected(better), dict(zip(work.moving, deviations.tolist(), strict=True))


def _wanted(
    system: System, parameters: Sequence[str] | None, tensions: str
) -> Sequence[str] | None:
    """Without tensions in the equations, the tendons' laws are not in them either."""
    if parameters is not None or tensions == "modelled":
        return parameters
    motors = {d.name for d in system.robot.actuators}
    names = [
        n
        for n in system.parameter_names
        if n.rpartition(".")[0] in motors and n.endswith((".dry_torque", ".friction"))
    ]
    return names or None


def _truth(system: System, unknowns: Unknowns, truth: Mapping[str, float]) -> list[float | None]:
    """True values of the unknowns, where a virtual experiment knows them all."""
    names = [[system.parameter_names[row] for row in rows] for rows in unknowns.rows]
    return [
        float(np.mean([truth[x] for x in group])) if all(x in truth for x in group) else None
        for group in names
    ]


def _bias(unknowns: Unknowns, plain: Estimate, better: Estimate) -> list[str]:
    """What noise in the regressor did to least squares."""
    m = len(unknowns.names)
    gap = np.abs(plain.theta[:m] - better.theta[:m]) > BIASED * plain.deviation[:m]
    if not np.any(gap):
        return []
    said = [
        f"{unknowns.names[j]} by {100 * (plain.theta[j] / better.theta[j] - 1):+.1f} %"
        for j in np.flatnonzero(gap)
    ]
    return [
        f"Noise in the regressor biases least squares ({', '.join(said)}); the instrumental "
        "estimate is given instead."
    ]


class _Work:
    """The steps of an identification and what they share."""

    def __init__(
        self, system: System, log: Log, unknowns: Unknowns, tensions: str, how: Preparation
    ) -> None:
        self.system, self.unknowns = system, unknowns
        self.p = system.parameter_values
        self.prepared = Prepared(system, log, how)
        self.model = relaxed(system)
        self.regressor = Regressor(self.model, unknowns, tensions)
        self.notes: list[str] = []
        self.moving = [
            s for s in self.prepared.sensors if s != self.prepared.clock and s not in how.offsets
        ]
        guess = {s: first_guess(self.prepared, s) for s in self.moving}
        self.offsets: dict[str, float] = {**how.offsets, **guess}
        self._tell()

    def _tell(self) -> None:
        for name, count in self.prepared.removed.items():
            self.notes.append(f"{count} outlier{'s' * (count > 1)} of {name} left out.")
        about = self.prepared.log.about
        for name, start, end in about.get("gaps", ()):
            self.notes.append(f"{name} is missing from {start:.3g} s to {end:.3g} s.")
        made_by, robot = about.get("robot", ""), self.system.robot.name
        if made_by and made_by != robot:
            self.notes.append(f"The log says that it is one of {made_by}, not of {robot}.")

    def corrected(self, estimate: Estimate) -> dict[str, float]:
        """The clocks' offsets with what the estimate found beside them [s]."""
        change = estimate.theta[len(self.unknowns.names) :]
        moved = {s: self.offsets[s] + float(x) for s, x in zip(self.moving, change, strict=True)}
        return {**self.offsets, **moved}

    def least_squares(self) -> Estimate:
        """Least squares, with the clocks' offsets brought to where the equations fit best."""
        self._fit_clocks()
        samples = self.prepared.samples(self.offsets)
        self.keep = self.prepared.kept(samples.time, self.offsets)
        if not len(self.keep):
            raise LogError(
                f"{self.prepared.log.source}: nothing is left of the log between gaps and the "
                "filter's transients; measure longer or raise the cut-off"
            )
        self.used = samples.at(self.keep)
        self.made = self._equations(samples)
        theta = self._without_slack(samples)
        self.whole = self._joined(self.made, self._drift_used(samples, theta))
        return least_squares(self.whole)

    def _fit_clocks(self) -> None:
        m = len(self.unknowns.names)
        guess = {s: self.offsets[s] for s in self.moving}
        deviation = np.zeros(len(self.moving))
        for _ in range(CLOCK_PASSES if self.moving else 0):
            thin = self.prepared.samples(self.offsets).thinned(self.prepared.every)
            rough = self._smooth(self.regressor(thin, self.p), self.prepared.every)
            drift = self._smoothed_drift(thin, solve(rough).theta)
            found = least_squares(self._joined(rough, drift))
            change, deviation = found.theta[m:], found.deviation[m:]
            for sensor, x in zip(self.moving, change, strict=True):
                self.offsets[sensor] += float(np.clip(x, -FARTHEST_STEP, FARTHEST_STEP))
            if np.max(np.abs(change)) < 1e-5:
                break
        for sensor, s in zip(list(self.moving), deviation, strict=True):
            if not (s <= UNSURE and abs(self.offsets[sensor]) <= FARTHEST):
                self.moving.remove(sensor)
                self.offsets[sensor] = guess[sensor]
                self.notes.append(
                    f"The clock of {sensor} cannot be compared with that of {self.prepared.clock} "
                    f"by this motion; an offset of {1e3 * guess[sensor]:.3g} ms is taken."
                )

    def instruments(self, plain: Estimate) -> Estimate | None:
        """The estimate with regressors along a simulated motion; None if it does not complete."""
        m = len(self.unknowns.names)
        theta = np.where(np.isfinite(plain.theta[:m]), plain.theta[:m], 0.0)
        p = self.unknowns.into(self.p, theta)
        samples = simulated(self.prepared, self.system, p, self.offsets)
        if samples is None:
            return None
        V = self._joined(self._equations(samples), self._drift_used(samples, theta))
        return least_squares(self.whole, instruments=V.W)

    def _equations(self, samples: Samples) -> Equations:
        """Filtered equations at the samples that are used."""
        made = self._smooth(self.regressor(samples, self.p), 1)
        return replace(made, W=made.W[self.keep], y=made.y[self.keep])

    def _smooth(self, made: Equations, every: int) -> Equations:
        stride = self.prepared.stride * every
        W, y = (self.prepared.smooth(x, stride) for x in (made.W, made.y))
        return replace(made, W=W, y=y)

    def _drift(self, samples: Samples, theta: Array) -> Array:
        """Effect of each moving clock on the equations (n, rows, clocks)."""
        p = self.unknowns.into(self.p, theta)
        channels = [c for w, c in self.prepared.wanted if w.kind != "input"]
        late = [np.array([float(c.sensor == s) for c in channels]) for s in self.moving]
        columns = [self.regressor.drift(samples, p, x) for x in late]
        rows = self.regressor.rows
        return np.stack(columns, axis=-1) if columns else np.zeros((len(samples), rows, 0))

    def _drift_used(self, samples: Samples, theta: Array) -> Array:
        """The same at the samples that are used; made of fewer samples, it need not be exact."""
        every = self.prepared.every
        return self._smoothed_drift(samples.thinned(every), theta)[self.keep // every]

    def _smoothed_drift(self, thin: Samples, theta: Array) -> Array:
        stride = self.prepared.stride * self.prepared.every
        return self.prepared.smooth(self._drift(thin, theta), stride)

    def _joined(self, made: Equations, drift: Array) -> Equations:
        return replace(made, W=np.concatenate([made.W, -drift], axis=2))

    def _without_slack(self, samples: Samples) -> Array:
        """Leave out samples near which a tendon is slack; which, depends on what is found."""
        theta = solve(self.made).theta
        keep, used, made, before = self.keep, self.used, self.made, np.zeros(len(self.keep), bool)
        for _ in range(SLACK_PASSES):
            slack = self._slack(samples, theta)
            if np.array_equal(slack, before):
                break
            before = slack
            self.keep, self.used = keep[~slack], used.at(~slack)
            self.made = replace(made, W=made.W[~slack], y=made.y[~slack])
            theta = solve(self.made).theta
        if np.any(before):
            self.notes.append(
                f"{np.sum(before)} of {len(before)} samples with a slack tendon left out."
            )
        return theta

    def _slack(self, samples: Samples, theta: Array) -> Any:
        """Usable samples into which the filter brings a tendon that would have to push."""
        one_sided = [getattr(t.law, "one_sided", False) for t in self.system.robot.tendons]
        at = samples.time[self.prepared.kept(samples.time, self.offsets)]
        if self.system.mode == "rigid" or not any(one_sided):
            return np.zeros(len(at), bool)
        p = self.unknowns.into(self.p, theta)
        tension = observed(self.model, samples.q, samples.v, samples.u, p)["tension"]
        when = samples.time[np.any(tension[:, one_sided] <= 0, axis=1)]
        if not len(when):
            return np.zeros(len(at), bool)
        after = np.searchsorted(when, at).clip(1, len(when) - 1) if len(when) > 1 else 0
        away = np.minimum(np.abs(when[after] - at), np.abs(when[np.maximum(after - 1, 0)] - at))
        return away <= self.prepared.room
