"""follow: equilibria along a path of what is prescribed, from one that is known."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.results import Equilibrium, EquilibriumPath
from chorda.statics.collecting import collect
from chorda.statics.past_folds import turn_folds
from chorda.statics.prescribed import ROTATION, Layout, Places, prescribe
from chorda.statics.problem import Problem
from chorda.statics.targets import actual, along
from chorda.statics.visiting import state_of, visit


def follow(
    start: Equilibrium,
    *,
    hold: Mapping[str, Any] | None = None,
    place: Places | None = None,
    efforts: Mapping[str, Any] | None = None,
    actuated: Sequence[str] | None = None,
    points: int = 50,
    folds: bool = False,
    strict: bool = False,
) -> EquilibriumPath:
    """The branch of equilibria that `start` is on, along a path of held coordinates, placed frames
    and efforts.

    A number is where to go, in `points` even steps; a series is visited value by value. With
    `actuated` the problem is a new one (the inverse, say); without it, what `start` had prescribed
    and is not named stays as it is. folds: follow the branch where it turns back, until it has
    come to the end of the path or back to its beginning; `points` then only sets the first step.

    The path ends before its end where no equilibrium is near: `status` says so, and the last
    configuration is the nearest that was solved.

    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    >>> first = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bulge)
    >>> follow(first, hold={"motor1": 5.76, "motor2": 3.67})
    <EquilibriumPath of rfrfr: 51 configurations, 51 stable; completed>
    """
    problem, values = problem_from(start, hold, place, efforts, actuated)
    x = state_of(problem, start)
    here = actual(problem.system, problem.layout, *_q_tau(problem, x), problem.p)
    targets = along(problem.layout, values, here, points)
    if folds:
        share, rows, X, status = turn_folds(problem, x, here, targets)
    else:
        X, rows, share, status = visit(problem, x, here, targets)
    found = collect(problem, share, rows, X, status, targets)
    if strict:
        status.raise_unless_ok()
    return found


def problem_from(
    start: Equilibrium,
    hold: Mapping[str, Any] | None,
    place: Places | None,
    efforts: Mapping[str, Any] | None,
    actuated: Sequence[str] | None,
) -> tuple[Problem, list[Any]]:
    """What is prescribed: as given, and as it was where nothing else is said."""
    if not isinstance(start, Equilibrium):
        raise InputError(f"start: expected what chorda.equilibrium returns, got {start!r:.60}")
    start.status.raise_unless_ok()
    if start.given not in ("inputs", "torques"):
        raise InputError(
            f"start: expected an equilibrium with given inputs, this one has given {start.given}; "
            "solve it with inputs=..."
        )
    hold, place, efforts = (
        dict(hold or {}),
        {k: dict(v) if isinstance(v, Mapping) else v for k, v in (place or {}).items()},
        dict(efforts or {}),
    )
    before: Layout = start.layout or Layout()
    if actuated is None:
        _keep(before, start.target, hold, place, efforts)
        actuated = [name for name in before.actuated if name not in efforts] or None
    layout, values = prescribe(start.system, hold, place, efforts, actuated)
    return Problem(start.system, layout, start.u, start.parameters), values


def _keep(
    before: Layout,
    target: Array,
    hold: dict[str, Any],
    place: dict[str, Any],
    efforts: dict[str, Any],
) -> None:
    """Adds what was prescribed before."""
    values = iter(target.tolist())
    for name in before.held:
        value = next(values)
        if name not in efforts:
            hold.setdefault(name, value)
    for name in before.efforts:
        value = next(values)
        if name in before.settings:
            hold.setdefault(name, value)
        elif name not in hold:
            efforts.setdefault(name, value)
    kept = [(frame, axis, next(values)) for frame, axis in before.axes]
    for frame in before.turned:
        R = np.array([next(values) for _ in range(9)]).reshape(3, 3).T
        kept.append((frame, ROTATION, R))
    for frame, axis, value in kept:
        if isinstance(where := place.setdefault(frame, {}), dict):
            where.setdefault(axis, value)


def _q_tau(problem: Problem, x: Array) -> tuple[Array, Array]:
    q, _, tau = problem.parts(x)
    return q, tau
