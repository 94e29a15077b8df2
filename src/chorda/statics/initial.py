"""The state that a motion starts from: rest, given, or an equilibrium."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chorda.checks import check_names, numeric, refuse_idle
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.gears import meshed
from chorda.mechanics.tensioning import refuse_pushing, static_tensions, wound
from chorda.results import Equilibrium, Run

Initial = Mapping[str, float] | Sequence[float] | Array | Equilibrium | Run | None


def check(system: Any) -> None:
    """A robot is often given where its system is meant."""
    if not isinstance(system, System):
        raise InputError(
            f"system: expected what chorda.assemble(robot) returns, got {system!r:.60}"
        )


def configuration(system: System, initial: Initial, p: Array, what: str = "initial") -> Array:
    """q alone, for what is at rest: rates that are named are refused, since nothing reads them."""
    if isinstance(initial, Mapping):
        rates = {name for name, _ in system.velocities} - {*system.coordinate_names}
        named = {f"{what}.{name}": True for name in initial if name in rates}
        refuse_idle(named, "at rest", "simulate from there")
    return initial_state(system, initial, p, what)[0]


def initial_state(
    system: System, initial: Initial, p: Array, what: str = "initial"
) -> tuple[Array, Array]:
    """(q, v) from what the user gave; `what` is the field it came in.

    None: the robot's start, else its reference configuration. A mapping: values by coordinate or
    velocity name (x1, x1.rate), the others as there; with 'tension' the motors are wound so that
    every tendon has that tension there, or those tendons that a mapping names; a rotor behind a
    play that is not named turns with its joint. An array: q, or q
    and v. An Equilibrium, or a Run (its end). Quaternions have length 1: what is nearly so long is
    scaled, other lengths are refused.
    """
    if initial is None:
        initial = {}
    v = np.zeros(system.nv)
    if isinstance(initial, Equilibrium):
        return _checked(system, initial.q.copy(), v, what)
    if isinstance(initial, Run):
        return _checked(system, initial.position[-1].copy(), initial.velocity[-1].copy(), what)
    if isinstance(initial, Mapping):
        return _by_name(system, dict(initial), p, what)
    values = numeric(what, initial).ravel()
    if len(values) not in (system.nq, system.nq + system.nv):
        raise InputError(
            f"{what}: expected {system.nq} coordinates, or {system.nq + system.nv} with the "
            f"velocities, got {len(values)} numbers"
        )
    q = values[: system.nq].copy()
    if len(values) > system.nq:
        v = values[system.nq :].copy()
    q, v = _checked(system, q, v, what)
    return system.unit(q, what), v


def _by_name(system: System, values: dict[str, Any], p: Array, what: str) -> tuple[Array, Array]:
    q, v = system.start, np.zeros(system.nv)
    tension = values.pop("tension", None)
    names = {name: (q, i) for i, name in enumerate(system.coordinate_names)}
    names |= {name: (v, i) for i, (name, _) in enumerate(system.velocities)}
    check_names(what, values, (*names, "tension"))
    for name, value in values.items():
        column, row = names[name]
        number = numeric(f"{what}.{name}", value)
        if number.ndim:
            raise InputError(f"{what}.{name}: expected one number, got {number.size}")
        column[row] = number
    q, v = meshed(system, q, v, p, {*system.robot.start, *values})
    if tension is not None:
        q = _taut(system, q, tension, p, what)
    q, v = _checked(system, q, v, what)
    return system.unit(q, what), v


def _taut(system: System, q: Array, tension: Any, p: Array, what: str) -> Array:
    """q with the motors wound to the tensions asked for, or the sentence that says why not."""
    if not any(c.kind == "motor" for c in system.coordinates):
        raise InputError(
            f"{what}.tension: no motor of this system can be wound: it needs motors on "
            "elastic tendons; leave it out, or assemble with tendons='elastic'"
        )
    wanted = _wanted(system, tension, f"{what}.tension")
    asked = np.isfinite(wanted)
    q = wound(system, q, wanted, p, asked)
    pull = static_tensions(system, q, p)
    corner = np.array([_corner(t.law) for t in system.robot.tendons])
    near = np.abs(pull - wanted) <= 1e-6 * (1 + np.abs(wanted)) + corner
    if missed := np.flatnonzero(asked & ~near).tolist():
        reasons = [_unwindable(system, i, pull[i], wanted[i]) for i in missed]
        raise InputError(
            f"{what}.tension: these cannot be wound to it: {'; '.join(reasons)}. Give other "
            "tensions or only those of some tendons (tension: {name: N}), change their pretension "
            "(parameter '*.pretension'), or start from an equilibrium"
        )
    return q


def _wanted(system: System, tension: Any, what: str) -> Array:
    """Tension of each tendon, NaN where none was asked for."""
    tendons = system.robot.tendons
    names = tuple(t.name for t in tendons)
    if isinstance(tension, Mapping):
        check_names(what, tension, names)
        given = numeric(what, list(tension.values()))
        if given.shape != (len(tension),):
            raise InputError(f"{what}: expected one number for each tendon, got {tension!r:.60}")
    else:
        given = numeric(what, tension)
        if given.shape not in ((), (len(names),)):
            raise InputError(f"{what}: expected 1 or {len(names)} values, got {given.size}")
        tension = dict(zip(names, np.broadcast_to(given, len(names)), strict=True))
    if not np.all(np.isfinite(given)):
        field = what.removesuffix(".tension")
        raise InputError(f"{field}: tension must be a finite number, got {given}")
    wanted = np.array([tension.get(name, np.nan) for name in names], float)
    for tendon, value in zip(tendons, wanted, strict=True):
        refuse_pushing(tendon, value, what)
    return wanted


def _corner(law: Any) -> float:
    """A rounded law never gets to zero; it counts as slack below this [N]."""
    return 2e-3 * (getattr(law, "smoothing", None) or 0.0)


def _unwindable(system: System, i: int, has: float, wanted: float) -> str:
    """Why a tendon has another tension than was asked for."""
    tendon = system.robot.tendons[i]
    kind = {item.name: item.kind for item in system.inputs}.get(tendon.actuator or "")
    mates = [
        t.name for t in system.robot.tendons if t.actuator == tendon.actuator and t is not tendon
    ]
    if tendon.actuator is None:
        why = "it is tied, no motor winds it"
    elif kind != "motor":
        why = f"the input of {tendon.actuator} sets it"
    elif tendon.actuator not in system.coordinate_names:
        why = "it does not stretch"
    else:
        why = f"{tendon.actuator} winds {', '.join(mates)} too, which would need another angle"
    value = f", and it has {has:.4g} N instead of {wanted:.4g} N" if np.isfinite(has) else ""
    return f"{tendon.name} ({why}{value})"


def _checked(system: System, q: Array, v: Array, what: str) -> tuple[Array, Array]:
    if len(q) != system.nq or len(v) != system.nv:
        raise InputError(
            f"{what}: made for a system of {len(q)} coordinates, this one has {system.nq}"
        )
    for name, value in zip(system.coordinate_names, q, strict=True):
        if not np.isfinite(value):
            raise InputError(f"{what}: {name} must be a finite number, got {value}")
    if not np.all(np.isfinite(v)):
        raise InputError(f"{what}: velocities must be finite numbers, got NaN or infinity")
    for c, value in zip(system.coordinates, q, strict=True):
        low, high = c.admissible
        if not low <= value <= high:
            raise InputError(
                f"{what}: {c.name} = {value:g} {c.unit} is outside its range "
                f"{low:g} to {high:g} {c.unit}"
            )
    return q, v
