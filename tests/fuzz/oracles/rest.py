"""Oracles of equilibria: nothing is left of the forces, and the sign of the Hessian."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import lsq_linear

import chorda
from tests.fuzz.case import Case, Pair, Refused
from tests.fuzz.oracles.motion import has_corner
from tests.fuzz.plain.cables import Unclear
from tests.fuzz.plain.robot import conservative

FLAT = 1e-8  # [J] of eigenvalues that differences leave of none
FLAT_X = 3.1  # [rad] of an X-joint, whose range ends flat at pi
WIDEST_GAP = 1e-6  # [m] of loops that are nearly singular, and reported
CLEAR = 1e-4  # of the largest eigenvalue: one that is not zero


def equilibria(case: Case) -> Iterator[Pair]:
    system = case.system
    if case.rng.random() > (0.2 if case.robot.name == "soft" else 0.4):
        return
    inputs = {name: x for name, x in case.inputs.items() if not name.endswith(".rate")}
    rest = chorda.equilibrium(system, inputs=inputs or None, initial=case.qv[0])
    if not rest.status.ok:
        raise Refused(f"{rest.status.code}")
    if any(j.kind == "x" and abs(rest.position[j.name]) > FLAT_X for j in case.robot.joints):
        raise Unclear  # differences would leave the range
    still = np.zeros(system.nv)
    case.inputs.update(
        {x: float(u) for x, u in zip([x.name for x in system.inputs], rest.u, strict=True)}
    )
    full = case.full(rest.q, still)
    s = case.plain.state(*full, case.inputs)
    pulls = _pulls_alone(case, len(s.J))
    slack = pulls & (s.psi < -WIDEST_GAP)  # shorter than it is long
    lam = _balance(s.J, s.F, pulls, slack)
    yield "forces that are left", s.F + s.J.T @ lam, np.zeros(len(s.F)), max(s.scale, 1.0)
    if len(s.psi):
        gap = np.where(slack, 0.0, np.abs(s.psi))
        yield "loops", np.maximum(gap - rest.residual, 0.0), np.zeros(len(gap)), 0.1
        yield "gaps of loops", gap, np.zeros(len(gap)), WIDEST_GAP / 1e-6
    if case.rng.random() > 0.4 or not conservative(case.robot) or has_corner(case):
        return
    if np.any(pulls & ~slack & (-lam < CLEAR * max(s.scale, 1.0))):
        return  # taut without a force: it holds one way and lets go the other
    H = _hessian(case, full, lam)
    J = s.J[~slack]
    _, sizes, V = np.linalg.svd(J) if len(J) else (None, np.zeros(0), np.eye(len(H)))
    free = V[int(np.sum(sizes > 1e-7 * sizes.max(initial=0.0))) :]
    H = free @ ((H + H.T) / 2) @ free.T
    if not len(H):
        return
    values = np.linalg.eigvalsh(H)
    if np.max(np.abs(values)) < FLAT:
        yield f"{rest.stability}, not neutral", rest.stability == "neutral", True, 1e-9
        return
    if np.min(np.abs(values)) < CLEAR * np.max(np.abs(values)):
        return
    expected = "stable" if values[0] > 0 else "unstable"
    yield f"{rest.stability}, not {expected}", rest.stability == expected, True, 1e-9


def _pulls_alone(case: Case, rows: int) -> Any:
    """Which equations are those of tendons that do not stretch, and may go slack: the last ones."""
    tied = [getattr(case.robot.tendons[i].law, "one_sided", True) for i in case.plain.tied]
    return np.array([False] * (rows - len(tied)) + tied, bool)


def _balance(J: Any, F: Any, pulls: Any, slack: Any) -> Any:
    """Forces of the equations that leave least; none of slack tendons, and others pull."""
    lam = np.zeros(len(J))
    taut = ~slack
    if taut.any():
        high = np.where(pulls[taut], 0.0, np.inf)
        if np.all(np.isinf(high)):
            lam[taut] = np.linalg.lstsq(J[taut].T, -F, rcond=1e-12)[0]
        else:
            bounds = np.full(len(high), -np.inf), high + 1e-300
            lam[taut] = lsq_linear(J[taut].T, -F, bounds, method="bvls", tol=1e-14).x
    return lam


def _hessian(case: Case, full: Any, lam: Any, step: float = 1e-3) -> Any:
    """Of the energy with constant inputs and forces of equations, by differences of forces."""
    plain, k = case.plain, case.plain.kinematics
    q, _, theta, _ = full
    v, omega = np.zeros(k.nv), np.zeros(len(theta))

    def force(move: Any) -> Any:
        s = plain.state(k.moved(q, move[: k.nv], 1.0), v, theta + move[k.nv :], omega, case.inputs)
        return s.F + s.J.T @ lam

    scales = np.concatenate([plain.scales(), np.ones(len(theta))])
    columns = [
        -(force(step * c * e) - force(-step * c * e)) / (2 * step * c)
        for e, c in zip(np.eye(plain.nv), scales, strict=True)
    ]
    return np.array(columns).T * scales * scales[:, None]
