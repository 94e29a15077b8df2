"""Closures along motions and at starts: whether they are closed, and whether they are singular."""

from dataclasses import dataclass

import numpy as np

from chorda.compile.columns import at_columns
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.redundancy import LENGTH
from chorda.numerics.array_library import library
from chorda.results import Code, Status

OPEN = 0.02  # of what a large change of the coordinates opens: a loop that has come apart
SINGULAR = 1e-5  # of the largest singular value: closures that depend on each other
NEARLY_SINGULAR = 1e-3  # the same where a motion could not go on
SURELY = 1e-4  # of that: so small a gap is none, however much shorter levers get on the way
LOOKS = 64  # at most, at a stretch of a motion
NAMED = 1e-3  # of the largest part of a closure in a dependence


@dataclass(frozen=True)
class Opened:
    """A loop that came apart, and the row of the motion."""

    name: str
    gap: float
    row: int

    def status(self, when: str) -> Status:
        return Status(
            Code.DIVERGED,
            f"Closure {self.name} came apart {when}: it is open by {self.gap:.3g}. Try a smaller "
            "step; near singular configurations of the loops no step may be small enough.",
        )


def may_open(system: System) -> bool:
    """Whether there are loops; lengths of tendons, which inputs may set, are not looked at."""
    return not all(name.endswith(LENGTH) for name in system.constraints.all_names)


def opened(system: System, X: Array, U: Array, p: Array) -> Opened | None:
    """The first of some rows (states, inputs) of a motion where a closure is open, row 0 apart."""
    if not may_open(system) or len(X) < 2:
        return None
    rows = np.unique(np.linspace(1, len(X) - 1, LOOKS).astype(int))
    psi, wide = _gaps(system, X[rows, : system.nq].T, U[rows].T, p[:, None])
    if not wide.any():
        return None
    k = int(np.argmax(wide.any(axis=0)))
    worst = int(np.argmax(np.where(wide[:, k], np.abs(psi[:, k]), 0.0)))
    return Opened(system.constraints.all_names[worst], float(abs(psi[worst, k])), int(rows[k]))


def opened_columns(
    system: System, q: Array, u: Array, p: Array, led: bool = True, whole: int = 0
) -> "np.typing.NDArray[np.bool_]":
    """Which of many configurations (columns) have a closure that is open; led: whether those count
    that inputs move; whole: how many there are in all, where these are a piece."""
    wide = _gaps(system, q, u, p, whole)[1]
    rows = np.ones(len(wide), bool)
    if not led:
        rows[system.constraints.psi_u.sparsity().get_triplet()[0]] = False
    return np.asarray(wide[rows].any(axis=0))


def _gaps(system: System, q: Array, u: Array, p: Array, whole: int = 0) -> tuple[Array, Array]:
    """How far closures are open (closures, n), and which of them are wide.

    Where all are shut so well that no lever need be looked at, none is: levers of rods cost many
    times what the gaps do.
    """
    lengths = [name.endswith(LENGTH) for name in system.constraints.all_names]
    (psi,) = at_columns(system, system.gaps, q, u, p, whole=whole)
    lever = np.abs(system.closing_all(q[:, 0], u[:, 0], p[:, 0])[1].full()) * system.scales
    gaps = np.abs(np.where(np.array(lengths)[:, None], 0.0, psi))
    doubt = np.flatnonzero(~(gaps.max(axis=0) < SURELY * OPEN * np.max(lever)))  # or a NaN
    wide = np.zeros(gaps.shape, bool)
    if len(doubt):
        own = (_of(x, doubt) for x in (q, u, p))
        J = at_columns(system, system.closing_all, *own)[1]
        lever = np.abs(J.reshape(len(psi), len(doubt), system.nv)) * system.scales
        wide[:, doubt] = gaps[:, doubt] > OPEN * np.max(lever, axis=2)
        least = OPEN * np.max(lever, axis=(0, 2)) * 1e-3  # of rows that nothing moves
        wide[:, doubt] &= gaps[:, doubt] > least
    return psi, wide


def _of(x: Array, columns: "np.typing.NDArray[np.intp]") -> Array:
    return x[:, columns] if x.shape[1] > 1 else x


def singular(
    system: System, q: Array, u: Array, p: Array, small: float = SINGULAR
) -> tuple[str, ...]:
    """Closures that depend on each other in this configuration and not in general."""
    J = system.closing_all(q, u, p)[1].full() * system.scales
    if not system.nc or not np.all(np.isfinite(J)):
        return ()
    U, sizes, _ = np.linalg.svd(J)
    rank = system.constraints.rank
    if rank == 0 or sizes[rank - 1] > small * sizes[0]:
        return ()
    part = np.abs(U[:, rank - 1])
    names = zip(system.constraints.all_names, part, strict=True)
    return tuple(name for name, x in names if x > NAMED * part.max())


def singular_columns(
    system: System, q: Array, u: Array, p: Array, whole: int = 0
) -> "np.typing.NDArray[np.bool_]":
    """Which of many configurations (columns) have closures that depend on each other.

    whole: how many there are in all, where these are a piece.
    """
    n, rank = q.shape[1], system.constraints.rank
    J = at_columns(system, system.closing_all, q, u, p, whole=whole)[1]
    xp = library(J)
    J = J.reshape(len(J), n, -1).transpose(1, 0, 2) * xp.asarray(system.scales)
    if not system.nc or not rank or not len(J):
        return xp.zeros(n, bool)
    sizes = xp.linalg.svd(J, compute_uv=False)
    found: np.typing.NDArray[np.bool_] = sizes[:, rank - 1] <= SINGULAR * sizes[:, 0]
    return found


def refuse_singular(system: System, q: Array, u: Array, p: Array) -> None:
    """Refuse a start from which the motion of the loops is not determined."""
    if names := singular(system, q, u, p):
        raise InputError(
            f"initial: in this configuration, a singular one, nothing holds {', '.join(names)} of "
            "the closures, so that the loops could move in several ways from it; start beside it, "
            "or give other start values"
        )
