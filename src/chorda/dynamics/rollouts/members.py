"""What varies over a batch: the first axis of every array is the member.

A number is shared by all. Starts: a mapping by coordinate or velocity of numbers or arrays
(members), or rows (members, nq or nq + nv). Parameters: a mapping of numbers or arrays (members).
Inputs: a mapping of numbers, arrays (members) or series (members, times), or rows (members, nu) or
(members, times, nu); with one member where all share a series.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from chorda.checks import numeric
from chorda.dynamics.signals import pulling, sampled
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.parameter_rules import check_together
from chorda.mechanics.tensioning import static_tensions, wound
from chorda.numerics.pacing import Watch
from chorda.statics.closing import closed
from chorda.statics.initial import initial_state


def count(**varied: Any) -> int:
    """Members: as many as the arrays have rows; 1 is shared, and so is a row on its own."""
    found: dict[int, str] = {}
    for what, given in varied.items():
        given = numeric(what, given) if isinstance(given, list | tuple) else given
        items = {what: given} if np.ndim(given) > 1 else {}
        if isinstance(given, Mapping):
            items = {f"{what}.{name}": value for name, value in given.items()}
        for name, value in items.items():
            if value is None or isinstance(value, Mapping) or callable(value):
                continue
            shape = numeric(name, value).shape
            if shape and shape[0] != 1:
                found.setdefault(shape[0], name)
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
    for name in varies:
        values = numeric(f"parameters.{name}", given[name])
        if values.ndim != 1:
            raise InputError(
                f"parameters.{name}: expected a number for each member, got {values.shape}"
            )
        rows = system.parameter_table.rows_of(name, values)
        out[rows] = values
    check_together(system.parameter_names, out)
    return out


def starts(
    system: System, initial: Any, p: Array, u: Array, members: int, watch: Watch | None = None
) -> tuple[Array, Array]:
    """q and v, (size, members) each; closures are shut. watch: see `numerics.pacing`."""
    if isinstance(initial, Mapping):
        q, v = _by_name(system, initial, p, members, watch)
    else:
        rows = np.ndim(initial) == 2
        each = numeric("initial", initial) if rows else [initial]
        found = [initial_state(system, one, p[:, 0]) for one in each]
        q, v = (np.stack(x, 1) for x in zip(*found, strict=True))
    if q.shape[1] == 1 and not (system.nc and max(p.shape[1], u.shape[1]) > 1):
        q, v = closed(system, initial, q, v, u[:, :1], np.zeros((system.nu, 1)), p[:, :1])
        return np.repeat(q, members, 1), np.repeat(v, members, 1)
    if q.shape[1] == 1:  # closures shut differently with other parameters or inputs
        q, v = np.repeat(q, members, 1), np.repeat(v, members, 1)
    return closed(system, initial, q, v, u, np.zeros((system.nu, 1)), p, watch)


def _by_name(
    system: System, initial: Mapping[str, Any], p: Array, members: int, watch: Watch | None
) -> tuple[Array, Array]:
    """Before closures are shut: numbers and arrays put in their rows, and motors wound."""
    plain = {k: v for k, v in initial.items() if k != "tension"}
    # a quaternion has length 1 once all of its parts are there
    parts = {system.coordinate_names[k + i] for k in system.quaternions for i in range(4)}
    whole = {k: v for k, v in plain.items() if k not in parts and not np.ndim(v)}
    q, v = initial_state(system, whole, p[:, 0])
    q, v = np.repeat(q[:, None], members, 1), np.repeat(v[:, None], members, 1)
    rows = {name: (q, i) for i, name in enumerate(system.coordinate_names)}
    rows |= {name: (v, i) for i, (name, _) in enumerate(system.velocities)}
    for name, values in plain.items():
        if np.ndim(values) or name in parts:
            column = np.atleast_1d(numeric(f"initial.{name}", values))
            if column.ndim != 1 or not np.all(np.isfinite(column)):
                raise InputError(
                    f"initial.{name}: expected a finite number for each of {members} members, got "
                    f"an array of shape {column.shape}"
                )
            if name not in parts:
                initial_state(system, {name: float(column[0])}, p[:, 0])  # refuses unknown names
            array, row = rows[name]
            array[row] = column
    q = system.unit(q, "initial")
    q = q if len(plain) == len(initial) else _wound(system, initial, q, p, watch)
    low, high = (np.array([getattr(c, x) for c in system.coordinates]) for x in ("low", "high"))
    outside = (q < low[:, None]) | (q > high[:, None])
    for m in np.flatnonzero(outside.any(axis=0)):
        initial_state(system, q[:, m], p[:, 0], f"initial of member {m}")  # refuses it
    return q, v


def _wound(
    system: System, initial: Mapping[str, Any], q: Array, p: Array, watch: Watch | None
) -> Array:
    """q with the motors wound to the tensions asked for, all members at once."""
    members, names = q.shape[1], [t.name for t in system.robot.tendons]
    initial_state(system, _own(initial, 0), p[:, 0])  # refuses names, shapes and kinds
    asked, rows = initial["tension"], list(range(len(names)))
    pulls = np.full((len(names), members), np.nan)
    if isinstance(asked, Mapping):
        rows = [names.index(name) for name in asked]
        pulls[rows] = np.array(list(asked.values()), float)[:, None]
    else:
        pulls[:] = np.transpose(numeric("initial.tension", asked))
    P = np.broadcast_to(p, (len(p), members))
    q = wound(system, q, pulls, P, watch=watch)
    missed = np.abs(static_tensions(system, q, P) - pulls) / (1 + np.abs(pulls))
    doubt = np.nan_to_num(np.maximum(missed, -pulls)[rows], nan=np.inf).max(axis=0)
    worst = int(np.argmax(doubt))
    initial_state(system, _own(initial, worst), P[:, worst])  # refuses what cannot be wound
    return q


def signals(system: System, inputs: Any, time: Array, members: int) -> Array:
    """(times, inputs, members); 1 where constant, 1 where shared."""
    count = members if _varies(inputs) else 1
    each = [pulling(system, sampled(system, _own(inputs, m), time)) for m in range(count)]
    longest = max(len(x) for x in each)
    rows = [np.broadcast_to(x, (longest, x.shape[1])) for x in each]
    return np.ascontiguousarray(np.stack(rows, 2))


def _varies(inputs: Any) -> bool:
    values = inputs.values() if isinstance(inputs, Mapping) else [inputs]
    least = 1 if isinstance(inputs, Mapping) else 2  # axes of what may vary by member
    return any(np.ndim(v) >= least and np.shape(v)[0] > 1 for v in values)


def _own(given: Any, m: int) -> Any:
    """What one member has of what was given."""
    if isinstance(given, Mapping):
        return {k: v if isinstance(v, Mapping) else _of(v, m) for k, v in given.items()}
    return _of(given, m) if np.ndim(given) > 1 else given


def _of(value: Any, m: int) -> Any:
    if not np.ndim(value):  # a number, or a function
        return value
    return np.asarray(value)[m if np.shape(value)[0] > 1 else 0]
