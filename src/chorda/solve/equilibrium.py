"""equilibrium: a posture at rest for given tensions, motor angles or inputs, and its stability."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
import numpy.typing as npt

from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric, unknown
from chorda.results import Equilibrium, Status
from chorda.results.provenance import provenance
from chorda.solve.descent import Evaluate, descend
from chorda.solve.initial import Initial, check, initial_state, moved, paid_out, wound

TOLERANCE = 1e-10  # of forces, relative to the largest force in the balance
MOST = 50
Rows = npt.NDArray[np.intp]
Values = float | Sequence[float] | Array | Mapping[str, float]


def equilibrium(
    system: System,
    *,
    tensions: Values | None = None,
    angles: Values | None = None,
    torques: Values | None = None,
    inputs: Values | None = None,
    initial: Initial = None,
    parameters: Mapping[str, float] | None = None,
    strict: bool = False,
) -> Equilibrium:
    """A static posture, by Newton with exact derivatives and load stepping where that fails.

    Give one of: tensions [N] of all tendons; motor angles [rad] (elastic tendons); motor torques
    [N m] (negative pulls); inputs, whatever the drives are. Values are one number for all, a list,
    or a mapping by name. The posture is stable if the Hessian over the free coordinates is
    positive: with tensions, angles or torques held, whichever was given.

    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> equilibrium(assemble(load("neck-3")), tensions=20.0).stable
    True
    """
    check(system)
    given = {"tensions": tensions, "angles": angles, "torques": torques, "inputs": inputs}
    chosen = {name: value for name, value in given.items() if value is not None}
    if len(chosen) > 1:
        raise InputError(f"give one of tensions, angles, torques, inputs; got {', '.join(chosen)}")
    name, values = next(iter(chosen.items()), ("inputs", 0.0))
    p = system.parameters(parameters)
    q, _ = initial_state(system, initial, p)
    case = _CASES[name](system, values, q, p)
    found = _solve(system, case)
    q, tension, u = case.complete(found.q)
    status = _status(found)
    result = Equilibrium(
        system=system,
        q=q,
        u=u,
        tension=tension,
        given=name,
        parameters=p,
        stiffness=found.stiffness,
        stable=bool(found.converged and len(found.stiffness) and found.stiffness[0] > 0),
        residual=found.residual,
        iterations=found.iterations,
        status=status,
        multipliers=found.multipliers,
        provenance=provenance(system, given=name, parameters=dict(parameters or {})),
    )
    if strict:
        status.raise_unless_ok()
    return result


@dataclass(frozen=True)
class _Case:
    """What is unknown (rows of v) and the force that must vanish there."""

    free: Rows
    evaluate: Evaluate  # (q, lam) -> F, K, psi, J
    complete: Callable[[Array], tuple[Array, Array, Array]]  # q -> q, tensions, inputs
    start: Array


@dataclass(frozen=True)
class _Found:
    q: Array
    multipliers: Array
    converged: bool
    residual: float
    iterations: int
    reached: float  # share of the load
    stiffness: Array


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


def _balance(system: System, key: str, force: Any, extra: Any) -> Any:
    """(q, lam, extra, p) -> force + J^T lam, its derivative, psi, J; made once per system."""

    def make() -> Any:
        u = extra if key == "inputs" else ca.SX.zeros(system.nu)
        psi, J = (ca.substitute(x, system.u, u) if system.nc else x for x in (system.psi, system.J))
        G = force + J.T @ system.lam if system.nc else force
        K = ca.jacobian(G, system.q) @ system.N
        return ca.Function(
            "balance", [system.q, system.lam, extra, system.p], ca.cse([G, K, psi, J])
        )

    return system.once(("balance", key), make)


def _held_tensions(system: System, values: Values, q: Array, p: Array) -> _Case:
    names = tuple(t.name for t in system.robot.tendons)
    if not names:
        raise InputError("tensions: this robot has no tendons; give inputs, or nothing")
    tied = [name for name in names if f"{name}.length" in system.closure_names]
    if tied:
        raise InputError(
            f"tensions: {', '.join(tied)} have a given length and do not stretch, so that their "
            "tension follows; give inputs, or assemble with tendons='elastic'"
        )
    t = _column(values, names, "tensions")
    symbol = ca.SX.sym("t", len(names))
    balance = _balance(system, "tensions", system.slack_force + system.Z @ symbol, symbol)
    free = np.arange(system.nv - _motors(system))

    def complete(q: Array) -> tuple[Array, Array, Array]:
        q = wound(system, q, t, p)
        return q, t, _holding_inputs(system, q, t, p)

    return _Case(free, lambda q, lam: _numbers(balance(q, lam, t, p)), complete, q)


def _held_angles(system: System, values: Values, q: Array, p: Array) -> _Case:
    motors = tuple(c.name for c in system.coordinates if c.kind == "motor")
    if not motors:
        raise InputError(
            "angles: this system has no motor coordinates (rigid tendons tie them to the joints); "
            "give torques or tensions, or assemble with tendons='elastic'"
        )
    q = q.copy()
    q[system.nq - len(motors) :] = _column(values, motors, "angles")
    balance = _balance(system, "inputs", _static(system), system.u)
    zero = np.zeros(system.nu)
    free = np.arange(system.nv - len(motors))

    def complete(q: Array) -> tuple[Array, Array, Array]:
        F = np.array(balance(q, np.zeros(system.nc), zero, p)[0]).ravel()
        u = np.zeros(system.nu)
        for k, name in enumerate(motors):  # the torque that holds the angle
            u[[i.name for i in system.inputs].index(name)] = -F[system.nv - len(motors) + k]
        return q, _tension(system, q, u, p), u

    return _Case(free, lambda q, lam: _numbers(balance(q, lam, zero, p)), complete, q)


def _held_torques(system: System, values: Values, q: Array, p: Array) -> _Case:
    others = [i.name for i in system.inputs if i.kind != "motor"]
    if others:
        raise InputError(f"torques: {', '.join(others)} are no motors; give inputs instead")
    return _held_inputs(system, values, q, p, "torques")


def _held_inputs(system: System, values: Values, q: Array, p: Array, what: str = "inputs") -> _Case:
    u = np.zeros(system.nu)  # rates are zero
    if not isinstance(values, Mapping) and np.shape(values) == (system.nu,):
        values = np.asarray(values)[: len(system.given)]
    u[: len(system.given)] = _column(values, system.given, what)
    balance = _balance(system, "inputs", _static(system), system.u)

    def complete(q: Array) -> tuple[Array, Array, Array]:
        return q, _tension(system, q, u, p), u

    free = np.arange(system.nv)
    return _Case(free, lambda q, lam: _numbers(balance(q, lam, u, p)), complete, q)


_CASES: dict[str, Callable[[System, Any, Array, Array], _Case]] = {
    "tensions": _held_tensions,
    "angles": _held_angles,
    "torques": _held_torques,
    "inputs": _held_inputs,
}


def _static(system: System) -> Any:
    return ca.substitute(system.F, system.v, ca.SX.zeros(system.nv))


def _motors(system: System) -> int:
    return sum(c.kind == "motor" for c in system.coordinates)


def _numbers(results: Any) -> tuple[Array, Array, Array, Array]:
    F, K, psi, J = (x.full() for x in results)
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
        if tendon.drive is None:
            continue
        kind = system.inputs[row[tendon.drive]].kind
        if kind == "motor":
            B = value[f"{tendon.drive}.drum_radius"] / value[f"{tendon.drive}.gear_ratio"]
            u[row[tendon.drive]] -= tendon.winding * B * pull
        else:
            u[row[tendon.drive]] = pull if kind == "tension" else tendon.winding * length
    return u


def _solve(system: System, case: _Case) -> _Found:
    """Down the energy to a stable posture; if that fails Newton, and Newton along s in
    F(q) = (1 - s) F(start), which follow unstable ones too."""
    q = case.start
    lam = np.zeros(system.nc)
    F0, _, psi0, _ = case.evaluate(q, lam)
    near = descend(system, case.evaluate, case.free, q)
    first = (q, lam) if near is None else near[:2]
    state, count, error = _newton(system, case, *first, 0 * F0, 0 * psi0)
    if state is None and near is not None:
        state, count, error = _newton(system, case, q, lam, 0 * F0, 0 * psi0)
    elif near is not None:
        count += near[2]
    reached = 1.0
    if state is None:
        state, reached, step = (q, lam), 0.0, 0.1
        while reached < 1 and step > 1e-4:
            share = min(1.0, reached + step)
            next_state, more, error = _newton(
                system, case, *state, (1 - share) * F0, (1 - share) * psi0
            )
            count += more
            if next_state is None:
                step /= 3
            else:
                state, reached, step = next_state, share, step * 1.5
    q, lam = state
    _, K, _, J = case.evaluate(q, lam)
    return _Found(q, lam, reached == 1.0, error, count, reached, _stiffness(case, K, J))


def _newton(
    system: System, case: _Case, q: Array, lam: Array, shift: Array, gap: Array
) -> tuple[tuple[Array, Array] | None, int, float]:
    """Damped Newton for F = shift on the free rows and psi = gap."""
    free, nc = case.free, system.nc

    def residual(q: Array, lam: Array) -> tuple[Array, Array, Array]:
        F, K, psi, J = case.evaluate(q, lam)
        return np.concatenate([(F - shift)[free], psi - gap]), K, J

    r, K, J = residual(q, lam)
    scale = max(1.0, float(np.max(np.abs(r), initial=0.0)))
    size = np.inf
    for count in range(MOST):
        error = float(np.max(np.abs(r), initial=0.0))
        if error <= TOLERANCE * scale and size < 1e-6:
            return (q, lam), count, error
        A = np.block([[K[np.ix_(free, free)], J[:, free].T], [J[:, free], np.zeros((nc, nc))]])
        try:
            d = np.linalg.solve(A, -r)
        except np.linalg.LinAlgError:
            return None, count, error
        size = float(np.max(np.abs(d[: len(free)]), initial=0.0))
        part = min(1.0, 0.5 / size) if size > 0 else 1.0  # at most half a radian at once
        for _ in range(12):
            move = np.zeros(system.nv)
            move[free] = part * d[: len(free)]
            q1 = moved(system, q, move)
            lam1 = lam + part * d[len(free) :]
            r1, K1, J1 = residual(q1, lam1)
            if np.all(np.isfinite(r1)) and np.linalg.norm(r1) < (1 - 0.1 * part) * np.linalg.norm(
                r
            ):
                break
            part /= 2
        else:
            if error <= 1e-7 * scale and size < 1e-6:  # as small as rounding allows
                return (q, lam), count, error
            return None, count, error
        q, lam, r, K, J = q1, lam1, r1, K1, J1
    return None, MOST, float(np.max(np.abs(r)))


def _stiffness(case: _Case, K: Array, J: Array) -> Array:
    """Eigenvalues of the Hessian over the free coordinates that the closures allow."""
    H = -K[np.ix_(case.free, case.free)]
    if len(J):
        from scipy.linalg import null_space

        T = null_space(J[:, case.free])
        H = T.T @ H @ T
    return np.asarray(np.linalg.eigvalsh((H + H.T) / 2))


def _status(found: _Found) -> Status:
    if not found.converged:
        return Status(
            "not-converged",
            f"No equilibrium was found: load stepping reached {found.reached:.1%} of the load. "
            "Try a start nearer to the posture you expect (initial=...), such as the end of a "
            "simulated motion with friction.",
        )
    if len(found.stiffness) and found.stiffness[0] <= 0:
        return Status(
            "converged",
            f"Equilibrium found; it is UNSTABLE: {int(np.sum(found.stiffness <= 0))} of "
            f"{len(found.stiffness)} Hessian eigenvalues are not positive.",
        )
    return Status("converged", f"Stable equilibrium found in {_times(found.iterations)}.")


def _times(count: int) -> str:
    return f"{count} iteration{'s' * (count != 1)}"
