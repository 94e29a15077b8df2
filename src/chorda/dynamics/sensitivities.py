"""Exact derivatives of a simulated motion by parameters and by the state it starts from.

A scheme takes x to x1 = Phi(x, u0, u1, h, p). With S = dx/d(unknowns) the same step gives
S1 = Phi_x S + Phi_theta: not an approximation but the derivative of the numbers that `simulate`
returns with that scheme and step. (x, S) is the state of a kernel like any other, so that the loop
runs in C. Where a step is solved by Newton's method, x1 = A(x, z) with r(x, z) = 0, and the
correction z - r_z^-1 r of the converged z has the derivative -r_z^-1 r_x: that of the solution.
"""

import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import Job, Kernel, Settings, build, compiler
from chorda.compile.cache import key
from chorda.dynamics.kernels import fingerprint, functions, sources, starter, stepper
from chorda.dynamics.schemes import REFERENCE, SCHEMES, Scheme, find
from chorda.dynamics.simulate import CHUNK_SECONDS, NEWTON_STEPS, bounds
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.frames import SX, Expr
from chorda.results import Code, Status
from chorda.statics.winding_limits import beyond

FORWARD = {"helper_options": {"ad_weight": 0}}  # structural zeros make it cheaper than backward
NEWTON_TOLERANCE = 1e-10


@dataclass(frozen=True)
class Directions:
    """What a motion is differentiated by: directions in the space of parameters, and the start.

    moves: for each direction the rows of p that it moves; weights: how far. start: whether the
    state (q, v) at the start follows as further directions.
    """

    moves: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[float, ...], ...]
    start: bool = False

    @property
    def column(self) -> Array:
        """All weights, one after the other."""
        return np.array([w for group in self.weights for w in group])

    def count(self, system: System) -> int:
        return len(self.moves) + (system.nq + system.nv if self.start else 0)

    def matrix(self, system: System) -> Array:
        """T of p = p0 + T theta."""
        T = np.zeros((len(system.parameter_names), len(self.moves)))
        for j, (rows, weights) in enumerate(zip(self.moves, self.weights, strict=True)):
            T[list(rows), j] = weights
        return T


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
    """The motion from (q, v) with parameters p, and its exact derivatives.

    signal: inputs (steps + 1, nu), linear in between, or one row. after_each: called between
    pieces of work with the steps done; work ends when it returns True.
    """
    method = differentiable(scheme)
    loop = kernel(system, method, directions)
    kept, count = system.nq + system.nv, directions.count(system)
    weights = directions.column
    y = (
        starting(system, method, directions)(q, v, signal[0], p, step, weights)
        .full()
        .ravel(order="F")
    )
    job = Job(
        step,
        y,
        np.concatenate([p, weights]),
        *bounds(system, len(y)),
        NEWTON_TOLERANCE,
        NEWTON_STEPS,
    )
    state, by = np.empty((steps + 1, kept)), np.empty((steps + 1, kept, count))

    def keep(first: int, rows: Array) -> None:
        last = first + len(rows)
        state[first:last] = rows[:, :kept]
        by[first:last] = unfolded(system, method, directions, rows)

    keep(0, y[None].copy())
    done, stopped, past, chunk = 0, False, None, 64
    while done < steps and not job.info[0] and not stopped and past is None:
        n = min(chunk, steps - done)
        rows = np.empty((n, len(y)))
        used = np.empty((n, system.nu))
        piece = signal[done : done + n + 1] if len(signal) > 1 else signal
        begin = clock.perf_counter()
        ran = loop.run(job, n, done * step, np.ascontiguousarray(piece), rows, used)
        spent = clock.perf_counter() - begin
        keep(done + 1, rows[:ran])
        past = beyond(system, state[done : done + ran + 1], step, p)
        done += ran if past is None else past.row - 1
        stopped = after_each is not None and after_each(done)
        chunk = int(min(max(chunk * CHUNK_SECONDS / max(spent, 1e-6), 64), 5000))
    status = _status(done, steps, step)
    time = np.asarray(step * np.arange(done + 1), float)
    return Sensitivity(time, state[: done + 1], by[: done + 1], status)


def unfolded(system: System, scheme: Scheme, directions: Directions, rows: Array) -> Array:
    """Derivatives of q and v from a kernel's states, (..., nq + nv, directions)."""
    nx, count = _state(system, scheme), directions.count(system)
    S = rows[..., nx:].reshape(*rows.shape[:-1], count, nx)
    return np.swapaxes(S[..., : system.nq + system.nv], -1, -2)


def _status(done: int, steps: int, step: float) -> Status:
    if done == steps:
        return Status(Code.COMPLETED, f"Completed {steps} steps to t = {done * step:g} s.")
    return Status(
        Code.DIVERGED,
        f"Ended at t = {done * step:g} s, after {done} of {steps} steps: the motion left its "
        "ranges or was stopped.",
    )


def _state(system: System, scheme: Scheme) -> int:
    return system.nq + system.nv + scheme.memory(system)


def _moved(p: Expr, theta: Expr, weights: Expr, moves: Sequence[Sequence[int]]) -> Expr:
    """p + T theta, in symbols."""
    rows = [p[i] for i in range(p.numel())]
    k = 0
    for j, group in enumerate(moves):
        for i in group:
            rows[i] += weights[k] * theta[j]
            k += 1
    return ca.vertcat(*rows)


def starting(system: System, scheme: Scheme, directions: Directions) -> Any:
    """(q, v, u, p, h, weights) -> the kernel's first (x, S), as one column."""

    def make() -> Any:
        q, v, u, p = (SX.sym(n, getattr(system, n).numel()) for n in "qvup")
        h = SX.sym("h")
        theta, weights = _symbols(directions)
        moved = _moved(p, theta, weights, directions.moves)
        x = starter(system, scheme)(q, v, u, moved, h)
        by = ca.vertcat(theta, q, v) if directions.start else theta
        S = ca.densify(ca.jacobian(x, by))
        whole = ca.substitute(ca.vertcat(x, ca.vec(S)), theta, SX.zeros(theta.numel()))
        return ca.Function("start", [q, v, u, p, h, weights], [whole])

    return system.once(("sensitive-start", scheme.name, directions.moves, directions.start), make)


def _symbols(directions: Directions) -> tuple[Expr, Expr]:
    return SX.sym("theta", len(directions.moves)), SX.sym(
        "weights", sum(map(len, directions.moves))
    )


def kernel(system: System, scheme: Scheme, directions: Directions) -> Kernel:
    """The time loop of (x, S), made when first asked for."""
    kind = (scheme.name, directions.moves, directions.start)

    def make() -> Kernel:
        recipe = key(fingerprint(system), sources(), Path(__file__).read_bytes(), repr(kind))
        return build(recipe.encode(), *ingredients(system, scheme, directions))

    return system.once(("sensitive", *kind, compiler.find()), make)


def ingredients(
    system: System, scheme: Scheme, directions: Directions
) -> tuple[Settings, Callable[[], dict[str, Any]]]:
    """What that kernel is made of."""
    nx, count = _state(system, scheme), directions.count(system)
    settings = Settings(
        nx=nx + nx * count,
        nu=system.nu,
        nw=system.nu,
        nz=system.nv + system.nc if scheme.iterates else 0,
        newton=scheme.iterates,
        order=scheme.order,
    )
    return settings, lambda: _functions(system, scheme, directions)


def _functions(system: System, scheme: Scheme, directions: Directions) -> dict[str, Any]:
    """The functions that driver.c calls, of the state (x, S) and the parameters (p, weights)."""
    plain = functions(replace(stepper(system, scheme), reuses_matrix=False))
    nx, count, k = _state(system, scheme), directions.count(system), len(directions.moves)
    many = sum(map(len, directions.moves))
    step = _derivative(system, scheme, directions, plain)
    np_ = system.p.numel()
    y, h = ca.MX.sym("y", nx + nx * count), ca.MX.sym("h")
    u0, u1 = ca.MX.sym("u0", system.nu), ca.MX.sym("u1", system.nu)
    pw = ca.MX.sym("pw", np_ + many)
    z = [ca.MX.sym("z", system.nv + system.nc)] if scheme.iterates else []
    x, S = y[:nx], ca.reshape(y[nx:], nx, count)
    p, weights = pw[:np_], pw[np_:]
    after, by_x, by_theta = step(x, h, u0, u1, p, *z, weights)
    S1 = by_x @ S
    S1 = ca.horzcat(S1[:, :k] + by_theta, S1[:, k:])
    arguments = [y, h, u0, u1, pw]
    made = {
        "after": ca.Function(
            "chorda_after", [*arguments, *z], [ca.vertcat(after, ca.vec(ca.densify(S1)))]
        )
    }
    if scheme.iterates:
        made["guess"] = ca.Function("chorda_guess", arguments, [plain["guess"](x, h, u0, u1, p)])
        better = plain["better"](x, h, u0, u1, p, *z)
        made["better"] = ca.Function("chorda_better", [*arguments, *z], list(better))
    return made


def _derivative(
    system: System, scheme: Scheme, directions: Directions, plain: dict[str, Any]
) -> Any:
    """(x, h, u0, u1, p, [z,] weights) -> x1, Phi_x, Phi_theta."""
    x, h = SX.sym("x", _state(system, scheme)), SX.sym("h")
    u0, u1 = SX.sym("u0", system.nu), SX.sym("u1", system.nu)
    p, (theta, weights) = SX.sym("p", system.p.numel()), _symbols(directions)
    arguments = [x, h, u0, u1, _moved(p, theta, weights, directions.moves)]
    by = ca.vertcat(x, theta)
    z = [SX.sym("z", system.nv + system.nc)] if scheme.iterates else []
    after = plain["after"](*arguments, *z)
    J = ca.jacobian(after, by, FORWARD)
    if scheme.iterates:
        solved = ca.jacobian(plain["better"](*arguments, *z)[0], by, FORWARD)
        J += ca.jacobian(after, z[0], FORWARD) @ solved
    after, J = (ca.substitute(e, theta, SX.zeros(theta.numel())) for e in (after, J))
    n = x.numel()
    return ca.Function(
        "derivative", [x, h, u0, u1, p, *z, weights], ca.cse([after, J[:, :n], J[:, n:]])
    )
