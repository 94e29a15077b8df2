"""Starts with their closures shut, one or many at once.

Configurations and velocities are one (nq), (nv), or columns of many; inputs, their rates and
parameters likewise, or one column that all share.
"""

from collections.abc import Collection, Mapping

import casadi as ca
import numpy as np

from chorda.compile.columns import at_columns
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.array_library import host, library
from chorda.numerics.pacing import Watch, pieces
from chorda.statics.loop_checks import refuse_singular, singular_columns

MAX_ITERATIONS = 100
LONGEST_MOVE = 0.3  # [rad or m] in an iteration
CLOSED, OPEN = 1e-12, 1e-9  # where iterating ends; a closure that stays open
TORN = 1e-8  # of the velocities
RANK = 1e-10  # of the largest singular value
INDEPENDENT = 1e6  # condition of A A^T below which all rows count


def closed(
    system: System,
    initial: object,
    q: Array,
    v: Array,
    u: Array,
    u_rate: Array,
    p: Array,
    watch: Watch | None = None,
) -> tuple[Array, Array]:
    """The start with its closures shut: what was given by name is held, the rest gives way.

    initial: what the user gave, of which the names matter. u_rate: of the inputs at the start,
    which a winch passes on to what hangs on it. watch: see `numerics.pacing`.
    """
    if not system.nc:
        return q, v
    given = set(initial) if isinstance(initial, Mapping) else set()
    Q, V, *others = (x[:, None] if x.ndim == 1 else x for x in (q, v, u, u_rate, p))
    xp = library(Q, *others)
    Q, V, *others = (xp.asarray(x) for x in (Q, V, *others))
    n, Q, V = Q.shape[1], Q.copy(), V.copy()
    for at in pieces(n, watch) if xp is np else [slice(0, n)]:
        own = [x[:, at] if x.shape[1] == n else x for x in others]
        try:
            Q[:, at] = _shut(system, given, Q[:, at], own[0], own[2], n)
            V[:, at] = _led(system, given, Q[:, at], V[:, at], *own, whole=n)
        except _Refused as refused:
            which = "" if q.ndim == 1 else f"of member {at.start + refused.member}: "
            raise InputError(f"initial: {which}{refused}") from None
    return (Q[:, 0], V[:, 0]) if q.ndim == 1 else (Q, V)


class _Refused(Exception):
    """A sentence, and the column that it is about."""

    def __init__(self, member: int, text: str) -> None:
        super().__init__(text)
        self.member = member


def moved(system: System, q: Array, move: Array) -> Array:
    """q after a small move along the velocities, quaternions kept at unit length."""
    if q.ndim == 1:
        q = q + (system.kinematics(q) @ move).full()[:, 0]  # the matrix is sparse
    else:
        q = q + (move if system.nq == system.nv else _product(_kinematics(system, q), move))
    for start in system.quaternions:
        q[start : start + 4] /= library(q).linalg.norm(q[start : start + 4], axis=0)
    return q


def _kinematics(system: System, q: Array) -> Array:
    """(n, nq, nv)."""
    return _matrices(at_columns(system, system.kinematics, q)[0], q.shape[1])


def _shut(
    system: System, given: Collection[str], q: Array, u: Array, p: Array, whole: int
) -> Array:
    """Newton's method on all columns, each until its own closures are shut; whole: how many
    columns there are beside these."""
    names = [name for name, _ in system.velocities]
    free = [i for i, name in enumerate(names) if name.removesuffix(".rate") not in given]
    xp = library(q)
    left, q = xp.arange(q.shape[1]), q.copy()
    for _ in range(MAX_ITERATIONS):
        here = q[:, left], _of(u, left), _of(p, left)
        psi, J = _closing(system, system.closing_all, *here, whole)
        _refuse_nan(left, psi, J)
        far = abs(psi).max(axis=0) >= CLOSED
        left, psi, J = left[far], psi[:, far], J[far]
        if not len(left):
            break
        step = _least(J[:, :, free], -psi)
        move = xp.zeros((system.nv, len(left)))
        largest = xp.maximum(abs(step).max(axis=0), 1e-12) if free else xp.ones(len(left))
        move[free] = step * xp.minimum(1.0, LONGEST_MOVE / largest)
        q[:, left] = moved(system, q[:, left], move)
    else:
        gaps = abs(psi).max(axis=0)
        worst = int(gaps.argmax())
        row = int(abs(psi[:, worst]).argmax())
        if gaps[worst] > OPEN:
            name = system.constraints.all_names[row]
            raise _Refused(
                int(left[worst]),
                f"the closures cannot be shut from here: {name} stays open by "
                f"{float(gaps[worst]):.3g}; give other start values, or fewer",
            )
    for m in host(xp.flatnonzero(singular_columns(system, q, u, p, whole))):
        refuse_singular(system, *(host(_of(x, [m])[:, 0]) for x in (q, u, p)))
    return q


def _led(
    system: System,
    given: Collection[str],
    q: Array,
    v: Array,
    u: Array,
    u_rate: Array,
    p: Array,
    *,
    whole: int,
) -> Array:
    """Velocities that keep the closures shut."""
    names = [name for name, _ in system.velocities]
    free = [i for i, name in enumerate(names) if name not in given]
    J = _closing(system, system.closing, q, u, p, whole)[1]
    v, paid = v.copy(), library(v).asarray(ca.evalf(system.constraints.psi_u).full()) @ u_rate
    v[free] -= _least(J[:, :, free], _product(J, v) + paid)
    torn = abs(_product(J, v) + paid).max(axis=0) > TORN * (1 + abs(v).max(axis=0))
    if bool(torn.any()):
        text = "the given velocities tear the closures; give fewer of them"
        raise _Refused(int(torn.argmax()), text)
    return v


def _closing(
    system: System, function: object, q: Array, u: Array, p: Array, whole: int
) -> tuple[Array, Array]:
    """psi (closures, n) and J (n, closures, nv)."""
    psi, J = at_columns(system, function, q, u, p, whole=whole)
    return psi, _matrices(J, q.shape[1])


def _refuse_nan(members: "np.typing.NDArray[np.intp]", psi: Array, J: Array) -> None:
    xp = library(psi)
    fine = xp.isfinite(psi).all(axis=0) & xp.isfinite(J).all(axis=(1, 2))
    if not bool(fine.all()):
        text = "the closures are not finite numbers here; give other start values"
        raise _Refused(int(members[fine.argmin()]), text)


def _matrices(side_by_side: Array, n: int) -> Array:
    """(n, rows, columns)."""
    return side_by_side.reshape(len(side_by_side), n, -1).transpose(1, 0, 2)


def _product(A: Array, x: Array) -> Array:
    """A matrix for each column."""
    found: Array = library(A).einsum("nij,jn->in", A, x)
    return found


def _least(A: Array, right: Array) -> Array:
    """The least solutions of A x = right in the sense of least squares, a column each.

    Where rows are independent they are A^T (A A^T)^-1 right, which costs little; elsewhere singular
    values tell which rows count.
    """
    xp, At = library(A), A.transpose(0, 2, 1)
    G = A @ At
    try:
        inverse = xp.linalg.inv(G)
    except np.linalg.LinAlgError:
        inverse = xp.full_like(G, np.nan)
    with np.errstate(invalid="ignore", over="ignore"):
        size = abs(G).sum(axis=2).max(axis=1) * abs(inverse).sum(axis=2).max(axis=1)
        x = _product(At @ inverse, right)
    rest = xp.flatnonzero(~(size < INDEPENDENT))
    if len(rest):
        x[:, rest] = _product(xp.linalg.pinv(A[rest], rcond=RANK), right[:, rest])
    return x


def _of(x: Array, members: "np.typing.NDArray[np.intp] | list[np.intp]") -> Array:
    return x[:, members] if x.shape[1] > 1 else x
