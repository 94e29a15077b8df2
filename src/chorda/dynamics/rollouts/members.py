"""What varies over a batch: the first axis of every array is the member.

A number is shared by all. Starts: a mapping by coordinate or velocity of numbers or arrays
(members), or rows (members, nq or nq + nv). Parameters: a mapping of numbers or arrays (members).
Inputs: a mapping of numbers, arrays (members) or series (members, times), or rows (members, nu) or
(members, times, nu); with one member where all share a series.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chorda.checks import numeric
from chorda.compile.columns import at_columns
from chorda.dynamics.signals import pulling, sampled, sampled_members
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.gears import meshed
from chorda.mechanics.tensioning import tensioner, winder
from chorda.numerics.array_library import host, library
from chorda.numerics.pacing import Watch
from chorda.results import Rollout
from chorda.statics.closing import closed
from chorda.statics.initial import initial_state

Before = Callable[[Array, Array], tuple[Array, Array]]


def count(**varied: Any) -> int:
    """Members: as many as the arrays have rows; 1 is shared, and so is a row on its own."""
    found: dict[int, str] = {}
    for what, given in varied.items():
        given = numeric(what, given) if isinstance(given, list | tuple) else given
        items = {what: given} if isinstance(given, Rollout) or np.ndim(given) > 1 else {}
        if isinstance(given, Mapping):
            items = {f"{what}.{name}": value for name, value in given.items()}
        for name, value in items.items():
            if value is None or isinstance(value, Mapping) or callable(value):
                continue
            if isinstance(value, Rollout):
                found.setdefault(len(value), name)
                continue
            shape = value.shape if hasattr(value, "shape") else numeric(name, value).shape
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


def starts(
    system: System,
    initial: Any,
    p: Array,
    members: int,
    before: Before,
    watch: Watch | None = None,
    xp: Any = np,
) -> tuple[Array, Array]:
    """q and v, (size, members) each; closures are shut. before: inputs and their rates at a start
    whose closures may be open. watch: see `numerics.pacing`. xp: the library of the result, NumPy
    or CuPy: members of a GPU are prepared there."""
    if isinstance(initial, Mapping):
        q, v = _by_name(system, initial, p, members, watch, xp)
    else:
        rows = np.ndim(initial) == 2
        q, v = _in_rows(system, initial, p, xp) if rows else _alone(system, initial, p)
    u, rate = before(q, v)
    if q.shape[1] == 1 and not (system.nc and max(x.shape[1] for x in (p, u, rate)) > 1):
        own = (host(x[:, :1]) for x in (u, rate, p))
        q, v = closed(system, initial, host(q), host(v), *own)
        return tuple(xp.repeat(xp.asarray(x), members, 1) for x in (q, v))
    if q.shape[1] == 1:  # closures shut differently with other parameters or inputs
        q, v = (xp.repeat(xp.asarray(x), members, 1) for x in (q, v))
    return closed(system, initial, q, v, u, rate, p, watch)


def staying(system: System, inputs: Any, signal: Array, q: Array) -> Array:
    """The signal (times, inputs, members) with joints whose motion is not given where each member
    starts, q (nq, members)."""
    if inputs is not None and not isinstance(inputs, Mapping):
        return signal
    idle = {name: row for name, row in system.led.items() if name not in (inputs or ())}
    if not idle:
        return signal
    xp, names = library(signal), [x.name for x in system.inputs]
    here = xp.nan_to_num(xp.asarray(host(q[[*idle.values()]])))  # NaN where a member had failed
    width = max(signal.shape[2], here.shape[1])
    out = xp.repeat(signal, width // signal.shape[2], 2)
    out[:, [names.index(k) for k in idle]] = here
    return out


def _alone(system: System, initial: Any, p: Array) -> tuple[Array, Array]:
    """One start that all share, as columns."""
    q, v = initial_state(system, initial, host(p[:, 0]))
    return q[:, None], v[:, None]


def _in_rows(system: System, initial: Any, p: Array, xp: Any) -> tuple[Array, Array]:
    """Rows (members, nq or nq + nv) as columns; the first that cannot be a start is refused."""
    given = xp.asarray(initial if library(initial) is not np else numeric("initial", initial))
    first = host(p[:, 0])
    initial_state(system, host(given[0]), first)  # refuses another number of columns
    q, v = given[:, : system.nq].T, given[:, system.nq :].T
    wrong = ~xp.isfinite(given).all(axis=1) | _outside(system, q)
    for m in host(xp.flatnonzero(wrong)[:1]):
        initial_state(system, host(given[m]), first, f"initial of member {m}")
    v = v if len(v) else xp.zeros((system.nv, len(given)))
    return system.unit(xp.ascontiguousarray(q), "initial"), xp.ascontiguousarray(v)


def _outside(system: System, q: Array) -> Any:
    """Which columns have a coordinate beyond its range."""
    xp = library(q)
    beyond = xp.zeros(q.shape[1], bool)
    for row, c in zip(q, system.coordinates, strict=True):
        if np.isfinite(c.low) or np.isfinite(c.high):
            beyond |= (row < c.low) | (row > c.high)
    return beyond


def _by_name(
    system: System,
    initial: Mapping[str, Any],
    p: Array,
    members: int,
    watch: Watch | None,
    xp: Any,
) -> tuple[Array, Array]:
    """Before closures are shut: numbers and arrays put in their rows, and motors wound."""
    plain = {k: v for k, v in initial.items() if k != "tension"}
    # a quaternion has length 1 once all of its parts are there
    parts = {system.coordinate_names[k + i] for k in system.quaternions for i in range(4)}
    whole = {k: v for k, v in plain.items() if k not in parts and not np.ndim(v)}
    own = host(p[:, 0])
    q, v = (
        xp.repeat(xp.asarray(x[:, None]), members, 1) for x in initial_state(system, whole, own)
    )
    rows = {name: (q, i) for i, name in enumerate(system.coordinate_names)}
    rows |= {name: (v, i) for i, (name, _) in enumerate(system.velocities)}
    for name, values in plain.items():
        if np.ndim(values) or name in parts:
            there = library(values) is not np
            column = values if there else np.atleast_1d(numeric(f"initial.{name}", values))
            if column.ndim != 1 or not bool(library(column).isfinite(column).all()):
                raise InputError(
                    f"initial.{name}: expected a finite number for each of {members} members, got "
                    f"an array of shape {column.shape}"
                )
            if name not in parts:
                initial_state(system, {name: float(column[0])}, own)  # refuses unknown names
            array, row = rows[name]
            array[row] = xp.asarray(column)
    q, v = meshed(system, q, v, p, {*system.robot.start, *plain})
    q = system.unit(q, "initial")
    q = q if len(plain) == len(initial) else _wound(system, initial, q, p, watch)
    for m in host(xp.flatnonzero(_outside(system, q))[:1]):
        initial_state(system, host(q[:, m]), own, f"initial of member {m}")  # refuses it
    return q, v


def _wound(
    system: System, initial: Mapping[str, Any], q: Array, p: Array, watch: Watch | None
) -> Array:
    """q with the motors wound to the tensions asked for, all members at once."""
    xp, names = library(q), [t.name for t in system.robot.tendons]
    initial_state(system, _own(initial, 0), host(p[:, 0]))  # refuses names, shapes and kinds
    asked, rows = initial["tension"], list(range(len(names)))
    if isinstance(asked, Mapping):
        rows = [names.index(name) for name in asked]
        given = np.full((len(names), 1), np.nan)
        given[rows] = np.array(list(asked.values()), float)[:, None]
    else:
        given = asked if library(asked) is not np else numeric("initial.tension", asked)
        given = given.T if given.ndim else given[None]
    given = xp.asarray(given)
    pulls = xp.zeros((len(names), given.shape[-1])) + given
    (q,) = at_columns(system, winder(system), pulls, q, p, watch=watch)
    has, asked = at_columns(system, tensioner(system), q, p)[0][rows], pulls[rows]
    missed = abs(has - asked) / (1 + abs(asked))
    doubt = xp.nan_to_num(xp.maximum(missed, -asked), nan=np.inf).max(axis=0)
    worst = int(doubt.argmax())
    own = host(p[:, worst if p.shape[1] > 1 else 0])
    initial_state(system, _own(initial, worst), own)  # refuses what cannot be wound
    return q


def signals(system: System, inputs: Any, time: Array, members: int) -> Array:
    """(times, inputs, members); 1 where constant, 1 where shared."""
    first = pulling(system, sampled(system, _own(inputs, 0), time))  # refuses names and shapes
    if not _varies(inputs):
        return np.ascontiguousarray(first[:, :, None])
    found = sampled_members(system, inputs, time, members)
    for m in np.flatnonzero(~np.isfinite(found).all(axis=(0, 1)))[:1]:
        sampled(system, _own(inputs, m), time)  # refuses it
    pulling(system, found.transpose(0, 2, 1).reshape(-1, found.shape[1]))
    return found


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
    return host(value[m if len(value) > 1 else 0])
