"""Rigid tendons pull and cannot push: tension >= 0, free length >= 0, one of both zero.

At rest those that would have to push are let go, one after the other, and those that would be
stretched are taken up again, until none of either is left (an active set). In motion, and along a
path of equilibria, the first one that would have to push is the end.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile.columns import at_columns
from chorda.describe import TensionActuator
from chorda.mechanics import Array, System
from chorda.mechanics.algebra import solve
from chorda.mechanics.first_order import settled
from chorda.mechanics.redundancy import LENGTH
from chorda.results import Code, Equilibrium, Status
from chorda.results.observe import observed
from chorda.statics.problem import Problem

ROUNDING = 1e-7  # of the largest tension, and of a newton: less is no push
STRETCHED = 1e-9  # [m] by which a slack tendon may be too short
REMEDY = (
    "Give it an elastic law (and tendons='elastic'), with which it goes slack, or say in its law "
    "that it may push (one_sided: false)."
)


@dataclass(frozen=True)
class Pushing:
    """A rigid tendon that would have to push, with which tension [N], and the row of the motion."""

    tendon: str
    tension: float
    row: int = 0

    @property
    def sentence(self) -> str:
        return f"Rigid tendon '{self.tendon}' would have to push, with {self.tension:.4g} N,"

    def status(self, when: str) -> Status:
        """when: words in the middle of a sentence, or one of its own."""
        begin, when = (f"{when}. ", "there") if when[0].isupper() else ("", when)
        return Status(Code.SLACK, f"{begin}{self.sentence} {when}. {REMEDY}")


@dataclass(frozen=True)
class Taut:
    """A slack rigid tendon that gets taut."""

    tendon: str

    def status(self, when: str) -> Status:
        return Status(
            Code.SLACK,
            f"{when}: slack rigid tendon '{self.tendon}' gets taut there. Find an equilibrium "
            "beyond, and go on from it.",
        )


def one_sided_rigid(system: System) -> tuple[str, ...]:
    """Tendons that do not stretch and cannot push, apart from those whose tension is an input."""

    def make() -> tuple[str, ...]:
        robot = system.robot
        inputs = {x.name for x in robot.actuators if isinstance(x, TensionActuator)}
        both = zip(robot.tendons, system.tendons.elastic, strict=True)
        rigid = (t for t, stretches in both if not stretches and t.law.one_sided)
        return tuple(t.name for t in rigid if t.actuator not in inputs)

    found: tuple[str, ...] = system.once("one-sided-rigid", make)
    return found


def tension_at_rest(system: System) -> Any:
    """(q, lam, u, p) -> tensions of all tendons [N]."""

    def make() -> Any:
        tension = next(o.expression for o in system.outputs if o.name == "tension")
        for i, x in enumerate(system.tendons.resting.each):
            if x.rubbing is not None:
                tension[i] = x.tension
        still = [system.v, system.a]
        tension = settled(system.dynamics.states, tension)[0]
        (at_rest,) = ca.substitute([tension], still, [ca.SX.zeros(x.shape) for x in still])
        return system.function("tension", "q lam u p", at_rest)

    return system.once("tension-at-rest", make)


def tension_in_motion(system: System) -> Any:
    """(q, v, u, p) -> tensions of all tendons [N]."""

    def make() -> Any:
        tension = next(o.expression for o in system.outputs if o.name == "tension")
        observe = system.function("tension", "q v a lam u p", ca.densify(tension))
        q, v, _, _, u, p = (ca.SX.sym(f"x{k}", observe.size1_in(k)) for k in range(6))
        M, F, _, J, bias, _ = system.equations(q, v, u, p)
        nv, nc = system.nv, system.nc
        slack = ca.sparsify(system.compliance * ca.SX.eye(nc))
        matrix = ca.vertcat(ca.horzcat(M, -J.T), ca.horzcat(J, slack))
        x = solve(matrix, ca.vertcat(F, -bias), nc)
        pull = observe(q, v, x[:nv], x[nv:], u, p)
        return ca.Function("tension", [q, v, u, p], [pull])

    return system.once("tension-in-motion", make)


def first_push(system: System, X: Array, U: Array, p: Array, first: int = 1) -> Pushing | None:
    """The first row of a motion (states, inputs), from `first` on, where a rigid tendon pushes."""
    names = one_sided_rigid(system)
    if not names or len(X) <= first:
        return None
    q, v = X[first:, : system.nq], X[first:, system.nq : system.nq + system.nv]
    tension = observed(system, q, v, U[first : len(X)], p)["tension"]
    found = pushes(system, names, tension)
    rows = np.flatnonzero(found.any(axis=1))
    if not len(rows):
        return None
    k = int(rows[0])
    worst = int(np.argmin(np.where(found[k], tension[k], np.inf)))
    name = system.robot.tendons[worst].name
    return Pushing(name, float(tension[k, worst]), max(first + k, 1))


def pushing_members(system: System, x: Array, u: Array, p: Array, whole: int = 0) -> Any:
    """Which of many members, columns of states, inputs and parameters, have one that pushes; whole:
    how many there are in all, where these are a piece."""
    q, v = x[: system.nq], x[system.nq : system.nq + system.nv]
    (tension,) = at_columns(system, tension_in_motion(system), q, v, u, p, whole=whole)
    return pushes(system, one_sided_rigid(system), tension.T).any(axis=1)


def pushes(system: System, names: tuple[str, ...], tension: Array) -> Any:
    """Which tendons push in rows of tensions."""
    rigid = np.array([t.name in names for t in system.robot.tendons], bool)
    largest = np.max(np.abs(tension), axis=-1, keepdims=True, initial=1.0)
    return rigid & (tension < -ROUNDING * largest)


def wrong(problem: Problem, x: Array) -> Pushing | Taut | None:
    """The rigid tendon that pushes most in a state, or a slack one that is stretched."""
    system, loose = problem.system, problem.prescription.slack
    names = one_sided_rigid(system)
    if not names:
        return None
    q, lam, tau = problem.parts(x)
    u, p = problem.inputs_and_parameters(tau)
    if loose:
        gap = system.closing_all(q, u, p)[0].full().ravel()
        rows = [system.constraints.all_names.index(f"{name}{LENGTH}") for name in loose]
        if np.max(gap[rows]) > STRETCHED:
            return Taut(loose[int(np.argmax(gap[rows]))])
    tension = tension_at_rest(system)(q, lam, u, p).full().ravel()
    found = pushes(system, names, tension)
    if not found.any():
        return None
    worst = int(np.argmin(np.where(found, tension, np.inf)))
    return Pushing(system.robot.tendons[worst].name, float(tension[worst]))


Solve = Callable[[Problem, Any], tuple[Equilibrium, Array]]


def complementary(problem: Problem, solve: Solve, initial: Any) -> Equilibrium:
    """The equilibrium that `solve` finds, with the rigid tendons slack that it takes.

    Where none is found with all of them taut (lengths of two that pull against each other seldom
    fit), the search begins again with all of them slack, or all but one.
    """
    if isinstance(initial, Equilibrium) and initial.system is problem.system:
        problem = loosened(problem, initial.prescription.slack)
    found, fits = _searched(problem, solve, initial)
    if fits:
        return found
    held = problem.system.constraints.names
    ties = [name for name in one_sided_rigid(problem.system) if f"{name}{LENGTH}" in held]
    for taut in (None, *ties) if len(ties) > 1 else ():
        loose = tuple(name for name in ties if name != taut)
        another, fits = _searched(loosened(problem, loose), solve, initial)
        if fits:
            return another
    return found


def _searched(problem: Problem, solve: Solve, initial: Any) -> tuple[Equilibrium, bool]:
    """The equilibrium from a first choice of slack tendons, and whether all of them only pull."""
    found, x = solve(problem, initial)
    tried: list[frozenset[str]] = []
    let_go: Pushing | None = None
    while found.status.ok and (fault := wrong(problem, x)) is not None:
        loose = problem.prescription.slack
        tried.append(frozenset(loose))
        if isinstance(fault, Taut):
            loose = tuple(name for name in loose if name != fault.tendon)
        elif f"{fault.tendon}{LENGTH}" in problem.system.constraints.names:
            loose, let_go = (*loose, fault.tendon), fault
        else:
            why = "in this equilibrium, and nothing holds its motor where it is slack"
            return replace(found, status=fault.status(why)), False
        if frozenset(loose) in tried:
            why = "and where it is slack, others do not balance: no equilibrium was found"
            last = fault if isinstance(fault, Pushing) else let_go
            status = last.status(why) if last else fault.status("No equilibrium was found")
            return replace(found, status=status), False
        problem = loosened(problem, loose)
        found, x = solve(problem, found.q)
    if not found.status.ok and let_go is not None:
        message = f"{let_go.sentence} and with it slack: {found.status.message}"
        found = replace(found, status=Status(found.status.code, message))
    return found, found.status.ok


def loosened(problem: Problem, names: tuple[str, ...]) -> Problem:
    """The problem with these rigid tendons slack."""
    return replace(problem, prescription=replace(problem.prescription, slack=names))
