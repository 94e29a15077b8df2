"""Equilibria from a start that is none: down the energy, by Newton's method, along a growing load.

Pseudo-transient continuation first follows the motion that friction would let the robot make,
which ends in stable configurations, in steps that grow into Newton's. Where that fails, Newton's
method from the start, and then along s in r(x) = (1 - s) r(start), finds unstable ones too.
"""

from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array
from chorda.mechanics.contacts.passing import kept_apart
from chorda.mechanics.tensioning import wound
from chorda.numerics.continuation import continued
from chorda.numerics.newton import Solver, newton
from chorda.statics.hessians import spectra
from chorda.statics.problem import Problem, Rows

TOLERANCE = 1e-10  # of forces, relative to the largest one at the start
ROUNDING = 1e-7  # of them: as small as rounding allows, where no step makes them smaller
CORRECTION = 1e-6  # over the scales: the last correction of Newton's method
LONGEST_STEP = 0.5  # of Newton's method, over the scales
MAX_ITERATIONS = 50
MAX_DESCENT = 400  # steps of pseudo-transient continuation
LONGEST_DESCENT = 0.3  # of such a step, over the scales
FORESEEN, FASTER = 0.05, 0.3  # where so much of the force was not foreseen, mu falls so fast
NEUTRAL = 1e-11  # singular values of Newton's matrix that count as zero, after scaling
OPEN = 1e-10  # [m or rad] of loops
FIRST_LOAD, SHORTEST_LOAD = 0.1, 1e-4  # steps along a growing load


@dataclass(frozen=True, eq=False)
class Solved:
    """Where the solver came to: a state, and the part of the load that it balances."""

    x: Array
    iterations: int
    reached: float

    @property
    def ok(self) -> bool:
        return self.reached == 1.0


def start_state(problem: Problem, q: Array, target: Array) -> Array:
    """A state at q with what is prescribed put in, and the forces that fit it best."""
    system, given = problem.system, problem.prescription
    held, first = len(given.held), len(given.actuated)
    q = q.copy()
    for name, value in zip(given.held, target, strict=False):
        q[system.coordinate_names.index(name)] = value
    tau = np.zeros(len(given.unknowns))
    tau[first:] = target[held : held + len(tau) - first]
    for name in given.free_values:  # where they are
        u, p = problem.u, problem.p
        where = system.given.index(name) if name in system.given else None
        known = u[where] if where is not None else p[system.parameter_names.index(name)]
        tau[given.unknowns.index(name)] = known
    if given.tensions:
        names = [t.name for t in system.robot.tendons]
        pull = np.zeros(len(names))
        pull[[names.index(x) for x in given.tensions]] = tau[len(tau) - len(given.tensions) :]
        q = wound(system, q, pull, problem.p, [name in given.strained for name in names])
    x = problem.state(q, np.zeros(system.nc), tau)
    return with_forces(problem, x, target)


def with_forces(problem: Problem, x: Array, target: Array) -> Array:
    """The state with multipliers and efforts that leave least of the forces."""
    nv, nq, nc = problem.system.nv, problem.system.nq, problem.system.nc
    names = problem.prescription.unknowns
    free = [*range(nc), *(nc + names.index(x) for x in problem.prescription.moved)]
    if not free:
        return x
    r, A = problem.evaluate(x, target)
    if np.all(np.isfinite(r)) and np.all(np.isfinite(A)):
        x = x.copy()
        fit = np.linalg.lstsq(A[:nv, nv:][:, free], -r[:nv], rcond=NEUTRAL)[0]
        x[nq:][free] += fit
    return x


def solve(problem: Problem, x: Array, target: Array) -> Solved:
    """From a start to an equilibrium, or as far as it comes."""
    forward = _is_forward(problem)
    if forward and (settled := _settled(problem, x, target, np.inf)) is not None:
        return settled
    found = _newton(problem, x, target)
    if found.ok and (not forward or _holds(problem, found.x, target)):
        return found
    if forward and (settled := _settled(problem, x, target, LONGEST_DESCENT / 2)) is not None:
        return settled
    if found.ok or problem.prescription.frames:  # poses have no load
        return found if found.ok else Solved(x, found.iterations, 0.0)
    count = found.iterations
    r0 = problem.evaluate(x, target)[0]

    def reach(load: float, state: Array) -> Array | None:
        nonlocal count
        found = _newton(problem, state, target, (1 - load) * r0)
        count += found.iterations
        return found.x if found.ok else None

    way = continued(reach, x, first=FIRST_LOAD, shrink=1 / 3, shortest=SHORTEST_LOAD)
    return Solved(way.state, count, way.parameter)


def _settled(problem: Problem, x: Array, target: Array, closing: float) -> Solved | None:
    """Down the energy and on by Newton's method; see `descend`."""
    near = descend(problem, x, target, closing)
    if near is None:
        return None
    found = _newton(problem, with_forces(problem, near[0], target), target)
    return Solved(found.x, found.iterations + near[1], 1.0) if found.ok else None


def _holds(problem: Problem, x: Array, target: Array) -> bool:
    """Whether no eigenvalue of the Hessian is negative."""
    A = problem.evaluate(x, target)[1]
    return bool(spectra(problem, x[None], A[None], "locked").negative[0] == 0)


def _is_forward(problem: Problem) -> bool:
    """Whether what is actuated is what is held: energy has a minimum over the rest."""
    still = np.union1d(problem.held_rows, problem.winding_rows)
    return not problem.prescription.frames and np.array_equal(still, np.unique(problem.moved_rows))


def _newton(problem: Problem, x: Array, target: Array, left: Array | float = 0.0) -> Solved:
    """Newton's method for r(x) = left, with the shortest steps where nothing resists."""
    nv = problem.system.nv
    column = np.ones(problem.nz)
    column[:nv] = problem.system.scales
    counted = problem.step_scale > 0

    def evaluate(x: Array) -> tuple[Array, Solver]:
        r, A = problem.evaluate(x, target)
        return r - left, lambda r: shortest_step(A, r, column)

    first = problem.evaluate(x, target)[0] - left
    scale = max(1.0, float(np.max(np.abs(first), initial=0.0)))
    found = newton(
        evaluate,
        x,
        tolerance=TOLERANCE * scale,
        correction_tolerance=CORRECTION,
        moved=lambda x, d: _stepped(problem, x, d, target),
        length=lambda d: float(np.max(np.abs(d / column)[counted], initial=0.0)),
        longest=LONGEST_STEP,
        trials=12,
        rounding=ROUNDING * scale,
        iterations=MAX_ITERATIONS,
    )
    return Solved(found.x, found.iterations, 1.0 if found.converged else 0.0)


def shortest_step(A: Array, r: Array, column: Array) -> Array:
    """d with A d = -r as nearly as can be, and nothing along directions that nothing resists."""
    if not np.all(np.isfinite(A)):
        return np.full(A.shape[1], np.nan)
    A = A * column
    rows = np.max(np.abs(A), axis=1, initial=0.0)
    rows = np.where(rows > 1e-14 * np.max(rows, initial=0.0), rows, np.inf)
    A = A / rows[:, None]
    columns = np.max(np.abs(A), axis=0, initial=0.0)
    columns = np.where(columns > 0, columns, 1.0)
    d = np.linalg.lstsq(A / columns, -r / rows, rcond=NEUTRAL)[0]
    return np.asarray(column * d / columns, float)


def descend(problem: Problem, x: Array, target: Array, closing: float) -> tuple[Array, int] | None:
    """(state, steps) near an equilibrium that the robot would settle in, or None.

    Each step solves (H + mu W) d = F, the implicit Euler step of a motion with strong friction,
    with W the inertias and mu falling with the force. H + mu W is kept positive, so that the
    motion leaves unstable configurations. closing: the longest move that shuts loops, over the
    scales; a start with loops that are wide open takes short ones, which may lead elsewhere.
    """
    system = problem.system
    free = np.setdiff1d(np.arange(system.nv), problem.moved_rows)
    W = np.diag(system.M_at(x[: system.nq]))[free]
    W = np.where(W > 0, W, 1.0)
    mu, before, scales, left = 0.0, np.inf, system.scales[free], np.zeros(len(free))
    for count in range(MAX_DESCENT):
        x, F, H, T, shut, gap = _balance(problem, x, target, free, closing)
        force = T.T @ F
        size = float(np.linalg.norm(force)) + gap
        if not np.isfinite(size):
            return None
        if size < 1e-9 * (1 + float(np.linalg.norm(F))) and gap < OPEN:
            return x, count
        foreseen = count > 0 and float(np.linalg.norm(force - T.T @ left)) < FORESEEN * before
        grown = float(np.clip(size / before, 0.2, 2.0))
        mu = size if count == 0 else mu * (min(grown, FASTER) if foreseen else grown)
        before = size
        found = _descent_step(H, T, W, force, shut, mu, scales)
        if found is None:
            return None
        move, mu = found
        left = mu * W * move
        change = np.zeros(problem.nz)
        change[free] = move
        x = _stepped(problem, x, change, target)
    return None


def _stepped(problem: Problem, x: Array, change: Array, target: Array) -> Array:
    """The state after a step, as far as shapes stay on their sides of each other."""
    system = problem.system
    if not system.touches:
        return problem.moved(x, change)
    nq, nv, nc = system.nq, system.nv, system.nc
    r = problem.evaluate(x, target)[0]
    work = abs(float(r[:nv] @ change[:nv]))
    if np.max(np.abs(r[nv : nv + nc]), initial=0.0) > OPEN:  # what shuts loops takes any force
        work = np.inf

    def ahead(part: float) -> Array:
        return problem.moved(x, part * change)[:nq]

    part = kept_apart(system, x[:nq], ahead, problem.unlimited(problem.p), work)
    return problem.moved(x, part * change)


def _balance(
    problem: Problem, x: Array, target: Array, free: Rows, longest: float
) -> tuple[Array, Array, Array, Array, Array, float]:
    """The state with its best multipliers, force, Hessian, directions that closures leave, the
    move that shuts them, and how open they are."""
    system = problem.system
    nv, nq, nc, n = system.nv, system.nq, system.nc, len(free)
    r, A = problem.evaluate(x, target)
    if not nc:
        return x, r[free], -A[np.ix_(free, free)], np.eye(n), np.zeros(n), 0.0
    J, psi = A[nv : nv + nc][:, free], r[nv : nv + nc]
    if not np.all(np.isfinite(A)):
        return x, r[free] * np.nan, A[np.ix_(free, free)], np.eye(n), np.zeros(n), 0.0
    x = x.copy()
    U, sizes, V = np.linalg.svd(J)  # closures that depend on each other count once, open or closed
    least = 1e-10 * np.max(sizes, initial=0.0)  # there are none where all joints are held
    rank = min(system.constraints.rank, int(np.sum(sizes > least)))
    inverse = (V[:rank].T / sizes[:rank]) @ U[:, :rank].T
    x[nq : nq + nc] -= inverse.T @ r[free]
    r, A = problem.evaluate(x, target)
    closing = -inverse @ psi
    far = float(np.max(np.abs(closing) / system.scales[free], initial=0.0))
    closing = closing * min(1.0, longest / max(far, 1e-300))
    return x, r[free], -A[np.ix_(free, free)], V[rank:].T, closing, float(np.max(np.abs(psi)))


def _descent_step(
    H: Array, T: Array, W: Array, force: Array, closing: Array, mu: float, scales: Array
) -> tuple[Array, float] | None:
    """A step that is not too long, with as much friction as that takes."""
    inner, friction = T.T @ H @ T, T.T @ (W[:, None] * T)
    least = 1e-6 * float(np.max(np.abs(inner), initial=1.0) / np.max(friction, initial=1e-9))
    for _ in range(200):
        try:
            np.linalg.cholesky((inner + inner.T) / 2 + mu * friction)
            move = T @ np.linalg.solve(inner + mu * friction, force) + closing
            if np.max(np.abs(move) / scales, initial=0.0) <= LONGEST_DESCENT:
                return move, mu
        except np.linalg.LinAlgError:
            pass
        mu = max(2 * mu, least)
    return None
