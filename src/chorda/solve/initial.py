"""The state that a motion starts from: rest, given, or an equilibrium."""

from collections.abc import Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric, unknown
from chorda.results import Equilibrium, Run

Initial = Mapping[str, float] | Sequence[float] | Array | Equilibrium | Run | None


def check(system: Any) -> None:
    """A robot is often given where its system is meant."""
    if not isinstance(system, System):
        raise InputError(
            f"system: expected what chorda.assemble(robot) returns, got {system!r:.60}"
        )


def initial_state(system: System, initial: Initial, p: Array) -> tuple[Array, Array]:
    """(q, v) from what the user gave.

    None: the rest posture. A mapping: values by coordinate or velocity name (x1, x1.rate), the
    others at rest; with 'tension' the motors are wound so that every tendon has that tension
    there. An array: q, or q and v. An Equilibrium, or a Run (its end).
    """
    q, v = system.rest, np.zeros(system.nv)
    if initial is None:
        return q, v
    if isinstance(initial, Equilibrium):
        return _checked(system, initial.q.copy(), v)
    if isinstance(initial, Run):
        return _checked(system, initial.position[-1].copy(), initial.velocity[-1].copy())
    if isinstance(initial, Mapping):
        return _by_name(system, dict(initial), p)
    values = numeric("initial", initial).ravel()
    if len(values) not in (system.nq, system.nq + system.nv):
        raise InputError(
            f"initial: expected {system.nq} coordinates, or {system.nq + system.nv} with the "
            f"velocities, got {len(values)} numbers"
        )
    q = values[: system.nq].copy()
    if len(values) > system.nq:
        v = values[system.nq :].copy()
    return _checked(system, q, v)


def _by_name(system: System, values: dict[str, Any], p: Array) -> tuple[Array, Array]:
    q, v = system.rest, np.zeros(system.nv)
    tension = values.pop("tension", None)
    names = {name: (q, i) for i, name in enumerate(system.coordinate_names)}
    names |= {name: (v, i) for i, (name, _) in enumerate(system.velocities)}
    for name, value in values.items():
        if name not in names:
            raise InputError(unknown("initial", name, (*names, "tension")))
        column, row = names[name]
        number = numeric(f"initial.{name}", value)
        if number.ndim:
            raise InputError(f"initial.{name}: expected one number, got {number.size}")
        column[row] = number
    if tension is not None:
        if not any(c.kind == "motor" for c in system.coordinates):
            raise InputError(
                "initial.tension: no motor of this system can be wound: it needs motors on "
                "elastic tendons; leave it out, or assemble with tendons='elastic'"
            )
        n, pull = len(system.robot.tendons), numeric("initial.tension", tension)
        if pull.shape not in ((), (n,)):
            raise InputError(f"initial.tension: expected 1 or {n} values, got {pull.size}")
        q = wound(system, q, np.broadcast_to(pull, n), p)
    return _checked(system, q, v)


def paid_out(system: System, q: Array, tension: Array, p: Array) -> Array:
    """Length of each tendon that must be paid out for these static tensions at a posture [m]."""
    still = [np.zeros(k) for k in (system.nv, system.nv, system.nc, system.nu)]
    row = [o.name for o in system.outputs].index("length")
    length, rest = (system.observe(x, *still, p)[row].full().ravel() for x in (q, system.rest))
    stretch = system.stretched(tension, q, p).full().ravel()
    return np.asarray(length - rest - stretch, float)


def wound(system: System, q: Array, tension: Array, p: Array) -> Array:
    """q with the motors turned until the elastic tendons have these static tensions."""
    q = q.copy()
    value = dict(zip(system.parameter_names, p, strict=True))
    for tendon, length in zip(system.robot.tendons, paid_out(system, q, tension, p), strict=True):
        if tendon.drive in system.coordinate_names:
            B = value[f"{tendon.drive}.drum_radius"] / value[f"{tendon.drive}.gear_ratio"]
            q[system.coordinate_names.index(tendon.drive)] = tendon.winding * length / B
    return q


def _checked(system: System, q: Array, v: Array) -> tuple[Array, Array]:
    if len(q) != system.nq or len(v) != system.nv:
        raise InputError(
            f"initial: made for a system of {len(q)} coordinates, this one has {system.nq}"
        )
    for name, value in zip(system.coordinate_names, q, strict=True):
        if not np.isfinite(value):
            raise InputError(f"initial: {name} must be a finite number, got {value}")
    if not np.all(np.isfinite(v)):
        raise InputError("initial: velocities must be finite numbers, got NaN or infinity")
    for c, value in zip(system.coordinates, q, strict=True):
        if not c.low <= value <= c.high:
            raise InputError(
                f"initial: {c.name} = {value:g} {c.unit} is outside its range "
                f"{c.low:g} to {c.high:g} {c.unit}"
            )
    return q, v


def moved(system: System, q: Array, move: Array) -> Array:
    """q after a small move along the velocities, quaternions kept at unit length."""
    q = q + np.array(system.kinematics(q)) @ move
    for start in system.quaternions:
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    return q


def closed(
    system: System, initial: Initial, q: Array, v: Array, u: Array, u_rate: Array, p: Array
) -> tuple[Array, Array]:
    """The start with its closures shut: what was given by name is held, the rest gives way.

    u_rate: of the inputs at the start, which a winch passes on to what hangs on it.
    """
    if not system.nc:
        return q, v
    given = set(initial) if isinstance(initial, Mapping) else set()
    names = [name for name, _ in system.velocities]
    free = [i for i, name in enumerate(names) if name.removesuffix(".rate") not in given]
    for _ in range(100):
        psi, J = (x.full() for x in system.closing(q, u, p))
        if np.max(np.abs(psi)) < 1e-12:
            break
        step = np.linalg.lstsq(J[:, free], -psi.ravel(), rcond=1e-10)[0]
        move = np.zeros(system.nv)
        move[free] = step * min(1.0, 0.3 / max(float(np.max(np.abs(step), initial=0.0)), 1e-12))
        q = moved(system, q, move)
    else:
        worst = int(np.argmax(np.abs(psi)))
        if abs(float(psi[worst, 0])) > 1e-9:
            raise InputError(
                f"initial: the closures cannot be shut from here: {system.closure_names[worst]} "
                f"stays open by {abs(float(psi[worst, 0])):.3g}; give other start values, or fewer"
            )
    free = [i for i, name in enumerate(names) if name not in given]
    v, paid = v.copy(), ca.evalf(system.psi_u).full() @ u_rate
    v[free] -= np.linalg.lstsq(J[:, free], J @ v + paid, rcond=1e-10)[0]
    if float(np.max(np.abs(J @ v + paid))) > 1e-8 * (1 + float(np.max(np.abs(v)))):
        raise InputError("initial: the given velocities tear the closures; give fewer of them")
    return q, v
