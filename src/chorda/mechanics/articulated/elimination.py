"""Linear equations over a tree of joints, solved from the tips inwards and back: O(n).

Where motion is all that couples the joints this is the articulated-body algorithm, with stiffness
and damping in the place of inertia alone. Other couplings, of cables, closures and neighbours, are
explicit entries of a sparse matrix E between unknowns; those that reach beyond a joint are carried
inwards beside the twelve numbers G and the six of the wrench W.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import casadi as ca

from chorda.mechanics.algebra import Factor
from chorda.mechanics.articulated.linearized_tree import Branch
from chorda.mechanics.frames import SX, Expr

WRENCH, SPREAD = 6, 12
Rows = list[dict[int, Expr]]


@dataclass
class Summary:
    """What the joints beyond a frame do to it: (W, rows of `others`) = Q (G, others) + w."""

    others: list[int] = field(default_factory=list)
    Q: Expr = field(default_factory=lambda: SX(WRENCH, SPREAD))
    w: Expr = field(default_factory=lambda: SX(WRENCH, 1))

    def widened(self, others: Sequence[int]) -> "Summary":
        """The same over more unknowns, in their order."""
        if list(others) == self.others:
            return self
        at = [others.index(x) for x in self.others]
        rows = [*range(WRENCH), *(WRENCH + i for i in at)]
        columns = [*range(SPREAD), *(SPREAD + i for i in at)]
        Q, w = SX(WRENCH + len(others), SPREAD + len(others)), SX(WRENCH + len(others), 1)
        if rows:
            Q[rows, columns] = self.Q
            w[rows] = self.w
        return Summary(list(others), ca.sparsify(Q), ca.sparsify(w))


def _sorted(x: Summary) -> Summary:
    return x.widened(sorted(x.others))


def _union(lists: Iterable[Sequence[int]]) -> list[int]:
    return sorted({x for one in lists for x in one})


@dataclass(frozen=True)
class _Solved:
    """x = start - by_G G - by_others others, to be filled in on the way out."""

    unknowns: list[int]
    start: Expr
    by_G: Expr
    by_others: Expr
    others: list[int]
    base: int = 0  # whose G
    branch: Branch | None = None
    moved: list[int] = field(default_factory=list)  # unknowns of the branch


@dataclass
class Elimination:
    """Equations (tree + E) x = b on their way to their solution."""

    E: Rows
    b: list[Expr]
    found: dict[int, Summary] = field(default_factory=dict)  # by frame
    solved: list[_Solved] = field(default_factory=list)

    def couplings(self, own: Sequence[int]) -> list[int]:
        """Unknowns that E couples with these."""
        rows = (x for i in own for x in self.E[i])
        columns = (i for i, row in enumerate(self.E) if any(x in row for x in own))
        return sorted({*rows, *columns} - {*own})

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Expr:
        """Entries of E."""
        out = SX(len(rows), len(columns))
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                if column in self.E[row]:
                    out[i, j] = self.E[row][column]
        return out

    def right(self, own: Sequence[int]) -> Expr:
        return ca.vertcat(*[self.b[i] for i in own])

    def strike(self, own: Sequence[int]) -> None:
        """Take rows and columns out of E: what they did is elsewhere from now on."""
        for row in self.E:
            for x in own:
                row.pop(x, None)
        for x in own:
            self.E[x].clear()

    def early(self, x: int) -> None:
        """Eliminate an unknown before all joints, within E."""
        others = self.couplings([x])
        pivot = self.E[x][x]
        row, column = self.block([x], others) / pivot, self.block(others, [x])
        start = self.b[x] / pivot
        self.solved.append(_Solved([x], start, SX(1, SPREAD), row, others))
        self.strike([x])
        for i, other in enumerate(others):
            self.b[other] = self.b[other] - column[i] * start
            for j, second in enumerate(others):
                if column[i].nnz() and row[j].nnz():
                    before = self.E[other].get(second, SX(1, 1))
                    self.E[other][second] = before - column[i] * row[j]

    def joint(self, branch: Branch, own: list[int]) -> bool:
        """Eliminate a joint beyond which none is left; or, where a joint on another branch is
        coupled with it, hand it on to its base as one of the others. Whether it was eliminated."""
        beyond = [self.found.pop(x.node, Summary()) for x in branch.frames]
        later = any(x in summary.others for summary in self.found.values() for x in own)
        coupled = [] if later else self.couplings(own)
        k, others = len(own), _union([*(x.others for x in beyond), coupled])
        others = [x for x in others if x not in own]
        m = len(others)
        rows = [*range(WRENCH), *range(WRENCH + k, WRENCH + k + m)]
        columns = [*range(SPREAD), *range(SPREAD + k, SPREAD + k + m)]
        T, left = branch.own, SX(k, 1) if later else self.right(own)
        ahead, V = ca.horzcat(branch.rows, SX(k, m)), ca.vertcat(branch.pull.column, SX(m, k))
        if not later:
            T += self.block(own, own)
            ahead += ca.horzcat(SX(k, SPREAD), self.block(own, others))
            V += ca.vertcat(SX(WRENCH, k), self.block(others, own))
        Q, w = SX(WRENCH + m, SPREAD + m), SX(WRENCH + m, 1)
        for frame, summary in zip(branch.frames, beyond, strict=True):
            if not (summary.Q.nnz() or summary.w.nnz()):
                continue
            here = summary.widened([*own, *others])
            S, at = frame.S.column.T, slice(WRENCH, WRENCH + k)
            moved = here.Q[:, :SPREAD] @ frame.spread + here.Q[:, SPREAD : SPREAD + k]
            T += S @ moved[:WRENCH, :] + moved[at, :]
            ahead += S @ here.Q[:WRENCH, columns] + here.Q[at, columns]
            left -= S @ here.w[:WRENCH] + here.w[at]
            V += moved[rows, :]
            Q += here.Q[rows, columns]
            w += here.w[rows]
        if later:
            Q = ca.vertcat(ca.horzcat(Q, V), ca.horzcat(ahead, T))
            self.solved.append(
                _Solved([], SX(0, 1), SX(0, SPREAD), SX(0, 0), [], branch.base, branch, own)
            )
            self.add(branch.base, _sorted(Summary([*others, *own], Q, ca.vertcat(w, -left))))
            return False
        self.strike(own)
        self.take(T, ahead, left, V, Summary(others, Q, w), own, branch)
        return True

    def finish(self, x: int, base: int) -> None:
        """Eliminate one of the others, with which no joint is coupled any more."""
        summary = self.found.pop(base, Summary())
        others = [y for y in _union((summary.others, self.couplings([x]))) if y != x]
        here = summary.widened([x, *others])
        m = len(others)
        rows = [*range(WRENCH), *range(WRENCH + 1, WRENCH + 1 + m)]
        columns = [*range(SPREAD), *range(SPREAD + 1, SPREAD + 1 + m)]
        T = here.Q[WRENCH, SPREAD] + self.block([x], [x])
        ahead = here.Q[WRENCH, columns] + ca.horzcat(SX(1, SPREAD), self.block([x], others))
        left = self.b[x] - here.w[WRENCH]
        V = here.Q[rows, SPREAD] + ca.vertcat(SX(WRENCH, 1), self.block(others, [x]))
        self.strike([x])
        kept = Summary(others, here.Q[rows, columns], here.w[rows])
        self.take(T, ahead, left, V, kept, [x], None, base)

    def take(
        self,
        T: Expr,
        ahead: Expr,
        left: Expr,
        V: Expr,
        kept: Summary,
        own: list[int],
        branch: Branch | None,
        base: int = 0,
    ) -> None:
        """Solve T x + ahead (G, others) = left for x, and add what it does to the base."""
        base = base if branch is None else branch.base
        factor = Factor(T)
        Y = ca.horzcat(
            *[factor.solve(ca.densify(x)) if x.nnz() else SX(*x.shape) for x in ca.horzsplit(ahead)]
        )
        Y = ca.sparsify(Y)
        start = factor.solve(ca.densify(left))
        by_G, by_others = Y[:, :SPREAD], Y[:, SPREAD:]
        self.solved.append(_Solved(own, start, by_G, by_others, kept.others, base, branch, own))
        self.add(base, Summary(kept.others, kept.Q - V @ Y, kept.w + V @ start))

    def add(self, base: int, mine: Summary) -> None:
        """Add to what is beyond a frame."""
        before = self.found.get(base, Summary())
        others = _union((before.others, mine.others))
        before, mine = before.widened(others), mine.widened(others)
        self.found[base] = Summary(others, before.Q + mine.Q, before.w + mine.w)

    def back(self) -> list[Expr]:
        """All unknowns, from the last that was eliminated to the first."""
        x: dict[int, Expr] = {}
        G = {0: SX(SPREAD, 1)}
        for item in reversed(self.solved):
            known = ca.vertcat(SX(0, 1), *[x[i] for i in item.others])
            value = item.start - item.by_G @ G[item.base] - item.by_others @ known
            for i, one in zip(item.unknowns, ca.vertsplit(value), strict=True):
                x[i] = one
            if item.branch is not None:
                moved = ca.vertcat(*[x[i] for i in item.moved])
                for frame in item.branch.frames:
                    G[frame.node] = G[item.base] + frame.spread @ moved
        return [x[i] for i in range(len(x))]


def solve_tree(
    branches: Sequence[Branch],
    unknowns: Sequence[Sequence[int]],
    E: Rows,
    b: Sequence[Expr],
    early: Sequence[int] = (),
) -> list[Expr]:
    """x with (tree + E) x = b.

    unknowns: the numbers of each branch's; early: others that are eliminated before all joints.
    What is left of the others is eliminated as soon as no joint is coupled with it.
    """
    todo = Elimination([dict(row) for row in E], list(b))
    for x in early:
        todo.early(x)
    joints = {x for own in unknowns for x in own}
    others = set(range(len(E))) - joints - {*early}
    waiting = {x: joints & {*todo.couplings([x])} for x in others}
    for branch, own in zip(reversed(branches), reversed(unknowns), strict=True):
        joints.difference_update(own)
        if not todo.joint(branch, list(own)):
            waiting |= {x: joints & {*todo.couplings([x])} for x in own}
        for joints_left in waiting.values():
            joints_left.difference_update(own)
        ready = [x for x in todo.found[branch.base].others if x in waiting and not waiting[x]]
        for x in ready:
            if sum(x in summary.others for summary in todo.found.values()) == 1:
                todo.finish(x, branch.base)
                del waiting[x]
    for x in sorted(waiting):
        todo.finish(x, 0)
    return todo.back()
