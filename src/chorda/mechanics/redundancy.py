"""Closures that say the same.

Equations that follow from others in every configuration (a loop in a plane, whichever way the plane
stands) are left out, and checked all the same. Some follow only where the loops are closed (the
linkages of Bennett and Sarrus): all of them stay, see constraints.py. Either way the forces are not
unique, and the least ones are given.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import casadi as ca
import numpy as np
import numpy.typing as npt

from chorda.errors import InputError
from chorda.mechanics.configuration_survey import nearby
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import Expr
from chorda.mechanics.skeleton import Skeleton

Array = npt.NDArray[np.float64]
LENGTH = ".length"  # of names of tendons' equations
DEPENDENT = 1e-9  # of the largest row: what is left of one that follows from others
CLOSED = 1e-11  # [m, or sine of an angle] of a loop that counts as closed
MAX_ITERATIONS = 50
SAMPLES, MOVE = 4, 0.2  # closed configurations, and how far they are apart over the scales


class Independent(NamedTuple):
    """Rows that are independent in general, what each row has of them, and rows that are not
    independent where the loops are closed; rank: how many are, there."""

    kept: list[int]
    spread: Array  # (all rows, kept rows): what all forces are of those of the kept rows
    dependent: list[int]
    rank: int


def independent(
    names: Sequence[str], psi: Expr, J: Expr, psi_u: Expr, skeleton: Skeleton, train: Drivetrain
) -> Independent:
    """Rows of psi that say all that can be said, in their order; lengths of tendons come first."""
    tied = [i for i, name in enumerate(names) if name.endswith(LENGTH)]
    if still := [names[i].removesuffix(LENGTH) for i in tied if not J[i, :].nnz()]:
        raise InputError(
            f"{skeleton.robot.name}: {', '.join(still)} cannot stretch, and no joint moves the "
            "points of its path against each other, so that its tension is undetermined; check the "
            "frames of its path, or leave it out"
        )
    if len(names) < 2:
        return Independent(list(range(len(names))), np.eye(len(names)), [], len(names))
    loops = _Loops(psi, J, skeleton, train)
    paid = ca.evalf(psi_u).full()
    rows = np.hstack([np.hstack([loops.slopes(q), paid]) for q in loops.around()])
    with np.errstate(over="ignore"):
        sizes = np.linalg.norm(rows, axis=1)
    if beyond := [name for name, size in zip(names, sizes, strict=True) if not np.isfinite(size)]:
        raise InputError(
            f"{skeleton.robot.name}: {', '.join(beyond)} of the closures are beyond what numbers "
            "can hold; check the units of the points and placements of their frames"
        )
    kept = _chosen(rows, tied)
    if lost := [names[i].removesuffix(LENGTH) for i in tied if i not in kept]:
        raise InputError(
            f"{skeleton.robot.name}: {', '.join(lost)} cannot stretch and ties what others tie "
            "already, so that tensions are undetermined; give it a stiffness (law kelvin-voigt), "
            "and assemble with tendons='elastic'"
        )
    of_kept = np.linalg.lstsq(rows[kept].T, rows.T, rcond=None)[0].T
    spread = of_kept @ np.linalg.inv(of_kept.T @ of_kept)  # least forces that act alike
    spread[np.abs(spread) < DEPENDENT] = 0.0
    rigid = not any(joint.soft for joint in skeleton.tree.joints)
    dependent, rank = _where_closed(loops, kept) if rigid else ([], len(kept))
    return Independent(kept, spread, dependent, rank)


def _where_closed(loops: "_Loops", kept: list[int]) -> tuple[list[int], int]:
    """Of these rows, those that depend on each other wherever the loops are closed; the rank."""
    slopes = [loops.slopes(q)[kept] for q in loops.closed()]
    ranks = [len(_chosen(S, ())) for S in slopes]
    if not slopes or max(ranks) == len(kept):
        return [], len(kept)
    S = slopes[int(np.argmax(ranks))]
    U, sizes, _ = np.linalg.svd(S)
    idle = U[:, int(np.sum(sizes > DEPENDENT * sizes.max())) :]
    part = np.max(np.abs(idle), axis=1)
    return [row for row, x in zip(kept, part, strict=True) if x > 1e-6], max(ranks)


def _chosen(rows: Array, first: Sequence[int]) -> list[int]:
    """Independent rows, always the one of which most is left; those in `first` before others."""
    left = rows / max(float(np.max(np.linalg.norm(rows, axis=1), initial=0.0)), 1e-300)
    kept: list[int] = []
    for group in (first, [i for i in range(len(rows)) if i not in first]):
        while open_ := [i for i in group if i not in kept]:
            sizes = np.linalg.norm(left[open_], axis=1)
            if sizes.max() <= DEPENDENT:
                break
            best = open_[int(np.argmax(sizes > (1 - 1e-6) * sizes.max()))]
            kept.append(best)
            along = left[best] / np.linalg.norm(left[best])
            for _ in range(2):  # rounding
                left = left - np.outer(left @ along, along)
    return sorted(kept)


class _Loops:
    """Numbers of the closures, with the described parameters."""

    def __init__(self, psi: Expr, J: Expr, skeleton: Skeleton, train: Drivetrain) -> None:
        self.skeleton, self.train = skeleton, train
        given = [train.q, train.u, skeleton.par.column]
        self.shape = J.shape
        self.parts = ca.Function("loops", given, [ca.densify(psi), ca.densify(J), train.N])
        self.constants = np.zeros(train.u.numel()), np.array(skeleton.par.values)
        names = [c.name for c in train.coordinates]
        self.start = np.array([c.rest for c in train.coordinates])
        for name, value in skeleton.robot.start.items():
            if name in names:
                self.start[names.index(name)] = value

    def at(self, q: Array) -> tuple[Array, Array, Array]:
        psi, J, N = (x.full() for x in self.parts(q, *self.constants))
        return psi.ravel(), J, N

    def slopes(self, q: Array) -> Array:
        return self.at(q)[1]

    def around(self) -> Any:
        """Configurations about the reference one, with the loops open."""
        found = np.tile(self.start, (len(nearby(self.skeleton).configurations), 1))
        found[:, : self.skeleton.q.numel()] = nearby(self.skeleton).configurations
        return [self._normalized(q) for q in found]

    def closed(self) -> list[Array]:
        """Configurations with the loops closed, the first near the start; none where that fails."""
        first = self._closed(self.start)
        if first is None:
            return []
        random, found = np.random.default_rng(3), [first]
        for _ in range(SAMPLES):
            _, J, N = self.at(found[-1])
            _, sizes, V = np.linalg.svd(J)
            free = V[int(np.sum(sizes > DEPENDENT * max(sizes.max(), 1e-300))) :]
            if not len(free):
                break
            move = random.standard_normal(len(free)) @ free
            move *= MOVE / np.max(np.abs(move))
            if (q := self._closed(found[-1] + N @ move)) is not None:
                found.append(q)
        return found

    def _closed(self, q: Array) -> Array | None:
        for _ in range(MAX_ITERATIONS):
            q = self._normalized(q)
            psi, J, N = self.at(q)
            if not np.all(np.isfinite(J)):
                return None
            if np.max(np.abs(psi)) < CLOSED:
                return q
            step = np.linalg.lstsq(J, -psi, rcond=1e-8)[0]
            q = q + N @ (step * min(1.0, 0.3 / max(float(np.max(np.abs(step))), 1e-12)))
        return None

    def _normalized(self, q: Array) -> Array:
        q = q.copy()
        for start in self.skeleton.quaternions:
            q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
        return q
