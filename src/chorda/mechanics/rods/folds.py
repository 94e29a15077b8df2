"""Loops along a rod: its shape, and what a motion of it needs.

In the compiled code a rod is a call of a function with a loop in it, however many intervals it
has; in SX graphs that is one node, which can be differentiated. All is seen from the rod's base.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics.frames import SX, Expr, Pose, cross
from chorda.mechanics.rods.bases import Array
from chorda.mechanics.rods.grid import Grid
from chorda.mechanics.rods.interval import Interval, twist
from chorda.mechanics.rods.loop import Loop, Parts

OPEN = {"never_inline": True}  # a node of its own in SX graphs
MOTION = ("w", "v", "w_dot", "v_dot")
SLICE = 12  # rows of a slice: mass, inertia about y and z, drag (3), force (3), moment (3)


@dataclass(frozen=True)
class Slices:
    """What loops need to know of a rod.

    strains: those that occur; of: the strain of each coordinate, as its place in `strains`;
    phi: values of the coordinates' functions (intervals, points, coordinates).
    """

    name: str
    grid: Grid
    strains: tuple[int, ...]
    of: tuple[int, ...]
    phi: Array
    drag: bool
    _made: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def count(self) -> int:
        return len(self.of)

    @property
    def intervals(self) -> int:
        return len(self.grid.ends)

    @property
    def points(self) -> int:
        return int(self.phi.shape[1])

    @property
    def rest_rows(self) -> int:
        return self.points * len(self.strains)

    def once(self, key: Any, make: Any) -> Any:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    # Functions of one interval ----------------------------------------------------------------

    @property
    def interval(self) -> Interval:
        made: Interval = self.once("interval", lambda: Interval(self.strains, self.points))
        return made

    def table(self) -> Any:
        """A column for each interval: its share of the length, and the functions' values."""
        flat = self.phi.reshape(self.intervals, -1)
        return ca.DM(np.hstack([self.grid.widths[:, None], flat]).T)

    def column(self) -> tuple[Expr, Expr, Expr]:
        """Symbols of an interval's column: all of it, the table's row, strains at rest."""
        row, rest = SX.sym("row", 1 + self.points * self.count), SX.sym("rest", self.rest_rows)
        return ca.vertcat(row, rest), row, rest

    def combined(self, q: Expr, row: Expr) -> Expr:
        """Strains at the points of an interval: functions times coordinates."""
        m, n = len(self.strains), self.count
        out = SX.zeros(m * self.points)
        for i in range(self.points):
            for k, strain in enumerate(self.of):
                out[i * m + strain] += row[1 + i * n + k] * q[k]
        return out

    def twist(self, values: Expr) -> Expr:
        """All six strains of a slice from those that occur."""
        return twist(self.strains, values)

    def spread(self, y: Expr, row: Expr) -> Expr:
        """The transpose of `combined`."""
        m, n = len(self.strains), self.count
        out = SX.zeros(n)
        for i in range(self.points):
            for k, strain in enumerate(self.of):
                out[k] += row[1 + i * n + k] * y[i * m + strain]
        return out

    def gathered(self, by_strain: Expr, row: Expr) -> Expr:
        """Columns by coordinate from columns by strain at the points of an interval."""
        m, n = len(self.strains), self.count
        columns = [
            sum(by_strain[:, i * m + of] * row[1 + i * n + k] for i in range(self.points))
            for k, of in enumerate(self.of)
        ]
        return ca.sparsify(ca.horzcat(*columns))

    # Loops ------------------------------------------------------------------------------------

    def shape(self) -> Any:
        """(q, L, rest) -> rotations (9 x intervals), positions (3 x intervals) of the slices."""
        return self.once("shape", self._shape)

    def _shape(self) -> Any:
        q, L = SX.sym("q", self.count), SX.sym("L")
        column, row, rest = self.column()

        def advance(x: Parts) -> Parts:
            R, p = self.interval.pose(self.combined(q, row) + rest, L * row[0])
            return {"R": x["R"] @ R, "p": x["p"] + x["R"] @ p}

        start = {"R": SX.eye(3), "p": SX(3, 1)}
        loop = Loop(start, column, ca.vertcat(q, L), advance)
        self._made["patterns"] = loop.patterns["R"], loop.patterns["p"]
        Q, length, Rest = self._outer("q", "L", "rest")
        x = loop.run(loop.pack(_numbers(start)), self._columns(Rest), ca.vertcat(Q, length))
        return ca.Function(
            f"{plain(self.name)}_shape",
            [Q, length, Rest],
            [loop.dense(x, "R"), loop.dense(x, "p")],
            OPEN,
        )

    def pose(self, R: Expr, p: Expr) -> Pose:
        """A slice's pose from its columns of the shape, with the zeros that all slices have."""
        self.shape()
        turn, shift = self._made["patterns"]
        return Pose(SX(turn, R[turn.find()]), SX(shift, p[shift.find()]))

    def balance(self, base: Sequence[Expr]) -> Any:
        """Inverse dynamics of the rod for a base that moves (w, v, w_dot, v_dot).

        (q, v, a, L, rest, base motion (12), slices (SLICE x intervals)) -> generalized forces,
        force and moment at the base (6), kinetic energy, motion of the slices (12 x intervals).
        Zeros of the base's motion are left out of the loops.
        """
        patterns = [ca.sparsify(x).sparsity() for x in base]
        key = ("balance", *(tuple(p.row()) for p in patterns))
        return self.once(key, lambda: self._balance(patterns))

    def _balance(self, patterns: Sequence[Any]) -> Any:
        q, v, a, L = (SX.sym(x, n) for x, n in zip("qvaL", [*3 * [self.count], 1], strict=True))
        column, row, rest = self.column()

        def advance(x: Parts) -> Parts:
            X, X1, X2 = self.combined(q, row) + rest, self.combined(v, row), self.combined(a, row)
            return _carried(x, *self.interval.motion(X, X1, X2, L * row[0]))

        base = {name: SX.sym(name, p) for name, p in zip(MOTION, patterns, strict=True)}
        out = Loop({"R": SX.eye(3), "p": SX(3, 1), **base}, column, ca.vertcat(q, v, a, L), advance)

        state, own = SX.sym("state", out.size), SX.sym("own", SLICE)
        F, N, T = _needs(out.unpack(state), own, self.drag)
        need = ca.Function("need", [state, own], ca.cse([ca.densify(ca.vertcat(F, N)), T]))

        wrench = SX.sym("wrench", 6)
        turn = SX.sym("R", out.patterns["R"].nnz())
        R = SX(out.patterns["R"], turn)

        def collect(x: Parts) -> Parts:
            F, N = x["F"] + wrench[:3], x["N"] + wrench[3:]
            _, p, y = self.interval.pull(self.combined(q, row) + rest, L * row[0], R.T @ F, R.T @ N)
            return {"F": F, "N": N + cross(R @ p, F), "Q": x["Q"] + self.spread(y, row)}

        nothing = {"F": SX.zeros(3), "N": SX.zeros(3), "Q": SX.zeros(self.count)}
        back = Loop(nothing, ca.vertcat(column, turn, wrench), ca.vertcat(q, L), collect)

        Q, V, A, length, Rest, motion, slices = self._outer("q", "v", "a", "L", "rest", "b", "s")
        given = {
            name: ca.project(motion[3 * i : 3 * i + 3], p)
            for i, (name, p) in enumerate(zip(MOTION, patterns, strict=True))
        }
        first = out.pack({"R": ca.MX.eye(3), "p": ca.MX(3, 1), **given})
        columns = self._columns(Rest)
        x = out.run(first, columns, ca.vertcat(Q, V, A, length))
        wrenches, energies = need.map(self.intervals)(x, slices)
        rows = out.rows("R")
        turns = ca.horzcat(first[rows], x[rows, :-1])
        inward = ca.vertcat(columns, turns, wrenches)[:, ::-1]
        y = back.run(ca.DM.zeros(back.size), inward, ca.vertcat(Q, length))[:, -1]
        parts = back.unpack(y)
        return ca.Function(
            f"{plain(self.name)}_balance",
            [Q, V, A, length, Rest, motion, slices],
            [
                parts["Q"],
                ca.vertcat(parts["F"], parts["N"]),
                ca.sum2(energies),
                ca.vertcat(*[out.dense(x, name) for name in MOTION]),
            ],
            OPEN,
        )

    def inertia(self) -> Any:
        """(q, L, rest, matter (6 x intervals)) -> inertia matrix over the base's angular and
        linear velocity and the coordinates (6 + count), and the slices' angular and linear
        velocities per coordinate (6 count x intervals)."""
        return self.once("inertia", self._inertia)

    def _inertia(self) -> Any:
        q, L = SX.sym("q", self.count), SX.sym("L")
        column, row, rest = self.column()
        own = SX.sym("own", 6)

        def advance(x: Parts) -> Parts:
            R, p, spin, slide = self.interval.turning(self.combined(q, row) + rest, L * row[0])
            r, end = x["R"] @ p, x["R"] @ R
            Jw = x["Jw"] + x["R"] @ self.gathered(spin, row)
            Jv = x["Jv"] - ca.skew(r) @ x["Jw"] + x["R"] @ self.gathered(slide, row)
            at = x["p"] + r
            turning = ca.horzcat(SX.eye(3), SX(3, 3), Jw)
            sliding = ca.horzcat(-ca.skew(at), SX.eye(3), Jv)
            local = end.T @ turning
            own_turn = ca.diag(ca.vertcat(own[1] + own[2], own[1], own[2]))
            M = own[0] * (sliding.T @ sliding) + local.T @ own_turn @ local
            return {"R": end, "p": at, "Jw": Jw, "Jv": Jv, "M": x["M"] + ca.triu(M)}

        n = 6 + self.count
        start = {
            "R": SX.eye(3),
            "p": SX(3, 1),
            "Jw": SX(3, self.count),
            "Jv": SX(3, self.count),
            "M": SX(n, n),
        }
        loop = Loop(start, ca.vertcat(column, own), ca.vertcat(q, L), advance)
        Q, length, Rest = self._outer("q", "L", "rest")
        matter = ca.MX.sym("matter", 6, self.intervals)
        columns = ca.vertcat(self._columns(Rest), matter)
        x = loop.run(loop.pack(_numbers(start)), columns, ca.vertcat(Q, length))
        upper = ca.triu(ca.reshape(loop.dense(x[:, -1], "M"), n, n))
        M = ca.densify(ca.triu2symm(upper))
        J = ca.vertcat(loop.dense(x, "Jw"), loop.dense(x, "Jv"))
        return ca.Function(f"{plain(self.name)}_inertia", [Q, length, Rest, matter], [M, J], OPEN)

    def _columns(self, rest: Any) -> Any:
        return ca.vertcat(self.table(), rest)

    def _outer(self, *names: str) -> list[Any]:
        n, K = self.count, self.intervals
        sizes = {"L": (1, 1), "rest": (self.rest_rows, K), "b": (12, 1), "s": (SLICE, K)}
        return [ca.MX.sym(name, *sizes.get(name, (n, 1))) for name in names]


def _carried(
    x: Parts, R: Expr, p: Expr, spin: Expr, slide: Expr, spin_dot: Expr, slide_dot: Expr
) -> Parts:
    """From the start of an interval to its end; all in the base's axes but the arguments."""
    r, spin, slide = x["R"] @ p, x["R"] @ spin, x["R"] @ slide
    w, w_dot = x["w"], x["w_dot"]
    return {
        "R": x["R"] @ R,
        "p": x["p"] + r,
        "w": w + spin,
        "v": x["v"] + cross(w, r) + slide,
        "w_dot": w_dot + cross(w, spin) + x["R"] @ spin_dot,
        "v_dot": x["v_dot"]
        + cross(w_dot, r)
        + cross(w, cross(w, r))
        + 2 * cross(w, slide)
        + x["R"] @ slide_dot,
    }


def _needs(x: Parts, own: Expr, drag: bool) -> tuple[Expr, Expr, Expr]:
    """Force, moment and kinetic energy of one slice; the air resists each axis by itself."""
    R, mass = x["R"], own[0]
    inertia = ca.diag(ca.vertcat(own[1] + own[2], own[1], own[2]))
    w, w_dot, v = R.T @ x["w"], R.T @ x["w_dot"], R.T @ x["v"]
    F, N = mass * x["v_dot"], R @ (inertia @ w_dot + cross(w, inertia @ w))
    if drag:
        F = F + R @ (own[3:6] * v * ca.fabs(v))
    T = mass * ca.sumsqr(x["v"]) / 2 + ca.dot(w, inertia @ w) / 2
    return F + own[6:9], N + own[9:12], T


def _numbers(parts: Parts) -> dict[str, Any]:
    return {name: ca.DM(x) for name, x in parts.items()}


def plain(name: str) -> str:
    return "rod_" + "".join(c if c.isalnum() else "_" for c in name)
