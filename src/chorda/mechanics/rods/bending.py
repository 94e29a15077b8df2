"""Loops for the statics of a rod: how its slices move with its coordinates, and its stiffness under
wrenches that keep their direction.

With s and d the turn and shift of an interval's end per coordinate, in the base's axes, a wrench
(F, N) beyond it has the generalized force s^T N + d^T F. Its derivative has four parts: s and d
change with the interval's own strains, and turn with all before it (w); N changes as the places of
the forces shift against the interval's end.
"""

from functools import cached_property
from typing import Any

import casadi as ca

from chorda.mechanics.frames import SX, cross
from chorda.mechanics.rods.folds import OPEN, Slices
from chorda.mechanics.rods.loop import Loop, Parts

MOST = 32  # that are remembered
_made: dict[Any, "Bending"] = {}


def bending(slices: Slices) -> "Bending":
    """The loops of a rod; rods with the same slices share them, and the code they become."""
    key = slices.strains, slices.of, slices.phi.tobytes(), slices.grid.widths.tobytes()
    if key not in _made:
        while len(_made) >= MOST:
            del _made[next(iter(_made))]
        _made[key] = Bending(slices)
    return _made[key]


class Bending:
    """The loops of one rod; slices are columns, all is seen from the rod's base."""

    def __init__(self, slices: Slices) -> None:
        self.slices = slices
        n = slices.count
        self.q, self.L = SX.sym("q", n), SX.sym("L")
        self.column, self.row, self.rest = slices.column()
        start = {"R": SX.eye(3), "p": SX(3, 1), "w": SX(3, n), "v": SX(3, n)}
        self.start = {name: ca.DM(x) for name, x in start.items()}
        self.along = Loop(start, self.column, ca.vertcat(self.q, self.L), self._advance)

    def _strains(self) -> Any:
        return self.slices.combined(self.q, self.row) + self.rest

    def _advance(self, x: Parts) -> Parts:
        R, p, spin, slide = self.slices.interval.turning(self._strains(), self.L * self.row[0])
        r = x["R"] @ p
        return {
            "R": x["R"] @ R,
            "p": x["p"] + r,
            "w": x["w"] + x["R"] @ self.slices.gathered(spin, self.row),
            "v": x["v"] - ca.skew(r) @ x["w"] + x["R"] @ self.slices.gathered(slide, self.row),
        }

    def _states(self, q: Any, L: Any, rest: Any) -> Any:
        """Packed states of the slices, the base first (MX)."""
        columns = ca.vertcat(self.slices.table(), rest)
        first = self.along.pack(self.start)
        after = self.along.run(first, columns, ca.vertcat(q, L))
        return ca.horzcat(ca.MX(first), after)

    @cached_property
    def moving(self) -> Any:
        """(q, L, rest) -> all states: see `part`."""
        q, L, rest = self.symbols()
        return ca.Function("rod_moving", [q, L, rest], [self._states(q, L, rest)], OPEN)

    @cached_property
    def _places(self) -> Loop:
        def advance(x: Parts) -> Parts:
            R, p = self.slices.interval.pose(self._strains(), self.L * self.row[0])
            return {"R": x["R"] @ R, "p": x["p"] + x["R"] @ p}

        start = {"R": SX.eye(3), "p": SX(3, 1)}
        return Loop(start, self.column, ca.vertcat(self.q, self.L), advance)

    @cached_property
    def placing(self) -> Any:
        """(q, L, rest) -> rotations (9 x slices) and positions (3 x slices), the base first."""
        q, L, rest = self.symbols()
        loop = self._places
        first = loop.pack({name: self.start[name] for name in ("R", "p")})
        columns = ca.vertcat(self.slices.table(), rest)
        states = ca.horzcat(ca.MX(first), loop.run(first, columns, ca.vertcat(q, L)))
        found = [loop.dense(states, "R"), loop.dense(states, "p")]
        return ca.Function("rod_placing", [q, L, rest], found, OPEN)

    @cached_property
    def pulling(self) -> Any:
        """(q, L, rest, rotations, positions, wrenches (force and moment, 6 x slices)) -> their
        generalized force (n)."""
        slices, wrench = self.slices, SX.sym("wrench", 6)
        pattern = self._places.patterns["R"]
        turn, r = SX.sym("R", 9), SX.sym("r", 3)
        R = SX(pattern, turn[pattern.find()])

        def collect(x: Parts) -> Parts:
            F, N = x["F"] + wrench[:3], x["N"] + wrench[3:]
            args = self._strains(), self.L * self.row[0], R.T @ F, R.T @ N
            y = slices.interval.pull(*args)[2]
            return {"F": F, "N": N + cross(r, F), "Q": x["Q"] + slices.spread(y, self.row)}

        nothing = {"F": SX.zeros(3), "N": SX.zeros(3), "Q": SX.zeros(slices.count)}
        column = ca.vertcat(self.column, turn, r, wrench)
        back = Loop(nothing, column, ca.vertcat(self.q, self.L), collect)
        q, L, rest = self.symbols()
        K = slices.intervals
        turns, places = ca.MX.sym("turns", 9, K + 1), ca.MX.sym("places", 3, K + 1)
        wrenches = ca.MX.sym("wrenches", 6, K)
        steps = places[:, 1:] - places[:, :-1]
        columns = ca.vertcat(slices.table(), rest, turns[:, :-1], steps, wrenches)
        end = back.run(ca.DM.zeros(back.size), columns[:, ::-1], ca.vertcat(q, L))[:, -1]
        given = [q, L, rest, turns, places, wrenches]
        return ca.Function("rod_pulling", given, [back.dense(end, "Q")], OPEN)

    def part(self, states: Any, name: str, slice_: int) -> Any:
        """R, p, w or v of a slice: its pose, and its velocities per coordinate (3 x n)."""
        rows = {"R": (3, 3), "p": (3, 1)}.get(name, (3, self.slices.count))
        return ca.reshape(self.along.dense(states[:, slice_ + 1], name), *rows)

    @cached_property
    def stiffening(self) -> Any:
        """(q, L, rest, states, wrenches (force and moment, 6 x slices)) -> derivative of their
        generalized force (n x n)."""
        slices, n, size = self.slices, self.slices.count, self.along.size
        before, after = SX.sym("before", size), SX.sym("after", size)
        wrench = SX.sym("wrench", 6)
        a, b = self.along.unpack(before), self.along.unpack(after)
        F, N, h = SX.sym("F", 3), SX.sym("N", 3), SX.sym("h")
        X = slices.interval.X
        bent = ca.jacobian(slices.interval.pull(X, h, F, N)[2], X)
        own = ca.Function("own", [X, h, F, N], ca.cse([bent]))

        def collect(x: Parts) -> Parts:
            F, N = x["F"] + wrench[:3], x["N"] + wrench[3:]
            moved = x["shift"] - ca.skew(wrench[:3]) @ b["v"]  # sum of v x F beyond
            r = b["p"] - a["p"]
            s = b["w"] - a["w"]
            d = b["v"] - a["v"] + ca.skew(r) @ a["w"]
            R = a["R"]
            local = own(self._strains(), self.L * self.row[0], R.T @ F, R.T @ N)
            H = slices.gathered(slices.gathered(local, self.row).T, self.row).T
            H += (ca.skew(F).T @ d + ca.skew(N).T @ s).T @ a["w"]
            H += s.T @ (moved + ca.skew(F) @ b["v"])
            return {"F": F, "N": N + cross(r, F), "shift": moved, "H": x["H"] + H}

        nothing = {
            "F": SX.zeros(3),
            "N": SX.zeros(3),
            "shift": SX.zeros(3, n),
            "H": SX.zeros(n, n),
        }
        column = ca.vertcat(self.column, before, after, wrench)
        back = Loop(nothing, column, ca.vertcat(self.q, self.L), collect)
        q, L, rest = self.symbols()
        K = slices.intervals
        states, wrenches = ca.MX.sym("states", size, K + 1), ca.MX.sym("wrenches", 6, K)
        columns = ca.vertcat(slices.table(), rest, states[:, :-1], states[:, 1:], wrenches)
        end = back.run(ca.DM.zeros(back.size), columns[:, ::-1], ca.vertcat(q, L))[:, -1]
        H = ca.reshape(back.dense(end, "H"), n, n)
        return ca.Function("rod_stiffening", [q, L, rest, states, wrenches], [H], OPEN)

    def symbols(self) -> tuple[Any, Any, Any]:
        s = self.slices
        rest = ca.MX.sym("rest", s.rest_rows, s.intervals)
        return ca.MX.sym("q", s.count), ca.MX.sym("L"), rest
