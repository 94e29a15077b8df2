"""Along a branch of equilibria where it turns back: steps along its own length [Keller1977]."""

import numpy as np

from chorda.mechanics import Array
from chorda.results import Code, Status
from chorda.statics.curve import Curve, On
from chorda.statics.problem import Problem
from chorda.statics.visiting import visit

MOST = 2000  # points
SHORTEST, LONGEST = 1e-6, 0.5  # steps
FEW, MANY = 3, 5  # corrections: longer steps below, shorter ones above


def turn_folds(
    problem: Problem, x: Array, here: Array, targets: Array
) -> tuple[Array, Array, Array, Status]:
    """Shares, rows of targets, states and status, to the end of the path or back to its start."""
    first, rows, _, status = visit(problem, x, here, targets[:1])
    if not status.ok:
        return np.zeros(1), rows, first, status
    curve = Curve(problem, targets)
    y = On(first[0], 0.0)
    along = np.zeros(problem.nz + 1)
    along[-1] = 1.0
    tangent = curve.tangent(y, along)
    step = min(LONGEST, 1 / (max(len(targets) - 1, 1) * max(tangent[-1], 1e-3)))
    found, folds = [y], 0
    while len(found) < MOST and step > SHORTEST:
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
            break
        turned = curve.tangent(after, tangent)
        if float(np.sum(curve.weights * turned * tangent)) < 0.7 and step > 1e-4:
            step /= 2  # a sharp bend, or another branch
            continue
        folds += int(turned[-1] * tangent[-1] < 0)
        y, tangent = after, turned
        found.append(y)
        step = min(LONGEST, step * (1.4 if count <= FEW else 0.7 if count >= MANY else 1.0))
    share = np.array([x.s for x in found])
    rows = np.array([curve.target(s) for s in share])
    return share, rows, np.array([x.x for x in found]), _told(share, folds)


def _cut(curve: Curve, a: On, b: On, s: float) -> On | None:
    """Where the curve between two points has a given share."""
    part = (s - a.s) / (b.s - a.s)
    guess = curve.moved(a, part * curve.change(a, b))
    along = np.zeros(curve.problem.nz + 1)
    along[-1] = 1.0
    made = curve.corrected(On(guess.x, s), along)
    return None if made is None else On(made[0].x, s)


def _told(share: Array, folds: int) -> Status:
    turns = f"{folds} fold{'s' * (folds != 1)}"
    if share[-1] == 1.0:
        return Status(Code.COMPLETED, f"The branch reaches the end of the path over {turns}.")
    if share[-1] == 0.0 and len(share) > 1:
        return Status(
            Code.COMPLETED,
            f"The branch turns back to the beginning of the path over {turns}; on it the path "
            f"can be followed to {share.max():.1%}.",
        )
    return Status(
        Code.STOPPED,
        f"The branch was followed over {turns} to {share[-1]:.1%} of the path, at most "
        f"{share.max():.1%}; it goes on. Try another start.",
    )
