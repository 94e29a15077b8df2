"""Scans along a rod as a continuum: strains at many points give its shape, and what acts on it
gives the residual of its local balance

    rho(s) = W(s) + sum of the tendons' pull - K(s) (strain - strain without load)

between the functions that its modes are made of. W is the wrench of all that acts beyond s, in the
section's axes. Modes make the weighted means of rho zero; what is left is their error.

A rod is a row of panels with two Gauss points each, between which strains are linear. All is seen
from the rod's base. Rods that are alike share the functions, and the code that they become.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import STRAINS
from chorda.mechanics.frames import SX, Expr, cross
from chorda.mechanics.rods.bases import Array
from chorda.mechanics.rods.magnus import bracket, exponential

GAUSS = np.array([0.5 - np.sqrt(3) / 6, 0.5 + np.sqrt(3) / 6])
NODE = {"never_inline": True}
STRETCH = STRAINS.index("stretch")
STATE, POINT = 12, 12  # numbers of a pose: rotation by columns, position


@dataclass(frozen=True)
class Point:
    """What is known of a Gauss point: stiffness (6), mass [kg/m], strains without load (6), and of
    each sheath where it lies (y, z), its slopes, and 1 where it is laid."""

    K: Expr
    mass: Expr
    rest: Expr
    sheaths: list[tuple[Expr, Expr, Expr]]

    @staticmethod
    def rows(sheaths: int) -> int:
        return 13 + 5 * sheaths

    @classmethod
    def of(cls, column: Expr) -> "Point":
        K, mass, rest, laid = ca.vertsplit(column, [0, 6, 7, 13, column.numel()])
        each = [laid[k : k + 5] for k in range(0, laid.numel(), 5)]
        return cls(K, mass, rest, [(x[:2], x[2:4], x[4]) for x in each])

    def pulls(self, strain: Expr) -> list[tuple[Expr, Expr]]:
        """Of each sheath: its wrench on the section per tension, and its length per length."""
        xi, found = strain + self.rest, []
        for (y, z), slope, laid in ((ca.vertsplit(o), s, i) for o, s, i in self.sheaths):
            offset = ca.vertcat(0, y, z)
            way = xi[3:] + ca.vertcat(1, slope) + cross(xi[:3], offset)
            size = ca.norm_2(way)
            u = way / size
            found.append((laid * ca.vertcat(cross(offset, u), u), laid * size))
        return found


class FineScans:
    """phi: functions of each strain that has modes, at the points (panels, 2, n); spread: whether
    loads act along the rod."""

    def __init__(self, phi: Mapping[int, Array], sheaths: int, spread: bool = False) -> None:
        self.spread = 12 if spread else 0  # rows of a panel: force and moment per length
        self.phi = {k: f.reshape(-1, f.shape[2]) for k, f in phi.items()}  # (points, n)
        self.sheaths, self.points = sheaths, len(next(iter(self.phi.values())))
        self.panels, self.modes = self.points // 2, sum(f.shape[1] for f in self.phi.values())
        self.rows = 1 + 2 * Point.rows(sheaths)  # of a panel: length, two points
        self._along, self._strain = SX.sym("along", self.rows), SX.sym("strain", 12)
        n = Point.rows(sheaths)
        self._h, *both = ca.vertsplit(self._along, [0, 1, 1 + n, 1 + 2 * n])
        self._known = [Point.of(x) for x in both]
        self._strains = [self._strain[:6], self._strain[6:]]

    @cached_property
    def _advance(self) -> Any:
        """(pose at the start, panel) -> pose at the end; poses at its points, lengths of sheaths,
        mass and its first moment."""
        R, p, h = SX.sym("R", 3, 3), SX.sym("p", 3), self._h
        straight = SX.zeros(6)
        straight[STRETCH] = 1
        xi = [e + x.rest + straight for e, x in zip(self._strains, self._known, strict=True)]
        slope = (xi[1] - xi[0]) * sqrt(3) / h
        start = (xi[0] + xi[1]) / 2 - slope * h / 2
        turned, poses = bracket(start, slope), []
        for t in (*GAUSS.tolist(), 1.0):
            to = t * h
            moved = exponential(to * start + to**2 / 2 * slope + to**3 / 12 * turned)
            poses.append((R @ moved.R, p + R @ moved.p))
        columns = [ca.vertcat(ca.vec(ca.densify(a)), b) for a, b in poses]
        lengths, matter = SX.zeros(self.sheaths), SX.zeros(4)
        for e, x, (_, at) in zip(self._strains, self._known, poses, strict=False):
            each = [size for _, size in x.pulls(e)]
            lengths += h / 2 * ca.vertcat(SX(0, 1), *each)
            matter += h / 2 * x.mass * ca.vertcat(1, at)
        given = [ca.vertcat(ca.vec(R), p), ca.vertcat(self._strain, self._along)]
        found = [columns[2], ca.vertcat(*columns[:2]), ca.vertcat(matter, lengths)]
        return ca.Function("panel", given, ca.cse(found))

    @cached_property
    def outward(self) -> Any:
        """(modes, strains besides (6 x points), panels) -> strains (12 x panels), poses of the
        points (24 x panels) and of the panels' ends (12 x panels), mass and its first moment (4),
        lengths of the sheaths."""
        q, more = ca.MX.sym("q", self.modes), ca.MX.sym("more", 6, self.points)
        along = ca.MX.sym("along", self.rows, self.panels)
        own, first = [ca.MX.zeros(1, self.points)] * 6, 0
        for k, phi in self.phi.items():
            n = phi.shape[1]
            own[k] = q[first : first + n].T @ ca.DM(phi.T)
            first += n
        strain = ca.reshape(ca.vertcat(*own) + more, 12, self.panels)
        base = ca.vertcat(ca.vec(ca.DM.eye(3)), ca.DM.zeros(3))
        scan = self._advance.mapaccum(f"outward{self.panels}", self.panels)
        ends, points, sums = scan(ca.densify(base), ca.vertcat(strain, along))
        total = ca.sum2(sums)
        found = [strain, points, ends, total[:4], total[4:]]
        return ca.Function("rod_outward", [q, more, along], found, NODE)

    @cached_property
    def _gather(self) -> Any:
        """(what acts beyond the panel, panel with strains, poses, the load at its end and loads per
        length at its points, gravity and pulls) -> the same with the panel; rho at its points (12).

        Beyond are force, moment about the base, mass and its first moment.
        """
        state, poses, load = SX.sym("state", 10), SX.sym("poses", 24), SX.sym("load", 6)
        spread = SX.sym("spread", self.spread)
        g, pull, h = SX.sym("g", 3), SX.sym("pull", self.sheaths), self._h
        F, N, after = state[:3] + load[:3], state[3:6] + load[3:], state[6:]
        turns = [ca.reshape(poses[12 * i : 12 * i + 9], 3, 3) for i in range(2)]
        places = [poses[12 * i + 9 : 12 * i + 12] for i in range(2)]
        f = [x.mass * ca.vertcat(1, at) for x, at in zip(self._known, places, strict=True)]
        whole, rho = (f[0] + f[1]) * h / 2, list[Expr]()
        along = _about_base(spread, places)
        for i, (e, x) in enumerate(zip(self._strains, self._known, strict=True)):
            to = float(GAUSS[i])
            beyond, push = after + _rest_of(f, h, to), _rest_of(along, h, to)
            force = F + beyond[0] * g + push[:3]
            moment = N + cross(beyond[1:], g) + push[3:] - cross(places[i], force)
            local = ca.vertcat(turns[i].T @ moment, turns[i].T @ force) - x.K * e
            for k, (wrench, _) in enumerate(x.pulls(e)):
                local += pull[k] * wrench
            rho.append(local)
        column = ca.vertcat(self._strain, self._along, poses, load, spread)
        given = [state, column, ca.vertcat(g, pull)]
        wrench = ca.vertcat(F, N) + (along[0] + along[1]) * h / 2
        found = [ca.vertcat(wrench, after + whole), ca.vertcat(*rho)]
        return ca.Function("beyond", given, ca.cse(found))

    @cached_property
    def inward(self) -> Any:
        """(strains, poses of the points, panels, loads at their ends (force, moment about the
        base, 6 x panels) and along them (`spread` rows), gravity and pulls, `directions` (points x
        modes)) -> what the modes are left with, and strains that they lack (6 x points), where
        stiffness alone answers rho."""
        P, shared = self.panels, ca.MX.sym("shared", 3 + self.sheaths)
        strain, poses = ca.MX.sym("strain", 12, P), ca.MX.sym("poses", 24, P)
        along, loads = ca.MX.sym("along", self.rows, P), ca.MX.sym("loads", 6 + self.spread, P)
        directions = ca.MX.sym("directions", self.points, self.modes)
        columns = ca.vertcat(strain, along, poses, loads)
        scan = self._gather.mapaccum(f"inward{P}", P)
        _, rho = scan(ca.DM.zeros(10), columns[:, ::-1], ca.repmat(shared, 1, P))
        rho = ca.reshape(rho[:, ::-1], 6, self.points)
        h = ca.reshape(ca.repmat(along[0, :], 2, 1), 1, self.points)
        both = [along[1:14, :], along[1 + Point.rows(self.sheaths) :, :][:13, :]]
        K = ca.reshape(ca.vertcat(both[0][:6, :], both[1][:6, :]), 6, self.points)
        left, lacking, first = [], [ca.MX.zeros(1, self.points)] * 6, 0
        for k, phi in self.phi.items():
            n = phi.shape[1]
            left.append((rho[k, :] * h / 2) @ ca.DM(phi))
            Q, size = directions[:, first : first + n], ca.sqrt(K[k, :] * h / 2)
            answer = size * rho[k, :] / K[k, :]
            lacking[k] = (answer - (answer @ Q) @ Q.T) / size
            first += n
        found = [ca.horzcat(*left).T, ca.densify(ca.vertcat(*lacking))]
        given = [strain, poses, along, loads, shared, directions]
        return ca.Function("rod_inward", given, found, NODE)

    def directions(self, along: Array) -> Array:
        """(points, modes) what the modes of each strain span, orthonormal where strains are
        weighted with the root of stiffness times length; along: (rows, panels)."""
        n, found = Point.rows(self.sheaths), []
        for k, phi in self.phi.items():
            K = along[[1 + k, 1 + n + k]].T.ravel()
            size = np.sqrt(K * np.repeat(along[0], 2) / 2)
            found.append(np.linalg.qr(size[:, None] * phi)[0])
        return np.hstack(found)


def _about_base(spread: Expr, places: Sequence[Expr]) -> list[Expr]:
    """Force and moment about the base, per length, at both points of a panel."""
    if not spread.numel():
        return [SX(6, 1)] * 2
    both = zip([spread[:6], spread[6:]], places, strict=True)
    return [ca.vertcat(x[:3], x[3:] + cross(at, x[:3])) for x, at in both]


def _rest_of(f: Sequence[Expr], h: Expr, part: float) -> Expr:
    """The integral from a part of a panel to its end, of what is linear between its points."""
    slope = (f[1] - f[0]) * sqrt(3) / h
    start = (f[0] + f[1]) / 2 - slope * h / 2
    return (f[0] + f[1]) * h / 2 - part * h * start - (part * h) ** 2 / 2 * slope


def at_ends(P: int, ends: Sequence[int]) -> Any:
    """(ends x panels): 1 in the panel of each end."""
    there = ca.DM.zeros(len(ends), P)
    for row, k in enumerate(ends):
        there[row, k] = 1
    return there
