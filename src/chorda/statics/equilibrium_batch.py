"""equilibrium_batch: many equilibria at once, each from a known one, on all cores or a GPU."""

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chorda.checks import check_choice, flag
from chorda.compile.cores import Cores
from chorda.compile.device import DEVICES, cupy
from chorda.compile.device_rests import DeviceRests
from chorda.compile.rests import Rests, Steps
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.mechanics.motor_limits import FIELDS
from chorda.numerics.ctrl_c import interruptible, interrupts
from chorda.numerics.one_thread import one_thread
from chorda.numerics.progress import Progress
from chorda.plurals import many
from chorda.results import Equilibrium, EquilibriumBatch, EquilibriumPath
from chorda.results.provenance import provenance
from chorda.statics.batch_results import Findings
from chorda.statics.branch import (
    CORNER,
    GROWTH,
    LARGEST_BEND,
    LONGEST_STEP,
    MAX_ITERATIONS,
    SHORTEST_STEP,
)
from chorda.statics.follow import problem_from
from chorda.statics.known_starts import Known, known_starts
from chorda.statics.parameter_columns import parameter_columns
from chorda.statics.prescribe import Poses, Values, read
from chorda.statics.problem import Problem
from chorda.statics.ranges import quantities, read_limits, tightened
from chorda.statics.targets import rows, series, turns

AT_ONCE = 32_000_000  # bytes of matrices
PIECES = 8  # for each thread: uneven members even out, and the bar moves
STEPS = Steps(
    LONGEST_STEP, LARGEST_BEND, CORNER, GROWTH, SHORTEST_STEP, most=MAX_ITERATIONS
)  # as branch.bridge


@interruptible()
@one_thread()
def equilibrium_batch(
    start: Equilibrium | EquilibriumPath | EquilibriumBatch,
    *,
    hold: Mapping[str, Any] | None = None,
    poses: Poses | None = None,
    efforts: Mapping[str, Any] | None = None,
    tensions: Values | None = None,
    angles: Values | None = None,
    torques: Values | None = None,
    inputs: Values | None = None,
    actuated: Sequence[str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any] | None = None,
    device: str = "cpu",
    jobs: int | None = None,
    strict: bool = False,
    progress: bool | None = None,
) -> EquilibriumBatch:
    """Equilibria of many members that differ in what is prescribed or in parameters.

    Each member goes from a known equilibrium straight to its own values, in steps as short as its
    branch asks for, as `equilibrium` does with an `Equilibrium` as `initial`. It depends on these
    values and on that start alone, not on other members, their order or the number of cores.

    Parameters
    ----------
    start : Equilibrium, EquilibriumPath or EquilibriumBatch
        A known equilibrium; or a path or a batch of them, of which each member takes the one whose
        targets and parameters are nearest to its own.
    hold, poses, efforts, tensions, angles, torques, inputs, actuated : optional
        As in `follow`. A number is shared by all members; a series has a value for each of them.
    parameters : mapping, optional
        By name, numbers or arrays (members,); the others are those of the start, in which several
        starts must agree.
    limits : mapping, optional
        As in `follow`.
    device : {"cpu", "gpu"}
        "cpu", on the cores of this machine; or "gpu", Newton's method on its GPU, one member a
        thread, in double precision. Stability is judged on the cores.
    jobs : int, optional
        Threads; by default as many as there are cores.
    strict : bool
        Raise unless every member has an equilibrium.
    progress : bool, optional
        Whether a progress bar is shown; by default on terminals, after a second.

    Returns
    -------
    EquilibriumBatch
        Columns. A member that has no equilibrium there, or one beyond a range or a limit, has a
        `code` that says so and NaN for numbers; `status(i)` is its sentence.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.
    SolveError
        If `strict`, where one of them is not found.

    See Also
    --------
    rollout : many motions.

    Examples
    --------
    >>> import chorda
    >>> import numpy as np
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    >>> first = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bulge)
    >>> soft = np.linspace(0.8, 1.0, 5) * first.system.parameter_values[
    ...     system.parameter_names.index("leg1.young_modulus")]
    >>> equilibrium_batch(first, parameters={"leg1.young_modulus": soft})
    <EquilibriumBatch of rfrfr: 5 members (5 converged), 5 stable>
    """
    begin = clock.perf_counter()
    flag("strict", strict)
    check_choice("device", device, DEVICES)
    cp = cupy() if device == "gpu" else None
    known = known_starts(start)
    first, system = known.first, known.first.system
    n = _members(parameters)
    P = parameter_columns(system, parameters, n, first.parameters)
    P_given = P if P.shape[1] > 1 else P[:, 0]
    request = read(
        system,
        P_given,
        hold=hold,
        poses=poses,
        efforts=efforts,
        tensions=tensions,
        angles=angles,
        torques=torques,
        inputs=inputs,
    )
    problem, values = problem_from(first, request, actuated, P_given)
    _refuse_unclear(known, parameters or {}, problem)
    P = np.ascontiguousarray(P.T)
    problem = replace(problem, p=P[0])
    _refuse_varying_limits(problem, P)
    bounds = tightened(
        problem.limits, read_limits(limits, quantities(system, problem.prescription))
    )
    targets = rows(problem.prescription, values)
    for name, length in series(problem.prescription, values).items():
        if n not in (1, length):
            raise InputError(f"{name}: expected {n} members as in parameters, got {length}")
    n = max(n, len(targets))
    states, own = known.states(problem)
    x, p = states[:1], known.parameters[:1]
    matrix = replace(problem, p=p[0]).evaluate(x[0], own[0])[1][None]
    found = Findings(problem, n, targets, P, bounds, (x, matrix, p))
    there = None if cp is None else problem.on_device(cp, progress)
    _run(problem, known, states, own, found, there, jobs, progress)
    made_from = provenance(system, starts=len(known), device=device)
    batch = found.batch(clock.perf_counter() - begin, made_from)
    if strict:
        batch.raise_unless_ok()
    return batch


def _members(parameters: Mapping[str, Any] | None) -> int:
    """As many as the first array among the parameters has values."""
    given = parameters if isinstance(parameters, Mapping) else {}
    lengths = {name: len(x) for name, x in given.items() if np.ndim(x)}
    n = next(iter(lengths.values()), 1)
    for name, length in lengths.items():
        if length != n or not n:
            raise InputError(
                f"parameters.{name}: expected a number for each of {max(n, 1)} members, got "
                f"{length}"
            )
    return n


def _refuse_unclear(known: Known, given: Mapping[str, Any], problem: Problem) -> None:
    """Parameters that differ among the starts must be given: no start's values are meant."""
    table, held = problem.system.parameter_table, problem.prescription.settings
    named = {k for name, x in given.items() for k in table.rows_of(name, np.asarray(x, float))}
    differ = np.flatnonzero(np.ptp(known.parameters, axis=0)).tolist()
    unclear = [table.names[k] for k in differ if k not in named and table.names[k] not in held]
    if unclear:
        raise InputError(
            f"parameters: expected '{unclear[0]}' too, which differs among the starts; give a "
            "number, or one for each member"
        )


def _refuse_varying_limits(problem: Problem, P: Array) -> None:
    """Limits of motors are those of all members."""
    names = problem.system.parameter_names
    ends = (*FIELDS, ".torque_constant", ".resistance")
    rows = [k for k, name in enumerate(names) if problem.limits and name.endswith(ends)]
    if rows and (vary := np.flatnonzero(np.ptp(P[:, rows], axis=0)).tolist()):
        raise InputError(
            f"parameters.{names[rows[vary[0]]]}: expected one number, as limits of motors are the "
            "same in all members, got several; make a batch for each"
        )


def _run(
    problem: Problem,
    known: Known,
    states: Array,
    own: Array,
    found: Findings,
    there: DeviceRests | None,
    jobs: int | None,
    progress: bool | None,
) -> None:
    """All members, as many at once as memory allows; Ctrl-C leaves the rest undone."""
    n, each = found.members, 8 * problem.nz**2
    at_once = max(256, AT_ONCE // each) if there is None else there.at_once(each)
    threads = Cores(problem.kernel, min(n, at_once), jobs, beside=True) if there is None else None
    title = f"{many(n, 'equilibrium', 'equilibria')} of {problem.system.robot.name}"
    with Progress(n, progress, title) as bar, interrupts() as seen:
        for done in range(0, n, at_once):
            if seen:
                break
            part = slice(done, min(n, done + at_once))
            targets, p = found.given(part)
            start = known.nearest(own, targets, p, part.stop - part.start)
            way = turns(problem.prescription, own[start], targets)
            batch = Rests(
                (states, own, known.parameters),
                start,
                np.ascontiguousarray(targets),
                way,
                np.ascontiguousarray(problem.unlimited(p)),
                problem.base_inputs,
                problem.step_scale,
                1 / problem.coordinate_scales,
                STEPS,
            )
            if there is not None:
                there.run(batch)
                bar.update(part.stop)
            elif threads is not None:
                for piece in threads.run(batch, PIECES, lambda: bool(seen)):
                    bar.update(done + piece)
                    if seen:
                        break
            found.put(part, batch, jobs)
    if threads is not None:
        threads.close()
