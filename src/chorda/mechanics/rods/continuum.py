"""A rod as a continuum, in numbers: strains at many points give its shape, and what acts on it
gives the residual of its local balance

    rho(s) = W(s) + sum of the tendons' pull - K(s) (strain - strain without load)

between the functions that its modes are made of. W is the wrench of all that acts beyond s, in the
section's axes. Modes make the weighted means of rho zero; what is left is their error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import STRAINS, Rod, Sheath
from chorda.mechanics.frames import SX
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods import bases
from chorda.mechanics.rods.bases import Array
from chorda.mechanics.rods.grid import Grid, broken
from chorda.mechanics.rods.section import section_of
from chorda.mechanics.rods.sheaths import sheath_curve

PANELS_PER_INTERVAL = 4
PANELS_PER_TURN = 24
PANELS_PER_FUNCTION = 4
MIN_PANELS = 48
GAUSS = np.array([0.5 - np.sqrt(3) / 6, 0.5 + np.sqrt(3) / 6])
STRETCH = STRAINS.index("stretch")


@dataclass(frozen=True)
class Shape:
    """Poses at the points (rods, panels, 2, ...) and at the panels' ends (rods, panels, ...), in
    the base's axes."""

    strain: Array  # over those without load, at the points (rods, panels, 2, 6)
    R: Array
    p: Array
    end_R: Array
    end_p: Array


@dataclass(frozen=True)
class Loads:
    """What acts on rods, in their bases' axes: wrenches at panel ends, gravity, and what pulls on
    the lengths of their tendons."""

    at: Sequence[int]  # panel ends (n)
    force: Array  # (rods, n, 3)
    moment: Array
    gravity: Array  # force on each mass, over it (rods, 3) [m/s^2]
    pull: Array  # (rods, sheaths)


class Continuum:
    """A rod on panels with two Gauss points each."""

    def __init__(self, rod: Rod, sheaths: list[tuple[str, Sheath]], grid: Grid) -> None:
        self.rod = rod = broken(rod, [sheath for _, sheath in sheaths])
        turns = max((abs(x.turns) for _, x in sheaths), default=0.0)
        counts = [n for s in STRAINS if (n := getattr(rod.modes, s))]
        parts = len(bases.parts(rod.modes, rod.length)) - 1
        fine = max(
            MIN_PANELS,
            PANELS_PER_INTERVAL * len(grid.ends),
            PANELS_PER_TURN * turns,
            PANELS_PER_FUNCTION * max(counts) * parts,
        )
        borders = [0.0, *grid.ends[grid.weights == 0].tolist()]
        edges = [
            np.linspace(a, b, max(2, ceil(fine * (b - a))) + 1)[:-1] for a, b in pairwise(borders)
        ]
        self.edges = np.array([*np.concatenate(edges), 1.0])
        self.widths = np.diff(self.edges)
        self.x = self.edges[:-1, None] + self.widths[:, None] * GAUSS
        self.strains = [k for k, s in enumerate(STRAINS) if getattr(rod.modes, s)]
        self.phi = {k: self._functions(k, self.x) for k in self.strains}
        par, x = Parameters(), SX.sym("x")
        section = section_of(rod, par)
        L = par.scalar(f"{rod.name}.length", rod.length, "m")
        rest = [
            bases.polynomial(f"{rod.name}.rest.{s}", getattr(rod.rest, s) or (0.0,), "-", par).at(x)
            for s in STRAINS
        ]
        laid = [ca.vertcat(*sheath_curve(name, sheath, par)(x)) for name, sheath in sheaths]
        found = [
            section.stiffness_at(x),
            section.inertia_at(x)[0],
            ca.vertcat(*rest),
            ca.vertcat(SX(0, 1), *laid),
        ]
        symbols = ca.vertcat(*par.symbols)
        self.parameter_names = tuple(par.names)
        self._constants = ca.Function("constants", [x, symbols], found)
        self._length = ca.Function("length", [symbols], [L])
        self.inside = np.array(
            [
                (self.x > s.start / rod.length)
                & (self.x < (1.0 if s.end is None else s.end / rod.length))
                for _, s in sheaths
            ]
        ).reshape(len(sheaths), *self.x.shape)

    def _functions(self, strain: int, x: Array) -> Array:
        modes, n = self.rod.modes, getattr(self.rod.modes, STRAINS[strain])
        return bases.values(modes, self.rod.length, n, x.ravel()).reshape(*x.shape, -1)

    def end(self, fraction: float) -> int:
        """The panel that ends at a fraction of the length, a border."""
        return int(np.argmin(np.abs(self.edges[1:] - fraction)))

    @property
    def key(self) -> tuple[Any, ...]:
        """Rods with the same key can be computed at once."""
        modes = self.rod.modes
        counts = tuple(getattr(modes, s) for s in STRAINS)
        return modes.basis, counts, self.edges.tobytes(), self.inside.tobytes(), len(self.inside)

    def constants(self, p: Array) -> tuple[Array, ...]:
        """Length, stiffness, mass, strains without load and sheaths at the points; p: values of
        `parameter_names`."""
        x = self.x.ravel()
        found = self._constants.map(len(x))(x[None], ca.repmat(ca.DM(p), 1, len(x)))
        along = (np.asarray(y.full()).T.reshape(*self.x.shape, -1) for y in found)
        return np.array(float(self._length(p))), *along


class Known:
    """Rods with the same key, whose parameters are known."""

    def __init__(self, along: Sequence[Continuum], parameters: Sequence[Array]) -> None:
        self.along = along[0]
        each = [x.constants(p) for x, p in zip(along, parameters, strict=True)]
        self.L, self.K, mass, self.rest, laid = (np.stack(x) for x in zip(*each, strict=True))
        self.mass = mass[..., 0]  # [kg/m]
        shape = self.mass.shape
        laid = laid.reshape(*shape, -1, 4).transpose(0, 3, 1, 2, 4)  # (rods, sheaths, panels, 2, 4)
        self.offset, self.slope = np.zeros((2, *laid.shape[:-1], 3))
        self.offset[..., 1:], self.slope[..., 0] = laid[..., :2], 1.0
        self.slope[..., 1:] = laid[..., 2:] / self.L[:, None, None, None, None]
        self.h = self.along.widths * self.L[:, None]  # (rods, panels) [m]
        self.weights = np.repeat(self.h[..., None] / 2, 2, axis=-1)  # of the points in integrals
        self.grams = {  # integrals of stiffness times two functions, by strain
            k: np.einsum("rpg,pgi,pgj->rij", self.weights * self.K[..., k], phi, phi)
            for k, phi in self.along.phi.items()
        }

    def shape(self, q: Array, more: Array) -> Shape:
        """q: the modes (rods, n); more: strains besides (rods, panels, 2, 6)."""
        strain, first = more.copy(), 0
        for k, phi in self.along.phi.items():
            n = phi.shape[2]
            strain[..., k] += np.einsum("pgi,ri->rpg", phi, q[:, first : first + n])
            first += n
        xi = strain + self.rest
        xi[..., STRETCH] += 1
        h = self.h[..., None]
        slope = (xi[:, :, 1] - xi[:, :, 0]) * np.sqrt(3) / h
        start = (xi[:, :, 0] + xi[:, :, 1]) / 2 - slope * h / 2
        to = h[..., None] * np.array([*GAUSS, 1.0])[:, None]  # (rods, panels, 3, 1)
        a, b = start[:, :, None], slope[:, :, None]
        G = _exponential(to * a + to**2 / 2 * b + to**3 / 12 * _bracket(a, b))
        ends = _accumulated(G[:, :, 2])
        first_pose = np.broadcast_to(np.eye(4), (len(ends), 1, 4, 4))
        points = np.concatenate([first_pose, ends[:, :-1]], axis=1)[:, :, None] @ G[:, :, :2]
        return Shape(
            strain, points[..., :3, :3], points[..., :3, 3], ends[..., :3, :3], ends[..., :3, 3]
        )

    def centre(self, shape: Shape, at: Sequence[int], masses: Array) -> tuple[Array, Array]:
        """Centres of mass (rods, 3) and masses, with lumps (rods, n) at panel ends."""
        dm = self.weights * self.mass
        total = dm.sum(axis=(1, 2)) + masses.sum(axis=1)
        moment = np.einsum("rpg,rpgi->ri", dm, shape.p)
        moment += np.einsum("rn,rni->ri", masses, shape.end_p[:, list(at)])
        return moment / total[:, None], total

    def _sheaths(self, shape: Shape) -> tuple[Array, Array]:
        """Of each sheath (rods, sheaths, panels, 2, ...): direction, length per length of rod."""
        xi = (shape.strain + self.rest)[:, None]
        along = xi[..., 3:] + self.slope + _cross(xi[..., :3], self.offset)
        size = np.sqrt(np.sum(along * along, axis=-1))
        return along / size[..., None], size * self.along.inside

    def lengths(self, shape: Shape) -> Array:
        """Of the sheaths (rods, sheaths) [m]."""
        if not len(self.along.inside):
            return np.zeros((len(self.L), 0))
        return np.einsum("rpg,rkpg->rk", self.weights, self._sheaths(shape)[1])

    def residual(self, shape: Shape, loads: Loads) -> Array:
        """rho at the points (rods, panels, 2, 6)."""
        beyond = np.zeros((2, *self.h.shape, 3))
        for j, end in enumerate(loads.at):
            force = loads.force[:, j]
            beyond[0, :, end] += force
            beyond[1, :, end] += loads.moment[:, j] + _cross(shape.end_p[:, end], force)
        F, N = np.cumsum(beyond[:, :, ::-1], axis=2)[:, :, ::-1][:, :, :, None]
        mass, g = self.mass[..., None], loads.gravity[:, None, None]
        F = F + _beyond(mass, self.h) * g
        N = N + _cross(_beyond(mass * shape.p, self.h), g) - _cross(shape.p, F)
        local = [np.einsum("rpgji,rpgj->rpgi", shape.R, x) for x in (N, F)]
        rho = np.concatenate(local, axis=-1) - self.K * shape.strain
        if not len(self.along.inside):
            return rho
        u, _ = self._sheaths(shape)
        pull = loads.pull[:, :, None, None, None] * self.along.inside[..., None]
        pulled = np.concatenate([_cross(self.offset, u), u], axis=-1)
        return np.asarray(rho + np.sum(pull * pulled, axis=1))

    def generalized(self, rho: Array) -> Array:
        """The modes' part of a residual (rods, n): integrals of it times their functions."""
        each = [
            np.einsum("rpg,pgi->ri", self.weights * rho[..., k], phi)
            for k, phi in self.along.phi.items()
        ]
        return np.concatenate(each, axis=1)

    def missing(self, rho: Array) -> Array:
        """Strains that the modes lack, where stiffness alone answers the residual."""
        out = np.zeros_like(rho)
        for k, phi in self.along.phi.items():
            own = np.einsum("rpg,pgi->ri", self.weights * rho[..., k], phi)
            modes = np.linalg.solve(self.grams[k], own[..., None])[..., 0]
            out[..., k] = rho[..., k] / self.K[..., k] - np.einsum("pgi,ri->rpg", phi, modes)
        return out


def _beyond(f: Array, h: Array) -> Array:
    """Integrals from each point to the rods' ends of f (rods, panels, 2, n), linear in a panel."""
    h = h[..., None]
    whole = f.sum(axis=2) * h / 2
    after = np.cumsum(whole[:, ::-1], axis=1)[:, ::-1] - whole
    slope = (f[:, :, 1] - f[:, :, 0]) * np.sqrt(3) / h
    start = (f[:, :, 0] + f[:, :, 1]) / 2 - slope * h / 2
    to = h[:, :, None] * GAUSS[:, None]
    before = to * start[:, :, None] + to**2 / 2 * slope[:, :, None]
    return np.asarray((after + whole)[:, :, None] - before)


def _cross(a: Array, b: Array) -> Array:
    """As np.cross, several times faster for few vectors."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return out


def _bracket(a: Array, b: Array) -> Array:
    """The commutator of twists, angular first."""
    turn = _cross(a[..., :3], b[..., :3])
    shift = _cross(a[..., :3], b[..., 3:]) - _cross(b[..., :3], a[..., 3:])
    return np.concatenate([turn, shift], axis=-1)


def _exponential(omega: Array) -> Array:
    """Of twists (..., 6): poses (..., 4, 4)."""
    w, v = omega[..., :3], omega[..., 3:]
    t2 = np.sum(w * w, axis=-1)
    t = np.sqrt(t2)
    small = t < 1e-2
    safe = np.where(small, 1.0, t)
    a = np.where(small, 1 - t2 / 6 + t2**2 / 120, np.sin(safe) / safe)
    b = np.where(small, 0.5 - t2 / 24 + t2**2 / 720, (1 - np.cos(safe)) / safe**2)
    c = np.where(small, 1 / 6 - t2 / 120 + t2**2 / 5040, (safe - np.sin(safe)) / safe**3)
    W = np.zeros((*t.shape, 3, 3))
    W[..., 2, 1], W[..., 0, 2], W[..., 1, 0] = w[..., 0], w[..., 1], w[..., 2]
    W -= np.swapaxes(W, -1, -2)
    WW = W @ W
    G = np.zeros((*t.shape, 4, 4))
    G[..., :3, :3] = np.eye(3) + a[..., None, None] * W + b[..., None, None] * WW
    V = np.eye(3) + b[..., None, None] * W + c[..., None, None] * WW
    G[..., :3, 3] = (V @ v[..., None])[..., 0]
    G[..., 3, 3] = 1
    return G


def _accumulated(G: Array) -> Array:
    """Products of all up to each along the second axis, in a few steps over all at once."""
    out, reach = G.copy(), 1
    while reach < out.shape[1]:
        out[:, reach:] = out[:, :-reach] @ out[:, reach:]
        reach *= 2
    return out
