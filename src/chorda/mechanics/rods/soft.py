"""A rod in symbols: what the tree asks of a soft joint."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca

from chorda.mechanics.frames import SX, Expr, Pose, cross
from chorda.mechanics.rods.scans import MOTION, SLICE, Scans

BASE = -1  # stands for a slice: the rod's base
Wrenches = dict[int, tuple[Expr, Expr]]  # by slice: force, moment about it; base's axes


@dataclass(frozen=True)
class Required:
    """What a motion of a rod requires, in its base's axes."""

    Q: Expr  # generalized forces
    F: Expr  # force at the base
    N: Expr  # moment about the base
    kinetic: Expr


@dataclass(frozen=True)
class Soft:
    """A rod: its coordinates in symbols, and its slices."""

    scans: Scans
    q: Expr
    length: Expr
    rest: Expr  # strains without load (rows x intervals)
    matter: Expr  # mass, inertias and drag of each slice (6 x slices)
    R: Expr  # rotations (9 x slices)
    p: Expr  # positions (3 x slices)
    frames: Mapping[str, int]  # by name: the slice that it stands on
    loaded: tuple[int, ...] = ()  # slices on which distributed loads act
    stock: Expr | None = None  # of a rod that is fed: mass that waits at its base [kg],
    whole: Expr | None = None  # and that of all of it

    def pose(self, slice_: int) -> Pose:
        """A slice in the frame of the base."""
        if slice_ == BASE:
            return Pose(SX.eye(3), SX(3, 1))
        return self.scans.pose(self.R[:, slice_], self.p[:, slice_])

    def slice_of(self, frame: str) -> int:
        """The slice that a frame (ROD.FRAME) stands on."""
        return self.frames[frame.rpartition(".")[2]]

    @property
    def moment(self) -> Expr:
        """First moment of mass about the base [kg m]."""
        return self.p @ self.matter[0, :].T

    @property
    def mass(self) -> Expr:
        return ca.sum2(self.matter[0, :]) if self.whole is None else self.whole

    def _inertia(self) -> Expr:
        """Over the base's angular and linear velocity and the coordinates."""
        M: Expr = self._run(self.scans.inertia, self.matter)
        if self.stock is not None:
            M[3:6, 3:6] += self.stock * SX.eye(3)
        return M

    @cached_property
    def _spread(self) -> Expr:
        """The slices' velocities per coordinate."""
        return self._run(self.scans.rates)

    def slice_rates(self, slice_: int) -> tuple[Expr, Expr]:
        """A slice's angular and linear velocity per rate of the coordinates, in the base's axes."""
        n = self.q.numel()
        if slice_ == BASE:
            return SX(3, n), SX(3, n)
        w, v = (ca.reshape(self._spread[i : i + 3 * n, slice_], 3, n) for i in (0, 3 * n))
        return self.scans.rate(w, "w"), self.scans.rate(v, "v")

    def speeds(self, v: Expr) -> Expr:
        """The slices' angular and linear velocities (6 x slices), in the base's axes."""
        return self._run(self.scans.speeds, v) if v.nnz() else SX(6, self.p.shape[1])

    def pulled(self, wrenches: Expr) -> Expr:
        """Generalized force of wrenches on the slices (force and moment, 6 x slices), in the base's
        axes."""
        return self._run(self.scans.pulling, self.R, wrenches)

    def _run(self, function: Any, *more: Expr) -> Any:
        return function(*[ca.densify(x) for x in (self.q, self.length, self.rest, *more)])

    def required(self, v: Expr, a: Expr, base: Sequence[Expr], carried: Wrenches) -> Required:
        """Inverse dynamics; carried: what the slices must exert on what stands on them."""
        if not any(x.nnz() for x in (v, base[0], base[1])):
            return self._from_rest(a, base[2], base[3], carried)
        wrenches = SX(SLICE - 6, self.p.shape[1])
        for slice_, (F, N) in carried.items():
            if slice_ != BASE:
                wrenches[:, slice_] = ca.vertcat(F, N)
        matter = self.matter if self.stock is None else SX(*self.matter.shape)
        given = v, a, ca.vertcat(*base), ca.vertcat(matter, wrenches)
        Q, wrench, kinetic = self._run(self.scans.balance(base), *given)
        F, N = carried.get(BASE, (SX(3, 1), SX(3, 1)))
        found = Required(Q, wrench[:3] + F, wrench[3:] + N, kinetic)
        return found if self.stock is None else self._with_material(found, v, a, base)

    def _with_material(self, found: Required, v: Expr, a: Expr, base: Sequence[Expr]) -> Required:
        """What the material of a rod that is fed requires too: from T = y^T M y / 2 over the
        base's velocities in its own axes and the rates, y, by the equations of Lagrange and, for
        the base, of Kirchhoff."""
        w, speed, w_dot, v_dot = base
        M = self._inertia()
        y = ca.vertcat(w, speed, v)
        momentum = M @ y
        rate = M @ ca.vertcat(w_dot, v_dot - cross(w, speed), a)
        rate += ca.jtimes(momentum, self.q, v)
        kinetic = ca.dot(y, momentum) / 2
        turning, pushing = momentum[:3], momentum[3:6]
        return replace(
            found,
            Q=found.Q + rate[6:] - ca.gradient(kinetic, self.q),
            F=found.F + rate[3:6] + cross(w, pushing),
            N=found.N + rate[:3] + cross(w, turning) + cross(speed, pushing),
            kinetic=kinetic,
        )

    def _from_rest(self, a: Expr, w_dot: Expr, v_dot: Expr, carried: Wrenches) -> Required:
        """The same without velocities: linear in the accelerations, and written so."""
        if w_dot.nnz() or v_dot.nnz():
            out = self._inertia() @ ca.vertcat(w_dot, v_dot, a)
            N, F, Q = out[:3], out[3:6], out[6:]
        else:  # what need not be known is not computed: these are two functions
            Q = self._run(self.scans.own_inertia, self.matter) @ a
            out = self._inertia()[:6, 6:] @ a
            N, F = out[:3], out[3:]
        for slice_, (f, m) in carried.items():
            p = SX(3, 1) if slice_ == BASE else self.p[:, slice_]
            Jw, Jv = self.slice_rates(slice_)
            Q, F, N = Q + Jw.T @ m + Jv.T @ f, F + f, N + m + cross(p, f)
        return Required(Q, F, N, SX(0))

    def motion(self, v: Expr, a: Expr, base: Sequence[Expr]) -> Expr:
        """w, v, w_dot, v_dot of the slices that frames stand on (12 x slices)."""
        motion = SX(12, self.p.shape[1])
        seen = tuple(sorted({*self.frames.values()} - {BASE}))
        if not seen:
            return motion
        if any(x.nnz() for x in (v, base[0], base[1])):
            given = v, a, ca.vertcat(*base)
            motion[:, list(seen)] = self._run(self.scans.motion(base, seen), *given)
            return motion
        w_dot, v_dot = base[2:]
        for slice_ in seen:
            Jw, Jv = self.slice_rates(slice_)
            motion[6:9, slice_] = w_dot + Jw @ a
            motion[9:12, slice_] = v_dot + cross(w_dot, self.p[:, slice_]) + Jv @ a
        return motion

    def moving(self, motion: Expr, slice_: int) -> list[Expr]:
        """w, v, w_dot, v_dot of a slice."""
        return [motion[3 * i : 3 * i + 3, slice_] for i in range(len(MOTION))]
