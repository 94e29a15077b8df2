"""simulate: the motion of a system."""

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from chorda.checks import flag, number
from chorda.control.controller import Controller
from chorda.dynamics.actuation import Actuation, Control, actuate
from chorda.dynamics.arguments import check_memory, check_rows, time_grid, tolerance_of
from chorda.dynamics.between_rows import BetweenRows
from chorda.dynamics.chattering import chattering
from chorda.dynamics.chosen_step import INTERVALS, Intervals, check_accuracy, to_accuracy
from chorda.dynamics.cvodes import Cvodes
from chorda.dynamics.impact_error import impact_error
from chorda.dynamics.keeping import keep
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.longer_steps import Stepped, fits_whole
from chorda.dynamics.outcome import explained
from chorda.dynamics.overlapping_start import thrown_apart
from chorda.dynamics.schemes import REFERENCE, SchemeName, check_scheme, find, usual
from chorda.dynamics.signals import Signal, varies
from chorda.dynamics.space_error import space_error
from chorda.dynamics.time_error import has_estimate, time_error
from chorda.dynamics.time_loop import Motion, advance, started
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible, interrupts
from chorda.numerics.one_thread import one_thread
from chorda.numerics.progress import Progress
from chorda.results import Accuracy, Equilibrium, Run
from chorda.results.accuracy import LARGE_ERROR
from chorda.results.energy_drift import energy_drift
from chorda.results.late import Late
from chorda.results.provenance import provenance
from chorda.results.saturation import saturation
from chorda.statics import winding_limits as winding
from chorda.statics.closing import closed
from chorda.statics.initial import Initial, check, initial_state
from chorda.statics.rod_accuracy import strain_rows


@interruptible()
@one_thread()
def simulate(
    system: System,
    *,
    duration: float,
    step: float | None = None,
    accuracy: float | None = None,
    scheme: SchemeName | str | None = None,
    rho_inf: float | None = None,
    inputs: Signal = None,
    control: Control = None,
    initial: Initial = None,
    free: Sequence[str] | None = None,
    parameters: Mapping[str, float] | None = None,
    every: int = 1,
    tolerance: float | None = None,
    progress: bool | None = None,
    strict: bool = False,
) -> Run:
    """Integrate the equations of motion.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    duration : float
        Length of the motion [s].
    step : float, optional
        Step of the scheme [s]; of an adaptive scheme (rk45, cvodes), or with `accuracy`, the output
        interval. One that does not divide the duration is shortened until it does, which the
        status says.
    accuracy : float, optional
        The error of any point of the robot [m] for which steps are chosen, of schemes with fixed
        steps and motions without control. Implicit schemes take more steps in those intervals
        of the output (a two-hundredth of the duration, if no step is given) that need them. The
        steps that were chosen are in the status, the estimated error in `run.accuracy.time`.
    scheme : str, optional
        By default the linearised implicit Euler, or BDF2 for robots with rods. Names complete with
        Tab as attributes of `chorda.schemes`.
    rho_inf : float, optional
        Spectral radius of generalized-alpha at infinite frequency, from 0 (what is fast is gone
        after a step) to 1 (nothing is damped); 0.8 by default.
    inputs : optional
        Of the actuators: a constant, rows over the times of the steps (steps + 1, nu), a function
        of time, or a mapping by name of any of these; linear in between. What is not given is zero;
        joints whose motion is not given stay where it begins.
    control : Controller or callable, optional
        Instead of inputs: a Controller, or a CasADi function (t, q, v) -> u, both of which are
        compiled into the step, or any Python callable (t, q, v) -> u. Its output is held over the
        step; a rate that it does not return is zero.
    initial : optional
        The state at the start: a mapping by coordinate (x1), velocity (x1.rate) and 'tension' [N]
        to which motors are wound, an array of q, or of q and v, an Equilibrium, or a Run, which
        goes on from its end; by default at rest. See `chorda.statics.initial`.
        What held an Equilibrium is kept: inputs and parameters that are not given are its own, and
        joints that were held stay so, by actuators hold-JOINT that the run's system has, unless
        inputs of that name move them (`path.inputs` makes those of a path of equilibria); where
        something cannot be kept, that is refused.
    free : sequence of str, optional
        Coordinates that the Equilibrium held, or on which it had an effort, to be let go.
    parameters : mapping, optional
        Changed values by name; '*' in a name matches many.
    every : int
        Keep each n-th step. Events of contacts and estimates of accuracy are those of all steps,
        and the status has larger normal forces between; all else that begins and ends between kept
        steps is not seen.
    tolerance : float, optional
        Of Newton's method (1e-10), or of the local error of an adaptive scheme (1e-8).
    progress : bool, optional
        Whether a progress bar is shown; by default on terminals, after a second.
    strict : bool
        Raise a SolveError unless the motion completes, a KeyboardInterrupt after Ctrl-C.

    Returns
    -------
    Run
        Arrays over time, outputs by name, events, estimates of its accuracy, and a status whose
        message says how it ended, and where an estimate is large. Estimates, like outputs, are
        computed when they are first asked for.
        A motion that cannot go on, or Ctrl-C, keeps what was computed.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    rollout : many motions at once.
    step_limits : how large a step each scheme bears.
    equilibrium : where a motion may start.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> system = assemble(load("neck-1"))
    >>> simulate(system, duration=0.1, step=1e-3, initial={"x1": 0.1}).status.code
    'completed'
    """
    check(system)
    scheme = usual(system) if scheme is None else scheme
    check_scheme(scheme, rho_inf)
    flag("strict", strict)
    if accuracy is not None:
        accuracy = check_accuracy(accuracy, scheme, inputs, control)
        if step is None:
            step = number("duration", duration, above=0, unit="seconds") / INTERVALS
    elif step is None:
        raise InputError(
            "step: expected a positive number of seconds, got None; give step, or accuracy"
        )
    grid = time_grid(duration, step, every)
    steps, h, time = grid.steps, grid.step, grid.time
    every = int(every)
    check_memory(system, steps, every, varies(inputs) or isinstance(control, Controller))
    tolerance = tolerance_of(tolerance, scheme)
    kept = keep(system, initial, inputs, control, parameters, free)
    system, inputs, control, p = kept.system, kept.inputs, kept.control, kept.parameters
    q, v = initial_state(system, initial, p)
    actuation = actuate(system, inputs, control, time, q)
    check_rows(grid, inputs, len(actuation.signal))
    q, v = closed(system, initial, q, v, *actuation.before(h, q, v, p), p)
    winding.refuse(system, initial, q, p)

    begin, law = clock.perf_counter(), (actuation.law, actuation.signal.shape[1])
    if scheme == REFERENCE:
        loop: Cvodes | SchemeLoop = Cvodes(system, h, tolerance, *law)
    else:
        loop = SchemeLoop(system, find(scheme, rho_inf), *law)
    between = BetweenRows(system, every, p)
    if accuracy is not None and isinstance(loop, SchemeLoop):
        motions = Intervals(
            loop, partial(actuate, system, inputs, None, q=q), (q, v), p, tolerance, h, steps
        )
        motion, status, error = to_accuracy(motions, accuracy)
        between.look(0, motion.X, motion.U)
        motion = replace(motion, X=motion.X[::every], U=motion.U[::every])
        made = _at_times(loop, motion, p, steps * h) if error is not None else Accuracy()
        late = Late.known(replace(made, time=error, tried=status.ok))
    else:
        with Progress(steps, progress, f"{system.robot.name}, {scheme}") as bar:
            job = started(loop, q, v, actuation.first(q, v, p), p, h, tolerance)
            motion = advance(
                loop,
                job,
                steps,
                actuation,
                watch=lambda done: bar.update(done),
                every=every,
                between=between,
            )
        status, late = explained(loop, motion, steps, h, p), Late.known(Accuracy())
        if status.ok:
            how = actuation, motion, (q, v), p, h, tolerance, every
            late = Late(lambda: _estimated(loop, *how))
    seconds = clock.perf_counter() - begin
    position, velocity = np.split(motion.X[:, : system.nq + system.nv], [system.nq], axis=1)
    made_again = fits_whole(motion) and not actuation.controlled
    limits = actuation.control_limits(len(motion.X), every)
    thrown = (
        ""
        if isinstance(initial, Equilibrium | Run)
        else thrown_apart(system, q[:, None], motion.U[:1].T, p[:, None])
    )
    saturated = saturation(system, position, velocity, motion.U, p, limits)
    chatter = chattering(system, position, velocity, motion.U, p) if every == 1 else ""
    run = Run(
        system=system,
        time=time[::every][: len(motion.X)].copy(),
        position=position,
        velocity=velocity,
        input=motion.U,
        parameters=p,
        status=status.with_remarks(
            thrown, saturated, chatter, between.remark(h, made_again), grid.message
        ).with_late_remark(lambda: late().message()),
        provenance=provenance(
            system,
            scheme=scheme,
            step=h,
            duration=duration,
            parameters=dict(parameters or {}),
            **({} if rho_inf is None else {"rho_inf": float(rho_inf)}),
        ),
        counts=_counts(loop, motion) | {"seconds": seconds},
        estimate=late,
        control_limits=limits,
        between=between.found(h, motion.X, motion.U),
    )
    if strict:
        run.status.raise_if_interrupted().raise_unless_ok()
    return run


def _estimated(
    loop: Cvodes | SchemeLoop,
    actuation: Actuation,
    motion: Motion,
    start: tuple[Array, Array],
    p: Array,
    h: float,
    tolerance: float,
    every: int,
) -> Accuracy:
    """How exact a motion is that went to its end."""
    with interrupts() as seen:
        found = _at_times(loop, motion, p, motion.done * h)
        if isinstance(loop, SchemeLoop):
            of = Stepped(loop, actuation, motion, start, p, h, tolerance, every)
            found = _stepped(of, found)
    if seen:
        raise KeyboardInterrupt
    return found


def _stepped(of: Stepped, found: Accuracy) -> Accuracy:
    """What other steps show of a motion in fixed steps; of one under a controller its impacts."""
    rows = 1 if fits_whole(of.motion) else of.every
    if has_estimate(of.loop, of.actuation, of.motion.done, rows):
        of = of.whole()
        found = replace(found, time=time_error(of), tried=True)
        if found.time is None or found.time.relative > LARGE_ERROR:
            return found
    elif not of.actuation.controlled or of.loop.scheme.adaptive:
        return found
    return replace(found, impact=impact_error(of))


def _at_times(loop: Cvodes | SchemeLoop, motion: Motion, p: Array, duration: float) -> Accuracy:
    """Estimates that need the states at some times alone."""
    nq, nv, X = loop.system.nq, loop.system.nv, motion.X
    q, v, u = X[:, :nq], X[:, nq : nq + nv], motion.U
    drift = energy_drift(loop.system, q, v, u, p)
    space = space_error(loop.system, q, u, p, duration)
    return Accuracy(energy=drift, space=space, rods=bool(strain_rows(loop.system)))


def _counts(loop: Cvodes | SchemeLoop, motion: Motion) -> dict[str, float]:
    counts: dict[str, float] = {"steps": motion.done}
    if loop.scheme is not None:  # CVODES does not tell
        names = {"iterations": 1, "matrices": 5, "rejected": 2}  # see driver.c
        counts |= {name: float(motion.info[k]) for name, k in names.items()}
        counts["operations"] = loop.kernel.operations
    return counts
