"""How much of its energy a motion without losses gains or loses, which is the scheme's error."""

from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns
from chorda.results.brief_losses import may_meet

LOOKS = 200  # times at which energies are computed, at the most
STEPS_A_LOOK = 10  # a look costs about one or two steps
LOSSLESS = 1e-9  # of the power of single forces: what rounding leaves of their sum
ROUNDING = 1e-9  # of the potential energy


def energy_drift(system: System, q: Array, v: Array, u: Array, p: Array) -> float | None:
    """The largest change of the energy over what kinetic and potential energy exchange.

    The states are rows (n, ...). None where something does work or is lost: inputs that change,
    dampers, friction, states of first order, loads and tensions without an energy; contacts and
    stops that lose energy where the motion may have met them.
    """
    n = len(q)
    if n < 3 or system.nz or (u != u[0]).any():
        return None
    speed = np.abs(v)
    fastest = int(np.argmax(speed)) // max(1, v.shape[1]) if v.size else 0
    if not 0 < np.max(speed[fastest], initial=0.0) < np.inf:
        return None
    power = power_function(system)
    lost, each = (float(x) for x in power(q[fastest], v[fastest], u[fastest], p))
    if not abs(lost) <= LOSSLESS * each:
        return None  # as most robots do; one look is enough
    count = max(3, min(LOOKS, n // STEPS_A_LOOK))
    at = np.unique(np.append(np.round(np.linspace(0, n - 1, count)).astype(int), fastest))
    states = (q[at].T, v[at].T, u[at].T, p[:, None])
    loss, sizes = by_columns(power, *states)
    if not np.max(np.abs(loss)) <= LOSSLESS * np.max(sizes):
        return None
    near = np.unique(np.round(np.linspace(0, n - 1, min(LOOKS, n))).astype(int))
    if may_meet(system, q[near], p):
        return None
    T, V = (x.ravel() for x in by_columns(system.energies, *states))
    exchanged = max(np.max(T), np.ptp(V)) + ROUNDING * np.max(np.abs(V)) + 1e-15
    drift = float(np.max(np.abs(T + V - T[0] - V[0])) / exchanged)
    return drift if np.isfinite(drift) else None


def power_function(system: System) -> Any:
    """(q, v, u, p) -> the power of all that stores no energy, and the sum of the sizes of its
    parts [W]. Inertia and gravity do no work beside their energies."""

    def make() -> Any:
        dynamics = system.dynamics
        q_dot = dynamics.N @ system.v
        by_q = ca.gradient(ca.densify(dynamics.stored), system.q)
        applied = system.v * dynamics.applied
        lost = ca.sum1(applied) + ca.dot(by_q, q_dot)
        each = ca.sum1(ca.fabs(applied)) + ca.sum1(ca.fabs(by_q * q_dot))
        return system.function("power", "q v u p", ca.densify(lost), ca.densify(each))

    return system.once("power", make)
