"""Steps of implicit schemes and accelerations of trees of rigid joints, without a matrix.

The linearised equations of motion are those of the tree (see linearized_tree.py), and entries for
what else acts: springs, friction and geometry of cables between few joints, motors. A force along
a cable that crosses many joints is an unknown of its own, t = Y x: with it a row of the matrix has
few entries, without it as many as the cable has joints.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import casadi as ca
import numpy as np

from chorda.mechanics.articulated.elimination import Rows, solve_tree
from chorda.mechanics.articulated.linearized_tree import MovingTree, Shares, moving_tree
from chorda.mechanics.drivetrain import MotorModel
from chorda.mechanics.first_order import rates
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.mechanism import Mechanism

FEW_JOINTS = 5  # and motors, that a force couples at most as entries of the matrix

Derivatives = tuple[Expr, Expr, Expr]  # by changes of q along the velocities, v and a


@dataclass(frozen=True, eq=False)
class Articulated:
    """M a - F of a mechanism without rods, and its linearisation, by recursion over the tree.

    a: accelerations, a symbol or zeros; dry: the dry friction that is linearised, the rest of it
    being constant over a step. settling: of states of first order, which follow q and v within a
    step, dz/ds; none where a step is not linearised.
    """

    m: Mechanism
    a: Expr
    dry: Expr
    settling: Expr = field(default_factory=lambda: SX(0, 1))

    @cached_property
    def _tree(self) -> MovingTree:
        bones, v = self.m.skeleton, self.m.train.v
        by_joint, loads = bones.by_joint, self.m.passive.loads
        return moving_tree(bones.tree, by_joint(v), by_joint(self.a), bones.gravity, loads)

    @cached_property
    def _unknowns(self) -> list[list[int]]:
        """Of each joint that moves, its velocities' numbers."""
        ends = np.cumsum([0, *[j.v.numel() for j in self.m.skeleton.tree.joints]]).tolist()
        return [list(range(ends[joint], ends[joint + 1])) for joint in self._tree.frames]

    @cached_property
    def _scalars(self) -> tuple[Expr, Expr]:
        """Symbols and values of tensions, and of what accelerates motors that many joints turn."""
        m = self.m
        values = [_accelerating(x, m.train.a) for x in m.train.motors if x.J.nnz() > 1]
        symbols = ca.vertcat(m.tendons.pulls, SX.sym("torque", len(values)))
        return symbols, ca.densify(ca.vertcat(ca.sparsify(m.tendons.tension), *values))

    @cached_property
    def _rest(self) -> Expr:
        """All forces but the tree's own, of the scalars' symbols."""
        m, symbols = self.m, self._scalars[0]
        rest = m.passive.unloaded + m.passive.contacts.force + self.dry
        rest += m.pulled(m.tendons.pulls)
        torques = iter(ca.vertsplit(symbols)[m.tendons.pulls.numel() :])
        for x in m.train.motors:
            alone = x.J.nnz() == 1
            rest -= x.J.T @ (_accelerating(x, m.train.a) if alone else next(torques))
        return rest

    def _valued(self, x: Expr) -> Expr:
        """An expression with the scalars' values, and the accelerations."""
        out = ca.substitute(x, *self._scalars)
        return ca.substitute(out, self.m.train.a, ca.densify(self.a))

    def _derivatives(self, x: Expr) -> Derivatives:
        train = self.m.train
        by_q, by_v = ca.jacobian(x, train.q), ca.jacobian(x, train.v)
        along = by_q @ train.N
        if self.settling.numel():
            s, w = rates(train.states)
            z = train.q[-len(train.states) :]
            z_dot, by_z = s - w * z, by_q[:, -len(train.states) :]
            by_s = by_z @ ca.diag(self.settling)
            along += by_s @ (ca.jacobian(z_dot, train.q) @ train.N)
            by_v += by_s @ ca.jacobian(z_dot, train.v)
        return ca.sparsify(along), ca.sparsify(by_v), ca.jacobian(x, train.a)

    @cached_property
    def _by(self) -> tuple[Derivatives, Derivatives, Expr]:
        """Of the rest and of the scalars; and of the rest by the scalars."""
        symbols, values = self._scalars
        parts = self._derivatives(self._rest), self._derivatives(ca.sparsify(values))
        joined = [*parts[0], *parts[1], ca.jacobian(self._rest, symbols)]
        sizes = np.cumsum([0, *[x.nnz() for x in joined]]).tolist()
        flat = self._valued(
            ca.vertcat(SX(0, 1), *[ca.reshape(SX(x.nz[:]), -1, 1) for x in joined if x.nnz()])
        )
        found = [
            SX(x.sparsity(), flat[i:j])
            for x, i, j in zip(joined, sizes[:-1], sizes[1:], strict=True)
        ]
        return (found[0], found[1], found[2]), (found[3], found[4], found[5]), found[6]

    @cached_property
    def force(self) -> Expr:
        """F - M a without the forces that are constant over a step."""
        required = SX(self.m.train.v.numel(), 1)
        for joint, own in zip(self._tree.frames, self._unknowns, strict=True):
            required[own] = self._tree.required(joint)
        return self._valued(self._rest) - required

    def momentum(self, h: Expr) -> Expr:
        """M v + h (F - dF/dv v), whose quotient by M - h^2 dF/dq - h dF/dv is the velocity after a
        linearised implicit step; without the forces that are constant over it.

        Coriolis forces are of second degree in v, and gravity and loads of degree zero: the tree's
        part is what it requires in a field of gravity, and under loads, that point the other way.
        """
        rest, scalars, B = self._by
        m, v = self.m, self.m.train.v
        by_v, by_a = (rest[k] @ v + B @ (scalars[k] @ v) for k in (1, 2))
        out = h * (self._valued(self._rest) - by_v) - by_a
        joints = dict(zip(self._tree.frames, self._unknowns, strict=True))
        each = self._tree.inertial(
            {k: v[own] for k, own in joints.items()}, -2 * h * m.skeleton.gravity
        )
        for joint, own in joints.items():
            out[own] += each[joint] + h * self._tree.required(joint)
        return out + 2 * h * m.passive.loaded

    def solve(
        self,
        shares: Shares,
        top: Expr,
        J: Expr | None = None,
        bottom: Expr | None = None,
        compliance: Expr | float = 0.0,
    ) -> Expr:
        """(x, lam) with A x - J^T lam = top, J x + compliance lam = bottom.

        A is the change of M a - F where q, v and a change by their shares of x.
        """
        nv = self.m.train.v.numel()
        E, b = self._entries(shares), ca.vertsplit(top)
        b += [SX(1, 1)] * (len(E) - nv)
        first = len(E)
        if J is not None and bottom is not None:
            for i, row in enumerate(ca.vertsplit(J)):
                E.append({first + i: SX(compliance)} if compliance else {})
                for j, x in zip(row.sparsity().get_col(), row.nonzeros(), strict=True):
                    E[first + i][j], E[j][first + i] = x, -x
            b += ca.vertsplit(bottom)
        joints = {x for own in self._unknowns for x in own}
        motors = [x for x in range(nv) if x not in joints]
        x = solve_tree(self._tree.branches(shares), self._unknowns, E, b, motors)
        return ca.vertcat(*x[:nv], *x[first:])

    def _entries(self, shares: Shares) -> Rows:
        """The matrix but for the tree: velocities, then the scalars that are unknowns."""
        rest, scalars, B = self._by
        A = -_combined(rest, shares)
        Y = _combined(scalars, shares)
        nv, unknown = A.shape[0], list[int]()
        for k in range(B.shape[1]):
            column, row = B[:, k], Y[k, :]
            if column.nnz() > FEW_JOINTS and row.nnz():
                unknown.append(k)
            elif row.nnz():
                A -= column @ row
        rows: Rows = [{} for _ in range(nv + len(unknown))]
        _fill(rows, A, range(nv), range(nv))
        for at, k in enumerate(unknown, start=nv):
            rows[at][at] = SX(1)
            _fill(rows, -B[:, k], range(nv), [at])
            _fill(rows, -Y[k, :], [at], range(nv))
        return rows


def _accelerating(motor: MotorModel, a: Expr) -> Expr:
    """Torque on its rotor [N m]."""
    return motor.inertia * (motor.J @ a + motor.J_dot_v)


def _combined(parts: Derivatives, shares: Shares) -> Expr:
    return ca.sparsify(
        sum((s * x for s, x in zip(shares, parts, strict=True)), SX(*parts[0].shape))
    )


def _fill(out: Rows, A: Expr, rows: Sequence[int], columns: Sequence[int]) -> None:
    for i, j, x in zip(*A.sparsity().get_triplet(), A.nonzeros(), strict=True):
        out[rows[i]][columns[j]] = x
