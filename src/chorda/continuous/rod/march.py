"""The discretised problem: how far each interval misses the next node, and its derivative.

All nodes are unknowns (lifted Newton: multiple shooting with a segment for each interval), so that
intervals are evaluated all at once and nothing is marched through a growing solution.
"""

from dataclasses import dataclass

import numpy as np

from chorda.compile.library import compiled
from chorda.compile.pointwise import Pointwise
from chorda.continuous.rod.ends import Base, Scales, base, scales
from chorda.continuous.rod.equations import KEPT, MOVING, equations
from chorda.continuous.rod.grid import grid
from chorda.continuous.rod.problem import Problem
from chorda.continuous.rod.tableaus import Tableau
from chorda.mechanics import Array


@dataclass(frozen=True, eq=False)
class Iterate:
    """Node values y (nodes, n), unknowns g of the tendons, slopes at the stages of collocation."""

    y: Array
    g: Array
    k: Array


@dataclass(frozen=True, eq=False)
class Setting:
    """What a solution depends on: inputs of the actuators, (c0, share of the loads), history."""

    inputs: Array
    c: Array
    at_stages: Array
    at_nodes: Array


@dataclass(frozen=True, eq=False)
class Missed:
    """What is not yet satisfied: nodes (maps, n), tip (6 + nt), stages; with stage values and z."""

    d: Array
    tip: Array
    stages: Array
    Y: Array
    f: Array
    base: Base


@dataclass(frozen=True, eq=False)
class Tangent:
    """Derivatives: maps A (maps, n, n) from node to node, of the tip, at the base; of stages."""

    A: Array
    tip: Array
    base: Array
    stages: Array  # dk = stages dy + inverse missed
    inverse: Array


class March:
    """A problem with a grid and a method; work arrays are its own."""

    def __init__(self, problem: Problem, nodes: int, method: Tableau) -> None:
        self.problem, self.method = problem, method
        self.grid = grid(problem, nodes, method)
        self.equations = eq = equations(problem)
        self.p = eq.parameters
        N, n, S = len(self.grid.h), problem.size, len(method.b)
        full, value = compiled(eq.slopes, eq.value)
        at_once = 1 if method.explicit else S
        self._full, self._value = Pointwise(full, N * at_once, 3), Pointwise(value, N * at_once, 3)
        self._jumps = [Pointwise(f, 1, 4) for f in eq.stations]
        self.N, self.n, self.S, self.nt = N, n, S, len(problem.cables)
        self.maps = len(self.grid.s) - 1
        self.scales: Scales = scales(problem, self._stiffness())

    def _stiffness(self) -> tuple[float, float, float]:
        """Bending and shear stiffness and mass per length at the base, by unit strains."""
        eq, n = self.equations, self.n
        place, c, zh = np.zeros(1 + self.nt), np.zeros(2), np.zeros(eq.history)
        y = np.zeros((3, n))
        y[1, 10], y[2, 13] = 1, 1
        (n0, m0), (_, m1), (n1, _) = (eq.inside(place, x, zh, c, self.p) for x in y)
        rod = self.problem.rod
        bend, shear = float(m1[1] - m0[1]), float(n1[1] - n0[1])
        shears = rod.shear_modulus or rod.young_modulus / 2.6
        return bend, shear, rod.density * shear / shears

    def setting(self, inputs: Array, c0: float = 0.0, load: float = 1.0) -> Setting:
        nz = self.equations.history
        stages, nodes = np.zeros((self.N, self.S, nz)), np.zeros((self.maps + 1, nz))
        return Setting(inputs, np.array([c0, load]), stages, nodes)

    def missed(self, x: Iterate, at: Setting) -> Missed:
        """Residuals only."""
        return self._evaluate(x, at, False)[0]

    def linearised(self, x: Iterate, at: Setting) -> tuple[Missed, Tangent]:
        missed, tangent = self._evaluate(x, at, True)
        assert tangent is not None
        return missed, tangent

    def _evaluate(self, x: Iterate, at: Setting, derive: bool) -> tuple[Missed, Tangent | None]:
        stages = self._explicit if self.method.explicit else self._implicit
        y, n = x.y, self.n
        k, Y, f, rho, A, B, inverse = stages(y[self.grid.starts], x.k, at, derive)
        d = np.empty((self.maps, n))
        h = self.grid.h[:, None]
        d[self.grid.starts] = y[self.grid.starts] + h * np.tensordot(k, self.method.b, (1, 0))
        maps = np.empty((self.maps, n, n)) if derive else np.zeros(0)
        if derive:
            maps[self.grid.starts] = A
        for node, station in self.grid.jumps:
            after, J = self._jump(station, y[node : node + 2], at.at_nodes[node : node + 2], at)
            d[node] = after
            if derive:
                maps[node] = J
        d -= y[1:]
        end, J = self._jump(-1, y[[-1, -1]], at.at_nodes[[-1, -1]], at)
        tip = np.concatenate([end, y[-1, 21 : 21 + self.nt]])
        here = base(self.problem, self.scales, x.g, at.inputs)
        missed = Missed(d, tip, rho, Y, f, here)
        if not derive:
            return missed, None
        by_tip = np.zeros((6 + self.nt, n))
        by_tip[:6] = J
        by_tip[6:, 21 : 21 + self.nt] = np.eye(self.nt)
        by_base = np.zeros((n, 6 + self.nt))
        by_base[9:15, :6] = np.eye(6)
        by_base[21:, 6:] = here.by_g
        return missed, Tangent(maps, by_tip, by_base, B, inverse)

    def _jump(self, k: int, y: Array, zh: Array, at: Setting) -> tuple[Array, Array]:
        """Of a station, by the values before and behind it."""
        value, J = self._jumps[k](y[0], y[1], zh[0], zh[1], at.c, self.p)
        return value[0], J.reshape(self.n, -1).T

    def _explicit(self, y: Array, _: Array, at: Setting, derive: bool) -> tuple[Array, ...]:
        a, h = self.method.a, self.grid.h[:, None]
        N, n, S = self.N, self.n, self.S
        Y, f = np.empty((N, S, n)), np.empty((N, S, n))
        by_y: list[Array] = []
        call = self._full if derive else self._value
        for i in range(S):
            Y[:, i] = y
            for j in range(i):
                if a[i, j]:
                    Y[:, i] += h * a[i, j] * f[:, j]
            out = call(self.grid.places[:, i], Y[:, i], at.at_stages[:, i], at.c, self.p)
            f[:, i] = out[0]
            if derive:
                J = out[1].reshape(N, n, n).transpose(0, 2, 1)
                through = [j for j in range(i) if a[i, j]]
                inner = sum((h[..., None] * a[i, j] * by_y[j] for j in through), np.zeros(()))
                by_y.append(J + J @ inner if through else J.copy())
        nothing = np.zeros(0)
        if not derive:
            return f, Y, f, nothing, nothing, nothing, nothing
        weights = zip(self.method.b, by_y, strict=True)
        A = h[..., None] * sum((b * K for b, K in weights), np.zeros(()))
        A[:, range(n), range(n)] += 1
        return f, Y, f, nothing, A, nothing, nothing

    def _implicit(self, y: Array, k: Array, at: Setting, derive: bool) -> tuple[Array, ...]:
        N, n, S, h = self.N, self.n, self.S, self.grid.h[:, None, None]
        a = self.method.a
        Y = y[:, None] + h * np.einsum("ij,Njn->Nin", a, k)
        call = self._full if derive else self._value
        out = call(self.grid.places, Y, at.at_stages, at.c, self.p)
        f = out[0].reshape(N, S, n).copy()
        rho = f - k
        nothing = np.zeros(0)
        if not derive:
            return k, Y, f, rho, nothing, nothing, nothing
        J = out[1].reshape(N, S, n, n).transpose(0, 1, 3, 2)
        M = -np.einsum("ij,Nirc->Nirjc", a, J).reshape(N, S * n, S * n) * h
        M[:, range(S * n), range(S * n)] += 1
        inverse = np.linalg.inv(M)
        B = inverse @ J.reshape(N, S * n, n)
        A = h * np.einsum("i,Nirc->Nrc", self.method.b, B.reshape(N, S, n, n))
        A[:, range(n), range(n)] += 1
        return k, Y, f, rho, A, B, inverse

    def kept(self, missed: Missed, y: Array) -> tuple[Array, Array]:
        """What has a rate, at the stages and at the nodes: z of the history."""
        Y, f, nt = missed.Y, missed.f, self.nt
        parts = [Y[..., MOVING], f[..., 9:15]]
        nodes = np.zeros((self.maps + 1, self.equations.history))
        nodes[:, :12] = y[:, MOVING]
        if self.equations.history > KEPT:
            parts.append(Y[..., 21 : 21 + nt])
            nodes[:, KEPT:] = y[:, 21 : 21 + nt]
        return np.concatenate(parts, -1), nodes

    def positions(self, missed: Missed) -> Array:
        """Centre line (nodes, 3) [m] by the method's own quadrature of p' = R v."""
        Y = missed.Y
        R = Y[..., :9].reshape(self.N, self.S, 3, 3)  # transposed: stored by columns
        v = Y[..., 12:15] + np.array([1.0, 0, 0])
        slope = np.einsum("Nijk,Nij->Nik", R, v)
        steps = np.zeros((self.maps, 3))
        steps[self.grid.starts] = self.grid.h[:, None] * np.einsum(
            "i,Nik->Nk", self.method.b, slope
        )
        out = np.zeros((self.maps + 1, 3))
        np.cumsum(steps, 0, out=out[1:])
        return out + self.problem.origin

    def at_rest(self) -> Iterate:
        """The unloaded rod, tendons without tension: where everything starts."""
        problem, y = self.problem, np.zeros((self.maps + 1, self.n))
        share = self.grid.s / problem.rod.length
        for i, name in enumerate(("twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z")):
            if (c := getattr(problem.rod.rest, name)) is not None:
                y[:, 9 + i] = np.polynomial.polynomial.polyval(share, c)
        R = problem.rotation
        y[0, :9] = R.T.ravel()
        for i, ds in enumerate(np.diff(self.grid.s)):
            R = R @ _exp((y[i, 9:12] + y[i + 1, 9:12]) / 2 * ds)
            y[i + 1, :9] = R.T.ravel()
        path = np.array([c.reference - c.tendon.lead for c in problem.cables])
        ends = np.array([c.end for c in problem.cables])
        y[:, 21 : 21 + self.nt] = path * (np.minimum(self.grid.s[:, None], ends) / ends - 1)
        g = np.array([p if c.pulled else 0.0 for p, c in zip(path, problem.cables, strict=True)])
        k = np.zeros((self.N, self.S, self.n))
        if not self.method.explicit:
            j = self.grid.starts
            k += ((y[j + 1] - y[j]) / self.grid.h[:, None])[:, None]
        return Iterate(y, g, k)


def _exp(a: Array) -> Array:
    angle = float(np.linalg.norm(a))
    S = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    if angle < 1e-8:
        return np.asarray(np.eye(3) + S)
    return np.asarray(
        np.eye(3) + np.sin(angle) / angle * S + (1 - np.cos(angle)) / angle**2 * S @ S
    )
