"""Equilibria at given targets, one after the other, in shorter steps where that is needed."""

from typing import NamedTuple

import numpy as np

from chorda.mechanics import Array
from chorda.results import Code, Equilibrium, Status
from chorda.statics.branch_end import tell
from chorda.statics.prescribed import settings
from chorda.statics.problem import Problem
from chorda.statics.targets import between

SHORTEST = 2.0**-12  # of the way between two points of the path
JUMP = 5.0  # times as far as most steps, a step is checked with shorter ones
FAR = 0.3  # over the scales: shorter steps are not


def state_of(problem: Problem, start: Equilibrium) -> Array:
    """The state of an equilibrium in a problem; what is actuated now and was free has no effort."""
    known = dict(start.efforts)
    for name in problem.layout.settings:
        kind, k = settings(problem.system)[name]
        known[name] = float((start.u if kind == "u" else start.parameters)[k])
    tau = np.array([known.get(name, 0.0) for name in problem.layout.actuated])
    return problem.state(start.q, start.multipliers, tau)


class Visited(NamedTuple):
    """States, their rows of targets and shares of the path; the last is the nearest to where it
    stopped."""

    states: Array
    targets: Array
    shares: Array
    status: Status


def visit(problem: Problem, x: Array, here: Array, targets: Array) -> Visited:
    """Equilibria at the rows of targets, as far as they are found."""
    shares = np.linspace(0, 1, len(targets)) if len(targets) > 1 else np.ones(1)
    n, X = len(targets), np.zeros((len(targets), problem.nx))
    x, done, job = x.copy(), 0, problem.job()
    scale = problem.system.scales
    while done < n:
        first = done
        done += problem.kernel.follow(job, x, targets[done:], X[done:], None, True)
        done = _unjumped(problem, X, first, done, scale)
        if done == n:
            break
        before = targets[done - 1] if done else here
        x = X[done - 1].copy() if done else x
        x, reached = _bridge(problem, x, before, targets[done])
        if reached < 1:
            share = (max(done - 1, 0) + reached) / max(n - 1, 1)
            at = between(problem.layout, before, targets[done], np.array([reached]))
            return Visited(
                np.vstack([X[:done], x]),
                np.vstack([targets[:done], at]),
                np.append(shares[:done], min(share, 1.0)),
                _stopped(problem, x, at[0], share, done, n),
            )
        X[done] = x
        done += 1
    return _possible(problem, X, targets, shares)


def _possible(problem: Problem, X: Array, targets: Array, shares: Array) -> Visited:
    """As far as parameters that are actuated stay what they can be."""
    n, tau = len(X), problem.parts(X)[2]
    system = problem.system
    for k, name in enumerate(problem.layout.actuated):
        if name not in system.parameter_names or name not in problem.layout.settings:
            continue
        signed = system.parameter_table.signed[system.parameter_names.index(name)]
        wrong = np.flatnonzero(tau[:, k] <= 0) if not signed else np.zeros(0, int)
        if len(wrong):
            i = max(1, int(wrong[0]))
            told = f"{name} would have to be {tau[wrong[0], k]:.4g}, which it cannot"
            status = Status(Code.STOPPED, f"The path was followed to {shares[i - 1]:.1%}: {told}.")
            return Visited(X[:i], targets[:i], shares[:i], status)
    return Visited(
        X, targets, shares, Status(Code.COMPLETED, f"All {n} configurations were found.")
    )


def _unjumped(problem: Problem, X: Array, first: int, done: int, scale: Array) -> int:
    """How many of the configurations are on one branch: steps that are much longer than most are
    not
    trusted, and taken again in shorter ones."""
    if done - first < 3:
        return done
    q = X[:done, : problem.system.nq]
    if problem.system.nq == problem.system.nv:
        q = q / scale
    steps = np.max(np.abs(np.diff(q[max(first - 1, 0) :], axis=0)), axis=1)
    usual = float(np.median(steps))
    for k in np.flatnonzero((steps > JUMP * usual) & (steps > FAR)):
        return max(first, int(k) + max(first - 1, 0) + 1)
    return done


def _bridge(problem: Problem, x: Array, start: Array, end: Array) -> tuple[Array, float]:
    """From one row of targets to the next in shorter steps; the share that was reached."""
    reached, step = 0.0, 0.25
    X = np.zeros((1, problem.nx))
    while reached < 1 and step >= SHORTEST:
        to = min(1.0, reached + step)
        row = between(problem.layout, start, end, np.array([to]))
        job = problem.job(most=8)
        solved = problem.kernel.follow(job, x.copy(), row, X, None, False) == 1
        if solved and _near(problem, x, X[0]):
            x, reached, step = X[0].copy(), to, step * 1.6
        else:
            step /= 2
    return x, reached


def _near(problem: Problem, a: Array, b: Array) -> bool:
    """Whether two states are within a step of each other."""
    nq = problem.system.nq
    change = np.abs(b[:nq] - a[:nq])
    if nq == problem.system.nv:
        change = change / problem.system.scales
    return bool(np.max(change, initial=0.0) < 1.0)


def _stopped(problem: Problem, x: Array, at: Array, share: float, done: int, count: int) -> Status:
    named = dict(zip(problem.layout.labels, at, strict=True))
    where = ", ".join(f"{k} = {v:.4g}" for k, v in list(named.items())[:6])
    return Status(
        Code.STOPPED,
        f"The path was followed to {min(share, 1.0):.1%} of its way ({done} of {count} "
        f"configurations). "
        f"{tell(problem, x, at)} The nearest configuration that was solved has {where}. Try a path "
        "around it, folds=True to follow the branch where it turns back, or another start.",
    )
