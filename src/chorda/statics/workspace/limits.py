"""Limits of a workspace: ranges of joints, of efforts, of strain and stress."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import System, numeric, unknown
from chorda.statics.prescribed import Layout

ONE_SIDED = ("strain", "stress")


def ranges(
    system: System, layout: Layout, rods: tuple[str, ...], limits: Mapping[str, Any] | None
) -> dict[str, tuple[float, float]]:
    """(low, high) by name: of joints as described, and as given."""
    found = {
        c.name: (c.low, c.high)
        for c in system.coordinates
        if c.kind == "joint" and (np.isfinite(c.low) or np.isfinite(c.high))
    }
    actuated = [x if x in layout.settings else f"{x}.effort" for x in layout.actuated]
    strains = [*ONE_SIDED * bool(rods), *(f"{rod}.{what}" for rod in rods for what in ONE_SIDED)]
    known = (*system.coordinate_names, *actuated, *strains)
    for name, given in (limits or {}).items():
        if name not in known:
            raise InputError(unknown("limits", name, known))
        found[name] = _range(f"limits.{name}", given, name in strains)
    return found


def _range(where: str, given: Any, positive: bool) -> tuple[float, float]:
    x = numeric(where, given)
    if x.ndim == 0 and float(x) > 0:
        return (-np.inf if positive else -float(x)), float(x)
    if x.shape != (2,) or not x[0] <= x[1]:
        raise InputError(
            f"{where}: expected (low, high), or one positive number for both sides, "
            f"got {given!r:.60}"
        )
    return float(x[0]), float(x[1])
