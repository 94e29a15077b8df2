"""Parameters of many members at once: a number is shared by all, an array has one for each."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from chorda.checks import numeric
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.parameter_rules import check_together


def parameter_columns(
    system: System, given: Mapping[str, Any] | None, members: int, base: Array | None = None
) -> Array:
    """(parameters, members), or (parameters, 1) where all share them.

    given: numbers or arrays (members) by name; base: the others, (parameters) or columns of them,
    as described if not given.
    """
    given = given or {}
    if not isinstance(given, Mapping):
        raise InputError(f"parameters: expected a mapping by name, got {given!r:.60}")
    shared = system.parameter_values if base is None else base
    shared = shared[:, None] if shared.ndim == 1 else shared
    varies = shared.shape[1] > 1 or any(np.ndim(value) for value in given.values())
    out = np.repeat(shared, members if varies and shared.shape[1] == 1 else 1, 1)
    for name, value in given.items():
        values = numeric(f"parameters.{name}", value)
        if values.ndim > 1:
            raise InputError(
                f"parameters.{name}: expected a number for each member, got {values.shape}"
            )
        out[system.parameter_table.rows_of(name, values)] = values
    if given:
        check_together(system.parameter_names, out)
    return out
