"""How far a robot at rest is from singularities of its kinemato-static model [Briot2022, V.C]."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.statics.at_rest import AtRest, listed, most, move_names, null


@dataclass(frozen=True)
class Singularity:
    """One kind of singularity, and how far it is.

    Attributes
    ----------
    name : str
        Of the kind.
    distance : float
        Inverse condition number of a matrix over unit scales, 0 at the singularity.
    smallest : float
        Its smallest singular value, in `unit`.
    unit : str
        Of the smallest singular value.
    direction : dict
        Where the singularity is: the largest entries by name.
    meaning : str
        What is lost there, in a sentence.

    See Also
    --------
    chorda.kinematostatics : finds them.
    """

    name: str
    distance: float
    smallest: float
    unit: str
    direction: dict[str, float]
    meaning: str

    @property
    def sentence(self) -> str:
        """Its name, distance and direction."""
        return f"{self.name}: {self.distance:.2e} away, towards {listed(self.direction)}"


@interruptible()
@one_thread()
def singularities(
    rest: AtRest, motors: Sequence[int], counted: Sequence[int], moving: Sequence[int]
) -> tuple[Singularity, ...]:
    """motors: rows of v. counted, moving: rows of V that matter, and that move."""
    found = [
        _inverse(rest, motors, counted),
        _forward(rest, motors),
        _legs(rest, motors, moving),
        _closures(rest),
    ]
    return tuple(x for x in found if x is not None)


def _inverse(rest: AtRest, motors: Sequence[int], counted: Sequence[int]) -> Singularity | None:
    """Motors move, the load stays, and what counts of the frame does not follow."""
    n, rows, B = len(motors), rest.V[list(counted)], rest.unit(motors)
    if not n or not len(rows):
        return None
    Z = null(rest.J)
    H = rest.over(Z)
    stiff = float(np.linalg.norm(H, 2)) or 1.0
    C = _even(rows, counted) @ Z
    M = np.block([[-H / stiff, Z.T @ B], [C, np.zeros((len(C), n))]])
    _, sizes, Vt = np.linalg.svd(M)
    v = Z @ Vt[len(sizes) - 1, : Z.shape[1]]
    names = move_names(rest.system)
    return Singularity(
        "type 1 (inverse)",
        float(sizes[-1] / sizes[0]),
        float(sizes[-1]),
        "-",
        most([names[k] for k in motors], B.T @ v),
        "the motors move and the frame does not: the edge of what it can reach",
    )


def _forward(rest: AtRest, motors: Sequence[int]) -> Singularity | None:
    """The robot moves with its motors locked and the load as it is."""
    meaning = "the frame moves with the motors locked: stability is lost"
    return _soft(rest, np.vstack([rest.J, rest.unit(motors).T]), "type 2 (forward)", meaning)


def _legs(rest: AtRest, motors: Sequence[int], moving: Sequence[int]) -> Singularity | None:
    """What is left moves, with neither the motors nor the frame."""
    held = np.vstack([rest.J, rest.unit(motors).T, rest.V[list(moving)]])
    return _soft(rest, held, "legs", "legs move with neither the motors nor the frame")


def _soft(rest: AtRest, held: Array, name: str, meaning: str) -> Singularity | None:
    """Of the Hessian over what is not held."""
    T = null(held)
    if not T.shape[1]:
        return None
    _, sizes, Vt = np.linalg.svd(rest.over(T))
    distance = float(sizes[-1] / sizes[0]) if sizes[0] else 0.0
    direction = most(move_names(rest.system), T @ Vt[-1])
    return Singularity(name, distance, float(sizes[-1]), "J", direction, meaning)


def _closures(rest: AtRest) -> Singularity | None:
    """Forces in the closures that nothing feels."""
    J = rest.J[: rest.system.nc]
    if not len(J):
        return None
    size = np.max(np.abs(J), axis=1, keepdims=True)
    U, sizes, _ = np.linalg.svd(J / np.where(size > 0, size, 1.0))
    smallest = float(sizes[-1]) if len(J) <= J.shape[1] else 0.0
    direction = most(rest.system.constraints.names, U[:, -1])
    meaning = "closures say the same: their forces are not unique"
    distance = smallest / float(sizes[0] or 1.0)
    return Singularity("closures", distance, smallest, "-", direction, meaning)


def _even(rows: Array, which: Sequence[int]) -> Array:
    """Rows of turns and of shifts, each over their size without closures: radians and metres become
    alike."""
    rows = rows.copy()
    for turns in (True, False):
        same = [k for k, row in enumerate(which) if (row < 3) is turns]
        size = float(np.linalg.norm(rows[same], 2)) if same else 0.0
        if size:
            rows[same] /= size
    return rows
