"""The parts of a System: small records of names and expressions, by subject."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.errors import InputError
from chorda.mechanics.frames import Expr, Pose
from chorda.mechanics.tree import Tree

Array = npt.NDArray[np.float64]
POSITIVE = tuple(  # ends of names of parameters that are divided by
    f".{x}"
    for x in (
        *("length", "diagonal_length", "bar_length", "radius", "drum_radius", "gear_ratio"),
        *("young_modulus", "shear_modulus", "density", "taper", "section", "width", "height"),
    )
)


@dataclass(frozen=True)
class Input:
    """One input: a motor torque [N m], a tension [N], a paid-out length [m] or its rate [m/s].

    A rate ("winch.rate") is there where a tendon's damping answers to it.
    """

    name: str
    unit: str
    kind: str


@dataclass(frozen=True)
class Output:
    """A named output, a column with a label for each row; may use q, v, a, lam, u, p."""

    name: str
    unit: str
    dimension: str
    labels: tuple[str, ...]
    expression: Expr


@dataclass(frozen=True, eq=False)
class ParameterTable:
    """The parameters in the order of the symbol p."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array  # as described
    signed: tuple[bool, ...]  # whether a negative value makes sense

    def changed(self, changes: Mapping[str, float] | None = None) -> Array:
        """Values with changes by name; '*' in a name changes all that match."""
        values = self.values.copy()
        for name, value in (changes or {}).items():
            rows = matching("parameters", name, self.names)
            number = numeric(f"parameters.{name}", value)
            if number.ndim or not np.isfinite(number):
                raise InputError(f"parameters: '{name}' must be a finite number, got {value}")
            if number < 0 and not all(self.signed[i] for i in rows):
                raise InputError(f"parameters: '{name}' must not be negative, got {value}")
            if number == 0 and any(self.names[i].endswith(POSITIVE) for i in rows):
                raise InputError(f"parameters: '{name}' must be greater than 0, got {value}")
            values[rows] = number
        return values


@dataclass(frozen=True, eq=False)
class Dynamics:
    """M a = F + J^T lam and q_dot = N v."""

    N: Expr
    M: Expr
    F: Expr  # all forces, dry friction included
    F_pulled: Expr  # F with every tension replaced by its symbol in `Tendons.pulls`
    slack_force: Expr  # F of the joints at rest, without tensions and actuators
    dry: Expr  # the part of F that is dry friction
    jumping: Expr  # the part of dry friction that jumps where a rate changes sign
    residual: Expr  # M a - F by inverse dynamics, which is cheaper than M and F apart
    kinetic: Expr  # energy [J]
    potential: Expr  # energy [J]
    approximate_tangent: tuple[Expr, Expr] | None  # K and D for Newton's matrix of robots with rods


@dataclass(frozen=True, eq=False)
class Constraints:
    """psi(q, u, p) = 0: closures, and rigid tendons whose length no motor's angle follows."""

    names: tuple[str, ...]
    psi: Expr
    J: Expr  # psi_dot = J v + psi_u u_dot
    psi_u: Expr  # of the lengths that actuators pay out
    bias: Expr  # psi_dot_dot = J a + bias


@dataclass(frozen=True)
class Line:
    """Something to draw: a bar, link, spring, tendon or pulley through columns of points.

    marks: columns that are eyelets and attachments of a tendon, or the centre of a pulley.
    """

    kind: str
    name: str
    points: tuple[int, ...]
    marks: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Frames:
    """Poses in the world of all frames of the tree by name, made when first asked for."""

    tree: Tree

    def __getitem__(self, name: str) -> Pose:
        return self.tree.pose(self.tree.index[name])

    def __contains__(self, name: str) -> bool:
        return name in self.tree.index


def numeric(what: str, value: Any) -> Array:
    """An array of floats, or an error that names what came instead."""
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected numbers, got {value!r:.60}") from None


def unknown(what: str, name: str, known: tuple[str, ...], why: str = "is not there") -> str:
    """The message about a name that does not exist."""
    from difflib import get_close_matches

    near = get_close_matches(str(name), known, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(known) or 'none'}"
    return f"{what}: '{name}' {why}; {hint}"


def check_names(what: str, names: Iterable[str], known: Iterable[str]) -> None:
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
        found = [i for i, name in enumerate(known) if fnmatchcase(name, pattern)]
        if not found:
            raise InputError(unknown(what, pattern, tuple(known)))
        rows |= dict.fromkeys(found)
    return list(rows)


def check_choice(what: str, value: Any, words: Sequence[str]) -> None:
    """Refuse what is none of the words.

    >>> check_choice("tendons", "soft", ("elastic", "rigid"))
    Traceback (most recent call last):
    chorda.errors.InputError: tendons: expected 'elastic' or 'rigid', got 'soft'
    """
    if value not in words:
        *others, last = map(repr, words)
        raise InputError(f"{what}: expected {', '.join(others)} or {last}, got {value!r}")
