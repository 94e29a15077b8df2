"""infeasible: configurations that the tendons cannot hold at rest, on a grid or along a run."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.checks import check_names, numeric
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.progress import Progress
from chorda.results import Run
from chorda.statics.initial import check
from chorda.tendons.tendon_lines import free_pulleys
from chorda.tendons.tendon_structure import Bound
from chorda.tendons.transmission import at_configuration


@dataclass(frozen=True)
class Infeasible:
    """A configuration that no tensions within the bounds hold at rest.

    Attributes
    ----------
    row : int
        Of the configurations, or of the times of the run.
    position : dict
        Coordinates by name [rad, m].
    reason : str
        Which joint and direction fails.

    See Also
    --------
    infeasible : finds them.
    """

    row: int
    position: dict[str, float]
    reason: str


@interruptible()
def infeasible(
    system: System,
    configurations: Run | Array | Mapping[str, Sequence[float]],
    low: Bound = 0.0,
    high: Bound = np.inf,
    *,
    parameters: Mapping[str, float] | None = None,
    progress: bool | None = None,
) -> tuple[Infeasible, ...]:
    """Find configurations that the tendons cannot hold against gravity, springs and loads.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    configurations : Run, array of shape (n, nq), or mapping
        The times of a run, rows of coordinates, or values by coordinate that span a grid, with the
        others at rest.
    low, high : float or array of shape (tendons,)
        Bounds of the tensions [N].
    parameters : mapping, optional
        Changed values by name; those of a Run are its own.
    progress : bool, optional
        Whether a progress bar is shown; by default on terminals, after a second.

    Returns
    -------
    tuple of Infeasible
        The row, the position and the reason of each; empty where all can be held.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    transmission : one configuration in detail.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> infeasible(assemble(load("neck-1")), {"x1": [-0.5, 0.0, 0.5]})
    ()
    """
    check(system)
    p = (
        configurations.parameters
        if isinstance(configurations, Run)
        else system.parameters(parameters)
    )
    free = free_pulleys(system.robot)
    found, rows = [], _rows(system, configurations)
    with Progress(len(rows), progress, f"{system.robot.name}, what tendons hold") as bar:
        for row, q in enumerate(rows):
            held = at_configuration(system, q, p, free).distribute(None, low, high)
            if not held.status.ok:
                position = dict(zip(system.coordinate_names, q.tolist(), strict=True))
                found.append(Infeasible(row, position, held.status.message))
            bar.update(row + 1)
    return tuple(found)


def _rows(system: System, configurations: Any) -> Array:
    if isinstance(configurations, Run):
        return configurations.position
    if not isinstance(configurations, Mapping):
        rows = np.atleast_2d(numeric("configurations", configurations))
        if rows.ndim != 2 or rows.shape[1] != system.nq:
            raise InputError(
                f"configurations: expected rows of {system.nq} coordinates "
                f"({', '.join(system.coordinate_names)}), got an array of shape {rows.shape}"
            )
        return _finite(rows)
    check_names("configurations", configurations, system.coordinate_names)
    values = [
        np.atleast_1d(numeric(f"configurations.{k}", x)).ravel() for k, x in configurations.items()
    ]
    grid = np.array(list(itertools.product(*values)), float)
    rows = np.repeat(system.rest[None], len(grid), 0)
    rows[:, [system.coordinate_names.index(name) for name in configurations]] = grid
    return _finite(rows)


def _finite(rows: Array) -> Array:
    if not np.all(np.isfinite(rows)):
        raise InputError("configurations: expected finite numbers, got NaN or infinity")
    return rows
