"""What is held in an equilibrium: tensions, motor angles, torques or inputs; and what is free."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric, unknown
from chorda.mechanics.statics import statics
from chorda.statics.descent import Evaluate
from chorda.statics.initial import paid_out, refuse_pushing, wound
from chorda.statics.neutral import Rows

Values = float | Sequence[float] | Array | Mapping[str, float]


@dataclass(frozen=True)
class Case:
    """What is unknown (rows of v) and the forces that must vanish (`rows`, else the same ones)."""

    free: Rows
    evaluate: Evaluate  # (q, lam) -> F, K, psi, J
    complete: Callable[[Array], tuple[Array, Array, Array]]  # q -> q, tensions, inputs
    start: Array
    actuated: Rows | None = None  # rows of v whose force is whatever it takes
    placed: Callable[[Array], tuple[Array, Array]] | None = None  # q -> gaps of places, d/dv

    @property
    def rows(self) -> Rows:
        """Forces that must vanish."""
        return self.free if self.actuated is None else self._others(self.actuated)

    def _others(self, actuated: Rows) -> Rows:
        everything = np.union1d(self.free, actuated)
        return np.setdiff1d(everything, actuated)


def _column(values: Values, names: tuple[str, ...], what: str) -> Array:
    if isinstance(values, Mapping):
        for name in values:
            if name not in names:
                raise InputError(unknown(what, name, names))
        column = numeric(what, [values.get(name, 0.0) for name in names])
    else:
        column = numeric(what, values)
        if column.ndim == 0:
            column = np.full(len(names), float(column))
    if column.shape != (len(names),):
        raise InputError(
            f"{what}: expected {len(names)} values ({', '.join(names)}), got {column.size}"
        )
    if not np.all(np.isfinite(column)):
        raise InputError(f"{what}: expected finite numbers, got NaN or infinity")
    return column


def _pulled(system: System, tensions: Any) -> Any:
    """(q, lam, tensions, p) -> force + J^T lam, its derivative, psi, J; made once per system."""

    def make() -> Any:
        force = system.tendons.slack_force + system.tendons.Z @ tensions
        u = ca.SX.zeros(system.nu)
        psi, J = system.constraints.psi, system.constraints.J
        if system.nc:
            psi, J = (ca.substitute(x, system.u, u) for x in (psi, J))
        G = force + J.T @ system.lam if system.nc else force
        K = ca.jacobian(G, system.q) @ system.dynamics.N
        return ca.Function(
            "balance", [system.q, system.lam, tensions, system.p], ca.cse([G, K, psi, J])
        )

    return system.once("pulled", make)


def _held_tensions(system: System, values: Values, q: Array, p: Array) -> Case:
    names = tuple(t.name for t in system.robot.tendons)
    if not names:
        raise InputError("tensions: this robot has no tendons; give inputs, or nothing")
    tied = [name for name in names if f"{name}.length" in system.constraints.names]
    if tied:
        raise InputError(
            f"tensions: {', '.join(tied)} have a given length and do not stretch, so that their "
            "tension follows; give inputs, or assemble with tendons='elastic'"
        )
    t = _column(values, names, "tensions")
    refuse_pushing(system, t, "tensions")
    symbol = ca.SX.sym("t", len(names))
    balance = _pulled(system, symbol)
    free = np.arange(system.nv - _motors(system))

    def complete(q: Array) -> tuple[Array, Array, Array]:
        q = wound(system, q, t, p)
        return q, t, _holding_inputs(system, q, t, p)

    return Case(free, lambda q, lam: _numbers(balance(q, lam, t, p)), complete, q)


def _held_angles(system: System, values: Values, q: Array, p: Array) -> Case:
    motors = tuple(c.name for c in system.coordinates if c.kind == "motor")
    if not motors:
        raise InputError(
            "angles: this system has no motor coordinates (rigid tendons tie them to the joints); "
            "give torques or tensions, or assemble with tendons='elastic'"
        )
    q = q.copy()
    q[system.nq - len(motors) :] = _column(values, motors, "angles")
    balance = statics(system)
    zero = np.zeros(system.nu)
    free = np.arange(system.nv - len(motors))

    def complete(q: Array) -> tuple[Array, Array, Array]:
        F = np.array(balance(q, np.zeros(system.nc), zero, p)[0]).ravel()
        u = np.zeros(system.nu)
        for k, name in enumerate(motors):  # the torque that holds the angle
            u[[i.name for i in system.inputs].index(name)] = -F[system.nv - len(motors) + k]
        return q, _tension(system, q, u, p), u

    return Case(free, lambda q, lam: _numbers(balance(q, lam, zero, p)), complete, q)


def _held_torques(system: System, values: Values, q: Array, p: Array) -> Case:
    others = [i.name for i in system.inputs if i.kind != "motor"]
    if others:
        raise InputError(f"torques: {', '.join(others)} are no motors; give inputs instead")
    return _held_inputs(system, values, q, p, "torques")


def _held_inputs(system: System, values: Values, q: Array, p: Array, what: str = "inputs") -> Case:
    u = np.zeros(system.nu)  # rates are zero
    if not isinstance(values, Mapping) and np.shape(values) == (system.nu,):
        values = np.asarray(values)[: len(system.given)]
    u[: len(system.given)] = _column(values, system.given, what)
    balance = statics(system)

    def complete(q: Array) -> tuple[Array, Array, Array]:
        return q, _tension(system, q, u, p), u

    free = np.arange(system.nv)
    return Case(free, lambda q, lam: _numbers(balance(q, lam, u, p)), complete, q)


CASES: dict[str, Callable[[System, Any, Array, Array], Case]] = {
    "tensions": _held_tensions,
    "angles": _held_angles,
    "torques": _held_torques,
    "inputs": _held_inputs,
}


def _motors(system: System) -> int:
    return sum(c.kind == "motor" for c in system.coordinates)


def _numbers(results: Any) -> tuple[Array, Array, Array, Array]:
    F, K, psi, J = (x.full() for x in results[:4])
    return F.ravel(), K, psi.ravel(), J


def _tension(system: System, q: Array, u: Array, p: Array) -> Array:
    names = [o.name for o in system.outputs]
    if "tension" not in names:
        return np.zeros(0)
    from chorda.results.observe import observed

    return observed(system, q[None], np.zeros((1, system.nv)), u[None], p)["tension"][0]


def _holding_inputs(system: System, q: Array, t: Array, p: Array) -> Array:
    """Inputs under which the tendons keep these tensions."""
    value = dict(zip(system.parameter_names, p, strict=True))
    row = {item.name: i for i, item in enumerate(system.inputs)}
    u = np.zeros(system.nu)
    for tendon, pull, length in zip(
        system.robot.tendons, t, paid_out(system, q, t, p), strict=True
    ):
        if tendon.actuator is None:
            continue
        kind = system.inputs[row[tendon.actuator]].kind
        if kind == "motor":
            B = value[f"{tendon.actuator}.drum_radius"] / value[f"{tendon.actuator}.gear_ratio"]
            u[row[tendon.actuator]] -= tendon.winding * B * pull
        else:
            u[row[tendon.actuator]] = pull if kind == "tension" else tendon.winding * length
    return u
