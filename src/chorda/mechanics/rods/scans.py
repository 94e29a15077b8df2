"""Scans along a rod: its shape, its inertia, what a motion of it requires, and its stiffness.

In the compiled code a rod is a call of a function with a loop in it, however many intervals it
has; in SX graphs that is one node, which can be differentiated. All is seen from the rod's base.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics.frames import SX, Expr, Pose, cross
from chorda.mechanics.rods.fed_material import material_passing
from chorda.mechanics.rods.interval import carried, required, slice_inertia
from chorda.mechanics.rods.scan import Parts, Scan, columns, total
from chorda.mechanics.rods.slices import Slices

NODE = {"never_inline": True}  # a function that is a node of its own in SX graphs
MOTION = ("w", "v", "w_dot", "v_dot")
SLICE = 12  # rows of a slice: mass, inertia about y and z, drag (3), force (3), moment (3)
MAX_REMEMBERED = 32  # rods whose scans are kept
_known: dict[Any, "Scans"] = {}


def scans(slices: Slices) -> "Scans":
    """The scans of a rod; rods with the same slices share them, and the code they become."""
    if slices.key not in _known:
        while len(_known) >= MAX_REMEMBERED:
            del _known[next(iter(_known))]
        _known[slices.key] = Scans(slices)
    return _known[slices.key]


class Scans:
    """Functions of the coordinates q, the length L and the strains without load `rest`.

    Of a rod that is fed, the length is the last of q, and L is 1.
    """

    def __init__(self, slices: Slices) -> None:
        n, K = slices.count, slices.intervals
        self.slices, self._moving_base = slices, dict[Any, Any]()
        # symbols of an interval: coordinates, its row of the table, strains without load
        self.q, self.L = SX.sym("q", n), SX.sym("L")
        self.row = SX.sym("row", 1 + slices.points * slices.functions)
        self.free = SX.sym("rest", slices.rest_rows)
        self.own, self.shared = [self.row, self.free], [self.q, self.L]
        self.strains = slices.combined(self.q, self.row) + self.free
        self.h = self.L * self.row[0]
        # arguments of the functions
        rest = ca.MX.sym("rest", slices.rest_rows, K)
        self.given = [ca.MX.sym("q", n), ca.MX.sym("L"), rest]
        self.together = self.given[:2]
        self.along = [columns(slices.table()), columns(rest)]

    def _node(self, name: str, more: Sequence[Any], results: Sequence[Any]) -> Any:
        return ca.Function(f"rod_{name}", [*self.given, *more], list(results), NODE)

    # Outward ----------------------------------------------------------------------------------

    @cached_property
    def _poses(self) -> Scan:
        def advance(x: Parts) -> Parts:
            R, p = self.slices.interval.pose(self.strains, self.h)
            return {"R": x["R"] @ R, "p": x["p"] + x["R"] @ p}

        return Scan({"R": SX.eye(3), "p": SX(3, 1)}, self.own, self.shared, advance)

    @cached_property
    def shape(self) -> Any:
        """(q, L, rest) -> rotations (9 x intervals), positions (3 x intervals) of the slices."""
        scan = self._poses
        first = scan.pack({"R": ca.DM.eye(3), "p": ca.DM(3, 1)})
        x = ca.horzcat(*scan.run(first, self.along, self.together))
        return self._node("shape", [], [scan.dense(x, name) for name in "Rp"])

    def pose(self, R: Expr, p: Expr) -> Pose:
        """A slice's pose from its columns of the shape, with the zeros that all slices have."""
        turn, shift = (self._poses.patterns[name] for name in "Rp")
        return Pose(SX(turn, R[turn.find()]), SX(shift, p[shift.find()]))

    @cached_property
    def moving(self) -> Scan:
        """Poses, and angular (w) and linear (v) velocities per coordinate (3 x n each)."""
        slices, row, n = self.slices, self.row, self.slices.count

        def advance(x: Parts) -> Parts:
            R, p, spin, slide = slices.interval.turning(self.strains, self.h)
            r = x["R"] @ p
            return {
                "R": x["R"] @ R,
                "p": x["p"] + r,
                "w": x["w"] + x["R"] @ slices.gathered(spin, row),
                "v": x["v"] - ca.skew(r) @ x["w"] + x["R"] @ slices.gathered(slide, row),
            }

        start = {"R": SX.eye(3), "p": SX(3, 1), "w": SX(3, n), "v": SX(3, n)}
        return Scan(start, self.own, self.shared, advance)

    def _moved(self) -> list[Any]:
        """States of `moving`, the base first."""
        n, scan = self.slices.count, self.moving
        start = {"R": ca.DM.eye(3), "p": ca.DM(3, 1), "w": ca.DM(3, n), "v": ca.DM(3, n)}
        first = scan.pack(start)
        return [ca.MX(first), *scan.run(first, self.along, self.together)]

    @cached_property
    def states(self) -> Any:
        """(q, L, rest) -> states of `moving`, the base first (a column each)."""
        return self._node("states", [], [ca.horzcat(*self._moved())])

    def part(self, states: Any, name: str, slice_: int) -> Any:
        """R, p, w or v of a slice: its pose, and its velocities per coordinate (3 x n)."""
        rows = {"R": (3, 3), "p": (3, 1)}.get(name, (3, self.slices.count))
        return ca.reshape(self.moving.dense(states[:, slice_ + 1], name), *rows)

    @cached_property
    def inertia(self) -> Any:
        """(q, L, rest, matter (6 x intervals)) -> inertia matrix over the base's angular and
        linear velocity and the coordinates (6 + n)."""
        return self._inertia(0)

    def _inertia(self, first: int) -> Any:
        """From some row and column on."""
        scan, K = self.moving, self.slices.intervals
        state, own = SX.sym("state", scan.size), SX.sym("own", 6)
        x = scan.unpack(state)
        w, v, given = x["w"], x["v"], list[SX]()
        if self.slices.fed:
            given = [self.q, SX.sym("functions", self.slices.functions + 1), self.free]
            passing = material_passing(self.slices, *given)
            w, v = (
                ca.horzcat(y[:, :-1], y[:, -1] + x["R"] @ z)
                for y, z in zip((w, v), passing, strict=True)
            )
        sliding = ca.horzcat(-ca.skew(x["p"]), SX.eye(3), v)
        local = x["R"].T @ ca.horzcat(SX.eye(3), SX(3, 3), w)
        M = ca.triu(own[0] * (sliding.T @ sliding) + local.T @ slice_inertia(own) @ local)
        if self.slices.fed:  # so that momentum is the rate of the first moment of mass, exactly
            M[3:6, -1] = own[0] * (x["v"][:, -1] + x["p"] / self.q[-1])
        M = M[first:, first:]
        each = ca.Function("each", [state, own, *given], ca.cse([M.nz[:]]))
        matter = ca.MX.sym("matter", 6, K)
        along = [self._moved()[1:], columns(matter)]
        if self.slices.at_ends is not None:
            at_ends = np.column_stack([self.slices.grid.ends, self.slices.at_ends])
            along += [[self.given[0]] * K, columns(ca.DM(at_ends.T)), columns(self.given[2])]
        parts = total([each(*mine) for mine in zip(*along, strict=True)])
        whole = ca.densify(ca.triu2symm(ca.MX(M.sparsity(), parts)))
        return self._node("inertia", [matter], [whole])

    @cached_property
    def own_inertia(self) -> Any:
        """The same over the coordinates alone, of a rod whose base does not accelerate."""
        return self._inertia(6)

    @cached_property
    def rates(self) -> Any:
        """(q, L, rest) -> the slices' angular and linear velocities per coordinate (6 n x
        intervals)."""
        scan, x = self.moving, ca.horzcat(*self._moved()[1:])
        return self._node("rates", [], [ca.vertcat(scan.dense(x, "w"), scan.dense(x, "v"))])

    def rate(self, dense: Expr, name: str) -> Expr:
        """Rates of a slice (w or v, 3 x n) with the zeros that all slices have."""
        pattern = self.moving.patterns[name]
        return SX(pattern, dense[pattern.find()])

    @cached_property
    def _speeding(self) -> tuple[Scan, Expr]:
        """The slices' velocities (w, v), for rates of the coordinates."""
        rates = SX.sym("rates", self.slices.count)

        def advance(x: Parts) -> Parts:
            moved = self.slices.interval.moving
            R, p, spin, slide = moved(self.strains, self.slices.combined(rates, self.row), self.h)
            shifted = x["v"] + cross(x["w"], x["R"] @ p) + x["R"] @ slide
            return {"R": x["R"] @ R, "w": x["w"] + x["R"] @ spin, "v": shifted}

        start = {"R": SX.eye(3), "w": SX(3, 1), "v": SX(3, 1)}
        return Scan(start, self.own, [*self.shared, rates], advance), rates

    @cached_property
    def speeds(self) -> Any:
        """(q, L, rest, rates of q) -> the slices' angular and linear velocities (6 x intervals)."""
        scan, symbols = self._speeding
        rates = ca.MX.sym("rates", symbols.numel())
        first = scan.pack({"R": ca.DM.eye(3), "w": ca.DM(3, 1), "v": ca.DM(3, 1)})
        x = ca.horzcat(*scan.run(first, self.along, [*self.together, rates]))
        return self._node("speeds", [rates], [ca.vertcat(scan.dense(x, "w"), scan.dense(x, "v"))])

    def speed(self, column: Expr) -> tuple[Expr, Expr]:
        """w and v of a slice from its column of the speeds, with the zeros that all slices have."""
        both = (column[:3], "w"), (column[3:], "v")
        patterns = self._speeding[0].patterns
        w, v = (SX(patterns[name], x[patterns[name].find()]) for x, name in both)
        return w, v

    # Inward -----------------------------------------------------------------------------------

    @cached_property
    def _collect(self) -> Scan:
        """Force and moment beyond an interval, and generalized forces; its column ends with the
        rotation of its start (nonzeros) and the wrench at its end."""
        pattern, wrench = self._poses.patterns["R"], SX.sym("wrench", 6)
        turn = SX.sym("R", pattern.nnz())
        R = SX(pattern, turn)

        def collect(x: Parts) -> Parts:
            F, N = x["F"] + wrench[:3], x["N"] + wrench[3:]
            _, p, y = self.slices.interval.pull(self.strains, self.h, R.T @ F, R.T @ N)
            Q = x["Q"] + self.slices.spread(y, self.row)
            return {"F": F, "N": N + cross(R @ p, F), "Q": Q}

        nothing = {"F": SX.zeros(3), "N": SX.zeros(3), "Q": SX.zeros(self.slices.count)}
        return Scan(nothing, [*self.own, turn, wrench], self.shared, collect)

    def _inward(self, turns: Sequence[Any], wrenches: Sequence[Any]) -> dict[str, Any]:
        """F and N at the base and Q, from rotations of the slices' starts and wrenches on them."""
        scan, along = self._collect, [x[::-1] for x in (*self.along, turns, wrenches)]
        return scan.unpack(scan.run(ca.DM.zeros(scan.size), along, self.together)[-1])

    @cached_property
    def pulling(self) -> Any:
        """(q, L, rest, rotations (9 x slices), wrenches (force and moment, 6 x slices)) -> their
        generalized force (n)."""
        K, rows = self.slices.intervals, self._poses.patterns["R"].find()
        R, wrenches = ca.MX.sym("R", 9, K), ca.MX.sym("wrenches", 6, K)
        first = ca.vec(ca.densify(ca.DM.eye(3)))  # sparse columns would have to be transposed
        turns = [x[rows] for x in (first, *columns(R)[:-1])]
        return self._node("pulling", [R, wrenches], [self._inward(turns, columns(wrenches))["Q"]])

    def balance(self, base: Sequence[Expr]) -> Any:
        """Inverse dynamics of the rod for a base that moves (w, v, w_dot, v_dot).

        (q, L, rest, v, a, base motion (12), slices (SLICE x intervals)) -> generalized forces,
        force and moment at the base (6), kinetic energy.
        Zeros of the base's motion are left out of the scan.
        """
        return self._of_motion("balance", base, self._balance)

    def motion(self, base: Sequence[Expr], slices: tuple[int, ...]) -> Any:
        """(q, L, rest, v, a, base motion (12)) -> w, v, w_dot, v_dot of some slices (12 each)."""
        return self._of_motion(("motion", slices), base, partial(self._motion, slices))

    def _of_motion(self, what: Any, base: Sequence[Expr], make: Callable[[Any], Any]) -> Any:
        patterns = [ca.sparsify(x).sparsity() for x in base]
        key = (what, *(tuple(p.row()) for p in patterns))
        if key not in self._moving_base:
            self._moving_base[key] = make(patterns)
        return self._moving_base[key]

    def _outward(self, patterns: Sequence[Any]) -> tuple[Scan, list[Any], list[Any]]:
        """The scan of motions, its states (MX), the base first, and v, a, and the base's motion."""
        slices, n = self.slices, self.slices.count
        v, a = SX.sym("v", n), SX.sym("a", n)
        rates = [slices.combined(x, self.row) for x in (v, a)]

        def advance(x: Parts) -> Parts:
            return carried(x, slices.interval.motion(self.strains, *rates, self.h))

        base = {name: SX.sym(name, p) for name, p in zip(MOTION, patterns, strict=True)}
        start = {"R": SX.eye(3), "p": SX(3, 1), **base}
        out = Scan(start, self.own, [*self.shared, v, a], advance)
        V, A, motion = ca.MX.sym("v", n), ca.MX.sym("a", n), ca.MX.sym("base", 12)
        given = {
            name: ca.project(motion[3 * i : 3 * i + 3], p)
            for i, (name, p) in enumerate(zip(MOTION, patterns, strict=True))
        }
        first = out.pack({"R": ca.MX.eye(3), "p": ca.MX(3, 1), **given})
        return out, [first, *out.run(first, self.along, [*self.together, V, A])], [V, A, motion]

    def _motion(self, slices: tuple[int, ...], patterns: Sequence[Any]) -> Any:
        out, states, given = self._outward(patterns)
        seen = ca.horzcat(*[states[k + 1] for k in slices])
        return self._node("motion", given, [ca.vertcat(*[out.dense(seen, x) for x in MOTION])])

    def _balance(self, patterns: Sequence[Any]) -> Any:
        out, x, given = self._outward(patterns)
        state, own = SX.sym("state", out.size), SX.sym("own", SLICE)
        F, N, T = required(out.unpack(state), own, self.slices.drag)
        each = ca.Function("each", [state, own], ca.cse([ca.densify(ca.vertcat(F, N)), T]))
        matter = ca.MX.sym("slices", SLICE, self.slices.intervals)
        pairs = [each(*mine) for mine in zip(x[1:], columns(matter), strict=True)]
        wrenches, energies = zip(*pairs, strict=True)
        found = self._inward([y[out.rows("R")] for y in x[:-1]], wrenches)
        wrench = ca.vertcat(found["F"], found["N"])
        return self._node("balance", [*given, matter], [found["Q"], wrench, total(energies)])

    @cached_property
    def stiffening(self) -> Any:
        """(q, L, rest, states, wrenches (force and moment, 6 x slices)) -> derivative of their
        generalized force (n x n), where they keep their direction.

        With s and d the turn and shift of an interval's end per coordinate, in the base's axes, a
        wrench (F, N) beyond it has the generalized force s^T N + d^T F. Its derivative has four
        parts: s and d change with the interval's own strains, and turn with all before it (w); N
        changes as the points of application shift against the interval's end.
        """
        slices, n, size = self.slices, self.slices.count, self.moving.size
        before, after = SX.sym("before", size), SX.sym("after", size)
        wrench = SX.sym("wrench", 6)
        a, b = self.moving.unpack(before), self.moving.unpack(after)
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
            local = own(self.strains, self.h, a["R"].T @ F, a["R"].T @ N)
            H = slices.gathered(slices.gathered(local, self.row).T, self.row).T
            H += (ca.skew(F).T @ d + ca.skew(N).T @ s).T @ a["w"]
            H += s.T @ (moved + ca.skew(F) @ b["v"])
            return {"F": F, "N": N + cross(r, F), "shift": moved, "H": x["H"] + H}

        zeros = {"F": (3, 1), "N": (3, 1), "shift": (3, n), "H": (n, n)}
        nothing = {name: SX.zeros(*shape) for name, shape in zeros.items()}
        back = Scan(nothing, [*self.own, before, after, wrench], self.shared, collect)
        K = slices.intervals
        states, wrenches = ca.MX.sym("states", size, K + 1), ca.MX.sym("wrenches", 6, K)
        passed = columns(states)
        along = [x[::-1] for x in (*self.along, passed[:-1], passed[1:], columns(wrenches))]
        end = back.run(ca.DM.zeros(back.size), along, self.together)[-1]
        H = ca.reshape(back.dense(end, "H"), n, n)
        return self._node("stiffening", [states, wrenches], [H])
