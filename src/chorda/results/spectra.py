"""Stability of configurations at rest: eigenvalues of Hessians, and the one rule that reads them.

The signs are those of a Hessian whose rows are scaled alike, so that metres, radians and modes of
rods weigh the same; scaling on both sides keeps them. What is then zero to rounding is neutral.
Where forces have no energy, the stiffness is not symmetric and its signs say nothing: there the
eigenvalues of the linearised motion decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array

Kind = Literal["locked", "constant efforts"]
KINDS: tuple[Kind, ...] = ("locked", "constant efforts")
ZERO_EIGENVALUE = 1e-11  # of the largest one, after scaling
ZERO_ROW = 1e-14  # of the largest entry: nothing resists along it
ZERO_ENERGY = 1e-21  # [J] what rounding leaves of an energy that is the same everywhere
KEPT_BYTES = 32_000_000  # of stiffnesses
Counts = npt.NDArray[np.int16]
Criterion = Literal["energy", "motion"]
Instability = Literal["", "divergence", "flutter"]


class Word(StrEnum):
    """What becomes of a robot at rest that is disturbed a little."""

    STABLE = "stable"
    NEUTRAL = "neutral"
    UNSTABLE = "unstable"
    UNKNOWN = "unknown"  # there is no equilibrium


def word(negative: int, neutral: int) -> Word:
    """The rule: one negative eigenvalue is unstable, else a zero one neutral, else stable; a count
    below 0 stands for no equilibrium."""
    if negative < 0:
        return Word.UNKNOWN
    return Word.UNSTABLE if negative else Word.NEUTRAL if neutral else Word.STABLE


def instability(unstable: bool, leading: complex) -> Instability:
    """How an unstable robot leaves its place: one way (divergence), or swinging (flutter)."""
    if not unstable:
        return ""
    return "flutter" if np.isfinite(leading) and leading.imag else "divergence"


def growth(leading: complex) -> str:
    """How fast a motion leaves its place, in words.

    >>> growth(2 + 31.416j)
    'a small motion grows e-fold in 0.5 s, swinging at 5 Hz'
    """
    swings = f", swinging at {abs(leading.imag) / (2 * np.pi):.3g} Hz" if leading.imag else ""
    return f"a small motion grows e-fold in {1 / leading.real:.2g} s{swings}"


def criterion(leading: complex) -> Criterion:
    """What decided: the energy has no eigenvalue of a motion."""
    return "energy" if np.isnan(leading) else "motion"


@dataclass(frozen=True, eq=False)
class Spectra:
    """Of many configurations (rows), for one kind of disturbance.

    Attributes
    ----------
    kind : "locked": what is actuated stays in its place; "constant efforts": it moves, and its
        effort stays [Briot2022, eqs. 54-59].
    stiffness : (n, moves, moves) [J] by coordinates in their scales, NaN where a solver failed so
        far away that it is not finite; or where that is too much to keep, its eigenvalues.
    negative, neutral : (n) how many eigenvalues are negative, and zero; where the motion decides,
        how many of its own grow, and how many are zero. -1 where there is no equilibrium.
    leading : (n) of the motion, the eigenvalue [1/s] that grows fastest or fades slowest; NaN where
        the energy decides.
    """

    kind: Kind
    stiffness: Array
    negative: Counts
    neutral: Counts
    leading: npt.NDArray[np.complex128]

    @classmethod
    def of(cls, kind: Kind, K: Array, *more: npt.NDArray[Any]) -> "Spectra":
        """From stiffnesses K (n, moves, moves): they are kept, or their eigenvalues."""
        return cls(kind, K if K.nbytes < KEPT_BYTES else stiffness_eigenvalues(K, more[-1]), *more)

    @classmethod
    def joined(cls, parts: Sequence["Spectra"]) -> "Spectra":
        """Of pieces, one after the other: all have kept stiffnesses, or all eigenvalues."""
        columns = zip(*(x.columns for x in parts), strict=True)
        return cls(parts[0].kind, *(np.concatenate(x) for x in columns))

    @property
    def columns(self) -> tuple[npt.NDArray[Any], ...]:
        """stiffness, negative, neutral, leading."""
        return self.stiffness, self.negative, self.neutral, self.leading

    @cached_property
    def eigenvalues(self) -> Array:
        """(n, moves) [J], ascending; real parts where the motion decides."""
        K = self.stiffness
        return K if K.ndim == 2 else stiffness_eigenvalues(K, self.leading)

    @property
    def moves(self) -> int:
        """How many directions there are."""
        return self.stiffness.shape[1]

    @property
    def criterion(self) -> tuple[Criterion, ...]:
        """What decided, the energy or the motion."""
        return tuple(criterion(x) for x in self.leading.tolist())

    @property
    def instability(self) -> tuple[Instability, ...]:
        """ "divergence" or "flutter" of what is unstable, else nothing."""
        both = zip(self.negative.tolist(), self.leading.tolist(), strict=True)
        return tuple(instability(count > 0, x) for count, x in both)

    @property
    def stable(self) -> npt.NDArray[np.bool_]:
        return np.asarray((self.negative == 0) & (self.neutral == 0))

    @property
    def words(self) -> tuple[Word, ...]:
        """Stable, neutral or unstable."""
        return tuple(word(a, b) for a, b in zip(self.negative, self.neutral, strict=True))

    @property
    def margin(self) -> Array:
        """The smallest eigenvalue over the largest: 0 where stability is lost, 1 if none is."""
        return margin(self.eigenvalues)


def stiffness_eigenvalues(K: Array, leading: npt.NDArray[np.complex128]) -> Array:
    """Of stiffnesses (n, m, m), ascending; real parts where the motion decides, NaN where one is
    not finite."""
    finite = np.isfinite(K).all(axis=(1, 2))
    values = np.full(K.shape[:2], np.nan)
    values[finite] = np.linalg.eigvalsh((K[finite] + K[finite].transpose(0, 2, 1)) / 2)
    for k in np.flatnonzero(finite & ~np.isnan(leading)).tolist():
        values[k] = np.sort(np.linalg.eigvals(K[k]).real)
    return values


def margin(eigenvalues: Array) -> Array:
    """The smallest of each row of eigenvalues over the largest one; 1 where there are none."""
    largest = np.max(np.abs(eigenvalues), axis=-1, initial=0.0)
    smallest = eigenvalues[..., 0] if eigenvalues.shape[-1] else np.ones(largest.shape)
    return np.asarray(smallest / np.where(largest > 0, largest, 1.0))


def row_scales(H: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Of H (n, m, m): what scales its rows alike (n, m), zero where nothing resists; and where
    something does."""
    rows = np.max(np.abs(H), axis=2, initial=0.0)
    largest = np.max(rows, axis=1, initial=0.0, keepdims=True)
    resists = rows > np.maximum(ZERO_ROW * largest, ZERO_ENERGY)
    return np.where(resists, 1 / np.sqrt(np.maximum(rows, 1e-300)), 0.0), resists


def _are_positive(H: Array) -> bool:
    """Whether no eigenvalue of any is zero or negative, by a factorisation that costs little."""
    bound = ZERO_EIGENVALUE * np.max(np.sum(np.abs(H), axis=2, initial=0.0), axis=1, initial=0.0)
    try:
        np.linalg.cholesky(H - bound[:, None, None] * np.eye(H.shape[1]))
    except np.linalg.LinAlgError:
        return False
    return bool(np.all(np.isfinite(H)))


def signs(H: Array) -> tuple[Counts, Counts, Array]:
    """Of symmetric H (n, m, m): how many eigenvalues are negative and zero, and the directions of
    the zero ones (n, m, m), as columns; other columns are zero."""
    s, resists = row_scales(H)
    scaled = s[:, :, None] * H * s[:, None, :]
    none = np.zeros(len(H), np.int16)
    if _are_positive(scaled):
        return none, none, np.zeros_like(H)
    values, vectors = np.linalg.eigh(scaled)
    small = ZERO_EIGENVALUE * np.max(np.abs(values), axis=1, initial=0.0, keepdims=True)
    neutral = np.abs(values) <= small
    along = np.where(resists, s, 1.0)[:, :, None] * vectors * neutral[:, None, :]
    below, zero = ((values < -small).sum(axis=1), neutral.sum(axis=1))
    return np.asarray(below, np.int16), np.asarray(zero, np.int16), along
