"""Arguments of public calls, checked where they come in: field, expectation, what came."""

import math
import os
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.errors import InputError

LONGEST_NAME = 255  # bytes of a file's name
LONGEST = 60  # characters of a value in a message
NEARLY_UNIT = 1e-6  # what a quaternion's length may be off by: rounding, and printed digits
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = LONGEST


def shown(value: Any) -> str:
    """A value in a message: short, whatever it is."""
    try:
        text = _SHORT.repr(value)
    except Exception:  # a foreign object may fail in its own way
        text = f"something of the type {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def numeric(what: str, value: Any) -> npt.NDArray[np.float64]:
    """An array of floats."""
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what}: expected numbers, got {shown(value)}") from None


def vector(what: str, value: Any, size: int) -> npt.NDArray[np.float64]:
    """So many finite numbers."""
    found = numeric(what, value)
    if found.shape != (size,) or not np.all(np.isfinite(found)):
        raise InputError(f"{what}: expected {size} finite numbers, got {shown(value)}")
    return found


def unit_quaternion(what: str, value: Any) -> npt.NDArray[np.float64]:
    """Quaternions (w, x, y, z), (..., 4): scaled to length 1 if they nearly have it, else refused.

    >>> unit_quaternion("rotation", [0.70710678, 0, 0, 0.70710678]).round(12).tolist()
    [0.707106781187, 0.0, 0.0, 0.707106781187]
    >>> unit_quaternion("rotation", [1, 0, 0, 1])
    Traceback (most recent call last):
    chorda.errors.InputError: rotation: expected a quaternion (w, x, y, z) of length 1, got one of \
length 1.41421356; divide it by its length
    """
    found = numeric(what, value)
    if found.shape[-1:] != (4,):
        raise InputError(f"{what}: expected a quaternion (w, x, y, z), got {shown(value)}")
    length = np.linalg.norm(found, axis=-1, keepdims=True)
    off = ~(np.abs(length - 1) <= NEARLY_UNIT)
    if np.any(off):
        has = float(length[off][0])
        remedy = "divide it by its length" if has else "(1, 0, 0, 0) is no turn"
        raise InputError(
            f"{what}: expected a quaternion (w, x, y, z) of length 1, got one of length "
            f"{has:.9g}; {remedy}"
        )
    return np.asarray(found / length)


def number(
    what: str,
    value: Any,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
    unit: str = "",
) -> float:
    """A finite number within bounds; unit: in words, as in 'seconds'."""
    real = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    within = (
        real
        and _is_finite(value)
        and (above is None or value > above)
        and (least is None or value >= least)
        and (below is None or value < below)
        and (most is None or value <= most)
    )
    if not within:
        positive = above == 0 and below is None and most is None
        kind = "a positive number" if positive else "a finite number"
        ends = {"above": above, "of at least": least, "below": below, "of at most": most}
        bounds = [f"{word} {x:g}" for word, x in ends.items() if x is not None and not positive]
        expected = " ".join(
            [kind, *([f"of {unit}"] if unit else []), " and ".join(bounds)]
        ).rstrip()
        raise InputError(f"{what}: expected {expected}, got {shown(value)}")
    return float(value)


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no float holds
        return False


def whole_number(what: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """A whole number within bounds."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise InputError(f"{what}: expected a whole number {bounds}, got {shown(value)}")
    return int(value)


def flag(what: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{what}: expected True or False, got {shown(value)}")
    return bool(value)


def file_path(what: str, value: Any) -> Path:
    """The path of a file."""
    if not isinstance(value, str | PathLike) or not str(value):
        raise InputError(f"{what}: expected the path of a file, got {shown(value)}")
    found = Path(value)
    try:
        possible = all(len(os.fsencode(part)) <= LONGEST_NAME for part in found.parts)
    except UnicodeEncodeError:  # of halves of characters that no file's name holds
        possible = False
    if "\0" in str(found) or not possible:
        raise InputError(f"{what}: expected the path of a file, got {shown(str(found))}")
    return found


def name_list(what: str, value: Any) -> tuple[str, ...]:
    """A list of names."""
    if isinstance(value, str):
        raise InputError(
            f"{what}: expected a list of names, got {shown(value)}; write [{shown(value)}]"
        )
    zero = isinstance(value, np.ndarray) and value.ndim == 0
    found = tuple(value) if isinstance(value, Iterable) and not zero else (None,)
    if not all(isinstance(x, str) for x in found):
        raise InputError(f"{what}: expected a list of names, got {shown(value)}")
    return found


def mapping(what: str, value: Any, example: str) -> Mapping[str, Any]:
    """Values by name; None is none of them."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{what}: expected a mapping such as {example}, got {shown(value)}")
    for name in value:
        if not isinstance(name, str):
            raise InputError(f"{what}: expected names, such as {example}, got {shown(name)}")
    return value


def check_choice(what: str, value: Any, words: Sequence[str]) -> None:
    """Refuse what is none of the words.

    >>> check_choice("tendons", "soft", ("elastic", "rigid"))
    Traceback (most recent call last):
    chorda.errors.InputError: tendons: expected 'elastic' or 'rigid', got 'soft'
    """
    if not isinstance(value, str) or value not in words:
        *others, last = map(repr, words)
        raise InputError(f"{what}: expected {', '.join(others)} or {last}, got {shown(value)}")


def refuse_idle(given: Mapping[str, Any], why: str, remedy: str) -> None:
    """Refuse the first of the options that were given although they have no effect here.

    >>> refuse_idle({"--kind": None, "--colour": "limits"}, "without --picture", "give --picture")
    Traceback (most recent call last):
    chorda.errors.InputError: --colour: has no effect without --picture; give --picture, or leave \
it out
    """
    for name, value in given.items():
        if value is not None and value is not False:
            raise InputError(f"{name}: has no effect {why}; {remedy}, or leave it out")


def unknown(what: str, name: Any, known: Sequence[str], why: str = "is not there") -> str:
    """The message about a name that does not exist."""
    from difflib import get_close_matches

    near = get_close_matches(str(name), known, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(known) or 'none'}"
    return f"{what}: '{str(name)[:LONGEST]}' {why}; {hint}"


def check_names(what: str, names: Iterable[Any], known: Iterable[str]) -> None:
    """Refuse the first of the names that does not exist."""
    known = tuple(known)
    for name in names:
        if name not in known:
            raise InputError(unknown(what, name, known))


def matching(what: str, patterns: str | Sequence[str], known: Sequence[str]) -> list[int]:
    """Rows of the names that patterns stand for, each once.

    >>> matching("parameters", ["b.mass", "*.mass"], ("a.mass", "a.length", "b.mass"))
    [2, 0]
    """
    rows: dict[int, None] = {}
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        found = [i for i, name in enumerate(known) if fnmatchcase(name, str(pattern))]
        if not found:
            raise InputError(unknown(what, pattern, known))
        rows |= dict.fromkeys(found)
    return list(rows)
