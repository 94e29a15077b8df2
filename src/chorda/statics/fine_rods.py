"""The residual of a problem with its rods as continua, compiled where the problem is."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import compiler
from chorda.compile.point_functions import Pointwise, compiled
from chorda.describe import Rod
from chorda.mechanics import Array, System
from chorda.mechanics.balance import CHEAP, RodPart, TakenApart
from chorda.mechanics.frames import cross
from chorda.mechanics.prescription import Prescription
from chorda.mechanics.rods.continuum import Continuum
from chorda.mechanics.rods.fine_scans import FineScans, at_ends
from chorda.statics.problem import Problem, collecting, moving


@dataclass(frozen=True, eq=False)
class _Fine:
    """One rod as a continuum."""

    part: RodPart
    continuum: Continuum
    scans: FineScans
    ends: list[int]  # panel ends of the proxies' frames, and of slices that are loaded
    lumps: list[int]  # panel ends that may have a mass
    lumped: list[int]  # slices of the modes there

    @property
    def sizes(self) -> list[int]:
        """Of its constants: panels, directions of the modes, masses at panel ends."""
        s = self.scans
        return [s.rows * s.panels, s.points * s.modes, len(self.lumps)]

    def constants(self, p: Array, rows: dict[str, int]) -> Array:
        along = self.continuum.along(p[[rows[x] for x in self.continuum.parameter_names]])
        masses = np.asarray(self.part.constants(p)[2].full())[0, self.lumped]
        parts = along, self.scans.directions(along), masses
        return np.concatenate([x.ravel("F") for x in parts])

    def split(self, constants: Any) -> tuple[Any, Any, Any]:
        s = self.scans
        along, directions, masses = ca.vertsplit(constants, [0, *accumulate(self.sizes)])
        shapes = (s.rows, s.panels), (s.points, s.modes)
        return ca.reshape(along, *shapes[0]), ca.reshape(directions, *shapes[1]), masses

    def shape(self, q: Any, more: Any, constants: Any) -> tuple[Any, tuple[Any, ...]]:
        """Coordinates of the proxy joint; strains, poses of points and ends, and the mass."""
        along, _, masses = self.split(constants)
        strain, points, ends, matter, lengths = self.scans.outward(q, more, along)
        proxies = []
        for k, (turn, shift) in zip(self.ends, self.part.patterns, strict=True):
            proxies += [ends[:9, k][turn], ends[9:, k][shift]]
        mass, moment = matter[0] + ca.sum1(masses), matter[1:]
        if self.lumps:
            moment += ends[9:, self.lumps] @ masses
        return ca.vertcat(*proxies, moment / mass, lengths), (strain, points, ends, mass)

    def left(self, shape: tuple[Any, ...], g: Any, constants: Any) -> Any:
        """What acts on the proxy joint leaves this of the modes' forces, and strains they lack."""
        along, directions, masses = self.split(constants)
        strain, points, ends, mass = shape
        n = len(self.ends)
        wrenches, gravity, pull = ca.vertsplit(g, [0, 6 * n, 6 * n + 3, g.numel()])
        wrenches, gravity = ca.reshape(wrenches, 6, n), gravity / mass
        alone = [j for j in range(n) if j not in self.loaded]
        forces = [wrenches[3:, j] for j in alone] + [x * gravity for x in ca.vertsplit(masses)]
        moments = [wrenches[:3, j] for j in alone] + [ca.MX.zeros(3)] * len(self.lumps)
        at = [*(self.ends[j] for j in alone), *self.lumps]
        each = [
            ca.vertcat(F, N + cross(ends[9:, k], F))
            for F, N, k in zip(forces, moments, at, strict=True)
        ]
        loads = ca.horzcat(*each) @ at_ends(self.scans.panels, at)
        if self.loaded:
            loads = ca.vertcat(loads, self._along(wrenches, along))
        shared = ca.vertcat(gravity, pull)
        return self.scans.inward(strain, points, along, loads, shared, directions)

    @property
    def loaded(self) -> list[int]:
        """Which of the ends are slices that loads along the rod act on."""
        return [j for j, k in enumerate(self.part.slices) if k in self.part.soft.loaded]

    def _along(self, wrenches: Any, along: Any) -> Any:
        """Force and moment per length at the points of each panel (12 x panels): what acts on the
        slices over the length that they stand for, interpolated."""
        grid, widths = self.part.soft.scans.slices.grid, self.continuum.widths
        weights = grid.weights[list(self.part.soft.loaded)]
        share = along[0, 0] / widths[0] * ca.DM(weights).T  # of the length
        own = wrenches[:, self.loaded]
        spread = ca.vertcat(own[3:, :], own[:3, :]) / ca.repmat(share, 6, 1)
        return ca.reshape(spread @ ca.DM(self.continuum.interpolated), 12, self.scans.panels)


class FineRods:
    """Functions of a problem with rods as continua, and of the same with modes."""

    def __init__(self, system: System, given: Prescription, frames: tuple[str, ...]) -> None:
        self.system, self.given, self.frames = system, given, frames
        self.apart = TakenApart(system, (*given.frames, *frames), given.tensions)
        self.rods = _rods(self.apart)
        self.rows = {name: k for k, name in enumerate(system.parameter_names)}
        self.outside = self.apart.outside(CHEAP)
        fine = [x for x in self.rods if x is not None]
        self.more = [6 * x.scans.points for x in fine]
        self.sizes = [sum(x.sizes) for x in fine]

    def constants(self, p: Array) -> Array:
        """What parameters mean for the rods, and for the reference configuration."""
        each = [x.constants(p, self.rows) for x in self.rods if x is not None]
        along = np.concatenate(each)
        found = self._proxies(self.system.rest, np.zeros(sum(self.more)), along)[0]
        reference = np.asarray(ca.evalf(ca.vertcat(*found)).full())[:, 0]
        return np.concatenate([along, reference[: self.outside.numel_in(5)]])

    def _proxies(self, q: Any, more: Any, constants: Any) -> tuple[list[Any], list[Any]]:
        """Coordinates of the proxy joints, and the shapes of the rods."""
        q, more, constants = (ca.MX(x) for x in (q, more, constants))
        own = ca.vertsplit(q, [0, *accumulate(x.numel() for _, x, _ in self.apart.each)])
        extra = iter(ca.vertsplit(more, [0, *accumulate(self.more)]))
        known = iter(ca.vertsplit(constants, [0, *accumulate(self.sizes)]))
        proxies, shapes = [], []
        for rod, x in zip(self.rods, own, strict=True):
            if rod is None:
                proxies.append(x)
                continue
            mine = next(known)
            besides = ca.reshape(next(extra), 6, rod.scans.points)
            values, shape = rod.shape(x, besides, mine)
            proxies.append(values)
            shapes.append((shape, mine))
        return proxies, shapes

    def fine(self) -> Any:
        """(state, target, inputs, parameters, strains that the modes lack, constants) -> residual,
        further strains that they lack, origins of the frames (3 x frames)."""
        system, given, n = self.system, self.given, len(self.given.frames)
        sizes = system.nq, system.nc, len(given.unknowns)
        x = ca.MX.sym("x", sum(sizes))
        target = ca.MX.sym("target", given.targets)
        u, p = ca.MX.sym("u", system.u.numel()), ca.MX.sym("p", system.p.numel())
        more = ca.MX.sym("more", sum(self.more))
        known = ca.MX.sym("known", sum(self.sizes) + self.outside.numel_in(5))
        q, lam, tau = ca.vertsplit(x, [0, *accumulate(sizes)])
        t = tau[tau.numel() - len(given.tensions) :]
        along, reference = ca.vertsplit(known, [0, sum(self.sizes), known.numel()])
        proxies, shapes = self._proxies(q, more, along)
        g, psi, X, law = self.outside(ca.vertcat(*proxies), lam, u, p, t, reference)
        G, lacking, each = [], [], iter(shapes)
        for rod, (_, _, (a, b)) in zip(self.rods, self.apart.each, strict=True):
            if rod is None:
                G.append(g[a:b])
                continue
            shape, mine = next(each)
            left, strains = rod.left(shape, g[a:b], mine)
            G.append(left)
            lacking.append(ca.vec(strains))
        X = ca.densify(X)
        forces = ca.vertcat(*G), psi, X[:, :n], law
        r = collecting(system, given)(q, lam, tau, target, *forces)
        found = [ca.densify(r), ca.vertcat(*lacking), X[9:, n:]]
        return ca.Function("chorda_fine", [x, target, u, p, more, known], found)

    def coarse(self) -> Any:
        """(state, change, inputs, parameters) -> the state after it, and origins of the frames
        there by modes."""
        move, n = moving(self.system, self.given), len(self.given.frames)
        x, change = (ca.MX.sym("x", move.numel_in(i)) for i in range(2))
        u, p = (ca.MX.sym("u", y.numel()) for y in (self.system.u, self.system.p))
        after, (nq, nc) = move(x, change), (self.system.nq, self.system.nc)
        t = after[after.numel() - len(self.given.tensions) :]
        X = self.apart.posed()(after[:nq], after[nq : nq + nc], u, p, t)
        return ca.Function("chorda_coarse", [x, change, u, p], [after, ca.densify(X)[9:, n:]])


class Estimating:
    """Functions of a problem, for arrays."""

    def __init__(self, problem: Problem, frames: tuple[str, ...]) -> None:
        self._rods = FineRods(problem.system, problem.prescription, frames)
        functions = self._rods.fine(), self._rods.coarse()
        if problem.compiled:
            functions = compiled(*functions)
        self._fine, self._coarse = (Pointwise(f, 1) for f in functions)
        self._known: dict[bytes, Array] = {}
        self.nothing = np.zeros(sum(self._rods.more))

    def residual(
        self, problem: Problem, x: Array, target: Array, more: Array
    ) -> tuple[Array, Array, Array]:
        """The residual, strains that the modes lack, and origins of the frames (frames, 3)."""
        u, p = problem.inputs_and_parameters(problem.parts(x)[2])
        key = p.tobytes()
        if key not in self._known:
            self._known = {key: self._rods.constants(p)}
        found = self._fine(x, target, u, p, more, self._known[key])
        r, lacking, origins = (y[0].copy() for y in found)
        return r, lacking, origins.reshape(-1, 3)

    def moved(self, problem: Problem, x: Array, change: Array) -> tuple[Array, Array]:
        """The state after a change, and origins of the frames by modes (frames, 3)."""
        u, p = problem.inputs_and_parameters(problem.parts(x)[2])
        after, origins = (y[0].copy() for y in self._coarse(x, change, u, p))
        return after, origins.reshape(-1, 3)


def estimating(problem: Problem, frames: tuple[str, ...]) -> Estimating:
    """Made once for a system and what is prescribed."""
    found = compiler.find() if problem.compiled else None
    key = "estimating", problem.prescription, frames, problem.compiled, found
    made: Estimating = problem.system.once(key, lambda: Estimating(problem, frames))
    return made


def _rods(apart: TakenApart) -> list[_Fine | None]:
    """Joints and motors: rods as continua, and nothing for others."""
    robot, found = apart.system.robot, list[_Fine | None]()
    shared: dict[Any, FineScans] = {}
    for joint, part in zip([*robot.joints, None], apart.rods, strict=True):
        if part is None or not isinstance(joint, Rod):
            found.append(None)
            continue
        grid = part.soft.scans.slices.grid
        loaded = part.soft.loaded
        continuum = Continuum(joint, robot.sheaths_in(joint.name), grid, loaded)
        lumped = np.flatnonzero(grid.weights == 0).tolist()
        ends, lumps = (
            [continuum.end(grid.ends[i]) for i in some] for some in (part.slices, lumped)
        )
        scans = shared.setdefault(continuum.key, continuum.scans())
        found.append(_Fine(part, continuum, scans, ends, lumps, lumped))
    return found
