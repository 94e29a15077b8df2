"""The equations of an assembly and their derivative.

Unknowns: the joints' moves, the wrenches at the rods' bases, the closures' multipliers, and the
rods at their nodes. Equations: pieces of rods meet at the nodes; balance at each rod's tip and at
each joint that is not actuated; closures; what is held and placed. Deviations at the nodes follow
from those at the base, so that the matrix is as small as without them.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.continuous.assembly.along import Bundle, Nodes, Pieces, Scheme, cross_matrix, gaps
from chorda.continuous.assembly.given import AXES, Given, turn_between
from chorda.continuous.assembly.rigid import Configuration, Parts, RigidParts
from chorda.describe import Free
from chorda.mechanics import Array


@dataclass(frozen=True, eq=False)
class Tips:
    """How tips follow: X, their turns and shifts, and Y, the changes of their wrenches, in world
    axes (rods * kept) by the unknowns, and what they change by to close the gaps at the nodes.
    Moments are taken in axes half way through the turn: dY/dX is then that of an energy."""

    X: Array
    Y: Array
    gap_X: Array
    gap_Y: Array


@dataclass(frozen=True, eq=False)
class Evaluation:
    """residual, scaled; expected: what it will be when the gaps at the nodes are closed; matrix:
    its derivative; gaps (k, n, 12), local; starts: deviations at the bases by the unknowns."""

    residual: Array
    expected: Array
    matrix: Array
    gaps: Array
    pieces: Pieces
    parts: Parts
    tips: Tips
    starts: Array


class Equations:
    """Residual and matrix of one problem."""

    def __init__(self, rigid: RigidParts, wanted: Given, scheme: Scheme, steps: int) -> None:
        self.rigid, self.given, self.scheme, self.steps = rigid, wanted, scheme, steps
        self.structure = s = rigid.structure
        self.bundle = Bundle.of(s.fibres)
        self.kept = np.array(s.kept)
        self.moves = len(s.moves)
        self.wrenches = len(self.kept) * len(s.rods)
        self.actuated = [s.moves.index(name) for name in wanted.actuated]
        self.balanced = [k for k in range(self.moves) if k not in self.actuated]
        # tips' moves among all moves, then those of the joints
        tips = [6 * i + k for i in range(len(s.rods)) for k in s.kept]
        self.all_moves = np.array([*tips, *range(6 * len(s.rods), 6 * len(s.rods) + self.moves)])
        F, L = s.force_scale, s.length_scale
        self.units = np.repeat([1.0, L, F * L, F], 3)  # of deviations

    def __call__(self, x: Configuration) -> Evaluation:
        nodes = x.nodes
        before = nodes.at(slice(None, -1))
        pieces = self.scheme(self.bundle, before, np.diff(nodes.share))
        off = gaps(pieces.ends, nodes.at(slice(1, None)))
        parts = self.rigid(x)
        starts = self._starts(nodes, parts)
        tips = self._tips(nodes, pieces, off, starts)
        residual, expected, matrix = self._assembled(x, parts, tips)
        return Evaluation(residual, expected, matrix, off, pieces, parts, tips, starts)

    def _starts(self, nodes: Nodes, parts: Parts) -> Array:
        """Deviations at the bases, local, by the unknowns (n, 12, unknowns)."""
        kept, n = self.kept, len(self.structure.rods)
        starts = np.zeros((n, 12, self.moves + self.wrenches + len(parts.psi)))
        joints = parts.base_J[:, :, 6 * n : 6 * n + self.moves]
        back = np.swapaxes(nodes.R[0], -1, -2)
        starts[:, 0:3, : self.moves] = back @ joints[:, :3]
        starts[:, 3:6, : self.moves] = back @ joints[:, 3:]
        for i in range(n):
            at = self.moves + i * len(kept) + np.arange(len(kept))
            starts[i, 6 + kept, at] = 1.0
        return starts

    def _tips(self, nodes: Nodes, pieces: Pieces, off: Array, starts: Array) -> Tips:
        flow = np.zeros((len(starts), 12, 13))  # the flow from the base, and what the gaps add
        flow[..., :12] = np.eye(12)
        for step, gap in zip(pieces.flow, off, strict=True):
            flow = step @ flow
            flow[..., -1] += gap
        T = to_world(nodes.at(slice(-1, None)))[0]
        ends = T @ flow[..., :-1] @ starts
        gap = (T @ flow[..., -1:])[..., 0]
        kept, columns = self.kept, starts.shape[-1]
        return Tips(
            ends[:, kept].reshape(-1, columns),
            ends[:, 6 + kept].reshape(-1, columns),
            gap[:, kept].ravel(),
            gap[:, 6 + kept].ravel(),
        )

    def balance(self, parts: Parts, tips: Tips) -> tuple[Array, Array, Array]:
        """Derivative by the unknowns of what is left at each move of tips and joints; those moves
        by the unknowns; and what closing the gaps at the nodes adds to the balance."""
        n = len(self.structure.rods)
        pick, ends = self.all_moves, len(tips.X)
        K, J = parts.K[np.ix_(pick, pick)], parts.J[:, pick]
        B = parts.B[np.ix_(pick, [6 * i + k for i in range(n) for k in self.kept])]
        columns = tips.X.shape[1]
        W = np.eye(self.wrenches, columns, self.moves)
        lam = np.eye(len(parts.psi), columns, self.moves + self.wrenches)
        D = np.vstack([tips.X, np.eye(self.moves, columns)])
        slope = K @ D + B @ W + J.T @ lam
        slope[:ends] += tips.Y
        added = K[:, :ends] @ tips.gap_X
        added[:ends] += tips.gap_Y
        return slope, D, added

    def _assembled(self, x: Configuration, parts: Parts, tips: Tips) -> tuple[Array, Array, Array]:
        slope, D, added = self.balance(parts, tips)
        pick, ends, L = self.all_moves, len(tips.X), self.structure.length_scale
        force = parts.G[pick]
        force[:ends] += x.nodes.wrench[-1][:, self.kept].ravel()
        rows = [*range(ends), *(ends + k for k in self.balanced)]
        units = self._force_units()[rows]
        J = parts.J[:, pick]
        r, A = [force[rows] / units, parts.psi / L], [slope[rows] / units[:, None], J @ D / L]
        e = [added[rows] / units, J[:, :ends] @ tips.gap_X / L]
        axes = {joint.name: k for k, joint in enumerate(self.structure.axes)}
        for name, value in self.given.held.items():
            r.append(np.array([x.axes[axes[name]] - value]))
            A.append(D[[ends + self.structure.moves.index(name)]])
            e.append(np.zeros(1))
        for frame, axis, target in self.given.placed:
            R, p, twist = self.rigid.frame(frame, x)
            if axis == "rotation":
                chosen, unit = ([2] if self.structure.planar else [0, 1, 2]), 1.0
                r.append(turn_between(R, target)[chosen])
            else:
                chosen, unit = [3 + AXES.index(axis)], L
                r.append(np.array([p[chosen[0] - 3] - target]) / L)
            moved = twist[chosen][:, pick] / unit
            A.append(moved @ D)
            e.append(moved[:, :ends] @ tips.gap_X)
        residual = np.concatenate(r)
        return residual, residual + np.concatenate(e), np.vstack(A)

    def _force_units(self) -> Array:
        """One of each row of balance: a force or moment of the rods' own size."""
        F, L = self.structure.force_scale, self.structure.length_scale
        tips = [F * L if k < 3 else F for _ in self.structure.rods for k in self.kept]
        joints = []
        for joint in self.structure.joints:
            if isinstance(joint, Free):
                joints += [F * L] * 3 + [F] * 3
            elif joint.kind == "revolute":
                joints.append(F * L)
            elif joint.kind == "prismatic":
                joints.append(F)
        return np.array([*tips, *joints])

    def deviations(self, at: Evaluation, d: Array) -> Array:
        """Of all nodes (k + 1, n, 12) for a step of the unknowns that also closes the gaps."""
        found = [at.starts @ d]
        for flow, gap in zip(at.pieces.flow, at.gaps, strict=True):
            found.append((flow @ found[-1][..., None])[..., 0] + gap)
        return np.stack(found)

    def moved(self, x: Configuration, d: Array, deviations: Array) -> Configuration:
        """The configuration after a step of the unknowns and of the nodes."""
        axes, free_R, free_p = x.axes.copy(), x.free_R.copy(), x.free_p.copy()
        k, one, six = 0, 0, 0
        for joint in self.structure.joints:
            if isinstance(joint, Free):
                turn = Rotation.from_rotvec(d[k : k + 3]).as_matrix()
                free_R[six] = turn @ x.free_R[six]
                free_p[six] = x.free_p[six] + d[k + 3 : k + 6]
                k, six = k + 6, six + 1
            elif joint.kind != "fixed":
                axes[one] += d[k]
                k, one = k + 1, one + 1
        nodes = x.nodes.moved(deviations)
        nodes.R[0], nodes.p[0] = self.rigid.bases(axes, free_R, free_p)
        return Configuration(axes, free_R, free_p, x.multipliers + d[k + self.wrenches :], nodes)


def to_world(nodes: Nodes) -> Array:
    """Deviations in local axes to (turn, shift, change of moment and force) in world axes, the
    moment's in axes half way through the turn (k, n, 12, 12)."""
    T = np.zeros((*nodes.m.shape[:-1], 12, 12))
    for i in range(4):
        T[..., 3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = nodes.R
    T[..., 6:9, 0:3] = -nodes.R @ cross_matrix(nodes.m) / 2
    T[..., 9:12, 0:3] = -nodes.R @ cross_matrix(nodes.n)
    return T
