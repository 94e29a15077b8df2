"""Conjugate points: how many ways an assembly can fall, from Jacobi fields of the continuous model.

Clamp every rod from its base to the share u of its length. At u = 1 nothing can move but what is
rigid; as u shrinks more and more can, and the number of directions in which the energy falls grows
by one wherever a field of deviations in balance vanishes at u: a conjugate point [Till2017]. At
u = 0 it is the index of the second variation.

Fields in balance at the tips form a Lagrangian plane (X moves, Y wrenches). As unitary matrices
W = (X + i Y)(X + i Y)^T planes have eigenvalues on the circle, which pass -1, where X is singular,
in one direction only. Their winding counts them, double ones too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from scipy.linalg import null_space

from chorda.continuous.assembly.along import resampled
from chorda.continuous.assembly.equations import Equations, to_world
from chorda.continuous.assembly.results import AssemblyEquilibrium
from chorda.errors import InputError, SolveError
from chorda.mechanics import Array, unknown

FAST = 1.0  # [rad] most that an eigenvalue may turn between two shares
TOO_FAST = 3.0  # [rad] beyond half a turn their direction is not known
RANK = 1e-9  # of singular values: what counts as zero
FEWEST, MOST = 20, 1280  # shares at which fields are looked at
AT = 1e-7  # [rad] what counts as an eigenvalue of -1
SHIFTS = ("vx", "vy", "vz")
DEPTH = 4  # how often the span of a conjugate point is divided by ten


@dataclass(frozen=True, eq=False)
class ConjugatePoints:
    """count: directions in which the energy falls. It is made of conjugate points at the shares
    `places` of the rods' lengths (a double one twice, largest first), of `rigid` directions with
    all rods clamped, and of `joints`: those that come in with joints under the bases.

    share (k) from 1 to 0; determinant (k) of the fields' moves there, in lengths of the rods and
    positive next to the tips: it changes its sign at conjugate points; angles (k, n) [rad] of the
    unitary matrix: its eigenvalues pass pi at conjugate points.
    """

    count: int
    places: tuple[float, ...]
    rigid: int
    joints: int
    share: Array
    determinant: Array
    angles: Array

    @property
    def stable(self) -> bool:
        return self.count == 0


def conjugate_points(
    solution: AssemblyEquilibrium,
    *,
    motors: Literal["locked", "free"] = "locked",
    shares: int = FEWEST,
) -> ConjugatePoints:
    """Conjugate points of an equilibrium, with what was actuated locked in place or free to move
    under its constant effort. shares: at how many places along the rods, at least, fields are
    looked at; more where they turn fast."""
    if not solution.status.ok:
        raise InputError(f"solution: expected an equilibrium, got one that is not: {solution}")
    if motors not in ("locked", "free"):
        raise InputError(f"motors: expected locked or free, got {motors!r}")
    if shares < 1:
        raise InputError(f"shares: expected at least 1, got {shares}")
    equations = solution.equations
    for load in equations.structure.robot.loads:
        if load.follows and any((*load.force, *load.moment)):
            raise InputError(
                f"loads.{load.name}: follows its body and has no energy; expected loads in world "
                "axes, whose stability a second variation tells"
            )
    plane = _TipPlane(solution)
    fields = _Fields(solution, plane.frame)
    steps = shares
    while (path := fields.path(np.linspace(1, 0, steps + 1))).fastest > FAST and steps < MOST:
        steps *= 2
    if path.fastest > TOO_FAST:
        raise SolveError(
            f"conjugate points: fields turn by {path.fastest:.2g} rad between two of {steps} "
            "places, too fast to be counted; loads are far beyond what buckles the rods"
        )
    passed = [path.passed(k) for k in range(steps)]
    places = [
        at
        for k, count in enumerate(passed)
        for at in fields.places(float(path.share[k]), float(path.share[k + 1]), count)
    ]
    joints = _falling_joints(solution, motors)
    n = equations.wrenches
    determinant = np.array([np.linalg.det(frame[:n]) for frame in path.frames])
    return ConjugatePoints(
        count=sum(passed) + plane.falling + joints,
        places=tuple(places),
        rigid=plane.falling,
        joints=joints,
        share=path.share,
        determinant=determinant * np.sign(determinant[1]) * (-1) ** passed[0],
        angles=path.angles,
    )


class _TipPlane:
    """Moves X and changes Y of the tips' wrenches that all behind the tips leaves in balance.

    All in units: lengths of the rods, and their own forces.
    """

    def __init__(self, solution: AssemblyEquilibrium) -> None:
        equations = solution.equations
        s, parts = equations.structure, solution.evaluation.parts
        tips, pick = equations.wrenches, equations.all_moves
        L = s.length_scale
        slides = [joint.name for joint in s.axes if joint.kind == "prismatic"]
        joints = [L if x in slides or x.rpartition(".")[2] in SHIFTS else 1.0 for x in s.moves]
        units = np.array([*_units(equations)[0], *joints])
        gaps = np.array([L if x.rpartition(".")[2] in "xyz" else 1.0 for x in equations.rigid.rows])
        K = parts.K[np.ix_(pick, pick)] * np.outer(units, units) / (s.force_scale * L)
        K = (K + K.T) / 2
        J = parts.J[:, pick] * units / gaps[:, None]
        still = [*s.upstream, *equations.given.actuated]
        behind = [tips + k for k, name in enumerate(s.moves) if name not in still]
        moves = [*range(tips), *behind]
        # (X, moves behind, multipliers): closures hold, and what is behind is in balance
        rows = np.block(
            [
                [J[:, moves], np.zeros((len(J), len(J)))],
                [K[np.ix_(behind, moves)], J[:, behind].T],
            ]
        )
        N = null_space(rows, rcond=RANK) if len(rows) else np.eye(tips)
        X = N[:tips]
        Y = -(K[np.ix_(range(tips), moves)] @ N[: len(moves)] + J[:, :tips].T @ N[len(moves) :])
        self.frame = _basis(X, Y)
        alone = null_space(J[:, behind], rcond=RANK) if len(J) else np.eye(len(behind))
        self.falling = _negative(alone.T @ K[np.ix_(behind, behind)] @ alone)


def _negative(H: Array) -> int:
    if not H.size:
        return 0
    values = np.linalg.eigvalsh((H + H.T) / 2)
    return int(np.sum(values < -RANK * np.max(np.abs(values))))


def _units(equations: Equations) -> tuple[Array, Array]:
    """Of the tips' moves and wrenches: their products are all the same."""
    F, L = equations.structure.force_scale, equations.structure.length_scale
    moves = np.tile(np.where(equations.kept < 3, 1.0, L), len(equations.structure.rods))
    return moves, F * L / moves


def _basis(X: Array, Y: Array) -> Array:
    """Of a plane, orthonormal (2 n, n)."""
    U, sizes, _ = np.linalg.svd(np.vstack([X, Y]), full_matrices=False)
    n, found = len(X), int(np.sum(sizes > RANK * sizes[0]))
    if found != n:
        raise InputError(
            f"solution: expected {n} independent ways to move or load the tips, got {found}: "
            "closures hold something twice, or something behind the tips is loose; take such "
            "closures away, or hold what is loose"
        )
    return np.asarray(U[:, :n])


@dataclass(frozen=True, eq=False)
class _Path:
    """Planes at shares (k) that fall: frames (2 n, n) in units, carried over, so that their
    determinants have one sign; angles (k, n) of the unitary matrices; turns between them (k - 1),
    all eigenvalues together."""

    share: Array
    frames: list[Array]
    angles: Array
    turns: list[float]
    fastest: float

    def passed(self, k: int) -> int:
        """How many eigenvalues pass -1 between k and k + 1; those at -1 at the tips have passed it
        as soon as rods have a length."""
        start = self.angles[k]
        if self.share[k] == 1:
            start = np.where(np.pi - np.abs(start) < AT, -np.pi, start)
        return round((self.turns[k] + start.sum() - self.angles[k + 1].sum()) / (2 * np.pi))


class _Fields:
    """Planes along the rods, from the one at the tips."""

    def __init__(self, solution: AssemblyEquilibrium, tips: Array) -> None:
        self.equations, self.nodes = solution.equations, solution.nodes
        flow = [np.broadcast_to(np.eye(12), solution.evaluation.pieces.flow.shape[1:])]
        for step in solution.evaluation.pieces.flow:
            flow.append(step @ flow[-1])
        self.flow = np.stack(flow)
        # the plane at the bases, in local axes
        self.base = np.linalg.solve(self._transfer(np.ones(1))[0], tips)

    def path(self, share: Array) -> _Path:
        frames = list(self._transfer(share) @ self.base)
        W = [_unitary(frame) for frame in frames]
        turns = [np.angle(np.linalg.eigvals(b @ a.conj().T)) for a, b in pairwise(W)]
        angles = np.array([np.sort(np.angle(np.linalg.eigvals(w))) for w in W])
        fastest = max((float(np.max(np.abs(x))) for x in turns), default=0.0)
        return _Path(share, frames, angles, [float(x.sum()) for x in turns], fastest)

    def _transfer(self, share: Array) -> Array:
        """Deviations at the bases (local) to moves and wrenches of all rods at shares."""
        equations = self.equations
        kept, n = equations.kept, len(equations.structure.rods)
        nodes, before, flow = resampled(equations.scheme, equations.bundle, self.nodes, share)
        flow = to_world(nodes) @ flow @ self.flow[before]
        m = len(kept)
        T = np.zeros((len(share), 2 * n * m, 2 * n * m))
        both = np.array([*kept, *(6 + kept)])
        for i in range(n):
            at = np.array([*range(i * m, (i + 1) * m), *range((n + i) * m, (n + i + 1) * m)])
            T[:, at[:, None], at] = flow[:, i, both[:, None], both]
        return T / np.concatenate(_units(equations))[:, None]

    def places(self, high: float, low: float, count: int, depth: int = DEPTH) -> list[float]:
        """Shares of conjugate points between two, by dividing the span."""
        middle = (high + low) / 2
        if depth == 0 or count <= 0:
            return [middle] * max(count, 0)
        path = self.path(np.linspace(high, low, 11))
        found: list[float] = []
        for k in range(10):
            low, high = float(path.share[k + 1]), float(path.share[k])
            found += self.places(high, low, path.passed(k), depth - 1)
        return found if len(found) == count else [middle] * count


def _unitary(frame: Array) -> Array:
    Q = np.linalg.qr(frame)[0]
    n = len(Q) // 2
    U = Q[:n] + 1j * Q[n:]
    return np.asarray(U @ U.T)


def _falling_joints(solution: AssemblyEquilibrium, motors: str) -> int:
    """Directions that joints under the rods' bases add: passive ones, and motors if free."""
    equations = solution.equations
    actuated = equations.given.actuated
    loose = [x for x in equations.structure.upstream if x not in actuated]
    if motors == "free":
        loose += list(actuated)
    chosen = [x for x in equations.structure.moves if x in loose]
    return _negative(joint_stiffness(solution, chosen)) if chosen else 0


def joint_stiffness(solution: AssemblyEquilibrium, joints: Sequence[str]) -> Array:
    """How efforts of joints change with their coordinates, all else in balance (n, n)
    [N m/rad]; joints that are actuated and not named stay."""
    equations, at = solution.equations, solution.evaluation
    s = equations.structure
    for name in joints:
        if name not in s.moves:
            raise InputError(unknown("joints", name, s.moves))
    slope, D, _ = equations.balance(at.parts, at.tips)
    tips = equations.wrenches
    rest = [
        k for k, x in enumerate(s.moves) if x not in joints and x not in equations.given.actuated
    ]
    named = [s.moves.index(x) for x in joints]
    A = np.vstack(
        [slope[:tips], slope[[tips + k for k in rest]], at.parts.J[:, equations.all_moves] @ D]
    )
    unknowns = [*rest, *range(equations.moves, A.shape[1])]
    follow = -np.linalg.lstsq(A[:, unknowns], A[:, named], rcond=None)[0]
    rows = slope[[tips + k for k in named]]
    return np.asarray(rows[:, named] + rows[:, unknowns] @ follow)
