"""Stretches of straight-line code that occur again and again, with other operands.

Where a stretch begins is decided by the statements around its first alone. So the same statements
are cut alike wherever they occur, as the joints of a robot and the cables at each of them do.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from chorda.compile.statements import NO_OPERAND, Statements, Whole

NEAR_OPERANDS = 64  # statements back, up to which it matters which one an operand is
SEEN_STATEMENTS = 12  # statements that decide whether a stretch begins
DISTANCE = 80  # statements, about, from one beginning to the next
MIN_LENGTH, MAX_LENGTH = 40, 400  # calls cost time; compile time grows faster than length
MIN_SHARE = 0.9  # share of their occurrences in which two stretches follow each other: they are one
_FACTOR = np.uint64(6364136223846793005)


def stretches(x: Statements) -> tuple[list[int], Whole]:
    """The kind of each stretch, and where they begin, with the end of the last."""
    letters = _letters(x)
    ends = _cuts(letters)
    known: dict[bytes, int] = {}
    sizes = list[int]()
    kinds = list[int]()
    for first, end in pairwise(ends):
        kind = known.setdefault(letters[first:end].tobytes(), len(known))
        if kind == len(sizes):
            sizes.append(end - first)
        kinds.append(kind)
    kinds = _joined(kinds, sizes)
    return kinds, np.cumsum([0, *[sizes[k] for k in kinds]])


def _letters(x: Statements) -> Whole:
    """A number for each statement, the same for the same operation on operands as far back."""
    back = np.arange(len(x.kind))[:, None] - x.operands
    near = (x.operands >= 0) & (back <= NEAR_OPERANDS)
    far = np.where(x.operands == NO_OPERAND, NEAR_OPERANDS + 1, np.where(near, back, 0))
    whole = (x.kind * (NEAR_OPERANDS + 2) + far[:, 0]) * (NEAR_OPERANDS + 2) + far[:, 1]
    return np.unique(whole, return_inverse=True)[1].astype(np.int64)


def _cuts(letters: Whole) -> list[int]:
    """Where stretches begin: where a hash of what follows is the least far and wide."""
    n = len(letters)
    draws = np.random.default_rng(0).integers(0, 2**63, int(letters.max(initial=0)) + 1, np.uint64)
    value = np.zeros(n, np.uint64)
    for k in range(min(SEEN_STATEMENTS, n)):
        value[: n - k] = value[: n - k] * _FACTOR + draws[letters[k:]]
    edge = np.full(DISTANCE, np.iinfo(np.uint64).max)
    around: npt.NDArray[np.uint64] = sliding_window_view(
        np.concatenate([edge, value, edge]), 2 * DISTANCE + 1
    )
    cuts = [0]
    for at in [*np.flatnonzero(value == around.min(axis=1)).tolist(), n]:
        while at - cuts[-1] > MAX_LENGTH:
            cuts.append(cuts[-1] + MAX_LENGTH)
        if at == n or at - cuts[-1] >= MIN_LENGTH:
            cuts.append(at)
    return cuts


def _joined(kinds: Sequence[int], sizes: list[int]) -> list[int]:
    """Stretches that follow each other nearly always made one; sizes: by kind, which grow."""
    kinds = list(kinds)
    while True:
        count, pairs = Counter(kinds), Counter(pairwise(kinds))
        new: dict[tuple[int, int], int] = {}
        for (a, b), times in pairs.items():
            often = times >= MIN_SHARE * max(count[a], count[b])
            if a != b and often and sizes[a] + sizes[b] <= MAX_LENGTH:
                new[a, b] = len(sizes)
                sizes.append(sizes[a] + sizes[b])
        if not new:
            return kinds
        out, i = list[int](), 0
        while i < len(kinds):
            pair = new.get((kinds[i], kinds[i + 1])) if i + 1 < len(kinds) else None
            out.append(kinds[i] if pair is None else pair)
            i += 1 if pair is None else 2
        kinds = out
