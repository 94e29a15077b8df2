"""Equilibria at given targets, one after the other, in shorter steps where that is needed."""

from typing import NamedTuple

import numpy as np

from chorda.mechanics import Array
from chorda.mechanics.contacts.passing import look, passed, solids
from chorda.mechanics.motor_limits import input_per_torque
from chorda.numerics.continuation import continued
from chorda.results import Code, Equilibrium, Status
from chorda.statics import winding_limits as winding
from chorda.statics.branch_end import explain, slack_tendons
from chorda.statics.prescribe import INPUT, settings
from chorda.statics.problem import Problem
from chorda.statics.ranges import Limits, Violation, all_within, beyond, tightened
from chorda.statics.rigid_tendons import Pushing, Taut, one_sided_rigid, wrong
from chorda.statics.targets import between

GROWTH = 1.6  # of a step after one that was taken
SHORTEST_STEP = 2.0**-12  # of the way between two points of the path
JUMP = 5.0  # times as far as most steps, a step is checked with shorter ones
SMALL_STEP = 0.02  # over the scales: no shorter step is checked
LONGEST_STEP = 1.0  # over the scales, along the tangent of a branch
LARGEST_BEND = 0.5  # of a step: how far a solution may lie from where the tangent points
CORNER = 1e-4  # over the scales: so far it may always lie, where a tendon gets slack or taut
MAX_ITERATIONS = 25
WORK_AT_ONCE = 1_000_000  # numbers of matrices: fewer than a second
FEW_ITERATIONS = 16  # of a shorter step, most of them with the matrix of its start
BISECTIONS = 40


def state_of(problem: Problem, start: Equilibrium) -> Array:
    """The state of an equilibrium in a problem; what is actuated now and was free has no effort."""
    system, given = problem.system, problem.prescription
    known = dict(start.efforts)
    for name in given.settings:
        kind, k = settings(system)[name]
        known[name] = float((start.u if kind == INPUT else start.parameters)[k])
    names = [t.name for t in system.robot.tendons]
    for name in given.tensions:
        known[f"{name}.tension"] = float(start.tension[names.index(name)])
    for name in (*given.moved, *given.efforts):  # a motor that its input held so far
        if name not in known and name in system.given:
            volts = float(input_per_torque(system, name, start.parameters))
            known[name] = float(start.u[system.given.index(name)]) / volts
    tau = np.array([known.get(name, 0.0) for name in given.unknowns])
    return problem.state(start.q, start.multipliers, tau)


class Branch(NamedTuple):
    """States, their rows of targets and path parameters, and iterations; the last is the nearest to
    where it stopped."""

    states: Array
    targets: Array
    parameters: Array
    iterations: Array
    status: Status


def solve_along(
    problem: Problem, x: Array, here: Array, targets: Array, limits: Limits | None = None
) -> Branch:
    """Equilibria at the rows of targets, as far as they are found and within ranges and limits."""
    parameters = np.linspace(0, 1, len(targets)) if len(targets) > 1 else np.ones(1)
    n, X = len(targets), np.zeros((len(targets), problem.nx))
    counts = np.zeros(n)
    x, done, job = x.copy(), 0, problem.job(most=MAX_ITERATIONS)
    while done < n:
        first, end, x_before = done, min(n, done + _rows_at_once(problem)), x.copy()
        rows = slice(first, end)
        done += problem.kernel.follow(job, x, targets[rows], X[rows], None, True, counts[rows])
        done = _without_jumps(problem, X, first, done)
        done = _without_leaps(problem, np.vstack([x_before, X[first:done]]), first)
        if done == end:
            continue
        before = targets[done - 1] if done else here
        x = X[done - 1].copy() if done else x
        way = bridge(problem, x, before, targets[done])
        x = way.x
        if way.parameter < 1:
            parameter = min((max(done - 1, 0) + way.parameter) / max(n - 1, 1), 1.0)
            at = between(problem.prescription, before, targets[done], np.array([way.parameter]))
            found = Branch(
                np.vstack([X[:done], x]),
                np.vstack([targets[:done], at]),
                np.append(parameters[:done], parameter),
                np.append(counts[:done], way.iterations),
                stopped(problem, x, at[0], parameter, done, n),
            )
            return within(problem, found, limits or {})
        X[done], counts[done] = x, way.iterations
        done += 1
    message = f"All {n} configurations were found.{_slack_note(problem, X, parameters)}"
    status = Status(Code.COMPLETED, message)
    return within(problem, Branch(X, targets, parameters, counts, status), limits or {})


def _rows_at_once(problem: Problem) -> int:
    """Rows of targets between which Ctrl-C has its turn; always as many, whatever time they take,
    since a solution depends in its last digits on those before it."""
    return max(100, WORK_AT_ONCE // problem.nz**2)


def _slack_note(problem: Problem, X: Array, parameters: Array) -> str:
    """Which tendons are slack in some of the configurations, and from where on."""
    first: dict[str, float] = {}
    if not problem.system.tendons.one_sided:
        return ""
    for x, at in zip(X, parameters, strict=True):
        for name in slack_tendons(problem, x):
            first.setdefault(name, float(at))
    each = [f"{name} (from {at:.0%} of the path)" for name, at in first.items()]
    return f" Slack in some of them: {', '.join(each)}." if each else ""


class Bridge(NamedTuple):
    x: Array
    parameter: float
    iterations: int


def bridge(problem: Problem, x: Array, start: Array, end: Array, first: float = 0.25) -> Bridge:
    """From one row of targets to another in steps as short as needed; as far as it comes."""
    total = 0

    def reach(parameter: float, x: Array) -> Array | None:
        nonlocal total
        row = between(problem.prescription, start, end, np.array([parameter]))
        most = FEW_ITERATIONS if first < 1 else MAX_ITERATIONS
        found, count = on_branch(problem, x, row[0], most)
        total += count
        return found

    way = continued(reach, x, first=first, growth=GROWTH, shortest=SHORTEST_STEP)
    return Bridge(way.state, way.parameter, total)


def on_branch(problem: Problem, x: Array, target: Array, most: int) -> tuple[Array | None, int]:
    """The solution at a target on the branch of a known one, and the iterations.

    Newton's first step is along the tangent of the branch: a solution that is far from there may
    lie on another branch, and is not taken; nor is one where shapes leapt through each other.
    """
    guess = np.full(problem.nx, np.nan)
    found, count = solved_from(problem, x, target, most, guess)
    ahead = float(problem.distances(x, guess))
    near = found is not None and problem.distances(guess, found) <= LARGEST_BEND * ahead + CORNER
    if found is None or not near or ahead >= LONGEST_STEP or _leaps(problem, x, found):
        return None, count
    return found, count


def solved_from(
    problem: Problem, x: Array, target: Array, most: int, tangent: Array | None = None
) -> tuple[Array | None, int]:
    """The solution at a target that Newton's method finds from a state, and the iterations.

    tangent: room for the state that its first step would lead to, however long.
    """
    X, count, job = np.zeros((1, problem.nx)), np.zeros(1), problem.job(most=most)
    done = problem.kernel.follow(job, x.copy(), target[None], X, None, False, count, tangent)
    return (X[0] if done == 1 else None), int(count[0])


def _without_jumps(problem: Problem, X: Array, first: int, done: int) -> int:
    """How many of the configurations are on one branch: steps that are much longer than most are
    not trusted, and taken again in shorter ones."""
    if done - first < 3:
        return done
    rows = X[max(first - 1, 0) : done]
    steps = problem.distances(rows[:-1], rows[1:])
    usual = float(np.median(steps))
    for k in np.flatnonzero((steps > JUMP * usual) & (steps > SMALL_STEP)):
        return max(first, int(k) + max(first - 1, 0) + 1)
    return done


def _without_leaps(problem: Problem, X: Array, first: int) -> int:
    """How many of the configurations there are before shapes leap through each other; X: those from
    number first on, and the one before them."""
    n, system = len(X) - 1, problem.system
    if n and system.touches:
        seen = look(system, problem.parts(X)[0], problem.p)
        turned = solids(system) & seen[:-1].turned(seen[1:])
        for k in np.flatnonzero(turned.any(axis=1)):
            if _leaps(problem, X[k], X[k + 1]):
                return first + int(k)
    return first + n


def _leaps(problem: Problem, x: Array, after: Array) -> bool:
    """Whether shapes went through each other between two solutions."""
    if not problem.system.touches:
        return False
    q, end = (problem.parts(y)[0] for y in (x, after))
    return bool(passed(problem.system, q, end, problem.p).any())


def within(problem: Problem, found: Branch, limits: Limits) -> Branch:
    """As far as coordinates stay within their ranges, other quantities within their limits, and
    parameters what they can be; the last configuration is on the limit."""
    system, given = problem.system, problem.prescription
    limits = tightened(problem.limits, limits)
    simple = not (given.free_values or system.tendons.windings or one_sided_rigid(system))
    if simple and all_within(system, given, found.states, limits):  # at once, for speed
        return found
    for i, x in enumerate(found.states):
        before = found.states[i - 1] if i else None
        if (hit := violated(problem, x, limits, before)) is None:
            continue
        states, targets, parameters, counts = (column[: i + 1].copy() for column in found[:4])
        begun = Branch(states, targets, parameters, counts, found.status)
        if i == 0:
            return begun._replace(status=hit.status("The path begins outside"))
        last = _on_limit(problem, begun, limits)
        begun.states[i], begun.targets[i], begun.parameters[i] = last
        way = f"The path was followed to {begun.parameters[i]:.1%} of its way"
        return begun._replace(status=hit.status(way))
    return found


def _on_limit(problem: Problem, found: Branch, limits: Limits) -> tuple[Array, Array, float]:
    """Between the last two configurations, the last one that is within."""
    (row, outside), (start, end) = found.targets[-2:], found.parameters[-2:]
    low, high, x, best = 0.0, 1.0, found.states[-2], row
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        at = between(problem.prescription, row, outside, np.array([middle]))[0]
        solved, _ = solved_from(problem, x, at, MAX_ITERATIONS)
        if solved is not None and violated(problem, solved, limits, x) is None:
            low, x, best = middle, solved, at
        else:
            high = middle
    return x, best, float(start + low * (end - start))


def violated(
    problem: Problem, x: Array, limits: Limits, before: Array | None
) -> Violation | winding.Past | Pushing | Taut | None:
    """What is beyond a range or a limit, a rigid tendon that pushes, or a cable that turned too far
    on the way there: from the reference configuration, or from the state before."""
    system, given = problem.system, problem.prescription
    q, _, tau = problem.parts(x)
    for name in given.free_values:
        if name in system.parameter_names:
            value = float(tau[given.unknowns.index(name)])
            signed = system.parameter_table.signed[system.parameter_names.index(name)]
            if value <= 0 and not signed:
                return Violation(name, value, 0.0, np.inf, False)
    p = problem.inputs_and_parameters(tau)[1]
    starts = [system.rest] if before is None else [system.rest, problem.parts(before)[0]]
    turned = (winding.on_the_way(system, start, q, p) for start in starts)
    limits = tightened(problem.limits, limits)
    hit = beyond(system, given, q, tau, limits) or next((x for x in turned if x), None)
    return hit or wrong(problem, x)


def stopped(
    problem: Problem, x: Array, at: Array, parameter: float, done: int, count: int
) -> Status:
    named = dict(zip(problem.prescription.labels, at, strict=True))
    where = ", ".join(f"{k} = {v:.4g}" for k, v in list(named.items())[:6])
    code, why = explain(problem, x, at)
    return Status(
        code,
        f"The path was followed to {parameter:.1%} of its way ({done} of {count} configurations). "
        f"{why} The nearest configuration that was solved has {where}. Try a path around it, "
        "folds=True to follow the branch where it turns back, or another start.",
    )
