"""Inputs over time from a CSV file."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.data_table import DataTable, read_csv
from chorda.dynamics.arguments import time_grid
from chorda.errors import InputError
from chorda.si_units import factor

if TYPE_CHECKING:
    from chorda.mechanics import Array, System

MARK = "input "  # how the columns of a written run name its inputs


def inputs_over_time(
    path: Path, system: "System", duration: float, step: float | None
) -> dict[str, Any]:
    """By name, at each step: linear between the rows, held before and after them.

    Where the step will be shortened, or is none yet, they are functions of time.

    Columns are 'time' and names of inputs, with or without a unit in brackets. A CSV file that
    `chorda simulate --output` wrote works too: of it the columns called input ... are used.
    """
    try:
        table = read_csv(path)
    except InputError as error:
        raise InputError(f"--inputs {error}") from None
    names, where = list(table.columns), f"--inputs {path}"
    if names[0] != "time":
        raise InputError(f"{where}: the first column must be 'time', got '{names[0]}'")
    time = _column(table, "time", "s", where)
    if not len(time) or not np.all(np.diff(time) > 0):
        raise InputError(f"{where}: times must increase from row to row, and there must be some")
    marked = {n: n.removeprefix(MARK) for n in names[1:] if n.startswith(MARK)}
    known = {i.name: i.unit for i in system.inputs}
    grid = None if step is None else time_grid(duration, step, 1)
    inputs: dict[str, Any] = {}
    for column, name in (marked or dict(zip(names[1:], names[1:], strict=True))).items():
        if name not in known:
            raise InputError(f"{where}: column '{name}' is no input; expected {', '.join(known)}")
        values = _column(table, column, known[name], where)
        over_time = partial(np.interp, xp=time, fp=values)
        inputs[name] = over_time if grid is None or grid.message else over_time(grid.time)
    return inputs


def _column(table: DataTable, name: str, unit: str, where: str) -> "Array":
    """Finite numbers of a column in its SI unit."""
    column, scale = table.columns[name], factor(table.units.get(name, unit), unit)
    if scale is None:
        raise InputError(f"{where}: column '{name}': expected {unit}, got {table.units[name]}")
    bad = ~np.isfinite(column)
    if np.any(bad):
        row = table.row(int(np.argmax(bad)))
        raise InputError(f"{where}: {row}, column '{name}': expected a finite number")
    return scale * column
