"""unheld: postures that the tendons cannot hold at rest, on a grid or along a run."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.analyse.series import free_pulleys
from chorda.analyse.transmission import Bound, at_posture
from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric, unknown
from chorda.results import Run
from chorda.solve.initial import check


@dataclass(frozen=True)
class Unheld:
    """A posture that no tensions within the bounds hold at rest."""

    row: int  # of the postures, or time of the run
    position: dict[str, float]
    reason: str


def unheld(
    system: System,
    postures: Run | Array | Mapping[str, Sequence[float]],
    low: Bound = 0.0,
    high: Bound = np.inf,
    *,
    parameters: Mapping[str, float] | None = None,
) -> tuple[Unheld, ...]:
    """Postures that tensions within [low, high] N do not hold against gravity, springs and loads.

    postures: rows of q, a Run, or values by coordinate that span a grid (others at rest).
    """
    check(system)
    p = postures.parameters if isinstance(postures, Run) else system.parameters(parameters)
    free = free_pulleys(system.robot)
    found = []
    for row, q in enumerate(_rows(system, postures)):
        held = at_posture(system, q, p, free).distribute(None, low, high)
        if not held.status.ok:
            position = dict(zip(system.coordinate_names, q.tolist(), strict=True))
            found.append(Unheld(row, position, held.status.message))
    return tuple(found)


def _rows(system: System, postures: Any) -> Array:
    if isinstance(postures, Run):
        return postures.position
    if not isinstance(postures, Mapping):
        rows = np.atleast_2d(numeric("postures", postures))
        if rows.ndim != 2 or rows.shape[1] != system.nq:
            raise InputError(
                f"postures: expected rows of {system.nq} coordinates "
                f"({', '.join(system.coordinate_names)}), got an array of shape {rows.shape}"
            )
        return _finite(rows)
    for name in postures:
        if name not in system.coordinate_names:
            raise InputError(unknown("postures", name, system.coordinate_names))
    values = [np.atleast_1d(numeric(f"postures.{k}", x)).ravel() for k, x in postures.items()]
    grid = np.array(list(itertools.product(*values)), float)
    rows = np.repeat(system.rest[None], len(grid), 0)
    rows[:, [system.coordinate_names.index(name) for name in postures]] = grid
    return _finite(rows)


def _finite(rows: Array) -> Array:
    if not np.all(np.isfinite(rows)):
        raise InputError("postures: expected finite numbers, got NaN or infinity")
    return rows
