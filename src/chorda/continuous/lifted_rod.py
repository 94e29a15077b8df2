"""The discretised rod: how far each interval misses the next node, and its derivative.

All nodes are unknowns (lifted Newton: multiple shooting with a segment for each interval), so that
intervals are evaluated all at once and nothing is marched through a growing solution.
"""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.compile.point_functions import Pointwise, compiled
from chorda.continuous.condensing import Condensed, Tangent, condensed
from chorda.continuous.rod_equations import (
    HISTORY,
    MOVING,
    STRAIN,
    TENDONS,
    RodEquations,
    rod_equations,
)
from chorda.continuous.rod_grid import Grid, Pieces, grid
from chorda.continuous.sheath_friction import counts_winch
from chorda.continuous.tendon_ends import Base, base, scales
from chorda.continuous.tendon_rod import TendonRod
from chorda.mechanics import Array
from chorda.numerics.newton import Outcome, Solver, newton
from chorda.numerics.runge_kutta_steps import (
    Stages,
    Tableau,
    collocation_stages,
    explicit_stages,
    weighted,
)

TRIALS = 11  # lengths of a step of Newton's method
REMEDY = (
    "A shorter step, or adaptive=1e-5, may help; where steps are shorter than a wave's way along "
    "an interval, integrator='gauss6' or more nodes."
)


@dataclass(frozen=True, eq=False)
class Conditions:
    """What a solution depends on: inputs of the actuators, c = (c0, part of the loads), and the
    history z_h at the stages (S, N, nz), then at the nodes, in one row."""

    inputs: Array
    c: Array
    history: Array


@dataclass(frozen=True, eq=False)
class Missed:
    """What is not yet satisfied: at the nodes (maps, n), at the tip (6 + nt), and at the stages."""

    nodes: Array
    tip: Array
    stages: Stages
    base: Base


class LiftedRod:
    """A problem with a grid and a method; work arrays are its own.

    A state x is a row of the nodes' values y (nodes, n), unknowns g of the tendons, and slopes
    k (S, N, n) at the stages of collocation.
    """

    extrapolates, remedy = True, REMEDY  # how guesses are made, and what to do where none is good

    def __init__(
        self,
        problem: TendonRod,
        pieces: Pieces,
        method: Tableau,
        equations: RodEquations | None = None,
    ) -> None:
        self.problem, self.pieces, self.method = problem, pieces, method
        self.grid = grid(problem, pieces, method)
        self.equations = eq = equations or rod_equations(problem)
        self.p, self.scales = eq.parameters, scales(problem)
        self.N, self.S, self.n = len(self.grid.h), len(method.b), problem.size
        self.nodes, self.nt = len(self.grid.s), len(problem.cables)
        points = self.N if method.explicit else self.N * self.S
        self._full, self._value = (Pointwise(f, points, 3) for f in compiled(eq.slopes, eq.value))
        self._jumps = [Pointwise(f, 1, 4) for f in eq.stations]
        self._slope_units = self.grid.h[:, None] / self.scales.y
        self.segments = 1  # that the last linear problem needed

    def y(self, x: Array) -> Array:
        """Values at the nodes (nodes, n)."""
        return x[: self.nodes * self.n].reshape(self.nodes, self.n)

    def g(self, x: Array) -> Array:
        """Unknowns of the tendons."""
        return x[self.nodes * self.n :][: self.nt]

    def k(self, x: Array) -> Array:
        """Slopes at the stages of collocation."""
        return x[self.nodes * self.n + self.nt :].reshape(self.S, self.N, self.n)

    def at_rest(self) -> Array:
        """The unloaded rod, tendons without tension: where everything starts."""
        problem, s, y = self.problem, self.grid.s, np.zeros((self.nodes, self.n))
        y[:, STRAIN] = problem.constants.rest_at(s / problem.rod.length)
        bends = (y[1:, 9:12] + y[:-1, 9:12]) / 2 * np.diff(s)[:, None]
        place = problem.rod.placement
        R = Rotation.from_rotvec(place.angle * np.array(place.axis)).as_matrix()
        y[0, :9] = R.T.ravel()
        for i, turn in enumerate(Rotation.from_rotvec(bends).as_matrix()):
            R = R @ turn
            y[i + 1, :9] = R.T.ravel()
        path = np.array([c.reference - c.tendon.lead for c in problem.cables])
        ends = np.array([c.end for c in problem.cables])
        y[:, TENDONS : TENDONS + self.nt] = path * (np.minimum(s[:, None], ends) / ends - 1)
        g = [p if c.pulled else 0.0 for p, c in zip(path, problem.cables, strict=True)]
        return self._guess(y, np.array(g))

    def _guess(self, y: Array, g: Array) -> Array:
        """A state from values at the nodes and unknowns of the tendons."""
        if self.method.explicit:
            return np.concatenate([y.ravel(), g])
        j = self.grid.starts
        slopes = (y[j + 1] - y[j]) / self.grid.h[:, None]
        return np.concatenate([y.ravel(), g, np.tile(slopes.ravel(), self.S)])

    def resampled(self, other: "LiftedRod", x: Array) -> Array:
        """A guess from a state of the same problem on another grid."""
        y, old = np.empty((self.nodes, self.n)), other.y(x)
        parts = zip(_parts(self.grid), _parts(other.grid), strict=True)
        for own, given in parts:
            s, known = self.grid.s[own], other.grid.s[given]
            for k in range(self.n):
                y[own, k] = np.interp(s, known, old[given, k])
        return self._guess(y, other.g(x))

    def resting(self, inputs: Array, load: float = 1.0) -> Conditions:
        """At rest, under a part of the loads."""
        history = np.zeros((self.S * self.N + self.nodes) * self.equations.history)
        return Conditions(inputs, np.array([0.0, load]), history)

    def solved(
        self,
        x: Array,
        at: Conditions,
        *,
        tolerance: float,
        iterations: int,
        kept: Solver | None = None,
        least: int = 0,
    ) -> Outcome[Array]:
        """By Newton's method from a guess. `kept` is the solver of similar conditions."""
        return newton(
            lambda x: self._linearised(x, at),
            self._on_base(x, at),
            residual=lambda x: self._evaluated(x, at, False)[0],
            moved=lambda x, d: self._on_base(x + d, at),
            scaled=self._scaled,
            length=lambda d: float(np.linalg.norm(self.y(d) / self.scales.y)),
            tolerance=tolerance,
            iterations=iterations,
            kept=kept,
            least=least,
            trials=TRIALS,
            # the stiff shears answer to the square of small turns: residuals alone mislead
            by_correction=True,
        )

    def missed(self, x: Array, at: Conditions) -> tuple[Missed, float]:
        """What a state does not satisfy, and the largest of it, scaled."""
        missed = self._evaluated(x, at, False)[0]
        return missed, float(np.max(np.abs(self._scaled(missed))))

    def tangent(self, x: Array, at: Conditions) -> Tangent:
        """Derivatives from node to node and at both ends, in SI units."""
        tangent = self._evaluated(x, at, True)[1]
        assert tangent is not None
        return tangent

    def _scaled(self, missed: Missed) -> Array:
        parts = [(missed.nodes / self.scales.y).ravel(), missed.tip / self.scales.tip]
        if missed.stages.missing is not None:
            parts.append((missed.stages.missing * self._slope_units).ravel())
        return np.concatenate(parts)

    def _on_base(self, x: Array, at: Conditions) -> Array:
        """The tendons' values at the base are those that g asks for."""
        x = x.copy()
        self.y(x)[0, TENDONS:] = base(self.problem, self.scales, self.g(x), at.inputs).y
        return x

    def _linearised(self, x: Array, at: Conditions) -> tuple[Missed, Solver]:
        missed, tangent = self._evaluated(x, at, True)
        assert tangent is not None
        linear = condensed(tangent, self.scales, self.segments)
        self.segments = linear.segments
        return missed, partial(self._correction, linear, missed.stages)

    def _correction(self, linear: Condensed, at: Stages, missed: Missed) -> Array:
        if at.inverse is None or at.by_start is None or missed.stages.missing is None:
            dy, db = linear.solve(missed.nodes, missed.tip)
            return np.concatenate([dy.ravel(), db[6:]])
        N, S, n, j = self.N, self.S, self.n, self.grid.starts
        own = at.inverse @ missed.stages.missing.swapaxes(0, 1).reshape(N, S * n, 1)
        nodes, dk = missed.nodes.copy(), own.reshape(N, S, n).swapaxes(0, 1)
        nodes[j] += self.grid.h[:, None] * weighted(self.method.b, dk)
        dy, db = linear.solve(nodes, missed.tip)
        dk = dk + (at.by_start @ dy[j][..., None]).reshape(N, S, n).swapaxes(0, 1)
        return np.concatenate([dy.ravel(), db[6:], dk.ravel()])

    def _evaluated(self, x: Array, at: Conditions, derive: bool) -> tuple[Missed, Tangent | None]:
        y, n, j, maps = self.y(x), self.n, self.grid.starts, self.nodes - 1
        z_stages, z = self._histories(at.history)
        stages = self._stages(x, z_stages, at.c, derive)
        ends, A = np.empty((maps, n)), np.empty((maps, n, n) if derive else 0)
        ends[j] = y[j] + self.grid.h[:, None] * weighted(self.method.b, stages.k)
        if stages.flow is not None:
            A[j] = stages.flow

        def jump(station: int, before: int, behind: int) -> "tuple[Array, Array]":
            state = y[before], y[behind], z[before], z[behind]
            value, J = self._jumps[station](*state, at.c, self.p)
            return value[0], J.reshape(n, -1).T

        for node, station in self.grid.jumps:
            ends[node], J = jump(station, node, node + 1)
            if derive:
                A[node] = J
        wrench, J = jump(-1, -1, -1)
        tip = np.concatenate([wrench, y[-1, TENDONS : TENDONS + self.nt]])
        here = base(self.problem, self.scales, self.g(x), at.inputs)
        missed = Missed(ends - y[1:], tip, stages, here)
        if not derive:
            return missed, None
        by_tip, by_base = np.zeros((6 + self.nt, n)), np.zeros((n, 6 + self.nt))
        by_tip[:6], by_tip[6:, TENDONS : TENDONS + self.nt] = J, np.eye(self.nt)
        by_base[STRAIN, :6], by_base[TENDONS:, 6:] = np.eye(6), here.by_g
        return missed, Tangent(A, by_tip, by_base)

    def _stages(self, x: Array, z: Array, c: Array, derive: bool) -> Stages:
        call = self._full if derive else self._value

        def slopes(Y: Array, points: Array, z: Array) -> "tuple[Array, Array | None]":
            f, *J = call(points, Y, z, c, self.p)
            by_y = J[0].reshape(*Y.shape, self.n).swapaxes(-1, -2) if derive else None
            return f.reshape(Y.shape).copy(), by_y

        y, h, points = self.y(x)[self.grid.starts], self.grid.h, self.grid.points
        if self.method.explicit:
            return explicit_stages(self.method, lambda i, Y: slopes(Y, points[i], z[i]), y, h)
        return collocation_stages(self.method, lambda Y: slopes(Y, points, z), y, self.k(x), h)

    def _histories(self, z: Array) -> tuple[Array, Array]:
        """At the stages (S, N, nz) and at the nodes (nodes, nz)."""
        nz = self.equations.history
        cut = self.S * self.N * nz
        return z[:cut].reshape(self.S, self.N, nz), z[cut:].reshape(self.nodes, nz)

    def with_rates(self, out: Outcome[Array]) -> Array:
        """What has a rate: z of the history."""
        Y, f, y = out.value.stages.Y, out.value.stages.f, self.y(out.x)
        z = np.zeros((self.S * self.N + self.nodes) * self.equations.history)
        tendons = slice(TENDONS, TENDONS + self.equations.history - HISTORY)
        for at, of in zip(self._histories(z), (Y, y), strict=True):
            at[..., :12], at[..., HISTORY:] = of[..., MOVING], of[..., tendons]
        self._histories(z)[0][..., 12:HISTORY] = f[..., STRAIN]  # stations have no slopes
        return z

    def wound(self, inputs: Array) -> Array:
        """Lengths that winches have paid out where friction counts them, as part of z."""
        z = np.zeros((self.S * self.N + self.nodes) * self.equations.history)
        if counts_winch(self.problem.friction):
            paid = [cable.paid_out(inputs) for cable in self.problem.cables]
            for at in self._histories(z):
                at[..., HISTORY:] = paid
        return z

    def positions(self, missed: Missed) -> Array:
        """Centre line (nodes, 3) [m] by the method's own quadrature of p' = R v."""
        Y = missed.stages.Y
        R = Y[..., :9].reshape(self.S, self.N, 3, 3)  # transposed: stored by columns
        slope = np.einsum("i,iNjk,iNj->Nk", self.method.b, R, Y[..., 12:15] + [1.0, 0, 0])
        steps = np.zeros((self.nodes, 3))
        steps[self.grid.starts + 1] = self.grid.h[:, None] * slope
        return self.problem.rod.placement.position + np.cumsum(steps, 0)

    def wrenches(self, x: Array, at: Conditions) -> Array:
        """Internal moment and force (nodes, 6)."""
        points = np.zeros((self.nodes, self.problem.flags + 1))
        points[:, 0] = self.grid.s
        inside = Pointwise(self.equations.wrench, self.nodes, 3)
        return inside(points, self.y(x), self._histories(at.history)[1], at.c, self.p)[0]

    def tensions(self, x: Array) -> Array:
        """Of the tendons at all nodes (nodes, nt)."""
        return self.y(x)[:, TENDONS + self.nt :]


def _parts(grid: Grid) -> list[slice]:
    """Nodes from station to station."""
    ends = [0, *(node + 1 for node, _ in grid.jumps), len(grid.s)]
    return [slice(a, b) for a, b in pairwise(ends)]
