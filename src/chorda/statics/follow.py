"""follow: equilibria along a path of what is prescribed, from one that is known."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from chorda.checks import flag
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.mechanics.prescription import Prescription
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.results import Equilibrium, EquilibriumPath
from chorda.statics.branch import solve_along, state_of
from chorda.statics.past_folds import continue_past_folds
from chorda.statics.prescribe import Poses, Request, Values, coordinate_rows, prescribe, read
from chorda.statics.problem import Problem
from chorda.statics.ranges import quantities, read_limits
from chorda.statics.solutions import path_of
from chorda.statics.targets import actual, along


@interruptible()
@one_thread()
def follow(
    start: Equilibrium,
    *,
    hold: Mapping[str, Any] | None = None,
    poses: Poses | None = None,
    efforts: Mapping[str, Any] | None = None,
    tensions: Values | None = None,
    angles: Values | None = None,
    torques: Values | None = None,
    inputs: Values | None = None,
    actuated: Sequence[str] | None = None,
    limits: Mapping[str, Any] | None = None,
    points: int | None = None,
    folds: bool = False,
    strict: bool = False,
) -> EquilibriumPath:
    """The branch of equilibria that `start` is on, along a path of what is prescribed.

    The path ends before its end where no equilibrium is near, a joint meets its range or a quantity
    its limit, or tendons go slack: `status` says which, and the last configuration is the nearest
    that was solved.

    Parameters
    ----------
    start : Equilibrium
        From any verb.
    hold, poses, efforts, tensions, angles, torques, inputs : optional
        As in `equilibrium`. A number is where to go, in `points` even steps; a series is visited
        value by value. What `start` had prescribed and is not named stays as it is, unless
        `actuated` is given.
    actuated : sequence of str, optional
        Coordinates, inputs or parameters that are actuated for held coordinates and poses; with it
        the problem is a new one (the inverse, say).
    limits : mapping, optional
        (low, high), or one positive number for both sides, by name: coordinates, efforts
        (motor1.effort), tensions (pull.tension). Ranges of joints count too.
    points : int, optional
        Steps of the path, 50 by default; a series has as many as it has values.
    folds : bool
        Continue past folds, until the branch has come to the end of the path or back to its
        beginning; `points` then only sets the first step.
    strict : bool
        Raise unless the whole path is found.

    Returns
    -------
    EquilibriumPath
        Rows, with the changes of stability located, and a status that says how far it came.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.
    SolveError
        If `strict`, where the path ends before its end.

    See Also
    --------
    equilibrium : finds the start.
    EquilibriumPath.inputs : a motion along the path.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    >>> first = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bulge)
    >>> follow(first, hold={"motor1": 5.76, "motor2": 3.67})
    <EquilibriumPath of rfrfr: 51 configurations, 51 stable; completed>
    """
    checked(start)
    flag("folds", folds)
    flag("strict", strict)
    request = read(
        start.system,
        start.parameters,
        hold=hold,
        poses=poses,
        efforts=efforts,
        tensions=tensions,
        angles=angles,
        torques=torques,
        inputs=inputs,
    )
    problem, values = problem_from(start, request, actuated)
    bounds = read_limits(limits, quantities(start.system, problem.prescription))
    x = state_of(problem, start)
    here = actual(problem, x)
    targets = along(problem.prescription, values, here, points)
    if folds:
        found = continue_past_folds(problem, x, here, targets, bounds)
    else:
        found = solve_along(problem, x, here, targets, bounds)
    path = path_of(problem, found, targets)
    if strict:
        path.status.raise_unless_ok()
    return path


def checked(start: Any, what: str = "start") -> Equilibrium:
    """An equilibrium that was found."""
    if not isinstance(start, Equilibrium):
        raise InputError(f"{what}: expected what chorda.equilibrium returns, got {start!r:.60}")
    start.status.raise_unless_ok()
    return start


def problem_from(
    start: Equilibrium,
    request: Request,
    actuated: Sequence[str] | None = None,
    p: Array | None = None,
) -> tuple[Problem, list[Array]]:
    """What is prescribed: as requested, and as it was where nothing else is said.

    p: parameters, or columns of them, if they are not those of the start.
    """
    system, before = start.system, start.prescription
    if actuated is None:
        request = request.over(Request(**before.request(start.target)), system)
        actuated = _actuated(before, request, coordinate_rows(system))
    p = start.parameters if p is None else p
    prescription, values = prescribe(system, request, actuated, p)
    prescription = replace(prescription, slack=before.slack)
    return Problem(system, prescription, start.u, start.parameters), values


def _actuated(
    before: Prescription, request: Request, joints: Mapping[str, int]
) -> list[str] | None:
    """What was actuated before, and coordinates that are held now and were not."""
    kept = [x for x in before.actuated if x not in before.winders]
    if not request.poses and set(kept) <= set(before.held):  # each coordinate for itself
        return None
    new = [name for name in request.hold if name in joints and name not in before.held]
    return [*kept, *(name for name in new if name not in kept)]
