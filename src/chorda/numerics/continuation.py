"""Continuation: a parameter goes from 0 to 1 in steps that are halved where one fails."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from chorda.numerics.newton import Outcome

X = TypeVar("X")


@dataclass(frozen=True, eq=False)
class Reached(Generic[X]):
    """How far a continuation came.

    Attributes
    ----------
    state : the state at the parameter that was reached.
    parameter : 1 where all of the way was possible.
    steps, failed : how many steps were taken, and how many were tried in vain.
    """

    state: X
    parameter: float
    steps: int
    failed: int

    @property
    def complete(self) -> bool:
        return self.parameter == 1


def continued(
    reach: Callable[[float, X], X | None],
    start: X,
    *,
    first: float = 0.25,
    growth: float = 1.5,
    shrink: float = 0.5,
    shortest: float = 1e-4,
    predict: Callable[[X, X, float], X] | None = None,
) -> Reached[X]:
    """Follow a state from parameter 0 to parameter 1.

    Parameters
    ----------
    reach : (parameter, guess) -> the state at this parameter, or None where it is not found.
    start : the state at parameter 0.
    first : length of the first step.
    growth, shrink : factors of the step after one that was taken, and after one that failed.
    shortest : no step is shorter than this, apart from the last one.
    predict : (state before, last state, ratio) -> the guess for a step that is `ratio` times as
        long as the last one; if not given, the guess is the last state.

    Examples
    --------
    >>> found = continued(lambda p, x: x + 1 if p < 0.7 else None, 0, first=0.5)
    >>> round(found.parameter, 3), found.complete
    (0.7, False)
    """
    state, at, step, steps, failed = start, 0.0, first, 0, 0
    before: tuple[X, float] | None = None
    while at < 1 and step >= shortest:
        to = min(1.0, at + step)
        guess = state
        if predict is not None and before is not None:
            guess = predict(before[0], state, (to - at) / (at - before[1]))
        found = reach(to, guess)
        if found is None:
            step, failed = step * shrink, failed + 1
        else:
            before = state, at
            state, at, step, steps = found, to, step * growth, steps + 1
    return Reached(state, at, steps, failed)


def settled(
    solve: Callable[[float, X, int], Outcome[X]],
    start: X,
    *,
    at_once: int,
    in_step: int,
    shrink: float = 0.5,
    shortest: float = 1e-4,
    predict: Callable[[X, X, float], X] | None = None,
) -> tuple[Outcome[X], float]:
    """Newton's method at parameter 1 at once; where that fails, in steps from parameter 0.

    Parameters
    ----------
    solve : (parameter, guess, most iterations) -> outcome of Newton's method.
    start : the guess, and the solution at parameter 0.
    at_once, in_step : most iterations of the first attempt, and of each step.
    shrink, shortest, predict : see `continued`.

    Returns
    -------
    The outcome of Newton's method at parameter 1, from as near as was reached, with the iterations
    of all attempts; and the parameter up to which there are solutions, 1 where it converged.
    """
    last = solve(1.0, start, at_once)
    iterations = last.iterations
    if last.converged:
        return last, 1.0

    def reach(parameter: float, x: X) -> X | None:
        nonlocal last, iterations
        last = solve(parameter, x, in_step)
        iterations += last.iterations
        return last.x if last.converged else None

    found = continued(reach, start, shrink=shrink, shortest=shortest, predict=predict)
    if not found.complete:
        last = solve(1.0, found.state, 0)
    return replace(last, iterations=iterations), found.parameter
