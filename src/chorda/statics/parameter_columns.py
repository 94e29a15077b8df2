"""Parameters of many members at once: a number is shared by all, an array has one for each."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from chorda.checks import mapping, numeric
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.parameter_rules import check_together, is_tied
from chorda.numerics.array_library import host, library


def parameter_columns(
    system: System,
    given: Mapping[str, Any] | None,
    members: int,
    base: Array | None = None,
    xp: Any = np,
) -> Array:
    """(parameters, members), or (parameters, 1) where all share them.

    given: numbers or arrays (members) by name; base: the others, (parameters) or columns of them,
    as described if not given. xp: the library of the result, NumPy or CuPy.
    """
    given = mapping("parameters", given, "{'x1.bar_mass': [0.1, 0.2]}")
    shared = system.parameter_values if base is None else base
    shared = shared[:, None] if shared.ndim == 1 else shared
    varies = shared.shape[1] > 1 or any(np.ndim(value) for value in given.values())
    out = xp.repeat(xp.asarray(shared), members if varies and shared.shape[1] == 1 else 1, 1)
    changed = set[int]()
    for name, value in given.items():
        there = library(value) is not np
        values = value if there else numeric(f"parameters.{name}", value)
        if values.ndim > 1:
            raise InputError(
                f"parameters.{name}: expected a number for each member, got {values.shape}"
            )
        ends = np.array([float(values.min()), float(values.max())]) if there else values
        rows = system.parameter_table.rows_of(name, ends)
        changed |= {*rows}
        out[rows] = xp.asarray(values)
    if given:
        _check_together(system, out, changed)
    return out


def _check_together(system: System, p: Array, changed: set[int]) -> None:
    """Rules that tie parameters; of those on a GPU only what they are about comes to the host."""
    names, lines = system.parameter_names, system.parameter_table.lines
    if library(p) is np:
        check_together(names, p, lines)
        return
    tied = [i for i, name in enumerate(names) if is_tied(name)]
    if changed & {*tied}:
        check_together([names[i] for i in tied], host(p[tied]), lines)
