"""How far a motion is from d(T + V) = the work of inputs, loads, dampers and friction."""

from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns

LOOKS = 16  # times at which energies are computed, at the least
MOST_LOOKS = 2000
STEPS_A_LOOK = 10  # of longer motions: a look costs about one or two steps
CHEAP_OPERATIONS = 400_000  # operations of looks, some milliseconds, that are no matter
ROUNDING = 1e-9  # of the potential energy
SURE_GAP = 3.0  # times its own error that a gap in the balance must be
LARGE_GAP = 0.01  # a gap that is not sure is none to report from here on


def energy_error(
    system: System, time: Array, q: Array, v: Array, u: Array, p: Array, held: bool = False
) -> float | None:
    """The largest gap in the energy balance over the energy that is exchanged.

    The states are rows (n, ...) at the times; held: whether inputs are constant over each step, and
    not linear. None where it is not known: forces of closures that inputs move do work which the
    states do not tell, and friction or damping may be too fast for the integral of its power.
    """
    n = len(time)
    moved = system.psi_u.nnz() and np.ptp(u, axis=0).any()
    if n < 3 or moved:
        return None
    stride = _looks(system, n)
    at = slice(0, n - (n - 1) % stride, stride)
    held = held and stride == 1
    t, q, v, u = time[at], q[at], v[at], u[at]
    T, V, power, pull = _terms(system, q, v, u, p)
    kinetic, potential = T, V
    before, after, force = power[:-1], power[1:], (pull[:-1] + pull[1:]) / 2
    gain = np.diff(T + V)
    paid = np.sum(force * np.diff(u, axis=0), axis=1)
    if held and np.ptp(u, axis=0).any():
        T, V, after, _ = _terms(system, q[1:], v[1:], u[:-1], p)
        gain, paid = T + V - (kinetic + potential)[:-1], 0.0 * paid
    work = np.diff(t) * (before + after) / 2
    gap = np.cumsum(gain - work - paid)
    exchanged = max(np.max(kinetic), np.ptp(potential), np.ptp(np.cumsum(work)))
    scale = exchanged + ROUNDING * np.max(np.abs(potential)) + 1e-15
    error = float(np.max(np.abs(gap)) / scale)
    unsure = float(np.max(np.abs(_of_quadrature(np.diff(t), before, after)), initial=0.0) / scale)
    if not np.isfinite(error):
        return None
    return None if LARGE_GAP < error < SURE_GAP * unsure else error


def _looks(system: System, n: int) -> int:
    """Each so-many-th of n states is looked at, depending on what that costs."""
    balance = system.once("energy balance", lambda: _balance(system))
    scans = system.tangent is not None  # of rods: one instruction, and thousands of operations
    cheap = 0 if scans else CHEAP_OPERATIONS // balance.n_instructions()
    return max(1, n // min(MOST_LOOKS, max(LOOKS, cheap, n // STEPS_A_LOOK)))


def _of_quadrature(h: Array, before: Array, after: Array) -> Array:
    """The error of the trapezoidal rule up to every second time, from twice its steps."""
    m = len(h) // 2 * 2
    a, b = slice(0, m, 2), slice(1, m, 2)
    single = h[a] * (before[a] + after[a]) / 2 + h[b] * (before[b] + after[b]) / 2
    double = (h[a] + h[b]) * (before[a] + after[b]) / 2
    return np.asarray(np.cumsum(double - single) / 3)


def _terms(
    system: System, q: Array, v: Array, u: Array, p: Array
) -> tuple[Array, Array, Array, Array]:
    """T, V [J], the power of all that stores no energy [W], and dV/du; a row for each time."""
    balance = system.once("energy balance", lambda: _balance(system))
    found = by_columns(balance, q.T, v.T, u.T, p[:, None])
    T, V, power = (x.ravel() for x in found[:3])
    return T, V, power, found[3].T


def _balance(system: System) -> Any:
    """(q, v, u, p) -> the terms. Inertia and gravity do no work beside T and V."""
    dynamics = system.dynamics
    q_dot = dynamics.N @ system.v
    stored = ca.densify(dynamics.stored)
    power = ca.dot(system.v, dynamics.applied) + ca.jtimes(stored, system.q, q_dot)
    pull = ca.densify(ca.jacobian(stored, system.u).T)
    return system.function(
        "balance", "q v u p", dynamics.kinetic, dynamics.potential, ca.densify(power), pull
    )
