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

from chorda.checks import check_names, numeric, whole_number
from chorda.dynamics.sensitivities import differentiable
from chorda.dynamics.signals import Signal, sampled
from chorda.errors import InputError
from chorda.identification.refining.fit_problem import FitProblem, Measured, directions_of
from chorda.identification.refining.fitting import Fit
from chorda.identification.refining.misfit import Misfit
from chorda.mechanics import Array, System
from chorda.numerics.covariance import autocorrelated, white
from chorda.numerics.ctrl_c import interruptible
from chorda.results import Status
from chorda.statics.initial import Initial, check, initial_state


@dataclass(frozen=True, eq=False)
class Refined:
    """Parameters fitted to a measured motion.

    Attributes
    ----------
    system : System
        The robot.
    names : tuple of str
        Of all unknowns (parameters, start.*, clock.*), in the order of both covariances.
    values, deviation, white_deviation : mapping
        By parameter name, those that are tied included. `deviation` allows for autocorrelated
        residuals, `white_deviation` does not.
    covariance, white_covariance : array (k, k)
        Of all unknowns, with and without autocorrelation.
    start : array (nq + nv,)
        q and v at the first time.
    offsets : mapping
        What to subtract from the times of sensors [s].
    cost_before, cost : float
        Half the sums of squared residuals over sigma; infinite before the fit where the simulated
        motion did not last to the record's end.
    rms_before, rms : mapping
        Of the difference, by coordinate in its unit.
    evaluations : int
        Simulated motions.
    time, position : array (n,), (n, nq)
        The fitted motion.
    status : Status
        Whether the fit converged.

    See Also
    --------
    refine : computes it.
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


@interruptible()
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
    max_clock_offset: float = 0.05,
    scheme: str = "newmark",
    substeps: int = 1,
    max_evaluations: int = 50,
    progress: bool | None = None,
) -> Refined:
    """Fit parameters to measured coordinates by simulating the motion.

    Where the motion of the start values runs away from the measured one, a short beginning of the
    record is fitted first, then more and more of it. Ctrl-C keeps the best so far.

    Parameters
    ----------
    system : System
        The robot.
    parameters : sequence of str
        Names, '*' matching many; they may enter the equations as they like.
    time : array (n,)
        Uniform times of the inputs [s].
    inputs : array (n, nu), mapping, function or number
        Inputs at those times, linear in between.
    measured : sequence of Measured
        What sensors saw of the coordinates.
    start : mapping, optional
        Values of parameters to begin with, the described ones otherwise.
    initial : mapping, array or Equilibrium, optional
        A guess of the state at time[0], as of `simulate`.
    free_initial : bool
        Whether the state at time[0] is fitted too.
    tied : sequence of sequences of str
        Groups of names with one unknown each, which keeps the ratios of their start values.
    bounds : mapping, optional
        (low, high) by name; what cannot be negative never gets so.
    clocks : sequence of str
        Sensors whose clock offset is unknown.
    max_clock_offset : float
        Largest offset of these [s].
    scheme : str
        Any that takes fixed steps.
    substeps : int
        Of the scheme between two times.
    max_evaluations : int
        Simulated motions at the most.
    progress : bool, optional
        Show a progress bar; by default on a terminal.

    Returns
    -------
    Refined
        Values, deviations and the fitted motion; `status` tells whether the fit converged.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    identify : the linear estimate before it.

    Examples
    --------
    >>> import chorda, numpy as np
    >>> from chorda.identification import Measured, refine
    >>> system = chorda.assemble(chorda.load("neck-1"))
    >>> torques = lambda t: [-0.016 - 0.002 * np.sin(5 * t), -0.016 + 0.002 * np.sin(5 * t)]
    >>> run = chorda.simulate(system, duration=0.5, step=2e-3, scheme="newmark", inputs=torques,
    ...                       initial={"tension": 20.0})
    >>> measured = [Measured("x1", run.time, run.position[:, 0], 1e-4)]
    >>> found = refine(system, ["x1.bar_mass"], time=run.time, inputs=run.input, measured=measured,
    ...                start={"x1.bar_mass": 0.05}, initial={"tension": 20.0}, free_initial=False)
    >>> bool(abs(found.values["x1.bar_mass"] - system.parameters()[
    ...     system.parameter_names.index("x1.bar_mass")]) < 1e-6)
    True
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
    times = np.asarray(time, float)
    coarse = np.broadcast_to(sampled(system, inputs, times, q), (len(times), system.nu))
    fine = [np.interp(grid, times - times[0], column) for column in coarse.T]
    problem = FitProblem(
        system=system,
        directions=directions_of(system, parameters, tied, p0, free_initial),
        clocks=tuple(clocks),
        measured=_inside(system, measured, times, dict.fromkeys(clocks, max_clock_offset)),
        signal=np.reshape(fine, (system.nu, len(grid))).T,
        step=step,
        scheme=scheme,
        p0=p0,
        start=np.concatenate([q, v]),
    )
    limits = problem.bounds(bounds or {}, max_clock_offset)
    fit = Fit(problem, limits, max_evaluations, progress)
    best, status = fit.run()
    return _result(fit, best, status, times, substeps)


def _result(fit: Fit, best: Misfit, status: Status, time: Array, substeps: int) -> Refined:
    problem, system = fit.problem, fit.problem.system
    p, start, offsets = problem.split(best.x)
    moments = np.concatenate([m.time for m in problem.measured])
    robust = autocorrelated(best.J, best.residual, moments, problem.channels)
    plain = white(best.J, best.residual)
    moved = [
        (system.parameter_names[row], row, abs(weight), j)
        for j, rows in enumerate(problem.directions.moves)
        for row, weight in zip(rows, problem.directions.weights[j], strict=True)
    ]
    return Refined(
        system=system,
        names=problem.names,
        values={name: float(p[row]) for name, row, _, _ in moved},
        deviation={name: float(w * np.sqrt(robust[j, j])) for name, _, w, j in moved},
        white_deviation={name: float(w * np.sqrt(plain[j, j])) for name, _, w, j in moved},
        covariance=robust,
        white_covariance=plain,
        start=start.copy(),
        offsets=offsets,
        cost_before=np.inf if fit.before is None else fit.before.cost,
        cost=best.cost,
        rms_before=_rms(problem, fit.before),
        rms=_rms(problem, best),
        evaluations=fit.evaluations,
        time=time,
        position=best.motion.state[::substeps, : system.nq].copy(),
        status=status,
    )


def _rms(problem: FitProblem, found: Misfit | None) -> dict[str, float]:
    """Root mean square of each coordinate's difference, all its channels together."""
    if found is None:
        return {m.coordinate: np.inf for m in problem.measured}
    squares: dict[str, list[Array]] = {}
    for m, rows in zip(problem.measured, problem.channels, strict=True):
        squares.setdefault(m.coordinate, []).append((found.residual[rows] * m.sigma) ** 2)
    return {name: float(np.sqrt(np.mean(np.concatenate(s)))) for name, s in squares.items()}


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
    h = step / whole_number("substeps", substeps)
    return np.asarray(h * np.arange(substeps * (len(t) - 1) + 1), float), h


def _inside(
    system: System, measured: Sequence[Measured], time: Array, offsets: Mapping[str, float]
) -> tuple[Measured, ...]:
    """The measurements within the record, whatever their clocks turn out to be, from its start.

    offsets: by how much unknown clocks of sensors may be off [s].
    """
    check_names("clocks", offsets, {m.sensor for m in measured})
    check_names("measured", (m.coordinate for m in measured), system.coordinate_names)
    kept = []
    for m in measured:
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
        margin = offsets.get(m.sensor, 0.0)
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
