"""Exact derivatives of a simulated motion by parameters and by the state it starts from.

A scheme takes x to x1 = Phi(x, u0, u1, h, p). With S = dx/d(unknowns) the same step gives
S1 = Phi_x S + Phi_theta: not an approximation but the derivative of the numbers that `simulate`
returns with that scheme and step. (x, S) is the state of a kernel like any other, so that the loop
runs in C. Where a step is solved by Newton's method, x1 = A(x, z) with r(x, z) = 0, and the
correction z - r_z^-1 r of the converged z has the derivative -r_z^-1 r_x: that of the solution.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import Kernel, Settings
from chorda.dynamics.actuation import Actuation
from chorda.dynamics.kernels import SchemeLoop, built, functions, starter, stepper
from chorda.dynamics.outcome import brief
from chorda.dynamics.schemes import REFERENCE, SCHEMES, Scheme, find
from chorda.dynamics.time_loop import advance, started
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.subexpressions import shared
from chorda.numerics.ctrl_c import interruptible
from chorda.results import Status

FORWARD = {"helper_options": {"ad_weight": 0}}  # structural zeros make it cheaper than backward
NEWTON_TOLERANCE = 1e-10
FEW_DIRECTIONS = 0.2  # of the length of x: so many, one by one, take fewer operations


@dataclass(frozen=True)
class Directions:
    """What a motion is differentiated by: directions in the space of parameters, and the start.

    moves: for each direction the rows of p that it moves; weights: how far. start: whether the
    state (q, v) at the start follows as further directions.
    """

    moves: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[float, ...], ...]
    start: bool = False

    def count(self, system: System) -> int:
        return len(self.moves) + (system.nq + system.nv if self.start else 0)

    def names(self, system: System) -> tuple[str, ...]:
        """Parameters that move first in each direction, then coordinates and velocities."""
        start = (*system.coordinate_names, *(name for name, _ in system.velocities))
        moved = (system.parameter_names[rows[0]] for rows in self.moves)
        return (*moved, *(start if self.start else ()))


def one_by_one(system: System, parameters: Sequence[str], start: bool = False) -> Directions:
    """Each parameter on its own."""
    rows = [system.parameter_names.index(name) for name in parameters]
    return Directions(tuple((i,) for i in rows), ((1.0,),) * len(rows), start)


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """A motion and its derivatives.

    state (n, nq + nv): q and v at each time; by (n, nq + nv, directions): their derivatives. All
    end early where the motion leaves its ranges: see status.
    """

    time: Array
    state: Array
    by: Array
    status: Status


def differentiable(name: str) -> Scheme:
    """The scheme of that name, if its step is one fixed map."""
    fixed = [s.name for s in SCHEMES.values() if not s.adaptive]
    if name == REFERENCE or find(name).adaptive:
        raise InputError(
            f"scheme: '{name}' chooses its own steps, and how it chooses them has no derivative; "
            f"expected one of {', '.join(fixed)}"
        )
    return find(name)


@interruptible()
def sensitivities(
    system: System,
    directions: Directions,
    *,
    step: float,
    signal: Array,
    q: Array,
    v: Array,
    p: Array,
    steps: int,
    scheme: str = "newmark",
    after_each: Callable[[int], bool] | None = None,
) -> Sensitivity:
    """Integrate a motion and its exact derivatives.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    directions : Directions
        What the motion is differentiated by.
    step : float
        Of the scheme [s], one with fixed steps.
    signal : array of shape (steps + 1, nu) or (1, nu)
        Inputs, linear in between.
    q, v, p : array
        The state at the start, and all parameters.
    steps : int
        How many.
    scheme : str
        One with fixed steps.
    after_each : callable, optional
        Called between chunks of work with the steps done; the motion ends where it returns True.

    Returns
    -------
    Sensitivity
        States and derivatives over time.
    """
    loop = SensitiveLoop(system, differentiable(scheme), directions)
    actuation = Actuation(system, np.ascontiguousarray(signal))
    job = started(loop, q, v, signal[0], p, step, NEWTON_TOLERANCE)
    motion = advance(loop, job, steps, actuation, after_each)
    time = np.asarray(step * np.arange(motion.done + 1), float)
    state = motion.X[:, : system.nq + system.nv]
    return Sensitivity(time, state, loop.derivatives(motion.X), brief(motion, steps, step))


@dataclass(frozen=True, eq=False)
class SensitiveLoop:
    """The loop (see time_loop.py) of the state (x, S) and the parameters (p, weights)."""

    system: System
    scheme: Scheme
    directions: Directions

    @property
    def nx(self) -> int:
        """Length of x."""
        return self.system.nq + self.system.nv + self.scheme.memory(self.system)

    @property
    def settings(self) -> Settings:
        plain = SchemeLoop(self.system, self.scheme).settings
        nx = plain.nx * (1 + self.directions.count(self.system))
        return replace(plain, nx=nx, reuses=False)

    @property
    def identity(self) -> tuple[Any, ...]:
        moves, start = self.directions.moves, self.directions.start
        return "sensitive", self.scheme.identity, moves, start, self.one_by_one

    @property
    def one_by_one(self) -> bool:
        """Whether the step is differentiated along each direction, as there are few."""
        return self.directions.count(self.system) < FEW_DIRECTIONS * self.nx

    @property
    def kernel(self) -> Kernel:
        return built(self)

    def start(self, h: float, q: Array, v: Array, u: Array, p: Array) -> Array:
        make = self.system.once(("start", *self.identity), self._starter)
        return np.asarray(make(q, v, u, p, h, self._weights(p)).full())

    def constants(self, p: Array) -> Array:
        return np.concatenate([p, self._weights(p)])

    def _weights(self, p: Array) -> Array:
        """All weights below each other, as many columns as p has."""
        column = np.array([w for group in self.directions.weights for w in group])
        return column if p.ndim == 1 else np.repeat(column[:, None], p.shape[1], 1)

    def derivatives(self, X: Array) -> Array:
        """Of q and v, (..., nq + nv, directions), from states (..., nx)."""
        nx, count = self.nx, self.directions.count(self.system)
        S = X[..., nx:].reshape(*X.shape[:-1], count, nx)
        return np.swapaxes(S[..., : self.system.nq + self.system.nv], -1, -2)

    def _starter(self) -> Any:
        """(q, v, u, p, h, weights) -> the first (x, S), as one column."""
        q, v, u, p = (SX.sym(n, getattr(self.system, n).numel()) for n in "qvup")
        h, (theta, weights) = SX.sym("h"), self._symbols()
        moved = _moved(p, theta, weights, self.directions.moves)
        x = starter(self.system, self.scheme)(q, v, u, moved, h)
        by = ca.vertcat(theta, q, v) if self.directions.start else theta
        S = ca.densify(ca.jacobian(x, by))
        whole = ca.substitute(ca.vertcat(x, ca.vec(S)), theta, SX.zeros(theta.numel()))
        return ca.Function("start", [q, v, u, p, h, weights], [whole])

    def _symbols(self) -> tuple[Expr, Expr]:
        moves = self.directions.moves
        return SX.sym("theta", len(moves)), SX.sym("weights", sum(map(len, moves)))

    def functions(self) -> dict[str, Any]:
        """Those that driver.c calls."""
        system, scheme, moves = self.system, self.scheme, self.directions.moves
        plain = functions(replace(stepper(system, scheme), reuses_matrix=False))
        nx, count, k = self.nx, self.directions.count(system), len(moves)
        y, h = ca.MX.sym("y", nx + nx * count), ca.MX.sym("h")
        u0, u1 = ca.MX.sym("u0", system.nu), ca.MX.sym("u1", system.nu)
        pw = ca.MX.sym("pw", system.p.numel() + sum(map(len, moves)))
        z = [ca.MX.sym("z", system.nv + system.nc)] if scheme.iterates else []
        x, S = y[:nx], ca.reshape(y[nx:], nx, count)
        p, weights = pw[: system.p.numel()], pw[system.p.numel() :]
        if self.one_by_one:
            after, S1 = self._along(plain)(x, h, u0, u1, p, *z, weights, S)
        else:
            after, by_x, by_theta = self._derivative(plain)(x, h, u0, u1, p, *z, weights)
            S1 = by_x @ S
            S1 = ca.horzcat(S1[:, :k] + by_theta, S1[:, k:])
        arguments, result = [y, h, u0, u1, pw], [ca.vertcat(after, ca.vec(ca.densify(S1)))]
        made = {"after": ca.Function("chorda_after", [*arguments, *z], result)}
        if scheme.iterates:
            guess = [plain["guess"](x, h, u0, u1, p)]
            made["guess"] = ca.Function("chorda_guess", arguments, guess)
            better = plain["better"](x, h, u0, u1, p, *z)
            made["better"] = ca.Function("chorda_better", [*arguments, *z], list(better))
        return made

    def _derivative(self, plain: dict[str, Any]) -> Any:
        """(x, h, u0, u1, p, [z,] weights) -> x1, Phi_x, Phi_theta."""
        of, n = self._step(plain), self.nx
        J = ca.jacobian(of.after, of.by, FORWARD)
        if of.z:
            solved = ca.jacobian(of.better, of.by, FORWARD)
            J += ca.jacobian(of.after, of.z[0], FORWARD) @ solved
        after, J = (ca.substitute(e, of.theta, 0 * of.theta) for e in (of.after, J))
        return ca.Function("derivative", of.inputs, shared(of.inputs, [after, J[:, :n], J[:, n:]]))

    def _along(self, plain: dict[str, Any]) -> Any:
        """(x, h, u0, u1, p, [z,] weights, S) -> x1, Phi_x S + Phi_theta, one direction at a time:
        of long steps with few directions all of Phi_x would be very long."""
        of, count = self._step(plain), self.directions.count(self.system)
        k = len(self.directions.moves)
        S, columns = SX.sym("S", self.nx, count), []
        for j in range(count):
            way = ca.vertcat(S[:, j], SX.eye(k)[:, j] if j < k else SX(k, 1))
            column = ca.jtimes(of.after, of.by, way)
            if of.z:
                column += ca.jtimes(of.after, of.z[0], ca.jtimes(of.better, of.by, way))
            columns.append(column)
        results = (
            ca.substitute(e, of.theta, 0 * of.theta) for e in (of.after, ca.horzcat(*columns))
        )
        inputs = [*of.inputs, S]
        return ca.Function("along", inputs, shared(inputs, [ca.densify(e) for e in results]))

    def _step(self, plain: dict[str, Any]) -> "_Step":
        system = self.system
        x, h = SX.sym("x", self.nx), SX.sym("h")
        u0, u1 = SX.sym("u0", system.nu), SX.sym("u1", system.nu)
        p, (theta, weights) = SX.sym("p", system.p.numel()), self._symbols()
        z = [SX.sym("z", system.nv + system.nc)] if self.scheme.iterates else []
        given = [x, h, u0, u1, _moved(p, theta, weights, self.directions.moves), *z]
        return _Step(
            inputs=[x, h, u0, u1, p, *z, weights],
            by=ca.vertcat(x, theta),
            theta=theta,
            z=z,
            after=plain["after"](*given),
            better=plain["better"](*given)[0] if z else None,
        )


@dataclass(frozen=True, eq=False)
class _Step:
    """A step in symbols, and the symbols: of all it depends on, of what it is differentiated by."""

    inputs: list[Expr]
    by: Expr
    theta: Expr  # moves along directions, zero
    z: list[Expr]
    after: Expr
    better: Expr | None  # z after a correction by Newton's method


AnyLoop = SchemeLoop | SensitiveLoop


def _moved(p: Expr, theta: Expr, weights: Expr, moves: Sequence[Sequence[int]]) -> Expr:
    """p + T theta, in symbols."""
    rows, k = [p[i] for i in range(p.numel())], 0
    for j, group in enumerate(moves):
        for i in group:
            rows[i] += weights[k] * theta[j]
            k += 1
    return ca.vertcat(*rows)
