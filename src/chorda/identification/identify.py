"""identify: friction, tendon and other parameters of a robot from a log."""

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from chorda.checks import check_choice
from chorda.describe import Rigid, Robot
from chorda.errors import LogError
from chorda.identification.identified import Identification
from chorda.identification.linear_fit import LinearFit
from chorda.identification.logs.column_map import Columns
from chorda.identification.logs.log import Log
from chorda.identification.logs.log_files import as_log
from chorda.identification.parameter_estimates import judged
from chorda.identification.preparing import Preparation
from chorda.identification.refining.simulation_error import refined
from chorda.identification.unknowns import Unknowns, belonging, choose
from chorda.mechanics import System
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.numerics.regression import Estimate
from chorda.statics import assemble

BIAS_DEVIATIONS = 2.0  # deviations between least squares and instruments that are called a bias


@interruptible()
@one_thread()
def identify(
    log: Log | str | Path,
    robot: Robot | System,
    parameters: Sequence[str] | None = None,
    *,
    tied: Sequence[str] = (),
    tensions: Literal["modelled", "eliminated"] = "modelled",
    prepare: Preparation | None = None,
    columns: Columns = None,
    method: Literal["auto", "least squares", "instruments"] = "auto",
    refine: bool | Sequence[str] = False,
    progress: bool | None = None,
) -> Identification:
    """Find the parameters that explain a log, with their uncertainty.

    Parameters
    ----------
    log : Log, str or Path
        The measured signals, or a file of them: see `read_log`.
    robot : Robot or System
        Its description, or the assembled system.
    parameters : sequence of str, optional
        Names of unknowns, '*' matching many, each a number of its own. The equations of motion
        must be linear in them; coefficients of friction along tendons are found too, by
        linearising again at the values found. Default: motor friction and the tendons' laws.
    tied : sequence of str
        Patterns; all that match one are a single unknown.
    tensions : {"modelled", "eliminated"}
        "modelled" uses the tendons' laws. "eliminated" combines the equations until no tension is
        in them, for laws that are not trusted.
    prepare : Preparation, optional
        Filter, rate and differences; by default they follow from the log.
    columns : mapping, str or Path, optional
        Which column of the file holds which signal: see `read_log`.
    method : {"auto", "least squares", "instruments"}
        "auto" takes instruments where the model can be simulated: noise in the measured motion
        does not bias them.
    refine : bool or sequence of str
        True fits the simulated motion to the measured one, starting from the linear estimate;
        names add parameters in which the equations are not linear.
    progress : bool, optional
        Show a progress bar while refining; by default on a terminal.

    Returns
    -------
    Identification
        Values, deviations, 95 % intervals and verdicts of the parameters, and what they rest on.

    Raises
    ------
    LogError
        The log lacks a signal, or cannot be what it is taken for.
    InputError
        A name is unknown, or the equations are not linear in a parameter.

    See Also
    --------
    read_log : from a file.
    experiment : a log of a virtual robot.
    compare : several models.

    Examples
    --------
    >>> import chorda
    >>> log = chorda.experiment(chorda.assemble(chorda.load("neck-1")), duration=30.0)
    >>> identify(log, chorda.load("neck-1"))["left.stiffness"].verdict
    'well identified'
    """
    begin = clock.perf_counter()
    check_choice("method", method, ("auto", "least squares", "instruments"))
    system = robot if isinstance(robot, System) else assemble(robot)
    log = as_log(log, system, columns)
    if parameters is None and tensions == "eliminated":
        # without tensions in the equations, the tendons' laws are not in them either
        frictions = belonging(system, system.robot.actuators, ("dry_torque", "friction"))
        parameters = frictions or None
    unknowns = choose(system, parameters, tied)
    how, deviations = prepare or Preparation(), dict[str, float]()
    if tensions == "eliminated":
        offsets, deviations = _clocks(system, log, how)
        how = replace(how, offsets=offsets)
    fit = LinearFit(system, log, unknowns, tensions, how)
    plain = fit.least_squares()
    better = None if method == "least squares" else fit.instruments(plain)
    if better is None and method == "instruments":
        raise LogError(
            f"{log.source}: the model led by the measured motors does not complete the motion, so "
            "that there are no instruments; use method='least squares'"
        )
    estimate, notes = better or plain, list(fit.notes)
    if better is not None:
        notes += _bias(unknowns, plain, better)
    elif method == "auto":
        notes.append(
            "The model led by the measured motors does not complete the motion: the estimate is "
            "least squares, and noise in the regressor may bias it."
        )
    truth = _truth(system, unknowns, log.truth)
    signed = [all(system.parameter_table.signed[row] for row in rows) for rows in unknowns.rows]
    linear = Identification(
        system=system,
        unknowns=unknowns,
        estimates=judged(
            unknowns, estimate, plain, unknowns.of(system.parameter_values), truth, signed
        ),
        regression=estimate,
        least_squares=plain,
        method="least squares" if better is None else "instruments",
        offsets=fit.corrected(estimate),
        offset_deviations=deviations | fit.clock_deviations(estimate),
        prepared=fit.prepared,
        samples=fit.samples,
        equations=fit.equations,
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
    elastic = any(not isinstance(t.law, Rigid) for t in system.robot.tendons)
    if not elastic or system.mode == "rigid":
        return how.offsets, {}
    fit = LinearFit(system, log, choose(system), "modelled", how)
    plain = fit.least_squares()
    better = fit.instruments(plain) or plain
    return fit.corrected(better), fit.clock_deviations(better)


def _truth(system: System, unknowns: Unknowns, truth: Mapping[str, float]) -> list[float | None]:
    """True values of the unknowns, where a virtual experiment knows them all."""
    known = np.array([truth.get(name, np.nan) for name in system.parameter_names])
    return [None if np.isnan(x) else float(x) for x in unknowns.of(known)]


def _bias(unknowns: Unknowns, plain: Estimate, better: Estimate) -> list[str]:
    """What noise in the regressor did to least squares."""
    m = len(unknowns)
    gap = np.abs(plain.theta[:m] - better.theta[:m]) > BIAS_DEVIATIONS * plain.deviation[:m]
    if not np.any(gap):
        return []
    biases = ", ".join(
        f"{unknowns.names[j]} by {100 * (plain.theta[j] / better.theta[j] - 1):+.1f} %"
        for j in np.flatnonzero(gap)
    )
    return [
        f"Noise in the regressor biases least squares ({biases}); the instrumental estimate is "
        "given instead."
    ]
