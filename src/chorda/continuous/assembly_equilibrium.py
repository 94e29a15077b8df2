"""An assembly of rods at rest, without modes: by shooting and by finite differences.

Shooting integrates each rod from its base with a wrench there that is not known, in pieces that
meet where all is in balance (multiple shooting); Newton's method finds the wrenches, the joints and
the platform [Briot2022, Mod. 2]. Finite differences have every node as an unknown: positions
advance by explicit Euler steps, and the energy of the elements is made stationary [Briot2022,
Mod. 3].
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from chorda.checks import number, whole_number
from chorda.continuous.along_rods import Scheme
from chorda.continuous.assembly_equations import AssemblyEquations, Evaluation
from chorda.continuous.assembly_start import Start, start
from chorda.continuous.assembly_structure import structure
from chorda.continuous.conjugate import conjugate_points
from chorda.continuous.continuous_results import AssemblyEquilibrium, Judgement
from chorda.continuous.piece_schemes import euler, order8
from chorda.continuous.rigid_parts import Configuration, RigidParts
from chorda.continuous.step_refinement import refined_steps
from chorda.describe import Robot
from chorda.errors import ChordaError, InputError
from chorda.mechanics import Array
from chorda.numerics.continuation import settled
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.newton import Outcome, Solver, newton
from chorda.numerics.one_thread import one_thread
from chorda.numerics.runge_kutta_steps import ORDER_8
from chorda.results import Code, Status
from chorda.results.late import Late
from chorda.results.spectra import Word
from chorda.statics.prescribe import Names, Poses, prescribe_names, read_names
from chorda.statics.targets import refuse_series

MAX_ITERATIONS, STEP_ITERATIONS = 40, 15  # at once, and for a part of the residual
SHORTEST_STEP = 0.01  # part of the residual below which it is given up
LONGEST_CORRECTION = 1.0  # a radian, a length, or a wrench of the rods' own size
ROUNDING = 100  # tolerances: what rounding may leave


@interruptible()
@one_thread()
def shooting(
    robot: Robot,
    *,
    hold: Mapping[str, float] | None = None,
    poses: Poses | None = None,
    actuated: Sequence[str] | None = None,
    initial: Start = None,
    steps: int = 24,
    accuracy: float | None = None,
    tolerance: float = 1e-11,
    strict: bool = False,
) -> AssemblyEquilibrium:
    """An equilibrium of rods on motors, joined by closures or to a platform.

    Strains occur where the rod has modes for them; how many does not matter.

    Parameters
    ----------
    robot : Robot
        Rods, rigid joints, springs, loads and closures, without tendons.
    hold : mapping, optional
        Joints held at a value [rad or m].
    poses : mapping, optional
        Target poses of frames, such as {"platform": {"x": 0.1, "rotation": R}}.
    actuated : sequence of str, optional
        Joints whose effort brings that about; if not given, those that are held.
    initial : mapping or result, optional
        Numbers by name, with constant strains such as {"leg1.bend_z": 1.0}; or a result near by, of
        this model or of chorda.equilibrium.
    steps : int
        Of order 8, along each rod.
    accuracy : float, optional
        [m] of the tips; there are twice as many steps until the estimated error is below it.
    tolerance : float
        Of every equation, scaled by the rods' stiffness and length.
    strict : bool
        Whether an equilibrium that is not found raises its status.

    Returns
    -------
    AssemblyEquilibrium
        Its status says whether it is one.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.
    SolveError
        If `strict`, where none is found.

    See Also
    --------
    conjugate_points : whether it is stable, by the continuous model.
    follow : a path of them.

    Examples
    --------
    >>> from chorda.describe import Circle, Load, Modes, Point, Robot, Rod
    >>> steel = {"section": Circle(radius=1e-3), "young_modulus": 2e11, "density": 7800}
    >>> plane = Modes(twist=0, bend_y=0, stretch=0)
    >>> pull = Load(name="pull", at=Point(frame="rod.tip"), force=(0, -0.1, 0))
    >>> rod = Rod(name="rod", length=0.5, modes=plane, **steel)
    >>> beam = Robot(name="beam", gravity=(0, 0, 0), joints=[rod], loads=[pull])
    >>> shooting(beam).frame("rod.tip")[0].round(6).tolist()
    [0.49916, -0.026449, 0.0]
    """
    if accuracy is not None:
        number("accuracy", accuracy, above=0, unit="m")

    def solve(steps: int, near: Start) -> AssemblyEquilibrium:
        return _solved(robot, (hold, poses, actuated), near, order8, steps, tolerance, False)

    found = solve(steps, initial)
    if accuracy is not None and found.status.ok:
        found, error, met = refined_steps(found, accuracy, ORDER_8.order, solve)
        found = replace(found, accuracy=error)
        if not met:
            message = f"accuracy: {accuracy:g} m is not met with {found.equations.steps} steps."
            status = Status(Code.NOT_CONVERGED, f"{message} {error.message()}")
            found = replace(found, status=status)
    if strict:
        found.status.raise_unless_ok()
    return found


@interruptible()
@one_thread()
def finite_differences(
    robot: Robot,
    *,
    elements: int,
    hold: Mapping[str, float] | None = None,
    poses: Poses | None = None,
    actuated: Sequence[str] | None = None,
    initial: Start = None,
    tolerance: float = 1e-10,
    strict: bool = False,
) -> AssemblyEquilibrium:
    """The same by elements of constant strain: of first order.

    Briot2022 does not print its finite differences; of two readings this one was kept because of
    its Table II, which comes out within 3 %. Moments by explicit Euler steps as well, the other
    one, give twice the mean errors printed there.

    Parameters
    ----------
    robot : Robot
        As of `shooting`.
    elements : int
        Along each rod.
    hold, poses, actuated, initial : optional
        As of `shooting`.
    tolerance : float
        As of `shooting`.
    strict : bool
        As of `shooting`.

    Returns
    -------
    AssemblyEquilibrium
        Its status says whether it is one.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.
    SolveError
        If `strict`, where none is found.

    See Also
    --------
    shooting : of order 8.

    Examples
    --------
    >>> import chorda
    >>> bulge = {"leg1.bend_z": -1.0, "leg2.bend_z": 1.0}
    >>> motors = {"motor1": 2.59, "motor2": 0.55}
    >>> found = finite_differences(
    ...     chorda.load("rfrfr"), elements=100, hold=motors, initial=bulge)
    >>> found.frame("leg1.tip")[0].round(2).tolist()
    [0.0, 0.84, 0.0]
    """
    return _solved(robot, (hold, poses, actuated), initial, euler, elements, tolerance, strict)


@interruptible()
@one_thread()
def follow(
    robot: Robot,
    *,
    hold: Iterable[Mapping[str, float]] | None = None,
    poses: Iterable[Poses] | None = None,
    actuated: Sequence[str] | None = None,
    initial: Start = None,
    steps: int = 24,
    strict: bool = False,
) -> list[AssemblyEquilibrium]:
    """Equilibria along a path by `shooting`, each from the one before, until one is not found.

    Parameters
    ----------
    robot : Robot
        As of `shooting`.
    hold, poses : iterable of mapping, optional
        One of them, as a series of what `shooting` takes.
    actuated, initial : optional
        As of `shooting`.
    steps : int
        As of `shooting`.
    strict : bool
        As of `shooting`.

    Returns
    -------
    list of AssemblyEquilibrium
        As far as they were found.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.
    SolveError
        If `strict`, where one of them is not found.

    See Also
    --------
    shooting : one of them.

    Examples
    --------
    >>> import chorda
    >>> bulge = {"leg1.bend_z": -1.0, "leg2.bend_z": 1.0}
    >>> way = [{"motor1": x, "motor2": 0.55} for x in (2.59, 2.6)]
    >>> len(follow(chorda.load("rfrfr"), hold=way, initial=bulge))
    2
    """
    if (hold is None) == (poses is None):
        raise InputError("give one of hold, poses: values along the path")
    found: list[AssemblyEquilibrium] = []
    for item in hold or poses or ():
        chosen: dict[str, Any] = {"hold" if poses is None else "poses": item}
        last = found[-1] if found else initial
        found.append(
            shooting(robot, **chosen, actuated=actuated, initial=last, steps=steps, strict=strict)
        )
        if not found[-1].status.ok:
            break
    return found


def _solved(
    robot: Robot,
    prescribed: tuple[Any, Any, Any],
    initial: Start,
    scheme: Scheme,
    steps: int,
    tolerance: float,
    strict: bool,
) -> AssemblyEquilibrium:
    """An equilibrium by any scheme along the rods; prescribed: hold, poses, actuated."""
    whole_number("steps", steps)
    if isinstance(initial, AssemblyEquilibrium) and initial.equations.structure.robot is robot:
        rigid = initial.equations.rigid
    else:
        rigid = RigidParts(structure(robot))
    hold, poses, actuated = prescribed
    joints = tuple(joint.name for joint in rigid.structure.axes)
    names = Names(joints, rigid.frames, rotation_rows=1 if rigid.structure.planar else 3)
    request = read_names(names, hold, poses, None)
    prescription, targets = prescribe_names(names, request, actuated)
    refuse_series(prescription, targets)
    equations = AssemblyEquations(rigid, prescription, targets, scheme, steps)
    found = _result(equations, _settled(equations, start(equations, initial), tolerance))
    if strict:
        found.status.raise_unless_ok()
    return found


def _settled(
    equations: AssemblyEquations, x: Configuration, tolerance: float
) -> Outcome[Configuration]:
    """From a guess, where need be along r = (1 - t) r(guess) with t from 0 to 1."""
    first = cache(lambda: equations(x).residual)

    def solve(t: float, x: Configuration, iterations: int) -> Outcome[Configuration]:
        shift = (1 - t) * first() if t < 1 else 0.0

        def left(at: Evaluation) -> Array:
            return np.concatenate([at.residual - shift, at.scaled_gaps])

        def evaluate(x: Configuration) -> tuple[Evaluation, Solver]:
            at = equations(x)
            return at, lambda other: at.correction(left(other))

        return newton(
            evaluate,
            x,
            moved=equations.moved,
            scaled=left,
            length=equations.length,
            longest=LONGEST_CORRECTION,
            tolerance=tolerance,
            rounding=ROUNDING * tolerance,
            iterations=iterations,
            by_correction=True,  # pieces of strongly bent rods part for a while before they meet
        )

    out, _ = settled(
        solve,
        x,
        at_once=MAX_ITERATIONS,
        in_step=STEP_ITERATIONS,
        shrink=1 / 3,
        shortest=SHORTEST_STEP,
    )
    return out


def _result(equations: AssemblyEquations, out: Outcome[Configuration]) -> AssemblyEquilibrium:
    s, x, at = equations.structure, out.x, out.value
    times = f"{out.iterations} iteration{'s' * (out.iterations != 1)}"
    status = Status(Code.CONVERGED, f"Equilibrium found in {times}.")
    if not out.converged:
        status = Status(
            Code.NOT_CONVERGED,
            f"No equilibrium was found: {out.residual:.2g} is left of the equations, scaled, after "
            f"{times}. Try a start nearer to it (initial=...), such as a "
            "result near by, or bends of the rods as you expect them.",
        )
    effort = dict(zip(s.moves, at.parts.G[6 * len(s.rods) :].tolist(), strict=True))
    wrenches = np.concatenate([x.nodes.m[0], x.nodes.n[0]], axis=1)
    found = AssemblyEquilibrium(
        efforts={name: effort[name] for name in equations.prescription.actuated},
        wrenches=dict(zip(s.rods.names, wrenches, strict=True)),
        multipliers=dict(zip(equations.rigid.rows, x.multipliers.tolist(), strict=True)),
        energy=at.energy,
        residual=out.residual,
        iterations=out.iterations,
        status=status,
        equations=equations,
        configuration=x,
        evaluation=at,
    )
    if not out.converged:
        return found
    late = Late(partial(judged, found))
    status = found.status.with_late_remark(lambda: late().remark)
    return replace(found, judgement=late, status=status)


def judged(found: AssemblyEquilibrium) -> Judgement:
    """Its stability, what is actuated locked; or why it is not known."""
    try:
        stability, ways = (points := conjugate_points(found)).stability, points.count
    except ChordaError as error:
        return Judgement(Word.UNKNOWN, f"Whether it is stable is not known: {error}.")
    if stability == Word.UNSTABLE:
        number = f"{ways} direction{'s' * (ways != 1)}"
        return Judgement(stability, f"It is UNSTABLE: the energy falls in {number}.")
    if stability == Word.NEUTRAL:
        return Judgement(stability, "It is NEUTRAL: nothing pulls it back in a direction.")
    return Judgement(stability, "It is stable.")
