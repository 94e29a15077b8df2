"""How far an equilibrium of rods by modes is from that of the continuum.

The local balance along each rod is evaluated between the functions and the points that the modes
are made of and integrated at (`mechanics/rods/continuum.py`). The stiffness of each section answers
it in strains that the modes lack; Newton's matrix of the modes answers what is then left of the
modes' own equations. A few rounds of both lead to the solution of the continuous equations.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.describe import Rod
from chorda.mechanics import Array, System
from chorda.mechanics.balance import CHEAP, RodPart, TakenApart, is_taken_apart
from chorda.mechanics.posing import frame_poses
from chorda.mechanics.rods.continuum import Continuum, Known, Loads, Shape
from chorda.results.space_accuracy import SpaceAccuracy
from chorda.statics.problem import Problem, collecting

MAX_ROUNDS = 8
SETTLED = 0.05  # the next round moves the frames by this part of the whole way
ROUNDING = 1e-12  # of the robot's size
SINGULAR = 1e13  # condition of Newton's matrix
LINEAR = 1e-4  # of the robot's size: errors that small are linear in their causes


@dataclass(frozen=True, eq=False)
class _Alike:
    """Rods of the system that are computed at once, as continua."""

    numbers: list[int]  # among the joints
    parts: list[RodPart]
    known: Known
    ends: list[int]  # panel ends of the proxies' frames
    lumps: list[int]  # panel ends with a mass
    masses: Array  # (rods, lumps)

    def shape(self, q: list[Array], more: Array) -> Shape:
        return self.known.shape(np.stack([q[k] for k in self.numbers]), more)

    def proxies(self, shape: Shape) -> Iterator[tuple[int, Array]]:
        """Coordinates of the proxy joint of each."""
        centres, _ = self.known.centre(shape, self.lumps, self.masses)
        lengths = self.known.lengths(shape)
        for i, (k, part) in enumerate(zip(self.numbers, self.parts, strict=True)):
            values = []
            for end, (turn, shift) in zip(self.ends, part.patterns, strict=True):
                values.append(shape.end_R[i, end].T.ravel()[list(turn)])
                values.append(shape.end_p[i, end][list(shift)])
            yield k, np.concatenate([*values, centres[i], lengths[i]])

    def loads(self, shape: Shape, g: Array) -> Loads:
        """From what acts on the proxy joints (rods, velocities): wrenches of frames, weight, pull
        on lengths."""
        n = len(self.ends)
        wrenches, rest = g[:, : 6 * n].reshape(len(g), n, 6), g[:, 6 * n :]
        _, mass = self.known.centre(shape, self.lumps, self.masses)
        gravity = rest[:, :3] / mass[:, None]
        weight = self.masses[:, :, None] * gravity[:, None]
        return Loads(
            at=[*self.ends, *self.lumps],
            force=np.concatenate([wrenches[..., 3:], weight], axis=1),
            moment=np.concatenate([wrenches[..., :3], np.zeros_like(weight)], axis=1),
            gravity=gravity,
            pull=rest[:, 3:],
        )


class FineRods:
    """The residual of a problem with rods as continua."""

    def __init__(self, problem: Problem, frames: tuple[str, ...], p: Array) -> None:
        system, given = problem.system, problem.prescription
        self.problem, self.frames = problem, frames
        every = (*given.frames, *frames)
        self.apart, self.outside = system.once(
            ("fine-rods", every, given.tensions), lambda: _apart(system, every, given.tensions)
        )
        self.collect = collecting(system, given)
        self.splits = np.cumsum([symbol.numel() for _, symbol, _ in self.apart.each])[:-1]
        self.groups = _groups(p, self.apart)
        known = self.outside.numel_in(5)  # without motors
        self.reference = self._proxies(system.rest, self.nothing)[0][:known]

    @property
    def nothing(self) -> list[Array]:
        """No strains besides those of the modes."""
        return [np.zeros_like(x.known.rest) for x in self.groups]

    def _proxies(self, q: Array, more: list[Array]) -> tuple[Array, list[Shape]]:
        """Coordinates of the proxy joints, and the shapes of the rods."""
        parts = np.split(q, self.splits)
        shapes = [x.shape(parts, extra) for x, extra in zip(self.groups, more, strict=True)]
        for group, shape in zip(self.groups, shapes, strict=True):
            for k, values in group.proxies(shape):
                parts[k] = values
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
        G = [g[a:b, 0] for _, _, (a, b) in self.apart.each]
        lacking = []
        for group, shape in zip(self.groups, shapes, strict=True):
            loads = group.loads(shape, np.stack([G[k] for k in group.numbers]))
            rho = group.known.residual(shape, loads)
            for k, own in zip(group.numbers, group.known.generalized(rho), strict=True):
                G[k] = own
            lacking.append(group.known.missing(rho))
        n = len(given.frames)
        r = self.collect(q, lam, tau, target, np.concatenate(G), psi, X[:, :n], law)
        return r.full()[:, 0], lacking, X[9:, n:].T


def _groups(p: Array, apart: TakenApart) -> list[_Alike]:
    """Rods that are alike, together."""
    rows = {name: k for k, name in enumerate(apart.system.parameter_names)}
    found: dict[Any, list[tuple[int, RodPart, Continuum, Array]]] = {}
    for k, (rod, continuum) in enumerate(zip(apart.rods, _continua(apart), strict=True)):
        if rod is None or continuum is None:
            continue
        grid = rod.soft.scans.slices.grid
        mass = np.asarray(rod.constants(p)[2].full())[0]
        lumped = np.flatnonzero((grid.weights == 0) & (mass > 0))
        ends, lumps = (
            tuple(continuum.end(grid.ends[i]) for i in some) for some in (rod.slices, lumped)
        )
        key = continuum.key, ends, lumps
        found.setdefault(key, []).append((k, rod, continuum, mass[lumped]))
    groups = []
    for (_, ends, lumps), rods in found.items():
        numbers, parts, continua, masses = (list(x) for x in zip(*rods, strict=True))
        values = [p[[rows[name] for name in x.parameter_names]] for x in continua]
        known = Known(continua, values)
        groups.append(_Alike(numbers, parts, known, list(ends), list(lumps), np.array(masses)))
    return groups


def _fine(problem: Problem, frames: tuple[str, ...], p: Array) -> FineRods:
    """Kept while the parameters stay."""
    kept = problem.system.once(
        ("fine", problem.prescription, frames), lambda: dict[bytes, FineRods]()
    )
    key = p.tobytes()
    if key not in kept:
        kept.clear()
        kept[key] = FineRods(problem, frames, p)
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


def strain_rows(system: System) -> list[int]:
    """Rows of q that are strains of rods."""

    def make() -> list[int]:
        rods = {joint.name for joint in system.robot.joints if isinstance(joint, Rod)}
        names = enumerate(system.coordinate_names)
        return [i for i, name in names if name.rpartition(".")[0] in rods]

    return list(system.once("strain-rows", make))


def most_strained(system: System, q: Array) -> int | None:
    """The row of q (n, nq) in which a rod is bent, twisted or stretched most, if there is one."""
    if not (rows := strain_rows(system)) or not len(q):
        return None
    scale = system.once(
        "strain-scales", lambda: np.array([system.coordinates[i].scale for i in rows])
    )
    return int(np.argmax(np.max(np.abs(q[:, rows]) / scale, axis=1)))


@np.errstate(all="ignore")  # shapes that are far away overflow
def space_accuracy(
    problem: Problem, x: Array, target: Array, A: Array | None = None, left: Array | None = None
) -> SpaceAccuracy | None:
    """The error of a solution; None where there are no rods, or where cables around pulleys keep
    them from being taken apart.

    A: Newton's matrix, where it is not that of the problem.
    left: what the modes' own residual is there, where it is no solution but balanced by other
    forces.
    """
    system = problem.system
    rods = [joint for joint in system.robot.joints if isinstance(joint, Rod)]
    if not rods or not is_taken_apart(system):
        return None
    A = problem.evaluate(x, target)[1] if A is None else A
    if not np.all(np.isfinite(A)):
        return None
    tips = [f"{rod.name}.tip" for rod in rods]
    frames = tuple(dict.fromkeys([*tips, *problem.prescription.frames]))
    rows = {name: k for k, name in enumerate(system.parameter_names)}

    def parameters(x: Array) -> Array:
        return problem.inputs_and_parameters(problem.parts(x)[2])[1]

    def coarse(x: Array) -> Array:
        return frame_poses(system, frames, problem.parts(x)[0][None], parameters(x))[1][0]

    size = max(float(parameters(x)[rows[f"{rod.name}.length"]]) for rod in rods)
    start = old = coarse(x)
    solve = _solver(A)
    more, reliable = _fine(problem, frames, parameters(x)).nothing, False
    error = integration = np.zeros(len(frames))
    for k in range(MAX_ROUNDS):
        r, lacking, fine_now = _fine(problem, frames, parameters(x)).residual(x, target, more)
        further = problem.moved(x, -solve(r if left is None else r - left))
        if not np.all(np.isfinite(further)) or not np.all(np.isfinite(fine_now)):
            break
        new = coarse(further)
        way, step = fine_now - start + new - old, np.linalg.norm(new - old, axis=1)
        error = np.linalg.norm(way, axis=1)
        if k == 0:
            integration = error
        elif np.all(error + step < LINEAR * size) or (
            k > 1 and np.all(step <= SETTLED * error + ROUNDING * size)
        ):
            reliable = True
            break
        else:
            x, old = further, new
        more = [a + b for a, b in zip(more, lacking, strict=True)]
    return SpaceAccuracy(frames, error, integration, reliable, size)


def _solver(A: Array) -> Callable[[Array], Array]:
    """Newton's matrix, inverted once; least squares where it is singular to rounding."""
    try:
        inverse = np.linalg.inv(A)
        singular = bool(np.linalg.norm(inverse) * np.linalg.norm(A) > SINGULAR)
    except np.linalg.LinAlgError:
        singular = True
    if singular:
        inverse = np.linalg.pinv(A)
    return lambda r: np.asarray(inverse @ r, float)
