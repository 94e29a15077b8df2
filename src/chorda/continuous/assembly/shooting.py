"""shooting: an assembly of rods at rest, without modes.

Each rod is integrated from its base with a wrench there that is not known, in pieces that meet
where all is in balance (multiple shooting); Newton's method finds the wrenches, the joints and the
platform [Briot2022, Mod. 2].
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from chorda.continuous.assembly.along import Scheme
from chorda.continuous.assembly.equations import Equations
from chorda.continuous.assembly.given import Places, given
from chorda.continuous.assembly.newton import Outcome, solve
from chorda.continuous.assembly.results import AssemblyEquilibrium
from chorda.continuous.assembly.rigid import Configuration, RigidParts
from chorda.continuous.assembly.start import at_rest, from_modes, from_result
from chorda.continuous.assembly.stepping import order8
from chorda.continuous.assembly.structure import structure
from chorda.describe import Robot
from chorda.errors import InputError
from chorda.results import Code, Equilibrium, Status

Start = Mapping[str, float] | AssemblyEquilibrium | Equilibrium | None


def shooting(
    robot: Robot,
    *,
    hold: Mapping[str, float] | None = None,
    place: Places | None = None,
    actuated: Sequence[str] | None = None,
    initial: Start = None,
    steps: int = 24,
    tolerance: float = 1e-11,
    strict: bool = False,
) -> AssemblyEquilibrium:
    """An equilibrium of rods on motors, joined by closures or to a platform.

    hold: joints held at a value [rad or m]. place: frames put somewhere, such as
    {"platform": {"x": 0.1, "rotation": R}}. actuated: joints whose effort brings that about (else
    those that are held). Strains occur where the rod has modes for them; how many does not matter.

    initial: numbers by name, with constant strains such as {"leg1.bend_z": 1.0}; or a result, of
    this model or of chorda.equilibrium, near by. steps: of order 8, along each rod. tolerance: of
    every equation, scaled by the rods' stiffness and length.

    >>> from chorda.describe import Circle, Load, Modes, Point, Robot, Rod
    >>> steel = {"section": Circle(radius=1e-3), "young_modulus": 2e11, "density": 7800}
    >>> plane = Modes(twist=0, bend_y=0, stretch=0)
    >>> pull = Load(name="pull", at=Point(frame="rod.tip"), force=(0, -0.1, 0))
    >>> rod = Rod(name="rod", length=0.5, modes=plane, **steel)
    >>> beam = Robot(name="beam", gravity=(0, 0, 0), joints=[rod], loads=[pull])
    >>> shooting(beam).frame("rod.tip")[0].round(6).tolist()
    [0.49916, -0.026449, 0.0]
    """
    return settled(robot, hold, place, actuated, initial, order8, steps, tolerance, strict)


def settled(
    robot: Robot,
    hold: Mapping[str, float] | None,
    place: Places | None,
    actuated: Sequence[str] | None,
    initial: Start,
    scheme: Scheme,
    steps: int,
    tolerance: float,
    strict: bool,
) -> AssemblyEquilibrium:
    """An equilibrium by any scheme along the rods."""
    if steps < 1:
        raise InputError(f"steps: expected at least 1, got {steps}")
    if isinstance(initial, AssemblyEquilibrium) and initial.equations.structure.robot is robot:
        rigid = initial.equations.rigid
    else:
        rigid = RigidParts(structure(robot))
    equations = Equations(rigid, given(rigid, hold, place, actuated), scheme, steps)
    x = _start(equations, initial)
    return _result(equations, solve(equations, x, tolerance), strict)


def follow(
    robot: Robot,
    *,
    hold: Iterable[Mapping[str, float]] | None = None,
    place: Iterable[Places] | None = None,
    actuated: Sequence[str] | None = None,
    initial: Start = None,
    steps: int = 24,
    strict: bool = False,
) -> list[AssemblyEquilibrium]:
    """Equilibria along a way: each starts from the one before, along the tangent."""
    if (hold is None) == (place is None):
        raise InputError("give one of hold, place: values along the way")
    found: list[AssemblyEquilibrium] = []
    for item in hold or place or ():
        last = found[-1] if found else initial
        chosen = {"hold": item} if place is None else {"place": item}
        more = {"actuated": actuated, "initial": last, "steps": steps, "strict": strict}
        found.append(shooting(robot, **chosen, **more))  # type: ignore[arg-type]
        if not found[-1].status.ok:
            break
    return found


def _start(equations: Equations, initial: Start) -> Configuration:
    if isinstance(initial, AssemblyEquilibrium):
        _check_same(equations, initial.equations.structure.robot)
        return from_result(equations, initial.configuration, initial.equations.scheme)
    if isinstance(initial, Equilibrium):
        _check_same(equations, initial.system.robot)
        return from_modes(equations, initial)
    return at_rest(equations, initial or {})


def _check_same(equations: Equations, other: Robot) -> None:
    robot = equations.structure.robot
    if [x.name for x in other.joints] != [x.name for x in robot.joints]:
        raise InputError(
            f"initial: is a result of '{other.name}', which has other joints; expected one of "
            f"'{robot.name}'"
        )


def _result(equations: Equations, out: Outcome, strict: bool) -> AssemblyEquilibrium:
    s, x, at = equations.structure, out.configuration, out.evaluation
    times = f"{out.iterations} iteration{'s' * (out.iterations != 1)}"
    status = Status(Code.CONVERGED, f"Equilibrium found in {times}.")
    if not out.converged:
        status = Status(
            Code.NOT_CONVERGED,
            f"No equilibrium was found: {out.error:.2g} is left of the equations, scaled, after "
            f"{times}. Try a start nearer to it (initial=...), such as a "
            "result near by, or bends of the rods as you expect them.",
        )
    first = 6 * len(s.rods)
    result = AssemblyEquilibrium(
        efforts={
            name: float(at.parts.G[first + s.moves.index(name)])
            for name in equations.given.actuated
        },
        wrenches={
            f.name: np.concatenate([x.nodes.m[0, i], x.nodes.n[0, i]])
            for i, f in enumerate(s.fibres)
        },
        multipliers=dict(zip(equations.rigid.rows, x.multipliers.tolist(), strict=True)),
        energy=at.parts.energy + float(at.pieces.energy.sum()),
        residual=out.error,
        iterations=out.iterations,
        status=status,
        equations=equations,
        configuration=x,
        evaluation=at,
    )
    if strict:
        status.raise_unless_ok()
    return result
