"""How far an equilibrium of rods by modes is from that of the continuum.

The local balance along each rod is evaluated between the functions and the points that the modes
are made of and integrated at (`mechanics/rods/continuum.py`). Newton's matrix of the modes answers
what is left of the modes' own equations; the stiffness of each section answers the rest, in strains
that the modes lack. A few rounds of both lead to the solution of the continuous equations.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.describe import Rod
from chorda.mechanics import Array, System
from chorda.mechanics.balance import CHEAP, RodPart, TakenApart, is_taken_apart
from chorda.mechanics.posing import frame_poses
from chorda.mechanics.rods.continuum import Continuum, Known, Loads
from chorda.results.space_accuracy import SpaceAccuracy
from chorda.statics.problem import Problem, collecting

MAX_ROUNDS = 8
SETTLED = 0.05  # the last round moved the frames by this part of the whole way
ROUNDING = 1e-12  # of the robot's size
NEGLIGIBLE = 1e-6  # of the robot's size: an error that need not be known better


@dataclass(frozen=True, eq=False)
class _FineRod:
    """A rod of the system as a continuum, with the rows of its modes, and its place among the
    proxies."""

    part: RodPart
    known: Known
    modes: slice
    ends: Any  # panel ends of the proxies' frames
    lumps: Any  # panel ends with a mass
    masses: Array


class FineRods:
    """The residual of a problem with rods as continua."""

    def __init__(self, problem: Problem, frames: tuple[str, ...]) -> None:
        system, given = problem.system, problem.prescription
        self.problem, self.frames = problem, frames
        every = (*given.frames, *frames)
        self.apart, self.outside = system.once(
            ("fine-rods", every, given.tensions), lambda: _apart(system, every, given.tensions)
        )
        self.collect = collecting(system, given)
        rows = {name: k for k, name in enumerate(system.parameter_names)}
        self.rods: list[_FineRod | None] = []
        self.own: list[slice] = []
        first = 0
        for (rod, symbol, _), continuum in zip(self.apart.each, _continua(self.apart), strict=True):
            modes = slice(first, first + symbol.numel())
            first = modes.stop
            self.own.append(modes)
            if continuum is None:
                self.rods.append(None)
                continue
            own = problem.p[[rows[x] for x in continuum.parameter_names]]
            known, grid = continuum.with_parameters(own), rod.soft.scans.slices.grid
            ends = np.array([continuum.end(grid.ends[k]) for k in rod.slices])
            mass = np.asarray(rod.constants(problem.p)[2].full())[0]
            lumped = np.flatnonzero((grid.weights == 0) & (mass > 0))
            lumps = np.array([continuum.end(grid.ends[k]) for k in lumped], int)
            self.rods.append(_FineRod(rod, known, modes, ends, lumps, mass[lumped]))
        self.reference = self._proxies(system.rest, self.nothing)[0]

    @property
    def nothing(self) -> list[Array]:
        """No strains besides those of the modes."""
        return [np.zeros((0,)) if x is None else np.zeros_like(x.known.rest) for x in self.rods]

    def _proxies(self, q: Array, more: list[Array]) -> tuple[Array, list[Any]]:
        """Coordinates of the proxy joints, and the shapes of the rods."""
        parts: list[Array] = []
        shapes: list[Any] = []
        for rod, own, extra in zip(self.rods, self.own, more, strict=True):
            if rod is None:
                parts.append(q[own])
                shapes.append(None)
                continue
            shape = rod.known.shape(q[own], extra)
            for end, (turn, shift) in zip(rod.ends, rod.part.patterns, strict=True):
                parts.append(shape.end_R[end].T.ravel()[list(turn)])
                parts.append(shape.end_p[end][list(shift)])
            parts.append(rod.known.centre(shape, rod.lumps, rod.masses)[0])
            parts.append(rod.known.lengths(shape))
            shapes.append(shape)
        return np.concatenate(parts), shapes

    def residual(
        self, x: Array, target: Array, more: list[Array]
    ) -> tuple[Array, list[Array], Array]:
        """The residual of the problem, strains that the modes lack, and origins of the frames."""
        problem, given = self.problem, self.problem.prescription
        q, lam, tau = problem.parts(x)
        u, p = problem.inputs_and_parameters(tau)
        t = tau[len(tau) - len(given.tensions) :]
        proxies, shapes = self._proxies(q, more)
        g, psi, X, law = (y.full() for y in self.outside(proxies, lam, u, p, t, self.reference))
        G, lacking = [], []
        for rod, shape, (_, _, (a, b)) in zip(self.rods, shapes, self.apart.each, strict=True):
            if rod is None:
                G.append(g[a:b, 0])
                lacking.append(np.zeros((0,)))
                continue
            rho = rod.known.residual(shape, _loads(rod, shape, g[a:b, 0]))
            G.append(rod.known.generalized(rho))
            lacking.append(rod.known.missing(rho))
        n = len(given.frames)
        r = self.collect(q, lam, tau, target, np.concatenate(G), psi, X[:, :n], law)
        return r.full()[:, 0], lacking, X[9:, n:].T


def _fine(problem: Problem, frames: tuple[str, ...]) -> FineRods:
    """Kept while the parameters stay."""
    kept = problem.system.once(
        ("fine", problem.prescription, frames), lambda: dict[bytes, FineRods]()
    )
    key = problem.p.tobytes()
    if key not in kept:
        kept.clear()
        kept[key] = FineRods(problem, frames)
    fine: FineRods = kept[key]
    fine.problem = problem
    return fine


def _apart(system: System, frames: tuple[str, ...], tensions: tuple[str, ...]) -> Any:
    apart = TakenApart(system, frames, tensions)
    return apart, apart.outside(CHEAP)


def _continua(apart: TakenApart) -> list[Continuum | None]:
    system = apart.system

    def make() -> list[Continuum | None]:
        joints = [*system.robot.joints, None]
        found: list[Continuum | None] = []
        for joint, rod in zip(joints, apart.rods, strict=True):
            if rod is None or not isinstance(joint, Rod):
                found.append(None)
                continue
            sheaths = system.robot.sheaths_in(joint.name)
            found.append(Continuum(joint, sheaths, rod.soft.scans.slices.grid))
        return found

    return list(system.once("continua", make))


def _loads(rod: _FineRod, shape: Any, g: Array) -> Loads:
    """From what acts on the proxy joint: wrenches of frames, weight, pull on lengths."""
    n = len(rod.ends)
    wrenches, rest = g[: 6 * n].reshape(n, 6), g[6 * n :]
    gravity = rest[:3] / rod.known.centre(shape, rod.lumps, rod.masses)[1]
    return Loads(
        at=np.concatenate([rod.ends, rod.lumps]).astype(np.intp),
        force=np.concatenate([wrenches[:, 3:], rod.masses[:, None] * gravity]),
        moment=np.concatenate([wrenches[:, :3], np.zeros((len(rod.lumps), 3))]),
        gravity=gravity,
        pull=rest[3:],
    )


def space_accuracy(problem: Problem, x: Array, target: Array, A: Array) -> SpaceAccuracy | None:
    """The error of a solution with Newton's matrix A; None where there are no rods, or where
    cables around pulleys keep them from being taken apart."""
    system = problem.system
    rods = [joint for joint in system.robot.joints if isinstance(joint, Rod)]
    if not rods or not is_taken_apart(system):
        return None
    tips = [f"{rod.name}.tip" for rod in rods]
    frames = tuple(dict.fromkeys([*tips, *problem.prescription.frames]))
    rows = {name: k for k, name in enumerate(system.parameter_names)}
    size = max(float(problem.p[rows[f"{rod.name}.length"]]) for rod in rods)
    fine = _fine(problem, frames)

    def coarse(x: Array) -> Array:
        return frame_poses(system, frames, problem.parts(x)[0][None], problem.p)[1][0]

    start = before = coarse(x)
    more, total, reliable = fine.nothing, np.zeros(len(frames)), False
    integration = total
    for k in range(MAX_ROUNDS):
        r, lacking, now = fine.residual(x, target, more)
        total, step = (np.linalg.norm(now - origin, axis=1) for origin in (start, before))
        before = now
        settled = np.all(step <= SETTLED * total + ROUNDING * size)
        if k and (np.all(total + step < NEGLIGIBLE * size) or (k > 1 and settled)):
            reliable = True
            break
        x = problem.moved(x, np.asarray(np.linalg.lstsq(A, -r, rcond=None)[0], float))
        if not np.all(np.isfinite(x)):
            break
        if k == 0:
            integration = np.linalg.norm(coarse(x) - start + now - start, axis=1)
        more = [a + b for a, b in zip(more, lacking, strict=True)]
    return SpaceAccuracy(frames, total, integration, reliable, size)
