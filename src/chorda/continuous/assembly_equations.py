"""The equations of an assembly and their derivative.

Unknowns: the joints' moves, the wrenches at the rods' bases, the closures' multipliers, and the
rods at their nodes. Equations: pieces of rods meet at the nodes; balance at each rod's tip and at
each joint that is not actuated; closures; what is held and posed. Deviations at the nodes follow
from those at the base, so that the matrix is as small as without them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.continuous.along_rods import Scheme
from chorda.continuous.rigid_parts import Configuration, Parts, RigidParts
from chorda.mechanics import Array
from chorda.mechanics.prescription import AXES, Prescription
from chorda.numerics.newton import solver_of


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Equations at a configuration, scaled, and the gaps (k, n, 12) at the nodes, in local axes.

    slope: derivative by the unknowns of what is left at each move of tips and joints; moves: those
    moves by the unknowns, tips first. matrix: derivative of the equations by the unknowns, by_tips
    by the tips' moves. starts (n, 12, unknowns): deviations at the bases by the unknowns; flow
    (k + 1, n, 12, 12): from the bases to the nodes; to_world (n, 12, 12): of the tips' deviations,
    moments in axes half way through the turn, so that wrenches over moves are those of an energy.
    energy: of rods and rigid parts [J].
    """

    equations: "AssemblyEquations"
    residual: Array
    gaps: Array
    slope: Array
    moves: Array
    matrix: Array
    by_tips: Array
    starts: Array
    steps: Array
    flow: Array
    to_world: Array
    parts: Parts
    energy: float

    @property
    def scaled_gaps(self) -> Array:
        return (self.gaps / self.equations.units).ravel()

    def correction(self, left: Array) -> Array:
        """Changes of the unknowns, then deviations of all nodes, that take away what is left of the
        equations and of the gaps, both scaled."""
        eq, r = self.equations, left[: len(self.residual)].copy()
        gaps = left[len(r) :].reshape(self.gaps.shape) * eq.units
        carried = np.zeros((len(gaps) + 1, *gaps.shape[1:]))  # what closing them adds at the nodes
        for k, step in enumerate(self.steps):
            carried[k + 1] = (step @ carried[k][..., None])[..., 0] + gaps[k]
        tips = (self.to_world @ carried[-1][..., None])[..., 0]
        r += self.by_tips @ tips[:, eq.kept].ravel()
        r[: eq.wrenches] += tips[:, 6 + eq.kept].ravel() / eq.force_units[: eq.wrenches]
        d = solver_of(self.matrix)(r)
        deviations = (self.flow @ (self.starts @ d)[..., None])[..., 0] + carried
        return np.concatenate([d, deviations.ravel()])


class AssemblyEquations:
    """Residual and matrix of one problem; targets: a value for each of the prescription's parts."""

    def __init__(
        self,
        rigid: RigidParts,
        prescription: Prescription,
        targets: Sequence[Array],
        scheme: Scheme,
        steps: int,
    ) -> None:
        self.rigid, self.prescription, self.targets = rigid, prescription, tuple(targets)
        self.scheme, self.steps = scheme, steps
        self.structure = s = rigid.structure
        self.rods, self.kept, n = s.rods, s.kept, len(s.rods)
        self.moves, self.wrenches = len(s.moves), len(self.kept) * n
        self.unknowns = self.moves + self.wrenches + len(rigid.rows)
        actuated = [s.moves.index(name) for name in prescription.actuated]
        # moves and wrenches of the tips among all moves, then moves of the joints
        self.tips = (6 * np.arange(n)[:, None] + self.kept).ravel()
        self.all_moves = np.concatenate([self.tips, 6 * n + np.arange(self.moves)])
        balanced = [self.wrenches + k for k in range(self.moves) if k not in actuated]
        self.balanced = np.array([*range(self.wrenches), *balanced])
        F, L = s.force_scale, s.length_scale
        self.units = np.repeat([1.0, L, F * L, F], 3)  # of deviations
        self.force_units = F * L / s.move_units

    @property
    def held(self) -> dict[str, float]:
        """Joints held at a value."""
        return dict(zip(self.prescription.held, map(float, self.targets), strict=False))

    def __call__(self, x: Configuration) -> Evaluation:
        nodes, parts = x.nodes, self.rigid(x)
        pieces = self.scheme(self.rods, nodes.at(slice(None, -1)), np.diff(nodes.fraction))
        starts = self._starts(x, parts)
        flow = np.empty((len(nodes.p), *pieces.flow.shape[1:]))
        flow[0] = np.eye(12)
        for k, step in enumerate(pieces.flow):
            np.matmul(step, flow[k], out=flow[k + 1])
        to_world = nodes.at(slice(-1, None)).to_world[0]
        tips, pick, columns = to_world @ flow[-1] @ starts, self.all_moves, self.unknowns
        moves = np.vstack([tips[:, self.kept].reshape(-1, columns), np.eye(self.moves, columns)])
        K, first = parts.K[np.ix_(pick, pick)], self.moves + self.wrenches
        slope = K @ moves
        slope[: self.wrenches] += tips[:, 6 + self.kept].reshape(-1, columns)
        slope[:, self.moves : first] += parts.B[np.ix_(pick, self.tips)]
        slope[:, first:] += parts.J[:, pick].T
        rows, units = self.balanced, self.force_units[self.balanced]
        force = parts.G[pick]
        force[: self.wrenches] += nodes.wrench[-1][:, self.kept].ravel()
        others, by_moves = self._prescribed(x, parts)
        return Evaluation(
            equations=self,
            residual=np.concatenate([force[rows] / units, others]),
            gaps=nodes.at(slice(1, None)).gaps(pieces.ends),
            slope=slope,
            moves=moves,
            matrix=np.vstack([slope[rows] / units[:, None], by_moves @ moves]),
            by_tips=np.vstack([K[rows] / units[:, None], by_moves])[:, : self.wrenches],
            starts=starts,
            steps=pieces.flow,
            flow=flow,
            to_world=to_world,
            parts=parts,
            energy=parts.energy + float(pieces.energy.sum()),
        )

    def _starts(self, x: Configuration, parts: Parts) -> Array:
        """Deviations at the bases, local, by the unknowns (n, 12, unknowns)."""
        kept, n, first = self.kept, len(self.rods), self.moves
        starts = np.zeros((n, 12, self.unknowns))
        joints = parts.base_J[:, :, 6 * n : 6 * n + self.moves]
        back = np.swapaxes(x.nodes.R[0], -1, -2)
        starts[:, 0:3, :first], starts[:, 3:6, :first] = back @ joints[:, :3], back @ joints[:, 3:]
        for i in range(n):
            starts[i, 6 + kept, first + i * len(kept) + np.arange(len(kept))] = 1.0
        return starts

    def _prescribed(self, x: Configuration, parts: Parts) -> tuple[Array, Array]:
        """Closures, and what is held and posed, over its units; with derivatives by the moves."""
        s, L, given = self.structure, self.structure.length_scale, self.prescription
        targets, pick = iter(self.targets), self.all_moves
        r, by_moves = [parts.psi / L], [parts.J[:, pick] / L]
        axes = [joint.name for joint in s.axes]
        for name in given.held:
            r.append(x.axes[[axes.index(name)]] - next(targets))
            by_moves.append(np.eye(1, len(pick), self.wrenches + s.moves.index(name)))
        for frame, axis in given.positions:
            _, p, twist = self.rigid.frame(frame, x)
            k = AXES.index(axis)
            r.append((p[[k]] - next(targets)) / L)
            by_moves.append(twist[[3 + k]][:, pick] / L)
        for frame in given.rotations:
            R, _, twist = self.rigid.frame(frame, x)
            turns = self.kept[self.kept < 3]
            r.append(Rotation.from_matrix(R @ next(targets).T).as_rotvec()[turns])
            by_moves.append(twist[turns][:, pick])
        return np.concatenate(r), np.vstack(by_moves)

    def moved(self, x: Configuration, change: Array) -> Configuration:
        """The configuration after changes of the unknowns, and deviations of the nodes."""
        d, deviations = change[: self.unknowns], change[self.unknowns :]
        axes, free = x.axes + d[self.structure.axis_moves], d[self.structure.free_moves]
        turns = [Rotation.from_rotvec(turn).as_matrix() for turn in free[:, :3]]
        free_R = np.reshape(turns, x.free_R.shape) @ x.free_R  # there may be none
        free_p = x.free_p + free[:, 3:]
        nodes = x.nodes.moved(deviations.reshape(*x.nodes.p.shape[:-1], 12))
        nodes.R[0], nodes.p[0] = self.rigid.bases(axes, free_R, free_p)
        multipliers = x.multipliers + d[self.moves + self.wrenches :]
        return Configuration(axes, free_R, free_p, multipliers, nodes)

    def length(self, change: Array) -> float:
        """Of a correction: a radian, a length, or a wrench of the rods' own size counts as one."""
        deviations = change[self.unknowns :].reshape(-1, 12) / self.units
        joints = np.max(np.abs(change[: self.moves]), initial=0.0)
        return float(max(joints, np.max(np.abs(deviations))))
