"""refine: parameters for which the simulated motion is the measured one, by nonlinear fitting.

Where the equations of motion are linear in the unknowns, a regression on them is faster and has no
local minima; but it needs accelerations, and noise in them biases it. The simulated motion needs
none, and parameters may enter as they like. Its derivatives are exact:
chorda.dynamics.sensitivities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.dynamics.sensitivities import differentiable
from chorda.dynamics.signals import Signal, sampled
from chorda.errors import InputError
from chorda.identification.covariance import autocorrelated, white
from chorda.identification.refining.fitting import Fit, Fitted
from chorda.identification.refining.misfit import Measured, Misfit, Setting
from chorda.identification.refining.unknowns import bounds_of, directions_of, names_of
from chorda.mechanics import Array, System, numeric, unknown
from chorda.results import Status
from chorda.statics.initial import Initial, check, initial_state


@dataclass(frozen=True, eq=False)
class Refined:
    """Parameters fitted to a measured motion.

    names: of all unknowns (parameters, start.*, clock.*), in the order of both covariances.
    values, deviation: by parameter name, those that are tied included; deviation allows for
    residuals that hang together in time (from `covariance`), white_deviation does not. start:
    (q, v); offsets: what to subtract from the times of sensors [s]. Costs are half the sums of
    squared residuals over sigma, rms by coordinate in its unit; infinite before the fit where the
    simulated motion did not last to the record's end. position (n, nq) of the fitted
    motion at `time`.
    """

    system: System
    names: tuple[str, ...]
    values: Mapping[str, float]
    deviation: Mapping[str, float]
    white_deviation: Mapping[str, float]
    covariance: Array
    white_covariance: Array
    start: Array
    offsets: Mapping[str, float]
    cost_before: float
    cost: float
    rms_before: Mapping[str, float]
    rms: Mapping[str, float]
    evaluations: int
    time: Array
    position: Array
    status: Status

    def __repr__(self) -> str:
        return f"<Refined {len(self.values)} parameters of {self.system.robot.name}: {self.status}>"


def refine(
    system: System,
    parameters: Sequence[str],
    *,
    time: Array,
    inputs: Signal,
    measured: Sequence[Measured],
    start: Mapping[str, float] | None = None,
    initial: Initial = None,
    free_initial: bool = True,
    tied: Sequence[Sequence[str]] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
    clocks: Sequence[str] = (),
    farthest_clock: float = 0.05,
    scheme: str = "newmark",
    substeps: int = 1,
    most: int = 50,
    progress: bool | None = None,
) -> Refined:
    """Fit parameters (names, '*' matching many) to measured coordinates.

    time (n) [s], uniform, with the inputs at those times (n, nu), linear in between. start: values
    of parameters to begin with, the described ones otherwise. initial: a guess of the state at
    time[0] (see `simulate`), fitted too with free_initial. tied: groups of names with one unknown
    each, which keeps the ratios of their start values. bounds: (low, high) by name; what cannot be
    negative never gets so. clocks: sensors whose clock offset is unknown, at most farthest_clock
    [s]. scheme: any that takes fixed steps; substeps: of it between two times. most: evaluations.
    Where the motion of the start values runs away from the measured one, a short beginning of the
    record is fitted first, then more and more of it.
    """
    check(system)
    differentiable(scheme)
    grid, step = _grid(time, substeps)
    p0 = system.parameters(start)
    q, v = initial_state(system, initial, p0)
    if free_initial and (system.nc or system.quaternions):
        raise InputError(
            "free_initial: closures and unit quaternions do not let a start vary freely; give "
            "`initial` and free_initial=False"
        )
    coarse = sampled(system, inputs, np.asarray(time, float))
    signal = np.column_stack(
        [np.interp(grid, np.asarray(time, float) - time[0], c) for c in _rows(coarse, len(time)).T]
    )
    setting = Setting(
        system=system,
        directions=directions_of(system, parameters, tied, p0, free_initial),
        clocks=tuple(clocks),
        measured=_inside(system, measured, time, clocks, farthest_clock),
        signal=np.ascontiguousarray(signal),
        step=step,
        scheme=scheme,
        p0=p0,
        start=np.concatenate([q, v]),
    )
    limits = bounds_of(setting, bounds or {}, farthest_clock)
    fitted = Fit(setting, limits, most, progress).run()
    return _result(setting, fitted, np.asarray(time, float), substeps)


def _result(setting: Setting, fitted: Fitted, time: Array, substeps: int) -> Refined:
    system, best = setting.system, fitted.best
    p, start, offsets = setting.split(best.x)
    moments = np.concatenate([m.time for m in setting.measured])
    robust = autocorrelated(best.J, best.residual, moments, setting.channels)
    plain = white(best.J, best.residual)
    values: dict[str, float] = {}
    deviations: list[dict[str, float]] = [{}, {}]
    for j, (rows, weights) in enumerate(
        zip(setting.directions.moves, setting.directions.weights, strict=True)
    ):
        for row, weight in zip(rows, weights, strict=True):
            name = system.parameter_names[row]
            values[name] = float(p[row])
            for table, C in zip(deviations, (robust, plain), strict=True):
                table[name] = float(abs(weight) * np.sqrt(C[j, j]))
    return Refined(
        system=system,
        names=names_of(setting),
        values=values,
        deviation=deviations[0],
        white_deviation=deviations[1],
        covariance=robust,
        white_covariance=plain,
        start=start.copy(),
        offsets=offsets,
        cost_before=np.inf if fitted.before is None else fitted.before.cost,
        cost=best.cost,
        rms_before=_rms(setting, fitted.before),
        rms=_rms(setting, best),
        evaluations=fitted.evaluations,
        time=time,
        position=best.motion.state[::substeps, : system.nq].copy(),
        status=fitted.status,
    )


def _rms(setting: Setting, found: Misfit | None) -> dict[str, float]:
    """Root mean square of each coordinate's difference, all its channels together."""
    if found is None:
        return {m.coordinate: np.inf for m in setting.measured}
    squares: dict[str, list[Array]] = {}
    for m, rows in zip(setting.measured, setting.channels, strict=True):
        difference = found.residual[rows] * m.sigma
        squares.setdefault(m.coordinate, []).append(difference**2)
    return {name: float(np.sqrt(np.mean(np.concatenate(s)))) for name, s in squares.items()}


def _rows(signal: Array, n: int) -> Array:
    return signal if len(signal) == n else np.repeat(signal, n, axis=0)


def _grid(time: Any, substeps: int) -> tuple[Array, float]:
    """Times of the scheme's steps, from 0 on, and the step."""
    t = numeric("time", time)
    if t.ndim != 1 or len(t) < 3 or not np.all(np.isfinite(t)):
        raise InputError(f"time: expected at least 3 finite times, got shape {t.shape}")
    step = float(t[-1] - t[0]) / (len(t) - 1)
    if step <= 0 or np.max(np.abs(t - t[0] - step * np.arange(len(t)))) > 1e-6 * step:
        raise InputError(
            "time: expected equal steps, as the scheme takes them; resample the inputs on such "
            "times first"
        )
    if isinstance(substeps, bool) or not isinstance(substeps, int) or substeps < 1:
        raise InputError(f"substeps: expected a whole number from 1 on, got {substeps!r}")
    h = step / substeps
    return np.asarray(h * np.arange(substeps * (len(t) - 1) + 1), float), h


def _inside(
    system: System, measured: Sequence[Measured], time: Array, clocks: Sequence[str], far: float
) -> tuple[Measured, ...]:
    """The measurements within the record, whatever their clocks turn out to be, from its start."""
    for sensor in clocks:
        if sensor not in {m.sensor for m in measured}:
            known = tuple({m.sensor for m in measured})
            raise InputError(unknown("clocks", sensor, known))
    kept = []
    for m in measured:
        if m.coordinate not in system.coordinate_names:
            raise InputError(unknown("measured", m.coordinate, system.coordinate_names))
        t, y = numeric("measured.time", m.time), numeric("measured.value", m.value)
        sigma = np.broadcast_to(numeric("measured.sigma", m.sigma), np.shape(t))
        if t.ndim != 1 or t.shape != y.shape:
            raise InputError(
                f"measured: {m.coordinate} has {t.size} times and {y.size} values; expected one "
                "value for each time"
            )
        if not np.all(sigma > 0):
            raise InputError(
                f"measured: sigma of {m.coordinate} must be positive, got {np.min(sigma):g}; give "
                "the sensor's noise, or its resolution / sqrt(12)"
            )
        if not np.all(np.diff(t) > 0):
            raise InputError(f"measured: times of {m.coordinate} must increase")
        margin = far if m.sensor in clocks else 0.0
        use = np.isfinite(y) & (t >= time[0] + margin) & (t <= time[-1] - margin)
        if np.sum(use) < 2:
            raise InputError(
                f"measured: {m.coordinate} has {np.sum(use)} values between {time[0]:g} and "
                f"{time[-1]:g} s; expected at least 2 in the time of the inputs"
            )
        kept.append(Measured(m.coordinate, t[use] - time[0], y[use], sigma[use], m.sensor))
    if not kept:
        raise InputError("measured: expected at least one measured coordinate, got none")
    return tuple(kept)
