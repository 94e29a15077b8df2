"""Inputs over time: constant, array, function of time, by name or in order."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from chorda.checks import check_names, numeric
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.tensioning import refuse_pushing_inputs
from chorda.numerics.memory import refuse_beyond

Signal = float | Sequence[float] | Array | Mapping[str, Any] | Callable[[Any], Any] | None


def sampled(system: System, inputs: Signal, time: Array, q: Array | None = None) -> Array:
    """Inputs at each time as rows (n, nu); a single row where they are constant.

    Between two times inputs run linearly. Rates that are not given are those of the lengths; forces
    on frames that are not given are zero, and joints whose motion is not given stay as in q, or
    where the robot starts.
    """
    names, commanded = tuple(i.name for i in system.inputs), system.commanded
    idle = system.idle(q)
    return sampled_by_name(names, system.given, inputs, time, len(commanded), idle)


def sampled_by_name(
    names: tuple[str, ...],
    given: tuple[str, ...],
    inputs: Signal,
    time: Array,
    least: int | None = None,
    idle: Mapping[str, float] | None = None,
) -> Array:
    """The same from the names of all inputs, and of those that are not rates of others; rows have
    the first `least` of these at least, the others being zero. idle: what is not zero where it is
    not given by name."""
    idle = idle or {}
    commanded = given[:least] or given
    sizes = {len(commanded), len(given), len(names)}
    rates: dict[str, Array] = {}
    if inputs is None:
        return np.array([[idle.get(name, 0.0) for name in names]])
    if isinstance(inputs, Mapping):
        check_names("inputs", inputs, names)
        wanted = [name for name in names if name in given or name in inputs]
        values = {name: inputs.get(name, idle.get(name, 0.0)) for name in wanted}
        found = [_column(x, time, f"inputs.{name}") for name, x in values.items()]
        columns = dict(zip(wanted, np.broadcast_arrays(*found), strict=True)) if found else {}
        rates = {name: x for name, x in columns.items() if name not in given}
        rows = np.column_stack([columns[x] for x in given]) if given else np.zeros((1, 0))
    elif callable(inputs) and not isinstance(inputs, type):
        rows = _rows(inputs, time)
    else:
        rows = _numbers("inputs", inputs)
        if rows.ndim == 0:
            rows = np.full((1, len(commanded)), float(rows))
        elif rows.ndim == 1 and len(rows) in sizes:
            rows = rows[None, :]
    expected = f"{len(commanded)} inputs ({', '.join(commanded)})"
    if len(commanded) < len(given):
        expected += f", or {len(given)} with {', '.join(given[len(commanded) :])}"
    if rows.ndim != 2 or rows.shape[1] not in sizes:
        raise InputError(f"inputs: expected {expected}, got an array of shape {rows.shape}")
    if len(rows) not in (1, len(time)):
        raise InputError(
            f"inputs: expected 1 row or {len(time)} rows (one for each time), got {len(rows)}"
        )
    if not np.all(np.isfinite(rows)):
        raise InputError("inputs: expected finite numbers, got NaN or infinity")
    if rows.shape[1] < len(given):
        rows = np.hstack([rows, np.zeros((len(rows), len(given) - rows.shape[1]))])
    if rows.shape[1] < len(names):
        rows = np.hstack(
            [rows, *(_rate(name, rows, names, time, rates) for name in names[len(given) :])]
        )
    return np.ascontiguousarray(rows)


def sampled_members(system: System, inputs: Any, time: Array, members: int) -> Array:
    """Inputs of many members, (times, inputs, members); 1 time where they are constant.

    inputs: by name, numbers, functions of time, arrays (members) or (members, times); or rows
    (members, inputs) or (members, times, inputs). One member stands for all. Names and shapes have
    been looked at.
    """
    names, given = tuple(i.name for i in system.inputs), system.given
    known, idle = dict[str, Array](), system.idle()
    if isinstance(inputs, Mapping):
        wanted = [name for name in names if name in given or name in inputs]
        values = {name: inputs.get(name, idle.get(name, 0.0)) for name in wanted}
        known = {name: _over_members(x, time, name) for name, x in values.items()}
    else:
        rows = numeric("inputs", inputs)  # (members, ..., inputs)
        rows = rows[None] if rows.ndim == 2 else rows.transpose(1, 0, 2)
        have = names[: rows.shape[2]]
        known = {name: rows[:, :, k] for k, name in enumerate(have)}
    times = max(len(x) for x in known.values())
    what = f"{times} times of {len(names)} inputs of {members} members"
    size = 8.0 * times * len(names) * members
    refuse_beyond("inputs", what, size, "run fewer members at once")
    out = np.empty((times, len(names), members))
    for k, name in enumerate(names):
        if name in known:
            out[:, k] = known[name]
        elif times == 1 or name in given:
            out[:, k] = 0.0
        else:
            of, _, what = name.rpartition(".")
            column = out[:, names.index(of)]
            for _ in range(2 if what == "acceleration" else 1):
                column = np.gradient(column, time, axis=0, edge_order=2 if len(time) > 2 else 1)
            out[:, k] = column
    return out


def _over_members(value: Any, time: Array, name: str) -> Array:
    """(times or 1, members or 1)."""
    if callable(value) or not np.ndim(value):
        return _column(value, time, f"inputs.{name}")[:, None]
    found = _numbers(f"inputs.{name}", value)
    return found[None] if found.ndim == 1 else found.T


def pulling(system: System, rows: Array) -> Array:
    """Rows of inputs that are known in advance; refuses tensions of tendons that would push."""
    names = (item.name for item in system.inputs)
    refuse_pushing_inputs(system.robot, dict(zip(names, rows.T, strict=True)))
    return rows


def varies(inputs: Signal) -> bool:
    """Whether inputs are rows over all times."""
    if isinstance(inputs, Mapping):
        return any(callable(x) or isinstance(x, Sequence | np.ndarray) for x in inputs.values())
    return callable(inputs) or (isinstance(inputs, np.ndarray) and inputs.ndim > 1)


def _rate(
    name: str, rows: Array, names: tuple[str, ...], time: Array, known: Mapping[str, Array]
) -> Array:
    """Column of a rate (winch.rate) or acceleration (m.acceleration): as given, or by
    differences."""
    if name in known:
        return known[name][:, None]
    if len(rows) == 1:
        return np.zeros((1, 1))
    of, _, what = name.rpartition(".")
    column = rows[:, names.index(of)]
    for _ in range(2 if what == "acceleration" else 1):
        column = np.gradient(column, time, edge_order=2 if len(time) > 2 else 1)
    return np.asarray(column)[:, None]


def _numbers(where: str, value: Any) -> Array:
    """An array of floats; NumPy alone would read text as numbers."""
    array, given = numeric(where, value), np.asarray(value)
    loose = given.flat if given.dtype.kind == "O" else ()
    if given.dtype.kind in "US" or any(isinstance(x, str | bytes) for x in loose):
        raise InputError(
            f"{where}: expected numbers, got text, {value!r:.60}; write them without quotes"
        )
    return array


def _rows(inputs: Callable[[Any], Any], time: Array) -> Array:
    """Of a function, at each time; as an array at once, since a list would take many times that."""
    first = np.atleast_1d(_numbers("inputs", inputs(time[0])))
    if first.ndim != 1:
        return first[None]
    rows = np.empty((len(time), len(first)))
    rows[0] = first
    for k in range(1, len(time)):
        row = np.atleast_1d(_numbers("inputs", inputs(time[k])))
        if row.shape != first.shape:
            raise InputError(
                f"inputs: expected numbers, got an array of shape {row.shape} at t = {time[k]:g} s "
                f"and one of shape {first.shape} before; return as many at each time"
            )
        rows[k] = row
    return rows


def _column(value: Any, time: Array, where: str) -> Array:
    if callable(value):
        value = [value(t) for t in time]
    column = _numbers(where, value)
    if column.ndim == 0:
        return np.full(1, float(column))
    if column.shape != time.shape:
        raise InputError(
            f"{where}: expected 1 or {len(time)} values, got an array of shape {column.shape}; for "
            "values at other times pass lambda t: np.interp(t, times, values)"
        )
    return column
