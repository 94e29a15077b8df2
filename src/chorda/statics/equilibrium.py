"""equilibrium: a configuration at rest for given tensions, motor angles or inputs, and its
stability."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.results import Code, Equilibrium, Status
from chorda.results.provenance import provenance
from chorda.statics import winding_limits as winding
from chorda.statics.collecting import configuration
from chorda.statics.descent import descend
from chorda.statics.held import CASES, Case, Values
from chorda.statics.holding import holding
from chorda.statics.initial import Initial, check, initial_state, moved
from chorda.statics.neutral import Rows, shortest_step, signs, taking_part
from chorda.statics.prescribed import Layout, Places, prescribe, row, settings, single
from chorda.statics.problem import Problem
from chorda.statics.target_poses import idle, parts
from chorda.statics.targets import actual, between
from chorda.statics.visiting import state_of, visit

TOLERANCE = 1e-10  # of forces, relative to the largest force in the balance
MOST = 50


def equilibrium(
    system: System,
    *,
    tensions: Values | None = None,
    angles: Values | None = None,
    torques: Values | None = None,
    inputs: Values | None = None,
    hold: Mapping[str, float] | None = None,
    place: Places | None = None,
    efforts: Mapping[str, float] | None = None,
    actuated: Sequence[str] | None = None,
    initial: Initial = None,
    parameters: Mapping[str, float] | None = None,
    strict: bool = False,
) -> Equilibrium:
    """A static configuration, by Newton with exact derivatives and load stepping where that fails.

    Give one of: tensions [N] of all tendons; motor angles [rad] (elastic tendons); motor torques
    [N m] (negative pulls); inputs, whatever the actuators are. Values are one number for all, a
    list, or a mapping by name.

    hold: coordinates of joints, inputs or parameters that are held at a value. place: frames that
    are put somewhere, such as {"platform": {"x": 0.1, "rotation": R}}. actuated: the coordinates
    whose effort brings that about (else those that are held); `efforts` of the result tells what
    it takes. efforts: of joints, given [N m or N].

    The configuration is stable if the Hessian over the free coordinates is positive, with all that
    was
    given, and what is actuated, held. Where it is zero along some of them, the configuration is in
    balance and `neutral`: it stays wherever it is put there.

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
    layout, prescribed = prescribe(system, hold, place, efforts, actuated)
    target = row(single(layout, prescribed))
    p = system.parameters(parameters)
    if layout.settings:
        values, p = _set(system, layout, target, name, values, p)
    q, _ = initial_state(system, initial, p)
    winding.refuse(system, initial, q, p)
    given_case = CASES[name](system, values, q, p)
    case = holding(system, given_case, layout, target, p)
    found = _solve(system, case)
    stuck = _stuck(system, case, layout, found)
    if not found.converged and layout.actuated and name == "inputs" and not stuck:
        known = initial if isinstance(initial, Equilibrium) else _home(system, case, layout, values)
        reached = None if known is None else _from(known, layout, target, p)
        if reached is not None:
            return reached if not strict else _strictly(reached)
    q, tension, u = case.complete(found.q)
    status = _status(found, name) if not stuck else _undetermined(stuck)
    if status.ok and (turned := winding.on_the_way(system, system.rest, found.q, p)):
        status = turned.status("on the way from the reference configuration")
    result = Equilibrium(
        system=system,
        q=q,
        u=u,
        tension=tension,
        given=name,
        parameters=p,
        stiffness=found.stiffness,
        stable=bool(status.ok and len(found.stiffness) and not found.falling and not found.neutral),
        neutral=found.neutral if found.converged else (),
        efforts=_efforts(layout, target, found.force),
        layout=layout,
        target=target,
        residual=found.residual,
        iterations=found.iterations,
        status=status,
        multipliers=found.multipliers,
        provenance=provenance(system, given=name, parameters=dict(parameters or {})),
    )
    if strict:
        status.raise_unless_ok()
    return result


def _home(system: System, case: Case, layout: Layout, values: Values) -> Equilibrium | None:
    """With joints that are actuated held where the start has them; for frames that are placed."""
    if not layout.frames or not layout.moved:
        return None
    at = dict(zip(system.coordinate_names, case.start, strict=True))
    hold = {name: at[name] for name in layout.moved}
    found = equilibrium(system, hold=hold, inputs=values, initial=case.start)
    return found if found.status.ok else None


def _stuck(system: System, case: Case, layout: Layout, found: "_Found") -> tuple[str, ...]:
    """What is placed and says nothing: it cannot move, or something else says the same."""
    if case.placed is None:
        return ()
    _, A = _residual(system, case, found.q, found.multipliers, 0.0, 0.0)
    names = parts(layout)
    scale = np.ones(len(A))
    scale[: len(case.free)] = system.scales[case.free]
    return idle(A * scale, range(len(A) - len(names), len(A)), names)


def _undetermined(names: tuple[str, ...]) -> Status:
    return Status(
        Code.UNDETERMINED,
        f"What is placed does not determine the configuration: {', '.join(names)} cannot be moved "
        f"by "
        "what is actuated, or say the same. Prescribe something else, or actuator other joints.",
    )


def _from(known: Equilibrium, layout: Layout, target: Array, p: Array) -> Equilibrium | None:
    """Along the straight way from a known configuration: there, or to the nearest that is
    solved."""
    same = known.status.ok and known.given == "inputs"
    if not same or not np.array_equal(known.parameters, p):
        return None
    problem = Problem(known.system, layout, known.u, p)
    x = state_of(problem, known)
    here = actual(known.system, layout, known.q, x[known.system.nq + known.system.nc :], p)
    targets = between(layout, here, target, np.linspace(0, 1, 21))
    found = visit(problem, x, here, targets)
    last = configuration(problem, found.states[-1], found.targets[-1])
    return last if found.status.ok else replace(last, status=found.status, stable=False)


def _strictly(found: Equilibrium) -> Equilibrium:
    found.status.raise_unless_ok()
    return found


def _efforts(layout: Layout, target: Array, force: Mapping[str, float]) -> dict[str, float]:
    """Of what is actuated: given, or what balances the rest."""
    n = len(layout.held)
    given = dict(zip(layout.efforts, target[n:].tolist(), strict=False))
    joints = [x for x in layout.actuated if x not in layout.settings]
    return {x: given[x] if x in given else -force[f"{x}.rate"] for x in joints}


def _set(
    system: System, layout: Layout, target: Array, name: str, values: Values, p: Array
) -> tuple[Values, Array]:
    """Inputs and parameters that are held; those that are to be found need a configuration near."""
    n, where = len(layout.held), settings(system)
    held = dict(zip(layout.efforts, target[n:].tolist(), strict=False))
    p, u = p.copy(), dict[str, float]()
    for x in layout.settings:
        if x not in held:
            raise InputError(
                f"actuated.{x}: is no joint; solve with a value for it first (hold), and go on "
                f"from "
                "there with chorda.follow(..., actuated=...)"
            )
        kind, k = where[x]
        if kind == "p":
            p[k] = held[x]
        elif name == "inputs" and isinstance(values, Mapping | float | int):
            u[x] = held[x]
        else:
            raise InputError(f"hold.{x}: is an input; give it in inputs instead")
    if u:
        rest: dict[str, Any] = dict.fromkeys(system.given, values)
        values = {**(values if isinstance(values, Mapping) else rest), **u}
    return values, p


@dataclass(frozen=True)
class _Found:
    q: Array
    multipliers: Array
    converged: bool
    residual: float
    iterations: int
    reached: float  # share of the load
    stiffness: Array
    falling: int  # negative eigenvalues
    neutral: tuple[str, ...]
    force: dict[str, float]  # by velocity
    left: dict[str, str]  # forces out of balance by coordinate, largest first
    unresisted: bool  # whether they act along neutral directions
    idle: tuple[str, ...]  # closures that nothing can shut at the start


def _solve(system: System, case: Case) -> _Found:
    """Down the energy to a stable configuration; if that fails Newton, and Newton along s in
    F(q) = (1 - s) F(start), which follow unstable ones too."""
    q = case.start
    lam = np.zeros(system.nc)
    F0, _, psi0, _ = case.evaluate(q, lam)
    near = None
    if case.actuated is None:
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
        while reached < 1 and step > 1e-4 and case.placed is None:  # places have no load
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
    F, K, psi, J = case.evaluate(q, lam)
    H, T = _hessian(system, case, K, J)
    falling, loose = signs(H)
    loose = T @ loose
    converged = reached == 1.0
    if not converged:
        error = float(np.max(np.abs([*F[case.rows], *psi]), initial=0.0))
    return _Found(
        q=q,
        multipliers=lam,
        converged=converged,
        residual=error,
        iterations=count,
        reached=reached,
        stiffness=np.asarray(np.linalg.eigvalsh(H)),
        falling=falling,
        neutral=taking_part(system, case.rows, loose),
        force=dict(zip([name for name, _ in system.velocities], F.tolist(), strict=True)),
        left=_left(system, case.rows, F[case.rows]),
        unresisted=_along(F[case.rows], loose) > 0.5,
        idle=() if converged else _idle(system, case),
    )


def _idle(system: System, case: Case) -> tuple[str, ...]:
    """Closures that are open at the start and that no free coordinate moves there."""
    _, _, psi, J = case.evaluate(case.start, np.zeros(system.nc))
    if not system.nc:
        return ()
    J = J[:, case.free] * system.scales[case.free]
    U, values, _ = np.linalg.svd(J)
    lost = U[:, np.sum(values > 1e-9 * max(values[0], 1e-300)) :]
    missing = np.abs(lost @ (lost.T @ psi))
    return tuple(x for x, m in zip(system.constraints.names, missing, strict=True) if m > 1e-9)


def _left(system: System, free: Rows, F: Array) -> dict[str, str]:
    """Forces that are out of balance, by coordinate, in words."""
    largest = float(np.max(np.abs(F), initial=0.0))
    order = [k for k in np.argsort(-np.abs(F)).tolist() if abs(F[k]) > 1e-3 * largest]
    named = {}
    for k in order:
        name, unit = system.velocities[free[k]]
        named[name.removesuffix(".rate")] = f"{F[k]:.4g} {'N' if unit == 'm/s' else 'N m'}"
    return named


def _along(F: Array, directions: Array) -> float:
    """Share of a force that acts along the directions."""
    size = float(np.linalg.norm(F))
    if not directions.size or size == 0:
        return 0.0
    return float(np.linalg.norm(np.linalg.qr(directions)[0].T @ F)) / size


def _newton(
    system: System, case: Case, q: Array, lam: Array, shift: Array, gap: Array
) -> tuple[tuple[Array, Array] | None, int, float]:
    """Damped Newton for F = shift on the free rows and psi = gap."""
    free = case.free

    def residual(q: Array, lam: Array) -> tuple[Array, Array]:
        return _residual(system, case, q, lam, shift, gap)

    r, A = residual(q, lam)
    scale = max(1.0, float(np.max(np.abs(r), initial=0.0)))
    size = np.inf
    for count in range(MOST):
        error = float(np.max(np.abs(r), initial=0.0))
        if error <= TOLERANCE * scale and size < 1e-6:
            return (q, lam), count, error
        if not np.all(np.isfinite(A)):
            return None, count, error
        d = shortest_step(A, r)
        size = float(np.max(np.abs(d[: len(free)]) / system.scales[free], initial=0.0))
        part = min(1.0, 0.5 / size) if size > 0 else 1.0  # at most half a radian at once
        for _ in range(12):
            move = np.zeros(system.nv)
            move[free] = part * d[: len(free)]
            q1 = moved(system, q, move)
            lam1 = lam + part * d[len(free) :]
            r1, A1 = residual(q1, lam1)
            if np.all(np.isfinite(r1)) and np.linalg.norm(r1) < (1 - 0.1 * part) * np.linalg.norm(
                r
            ):
                break
            part /= 2
        else:
            if error <= 1e-7 * scale and size < 1e-6:  # as small as rounding allows
                return (q, lam), count, error
            return None, count, error
        q, lam, r, A = q1, lam1, r1, A1
    return None, MOST, float(np.max(np.abs(r)))


def _residual(
    system: System, case: Case, q: Array, lam: Array, shift: Array | float, gap: Array | float
) -> tuple[Array, Array]:
    """What shall vanish, and its derivative by the free coordinates and the multipliers."""
    free, rows, nc = case.free, case.rows, system.nc
    F, K, psi, J = case.evaluate(q, lam)
    r, A = [(F - shift)[rows], psi - gap], [[K[np.ix_(rows, free)], J[:, rows].T]]
    A.append([J[:, free], np.zeros((nc, nc))])
    if case.placed is not None:
        off, slope = case.placed(q)
        r.append(off)
        A.append([slope[:, free], np.zeros((len(off), nc))])
    return np.concatenate(r), np.block(A)


def _hessian(system: System, case: Case, K: Array, J: Array) -> tuple[Array, Array]:
    """The Hessian over the moves that the closures allow, and these as columns; by coordinates in
    their scales."""
    rows = case.rows  # what is actuated is locked
    scale = system.scales[rows]
    H, T = -K[np.ix_(rows, rows)] * scale[:, None] * scale, np.eye(len(rows))
    if len(J):
        from scipy.linalg import null_space

        T = null_space(J[:, rows] * scale)
        H = T.T @ H @ T
    return (H + H.T) / 2, scale[:, None] * T


def _status(found: _Found, given: str) -> Status:
    if not found.converged:
        return Status(Code.NOT_CONVERGED, f"No equilibrium was found: {_failure(found, given)}")
    if found.falling:
        return Status(
            Code.CONVERGED,
            f"Equilibrium found; it is UNSTABLE: {found.falling} of "
            f"{len(found.stiffness)} Hessian eigenvalues are negative.",
        )
    if found.neutral:
        return Status(
            Code.CONVERGED,
            f"Equilibrium found; it is NEUTRAL along {', '.join(found.neutral)}: in balance, and "
            "nothing pulls it back there.",
        )
    return Status(Code.CONVERGED, f"Stable equilibrium found in {_times(found.iterations)}.")


def _failure(found: _Found, given: str) -> str:
    """What is left unbalanced, and what to try."""
    first = [f"{name} with {force}" for name, force in list(found.left.items())[:3]]
    more = f" and {len(found.left) - 3} more" if len(found.left) > 3 else ""
    left = f"left unbalanced: {', '.join(first)}{more}. " if first else ""
    if found.idle:
        return (
            f"the start is singular: nothing can shut {', '.join(found.idle)} from there, which is "
            "open. Give a start that is bent or turned (initial=..., or `start` in the robot's "
            "description)."
        )
    if found.unresisted:
        remedy = (
            "chorda.transmission(system, q).distribute() gives tensions that hold a configuration"
            if given == "tensions"
            else f"give {given} that balance there"
        )
        return (
            f"{left}Nothing resists along {', '.join(found.neutral)}: no configuration near this "
            f"one "
            f"balances it; {remedy}, or add a spring."
        )
    way = "Newton's method does not come to rest from this start"
    if found.reached:
        way = f"load stepping reached {found.reached:.1%} of the load"
    return (
        f"{way}; {left}Try a start nearer to the configuration you expect (initial=...), such as "
        f"the end "
        "of a simulated motion with friction."
    )


def _times(count: int) -> str:
    return f"{count} iteration{'s' * (count != 1)}"
