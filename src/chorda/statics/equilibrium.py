"""equilibrium: a configuration at rest for whatever is given, and its stability."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chorda.checks import flag, number
from chorda.errors import InputError
from chorda.mechanics import Array, System, assemble
from chorda.mechanics.motor_limits import cut_off
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.results import Code, Equilibrium, Status
from chorda.statics import cold_start
from chorda.statics import winding_limits as winding
from chorda.statics.branch import bridge, solve_along, state_of
from chorda.statics.branch_end import slack_tendons
from chorda.statics.bristles_at_rest import on_bristles
from chorda.statics.contact_at_rest import bending_remark, side_remark, touching_remark
from chorda.statics.failures import not_converged, singular_to_rounding, undetermined
from chorda.statics.initial import Initial, check, configuration
from chorda.statics.prescribe import (
    Poses,
    Request,
    Values,
    coordinate_rows,
    missing,
    prescribe,
    read,
)
from chorda.statics.problem import Problem
from chorda.statics.ranges import beyond
from chorda.statics.rigid_tendons import complementary
from chorda.statics.rod_refinement import MAX_FUNCTIONS, carried_over, refined
from chorda.statics.rubbing_at_rest import friction_remark, too_far
from chorda.statics.solutions import equilibrium_of, mismatched, remarked
from chorda.statics.targets import actual, between, single

SHORT_STEPS = 20  # along the straight way from a known equilibrium, where one step fails


@interruptible()
@one_thread()
def equilibrium(
    system: System,
    *,
    tensions: Values | None = None,
    angles: Values | None = None,
    torques: Values | None = None,
    inputs: Values | None = None,
    hold: Mapping[str, float] | None = None,
    poses: Poses | None = None,
    efforts: Mapping[str, float] | None = None,
    actuated: Sequence[str] | None = None,
    initial: Initial = None,
    parameters: Mapping[str, float] | None = None,
    accuracy: float | None = None,
    strict: bool = False,
) -> Equilibrium:
    """A configuration at rest, and whether it is stable.

    From an `Equilibrium` as `initial` the branch that it is on is followed, for what a point of
    `follow` costs. From any other start the robot is let down its energy to a stable configuration;
    where that fails, Newton's method runs along a load that grows, and finds unstable ones too.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    tensions : float, sequence or mapping, optional
        [N] of tendons with an actuator: one number for all of them, a list, or by name; the others
        keep their law.
    angles : float, sequence or mapping, optional
        [rad] of motors on elastic tendons.
    torques : float, sequence or mapping, optional
        [N m] of motors; negative ones pull.
    inputs : float, sequence or mapping, optional
        Of the actuators, whatever their kind; those that are not named are 0.
    hold : mapping, optional
        Coordinates, inputs or parameters that are held at a value.
    poses : mapping, optional
        Of frames, such as {"platform": {"x": 0.1, "rotation": R}} [m]; a rotation is a matrix or a
        quaternion (w, x, y, z).
    efforts : mapping, optional
        [N m or N] of joints.
    actuated : sequence of str, optional
        Coordinates whose effort brings held coordinates and poses about; else those that are held.
        `efforts` of the result has what it takes.
    initial : optional
        Where the solver starts, see `simulate`.
    parameters : mapping, optional
        Changes of parameters by name. Friction along tendons acts by their parameter `sliding`:
        `{"*.sliding": 1}` finds where they have been pulled to, -1 where they have been released
        to; 0, the default, leaves it out.
    accuracy : float, optional
        [m] of the tips of rods and of prescribed frames. Rods get more functions and intervals
        until the estimated error is below it; the result's `system` is then that of the refined
        robot.
    strict : bool
        Raise unless an equilibrium is found.

    Returns
    -------
    Equilibrium
        Stable if the Hessian over the free coordinates is positive with all that was given, and
        what is actuated, held; neutral where it is zero along some of them.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.
    SolveError
        If `strict`, where none is found.

    See Also
    --------
    follow : a path of equilibria.
    equilibria : all of them that many starts find.
    stability : both kinds of stability.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> equilibrium(assemble(load("neck-3")), tensions=20.0).stability
    <Word.STABLE: 'stable'>
    """
    check(system)
    flag("strict", strict)
    p = system.parameters(parameters)
    request = read(
        system,
        p,
        hold=hold,
        poses=poses,
        efforts=efforts,
        tensions=tensions,
        angles=angles,
        torques=torques,
        inputs=inputs,
    )
    _refuse_missing(system, request, tensions, angles)
    u, p = _constants(system, request, p)
    prescription, values = prescribe(system, request, actuated)
    problem = Problem(system, prescription, u, p, compiled=False)
    found = solved(problem, single(prescription, values), initial)
    if accuracy is not None:
        given = dict[str, Any](hold=hold, poses=poses, efforts=efforts, tensions=tensions)
        given |= {"angles": angles, "torques": torques, "inputs": inputs, "actuated": actuated}
        given |= {"parameters": parameters}
        found = _within(found, number("accuracy", accuracy, above=0, unit="m"), given)
    if strict:
        found.status.raise_unless_ok()
    return found


def _within(found: Equilibrium, asked: float, given: Mapping[str, Any]) -> Equilibrium:
    """An equilibrium whose rods are as accurate as asked for."""
    if found.status.ok and found.accuracy is None:
        raise InputError(
            "accuracy: expected a robot with rods whose error can be estimated, got "
            f"{found.system.robot.name}, which has none, or none that finer ones are near to; "
            "leave it out"
        )
    while found.status.ok and found.accuracy is not None and found.accuracy.is_large(asked):
        robot = refined(found.system.robot, found.accuracy, asked)
        if robot is None:
            message = f"accuracy: {asked:g} m is not met with {MAX_FUNCTIONS} functions a strain."
            return replace(found, status=Status(Code.NOT_CONVERGED, message))
        system = assemble(robot, "rigid" if found.system.mode == "rigid" else "elastic")
        found = equilibrium(system, initial=carried_over(found, system), **given)
    return found


def solved(problem: Problem, target: Array, initial: Initial) -> Equilibrium:
    """The equilibrium of a problem from a start, warm or cold, in which rigid tendons only pull."""

    def solve(problem: Problem, start: Initial) -> tuple[Equilibrium, Array]:
        found = _solved(problem, target, start)
        return found, state_of(problem, found)

    return complementary(problem, solve, initial)


def _solved(problem: Problem, target: Array, initial: Initial) -> Equilibrium:
    """The same, whatever rigid tendons do."""
    system, p = problem.system, problem.p
    near = None
    if isinstance(initial, Equilibrium) and initial.status.ok and initial.system is system:
        has_rods = system.dynamics.approximate_tangent is not None
        near = _warm(replace(problem, compiled=has_rods), target, initial)
        if near.status.ok:
            return near
    q = configuration(system, initial, p)
    winding.refuse(system, initial, q, p)
    start = cold_start.start_state(problem, q, target)
    found = cold_start.solve(problem, start, target)
    if not found.ok:
        found = on_bristles(problem, start, target) or found
    stuck = undetermined(problem, found.x, target)
    if not found.ok:
        stuck = stuck or singular_to_rounding(problem, found.x, target)
    if stuck:
        return equilibrium_of(problem, found.x, target, found.iterations, stuck)
    if not found.ok and near is None and (home := _home(problem, start)) is not None:
        near = _warm(problem, target, home)
    if not found.ok and near is not None:
        return near
    if not found.ok:
        status = not_converged(problem, start, found, target)
        return equilibrium_of(problem, found.x, target, found.iterations, status)
    rest = judged(problem, found.x, target, found.iterations)
    if rest.status.ok and (aside := side_remark(system, q, rest.q, rest.parameters)):
        rest = remarked(rest, aside)
    if rest.status.ok and (bent := bending_remark(system, q, rest.q)):
        rest = remarked(rest, bent)
    return rest


def judged(problem: Problem, x: Array, target: Array, iterations: int) -> Equilibrium:
    """A solution, unless it is beyond a range, or a cable turned too far on the way to it."""
    system = problem.system
    if stuck := singular_to_rounding(problem, x, target):
        return equilibrium_of(problem, x, target, iterations, stuck)
    q, _, tau = problem.parts(x)
    hit = beyond(system, problem.prescription, q, tau, problem.limits)
    if hit is not None:
        status = hit.status("An equilibrium was found where the robot cannot be")
        return equilibrium_of(problem, x, target, iterations, status)
    if turned := winding.on_the_way(system, system.rest, q, problem.p):
        status = turned.status("on the way from the reference configuration")
        return equilibrium_of(problem, x, target, iterations, status)
    found = mismatched(problem, equilibrium_of(problem, x, target, iterations))
    if cut := cut_off(system, found.q, np.zeros(system.nv), found.u, found.parameters):
        found = remarked(found, f"At their limits: {', '.join(cut)}.")
    if shared := system.constraints.not_unique:
        found = remarked(found, f"Forces of {', '.join(shared)} are not unique.")
    if beyond_band := too_far(system, found.parameters):
        status = Status(Code.OUT_OF_RANGE, beyond_band)
        return equilibrium_of(problem, x, target, iterations, status)
    if rubs := friction_remark(system, found.parameters):
        found = remarked(found, rubs)
    if held := touching_remark(system, found.q, found.u, found.parameters):
        found = remarked(found, held)
    slack = [*problem.prescription.slack, *slack_tendons(problem, x)]
    return remarked(found, f"Slack: {', '.join(slack)}.") if slack else found


def _warm(problem: Problem, target: Array, known: Equilibrium) -> Equilibrium:
    """On the branch of a known equilibrium: there, or the nearest that was solved."""
    x = state_of(problem, known)
    here = actual(problem, x)
    way = bridge(problem, x, here, target, first=1.0)
    if way.parameter == 1.0:
        return judged(problem, way.x, target, way.iterations)
    rows = between(problem.prescription, here, target, np.linspace(0, 1, SHORT_STEPS + 1))
    found = solve_along(problem, x, here, rows)
    last, at = found.states[-1], found.targets[-1]
    if found.status.ok:
        return judged(problem, last, target, int(sum(found.iterations)))
    return equilibrium_of(problem, last, at, int(found.iterations[-1]), found.status)


def _home(problem: Problem, start: Array) -> Equilibrium | None:
    """With the coordinates that are actuated held where the start has them, for poses."""
    given, system = problem.prescription, problem.system
    if not given.frames or not given.moved or given.free_values:
        return None
    q, _, _ = problem.parts(start)
    hold = {name: float(q[system.coordinate_names.index(name)]) for name in given.moved}
    prescription, values = prescribe(system, Request(hold=hold), None)
    forward = Problem(system, prescription, problem.u, problem.p, problem.compiled)
    found = solved(forward, single(prescription, values), q)
    return found if found.status.ok else None


def _refuse_missing(
    system: System, request: Request, tensions: Values | None, angles: Values | None
) -> None:
    """Nobody is given a tension of zero because it was not named."""
    if tensions is not None and (left := missing(system, request)):
        raise InputError(
            f"tensions: expected one for {', '.join(left)} too, which an actuator pulls; name it, "
            "or give its actuator's input"
        )
    motors = [c.name for c in system.coordinates if c.kind == "motor"]
    if angles is not None and (left := [x for x in motors if x not in request.hold]):
        raise InputError(f"angles: expected one for {', '.join(left)} too; name it")


def _constants(system: System, request: Request, p: Array) -> tuple[Array, Array]:
    """Inputs and parameters with the values that are held; these leave the request."""
    joints = coordinate_rows(system)
    u, p = np.zeros(system.nu), p.copy()
    for name, x in system.idle().items():
        u[system.given.index(name)] = x
    held = {name: x for name, x in request.hold.items() if name not in joints}
    for name, value in (held | request.inputs).items():
        if value.ndim:
            raise InputError(
                f"hold.{name}: expected one value, got {len(value)}; chorda.follow goes along many"
            )
        if name in system.given:
            u[system.given.index(name)] = value
        else:
            system.parameters({name: float(value)})  # refuses what a parameter cannot be
            p[system.parameter_names.index(name)] = value
    for name in held:
        del request.hold[name]
    request.inputs.clear()
    return u, p
