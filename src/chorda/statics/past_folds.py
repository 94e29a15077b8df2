"""Continuation past folds: steps along the length of a branch [Keller1977]."""

import numpy as np

from chorda.mechanics import Array
from chorda.results import Code, Status
from chorda.statics.branch import Branch, solve_along, within
from chorda.statics.curve import Curve, CurvePoint
from chorda.statics.problem import Problem
from chorda.statics.ranges import Limits

MAX_POINTS = 2000
SHORTEST_STEP, LONGEST_STEP = 1e-6, 0.5
FEW_CORRECTIONS, MANY_CORRECTIONS = 3, 5  # longer steps below, shorter ones above
SHARP_BEND = 0.7  # cosine between two tangents: a shorter step is tried


def continue_past_folds(
    problem: Problem, x: Array, here: Array, targets: Array, limits: Limits
) -> Branch:
    """The branch to the end of the path, or back to its start."""
    begin = solve_along(problem, x, here, targets[:1], limits)
    if not begin.status.ok:
        return begin._replace(parameters=np.zeros(1))
    curve = Curve(problem, targets)
    y = CurvePoint(begin.states[0], 0.0)
    tangent = curve.tangent(y, curve.along_path)
    step = min(LONGEST_STEP, 1 / (max(len(targets) - 1, 1) * max(tangent[-1], 1e-3)))
    found, counts, folds = [y], [int(begin.iterations[0])], 0
    while len(found) < MAX_POINTS and step > SHORTEST_STEP:
        made = curve.corrected(curve.moved(y, step * tangent), tangent)
        if made is None:
            step /= 2
            continue
        after, count = made
        if after.s >= 1 or (after.s <= 0 and len(found) > 1):
            end = _cut(curve, y, after, 1.0 if after.s >= 1 else 0.0)
            if end is None:
                step /= 2
                continue
            found.append(end)
            counts.append(count)
            break
        turned = curve.tangent(after, tangent)
        if float(np.sum(curve.weights * turned * tangent)) < SHARP_BEND and step > 1e-4:
            step /= 2  # a sharp bend, or another branch
            continue
        folds += int(turned[-1] * tangent[-1] < 0)
        y, tangent = after, turned
        found.append(y)
        counts.append(count)
        factor = 1.4 if count <= FEW_CORRECTIONS else 0.7 if count >= MANY_CORRECTIONS else 1.0
        step = min(LONGEST_STEP, step * factor)
    parameter = np.array([x.s for x in found])
    rows = np.array([curve.target(s) for s in parameter])
    states = np.array([x.x for x in found])
    whole = Branch(states, rows, parameter, np.array(counts), _status(parameter, folds))
    return within(problem, whole, limits)


def _cut(curve: Curve, a: CurvePoint, b: CurvePoint, s: float) -> CurvePoint | None:
    """Where the curve between two points has a given path parameter."""
    part = (s - a.s) / (b.s - a.s)
    guess = curve.moved(a, part * curve.change(a, b))
    made = curve.corrected(CurvePoint(guess.x, s), curve.along_path)
    return None if made is None else CurvePoint(made[0].x, s)


def _status(parameter: Array, folds: int) -> Status:
    turns = f"{folds} fold{'s' * (folds != 1)}"
    if parameter[-1] == 1.0:
        return Status(Code.COMPLETED, f"The branch reaches the end of the path over {turns}.")
    if parameter[-1] == 0.0 and len(parameter) > 1:
        return Status(
            Code.COMPLETED,
            f"The branch turns back to the beginning of the path over {turns}; on it the path "
            f"can be followed to {parameter.max():.1%}.",
        )
    return Status(
        Code.STOPPED,
        f"The branch was followed over {turns} to {parameter[-1]:.1%} of the path, at most "
        f"{parameter.max():.1%}; it goes on. Try another start.",
    )
