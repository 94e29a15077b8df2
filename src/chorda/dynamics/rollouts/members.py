"""What varies over a batch: the first axis of every array is the member.

A number is shared by all. Starts: a mapping by coordinate or velocity of numbers or arrays
(members), or rows (members, nq or nq + nv). Parameters: a mapping of numbers or arrays (members).
Inputs: a mapping of numbers, arrays (members) or series (members, times), or rows (members, nu) or
(members, times, nu); with one member where all share a series.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from chorda.dynamics.signals import sampled
from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric
from chorda.statics.initial import closed, initial_state


def count(**varied: Any) -> int:
    """Members: as many as the arrays have rows; 1 is shared."""
    found: dict[int, str] = {}
    for what, given in varied.items():
        items = given.items() if isinstance(given, Mapping) else ((None, given),)
        for name, value in items:
            if value is None or isinstance(value, Mapping) or callable(value):
                continue
            shape = numeric(what if name is None else f"{what}.{name}", value).shape
            if shape and shape[0] != 1:
                found.setdefault(shape[0], what if name is None else f"{what}.{name}")
    if len(found) > 1:
        (a, first), (b, other) = list(found.items())[:2]
        raise InputError(
            f"{other}: expected {a} members as in {first}, got {b}; the first axis of every array "
            "is the member"
        )
    if not found:
        return 1
    n = next(iter(found))
    if n == 0:
        raise InputError(f"{found[0]}: expected at least one member, got none")
    return n


def parameters(system: System, given: Mapping[str, Any] | None, members: int) -> Array:
    """(parameters, members), or (parameters, 1) where all share them."""
    given = given or {}
    varies = [name for name, value in given.items() if np.ndim(value)]
    shared = system.parameters({k: v for k, v in given.items() if k not in varies})
    if not varies:
        return shared[:, None].copy()
    out = np.repeat(shared[:, None], members, 1)
    from fnmatch import fnmatchcase

    for name in varies:
        values = numeric(f"parameters.{name}", given[name])
        if values.ndim != 1:
            raise InputError(
                f"parameters.{name}: expected a number for each member, got {values.shape}"
            )
        for extreme in (values.min(), values.max(), values.sum()):  # names, signs, NaN
            system.parameters({name: float(extreme)})
        rows = [i for i, known in enumerate(system.parameter_names) if fnmatchcase(known, name)]
        out[rows] = values
    return out


def starts(system: System, initial: Any, p: Array, u: Array, members: int) -> tuple[Array, Array]:
    """q and v, (size, members) each; closures are shut."""
    if isinstance(initial, Mapping) and "tension" not in initial and not system.nc:
        return _by_name(system, initial, p, members)
    each: list[Any]
    if isinstance(initial, Mapping):
        each = [
            {k: v if isinstance(v, Mapping) else _of(v, m) for k, v in initial.items()}
            for m in range(members)
        ]
    elif np.ndim(initial) == 2:
        each = list(numeric("initial", initial))
        each = each * members if len(each) == 1 else each
    else:  # closures shut differently with other parameters
        each = [initial] * (members if system.nc and p.shape[1] > 1 else 1)
    found = []
    for m, one in enumerate(each):
        own = p[:, m if p.shape[1] > 1 else 0]
        q, v = initial_state(system, one, own)
        if system.nc:
            still = np.zeros(system.nu)
            q, v = closed(system, one, q, v, u[:, m if u.shape[1] > 1 else 0], still, own)
        found.append((q, v))
    q, v = (np.stack(x, 1) for x in zip(*found, strict=True))
    return (np.repeat(q, members, 1), np.repeat(v, members, 1)) if len(found) == 1 else (q, v)


def _by_name(
    system: System, initial: Mapping[str, Any], p: Array, members: int
) -> tuple[Array, Array]:
    """Without closures and windings: numbers and arrays put in their rows."""
    shared = {k: v for k, v in initial.items() if not np.ndim(v)}
    q, v = initial_state(system, shared, p[:, 0])
    q, v = np.repeat(q[:, None], members, 1), np.repeat(v[:, None], members, 1)
    rows = {name: (q, i) for i, name in enumerate(system.coordinate_names)}
    rows |= {name: (v, i) for i, (name, _) in enumerate(system.velocities)}
    for name, values in initial.items():
        if np.ndim(values):
            column = numeric(f"initial.{name}", values)
            if column.ndim != 1 or not np.all(np.isfinite(column)):
                raise InputError(
                    f"initial.{name}: expected a finite number for each of {members} members, got "
                    f"an array of shape {column.shape}"
                )
            initial_state(system, {name: float(column[0])}, p[:, 0])  # refuses unknown names
            array, row = rows[name]
            array[row] = column
    return q, v


def signals(system: System, inputs: Any, time: Array, members: int) -> Array:
    """(times, inputs, members); 1 where constant, 1 where shared."""
    if inputs is None or callable(inputs) or not _varies(inputs):
        return np.ascontiguousarray(sampled(system, _first(inputs), time)[:, :, None])
    each = [sampled(system, _member(inputs, m), time) for m in range(members)]
    longest = max(len(x) for x in each)
    rows = [np.broadcast_to(x, (longest, x.shape[1])) for x in each]
    return np.ascontiguousarray(np.stack(rows, 2))


def _varies(inputs: Any) -> bool:
    if isinstance(inputs, Mapping):
        return any(np.ndim(v) and np.shape(v)[0] > 1 for v in inputs.values() if not callable(v))
    return bool(np.ndim(inputs) > 1 and np.shape(inputs)[0] > 1)


def _first(inputs: Any) -> Any:
    """Inputs that all share: without the axis of the members."""
    if isinstance(inputs, Mapping):
        return {
            k: v if callable(v) or not np.ndim(v) else np.asarray(v)[0] for k, v in inputs.items()
        }
    return np.asarray(inputs)[0] if np.ndim(inputs) > 1 else inputs


def _member(inputs: Any, m: int) -> Any:
    if isinstance(inputs, Mapping):
        return {k: _of(v, m) for k, v in inputs.items()}
    return np.asarray(inputs)[m]


def _of(value: Any, m: int) -> Any:
    if callable(value) or not np.ndim(value):
        return value
    return np.asarray(value)[m if np.shape(value)[0] > 1 else 0]
