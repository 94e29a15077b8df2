"""Conjugate points: how many ways an assembly can fall, from Jacobi fields of the continuous model.

Clamp every rod from its base to the fraction u of its length. At u = 1 nothing can move but what is
rigid; as u shrinks more and more can, and the number of directions in which the energy falls grows
by one wherever a field of deviations in balance vanishes at u: a conjugate point [Till2017]. At
u = 0 it is the index of the second variation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from chorda.checks import check_choice, check_names, whole_number
from chorda.continuous.continuous_results import AssemblyEquilibrium
from chorda.continuous.jacobi_fields import JacobiFields, negative, tip_plane
from chorda.errors import InputError, SolveError
from chorda.mechanics import Array
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.results.spectra import Word, word

FAST_TURN = 1.0  # [rad] most that an eigenvalue may turn between two fractions
TOO_FAST_TURN = 3.0  # [rad] beyond half a turn their direction is not known
VANISHED = 1e-10  # [rad] from pi: a field that vanishes at the bases
FEWEST_SAMPLES, MAX_SAMPLES = 20, 1280


@dataclass(frozen=True, eq=False)
class ConjugatePoints:
    """Directions in which the energy of an assembly falls.

    Attributes
    ----------
    count : int
        Of all such directions.
    neutral : bool
        Whether the energy stays in some direction: a field vanishes at the bases.
    positions : tuple of float
        Fractions of the rods' lengths at which there are conjugate points, a double one twice, the
        largest first. Each of them counts.
    rigid : int
        How many directions there are with all rods clamped.
    joints : int
        How many come in with joints under the bases.
    fraction : array of shape (k,)
        Of the lengths, from 1 to 0.
    determinant : array of shape (k,)
        Of the fields' moves there, in lengths of the rods and positive next to the tips: it changes
        its sign at conjugate points.
    angles : array of shape (k, n)
        Of the unitary matrices [rad]: eigenvalues pass pi at conjugate points.

    See Also
    --------
    conjugate_points : computes it.
    """

    count: int
    neutral: bool
    positions: tuple[float, ...]
    rigid: int
    joints: int
    fraction: Array
    determinant: Array
    angles: Array

    @property
    def stable(self) -> bool:
        """Whether the energy rises in every direction."""
        return self.stability == Word.STABLE

    @property
    def stability(self) -> Word:
        """Stable, neutral or unstable."""
        return word(self.count, int(self.neutral))


@interruptible()
@one_thread()
def conjugate_points(
    solution: AssemblyEquilibrium,
    *,
    motors: Literal["locked", "free"] = "locked",
    samples: int = FEWEST_SAMPLES,
) -> ConjugatePoints:
    """Conjugate points of an equilibrium.

    Parameters
    ----------
    solution : AssemblyEquilibrium
        Of `shooting` or `finite_differences`, without loads that follow.
    motors : {"locked", "free"}
        Whether what was actuated is locked, or free to move under its constant effort.
    samples : int
        At how many fractions of the lengths fields are looked at, at least; at more where they turn
        fast.

    Returns
    -------
    ConjugatePoints
        How many there are, and where.

    Raises
    ------
    SolveError
        Where fields turn too fast to be counted.

    See Also
    --------
    shooting : finds the equilibrium.

    Examples
    --------
    >>> import chorda
    >>> from chorda.continuous import shooting
    >>> bulge = {"leg1.bend_z": -1.0, "leg2.bend_z": 1.0}
    >>> motors = {"motor1": 2.59, "motor2": 0.55}
    >>> conjugate_points(shooting(chorda.load("rfrfr"), hold=motors, initial=bulge)).count
    0
    """
    _check(solution, motors, samples)
    plane, rigid = tip_plane(solution)
    fields, steps = JacobiFields(solution, plane), samples
    while (path := fields.path(np.linspace(1, 0, steps + 1))).fastest > FAST_TURN:
        if steps >= MAX_SAMPLES:
            break
        steps *= 2
    if path.fastest > TOO_FAST_TURN:
        raise SolveError(
            f"conjugate points: fields turn by {path.fastest:.2g} rad between two of {steps} "
            "fractions, too fast to be counted; loads are far beyond what buckles the rods"
        )
    passed = [path.passed(k) for k in range(steps)]
    spans = zip(path.fraction.tolist(), path.fraction[1:].tolist(), passed, strict=False)
    joints = _falling_joints(solution, motors)
    n = solution.equations.wrenches
    last = path.angles[-1]
    barely = int(np.sum(last < VANISHED - np.pi))  # passed at the bases within rounding: neutral
    positions = tuple(at for span in spans for at in fields.located(*span))
    determinant = np.array([np.linalg.det(frame[:n]) for frame in path.frames])
    return ConjugatePoints(
        count=sum(passed) - barely + rigid + joints,
        neutral=bool(np.any(np.pi - np.abs(last) < VANISHED)),
        positions=positions[: len(positions) - barely],
        rigid=rigid,
        joints=joints,
        fraction=path.fraction,
        determinant=determinant * np.sign(determinant[1]) * (-1) ** passed[0],
        angles=path.angles,
    )


def _check(solution: AssemblyEquilibrium, motors: str, samples: int) -> None:
    if not solution.status.ok:
        raise InputError(f"solution: expected an equilibrium, got one that is not: {solution}")
    check_choice("motors", motors, ("locked", "free"))
    whole_number("samples", samples)
    structure = solution.equations.structure
    for load in structure.robot.loads:
        if load.follows and any((*load.force, *load.moment)):
            raise InputError(
                f"loads.{load.name}: follows its body and has no energy; expected loads in world "
                "axes, whose stability a second variation tells"
            )
        if any(load.moment) and not structure.planar:
            raise InputError(
                f"loads.{load.name}: a moment about a fixed axis has no energy in space; expected "
                "forces, whose stability a second variation tells"
            )


def _falling_joints(solution: AssemblyEquilibrium, motors: str) -> int:
    """Directions that joints under the rods' bases add: passive ones, and motors if free."""
    s, actuated = solution.equations.structure, solution.equations.prescription.actuated
    loose = {x for x in s.upstream if x not in actuated}
    if motors == "free":
        loose |= {*actuated}
    return negative(joint_stiffness(solution, [x for x in s.moves if x in loose]))


@interruptible()
@one_thread()
def joint_stiffness(solution: AssemblyEquilibrium, joints: Sequence[str]) -> Array:
    """How efforts of joints change with their coordinates, all else in balance.

    Parameters
    ----------
    solution : AssemblyEquilibrium
        Of `shooting` or `finite_differences`.
    joints : sequence of str
        Names (n); joints that are actuated and not named stay where they are.

    Returns
    -------
    array of shape (n, n)
        [N m/rad].

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    chorda.kinematostatics : the same by modes, and more.

    Examples
    --------
    >>> import chorda
    >>> from chorda.continuous import shooting
    >>> bulge = {"leg1.bend_z": -1.0, "leg2.bend_z": 1.0}
    >>> motors = {"motor1": 2.59, "motor2": 0.55}
    >>> found = shooting(chorda.load("rfrfr"), hold=motors, initial=bulge)
    >>> joint_stiffness(found, ["motor1", "motor2"]).shape
    (2, 2)
    """
    equations, at = solution.equations, solution.evaluation
    moves, tips = equations.structure.moves, equations.wrenches
    check_names("joints", joints, moves)
    still = [*joints, *equations.prescription.actuated]
    rest = [k for k, name in enumerate(moves) if name not in still]
    named = [moves.index(name) for name in joints]
    balanced = at.slope[[*range(tips), *(tips + k for k in rest)]]
    A = np.vstack([balanced, at.parts.J[:, equations.all_moves] @ at.moves])
    unknowns = [*rest, *range(equations.moves, A.shape[1])]
    follow = -np.linalg.lstsq(A[:, unknowns], A[:, named], rcond=None)[0]
    rows = at.slope[[tips + k for k in named]]
    return np.asarray(rows[:, named] + rows[:, unknowns] @ follow)
