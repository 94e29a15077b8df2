"""A rod as a continuum, in numbers: panels along it, and what is known of their points."""

from collections.abc import Sequence
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
from chorda.mechanics.rods.fine_scans import GAUSS, FineScans
from chorda.mechanics.rods.grid import Grid, broken
from chorda.mechanics.rods.section import section_of
from chorda.mechanics.rods.sheaths import sheath_curve

PANELS_PER_INTERVAL = 4
PANELS_PER_TURN = 24
PANELS_PER_FUNCTION = 4
MIN_PANELS = 48


class Continuum:
    """A rod on panels with two Gauss points each; loaded: slices on which loads along it act."""

    def __init__(
        self, rod: Rod, sheaths: list[tuple[str, Sheath]], grid: Grid, loaded: Sequence[int] = ()
    ) -> None:
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
        apart = grid.weights == 0
        parts_at = [0.0, *grid.ends[apart].tolist()]
        apart[list(loaded)] = True
        borders = [0.0, *grid.ends[apart].tolist()]
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
        laid = [ca.vertcat(*sheath_curve(name, sheath, par)(x)[:2]) for name, sheath in sheaths]
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

        self.interpolated = _interpolation(grid, parts_at, loaded, self.x.ravel())

    def _functions(self, strain: int, x: Array) -> Array:
        modes, n = self.rod.modes, getattr(self.rod.modes, STRAINS[strain])
        return bases.values(modes, self.rod.length, n, x.ravel()).reshape(*x.shape, -1)

    def end(self, fraction: float) -> int:
        """The panel that ends at a fraction of the length, a border."""
        return int(np.argmin(np.abs(self.edges[1:] - fraction)))

    @property
    def key(self) -> tuple[Any, ...]:
        """Rods with the same key share their scans."""
        modes = self.rod.modes
        counts = tuple(getattr(modes, s) for s in STRAINS)
        parts = tuple(bases.parts(modes, self.rod.length))
        shape = self.edges.tobytes(), len(self.inside), len(self.interpolated)
        return modes.basis, counts, parts, *shape

    def scans(self) -> FineScans:
        """Of rods with this key."""
        return FineScans(self.phi, len(self.inside), len(self.interpolated) > 0)

    def along(self, p: Array) -> Array:
        """(rows, panels) length, and of each point what `fine_scans.Point` is made of; p: values of
        `parameter_names`."""
        x = self.x.ravel()
        found = self._constants.map(len(x))(x[None], ca.repmat(ca.DM(p), 1, len(x)))
        K, mass, rest, laid = (np.asarray(y.full()) for y in found)  # a column for each point
        L, n = float(self._length(p)), len(self.inside)
        sheaths = np.zeros((n, 5, len(x)))
        sheaths[:, :4] = laid.reshape(n, 4, len(x))
        sheaths[:, 2:4] /= L
        sheaths[:, 4] = self.inside.reshape(n, len(x))
        points = np.vstack([K, mass[:1], rest, sheaths.reshape(5 * n, len(x))])
        return np.vstack([self.widths * L, points[:, ::2], points[:, 1::2]])


def _interpolation(grid: Grid, parts: Sequence[float], loaded: Sequence[int], x: Array) -> Array:
    """(loaded slices, points) values at the points from those at the slices, which are the Gauss
    nodes of each part of the rod that is loaded; zero in the others."""
    found = np.zeros((len(loaded), len(x)))
    at = grid.ends[list(loaded)]
    for low, high in pairwise(parts):
        nodes, points = ((y > low) & (y < high) for y in (at, x))
        if nodes.any():
            own = np.ix_(np.flatnonzero(nodes), np.flatnonzero(points))
            found[own] = _lagrange(at[nodes], x[points])
    return found


def _lagrange(nodes: Array, x: Array) -> Array:
    """(nodes, points) polynomials that are 1 at one node and 0 at the others; no point is a
    node."""
    weights = 1 / np.prod(nodes[:, None] - nodes + np.eye(len(nodes)), axis=1)
    parts = weights[:, None] / (x - nodes[:, None])
    return np.asarray(parts / parts.sum(axis=0))
