"""Inputs over time from a CSV file."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chorda.errors import InputError

if TYPE_CHECKING:
    from chorda.mechanics import Array, System

MARK = "input "  # how the columns of a written run name its inputs


def inputs_over_time(
    path: Path, system: "System", duration: float, step: float
) -> dict[str, "Array"]:
    """By name, at each step: linear between the rows, held before and after them.

    Columns are 'time' and names of inputs, with or without a unit in brackets. A CSV file that
    `chorda simulate --output` wrote works too: of it the columns called input ... are used.
    """
    names, rows = _table(path)
    time = rows[:, 0]
    if not np.all(np.diff(time) > 0):
        raise InputError(f"--inputs {path}: times must increase from row to row")
    columns = {name: rows[:, k] for k, name in enumerate(names) if k}
    if any(name.startswith(MARK) for name in columns):
        columns = {n.removeprefix(MARK): x for n, x in columns.items() if n.startswith(MARK)}
    known = [i.name for i in system.inputs]
    for name in columns:
        if name not in known:
            raise InputError(
                f"--inputs {path}: column '{name}' is no input; expected {', '.join(known)}"
            )
    steps = round(duration / step) if step > 0 and np.isfinite(duration / step) else 0
    at = step * np.arange(steps + 1)
    return {name: np.interp(at, time, column) for name, column in columns.items()}


def _table(path: Path) -> tuple[list[str], "Array"]:
    try:
        with path.open(encoding="utf-8") as file:
            header = file.readline()
            rows = np.loadtxt(file, delimiter=",", ndmin=2)
    except OSError as error:
        raise InputError(f"--inputs {path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"--inputs {path}: not a table of numbers: {error}") from None
    names = [name.partition("[")[0].strip() for name in header.split(",")]
    if names[0] != "time":
        raise InputError(f"--inputs {path}: the first column must be 'time', got '{names[0]}'")
    if rows.shape[1] != len(names) or not len(rows):
        raise InputError(
            f"--inputs {path}: expected rows of {len(names)} numbers, got {rows.shape[1]}"
        )
    if not np.all(np.isfinite(rows)):
        raise InputError(f"--inputs {path}: expected finite numbers, got NaN or infinity")
    return names, rows
