"""What torques tendons that only pull can hold: linear programmes, and why they have no solution.

Tensions t within bounds hold the torques tau where A t = tau. Where none do, there is a motion y
(Farkas) along which the torques ask for more power than the tendons can give:
y . tau > max of y . A t. It is looked for joint by joint, then with as few joints as possible.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array

TOLERANCE = 1e-9  # of the largest entry: what is smaller is zero


@dataclass(frozen=True)
class Wiring:
    """Moment arms of tendons on joints and on what must balance by itself.

    A (joints, tendons), idle (pulleys, tendons) with idle @ t = 0, loops (joints + pulleys,
    closures): forces that closures carry without limit, coupling (n, tendons) with
    coupling @ t = 0: what actuators do to several tendons at once; none: nothing is coupled.
    """

    joints: tuple[str, ...]
    A: Array
    idle: Array
    loops: Array
    coupling: Array | None = None

    def inner(self) -> Array:
        """Coefficients of tensions in all that must be zero."""
        return self.idle if self.coupling is None else np.vstack([self.idle, self.coupling])

    def outer(self) -> Array:
        """Coefficients of closure forces in the balances of joints and in `inner`."""
        more = len(self.inner()) - len(self.idle)
        return np.vstack([self.loops, np.zeros((more, self.loops.shape[1]))])


def least_tensions(wiring: Wiring, torque: Array, low: Array, high: Array) -> Array | None:
    """Tensions of the smallest sum within the bounds that hold `torque`; None: there are none."""
    from scipy.optimize import linprog

    size = _size(wiring)
    inner, m = wiring.inner(), wiring.A.shape[1]
    rows = np.hstack([np.vstack([wiring.A, inner]), wiring.outer()])
    rows[: len(torque) + len(wiring.idle)] /= size
    wanted = np.concatenate([torque, np.zeros(len(inner))])
    free = [(-np.inf, np.inf)] * wiring.loops.shape[1]
    cost = np.r_[np.ones(m), np.zeros(len(free))]
    scale = max(float(np.max(np.abs(wanted))) / size, float(np.max(np.abs(low))), 1e-3)
    bounds = [*zip(low / scale, high / scale, strict=True), *free]
    found = linprog(cost, A_eq=rows, b_eq=wanted / (size * scale), bounds=bounds)
    if found.x is None or found.status != 0:
        return None
    return np.asarray(np.clip(found.x[:m] * scale, low, high) + 0.0, float)


def _size(wiring: Wiring) -> float:
    """The largest moment arm: they are millimetres, and programmes take 1e-7 for zero."""
    arms = np.vstack([wiring.A, wiring.idle])
    return float(np.max(np.abs(np.hstack([arms, wiring.loops])), initial=0.0)) or 1.0


@dataclass(frozen=True)
class Obstacle:
    """A motion along which the tendons give too little: its joints, and the two powers.

    direction: by joint, the largest 1; required and possible: y . tau and the most that tensions
    within their bounds give along it.
    """

    direction: dict[str, float]
    required: float
    possible: float
    acting: bool  # whether any tendon acts on these joints at all
    pulling: bool  # whether one pulls along the motion
    commanded: bool  # and whether actuators can make it pull

    def sentence(self, units: dict[str, str]) -> str:
        names, kinds = list(self.direction), {units[name] for name in self.direction}
        sign, unit = 1.0, kinds.pop() if len(kinds) == 1 else "J per radian and metre"
        if len(names) == 1:
            sign = self.direction[names[0]]
            subject = f"joint {names[0]} cannot be held"
            way = f"in the {'positive' if sign > 0 else 'negative'} direction"
            pulled = f"it {way}"
        else:
            subject = f"joints {', '.join(names[:-1])} and {names[-1]} cannot be held together"
            moves = (f"{x:+.3g} {name}" for name, x in self.direction.items())
            pulled = way = f"along {' '.join(moves).lstrip('+')}"
        if not self.acting and len(names) == 1:
            return f"{subject}: no tendon acts on it"
        if self.possible > 0 or self.commanded:
            return (
                f"{subject}: {sign * self.required:.4g} {unit} are needed, and the tendons give at "
                f"most {sign * self.possible:.4g} {unit} {way}"
            )
        reason = f"no tendon pulls {pulled}"
        if self.pulling:
            reason = f"tendons pull {pulled}, but no actuator commands that"
        if self.possible < 0:
            reason += f", and the least tensions alone give {sign * self.possible:.4g} {unit}"
        return f"{subject}: {reason}"


def obstacle(wiring: Wiring, torque: Array, low: Array, high: Array) -> Obstacle | None:
    """Why no tensions within the bounds hold `torque`; None where some do."""
    for k in range(len(wiring.joints)):
        if (found := _certificate(wiring, torque, low, high, [k])) is not None:
            return found
    return _certificate(wiring, torque, low, high, range(len(wiring.joints)))


def _certificate(
    wiring: Wiring, torque: Array, low: Array, high: Array, moving: Sequence[int]
) -> Obstacle | None:
    """The smallest y on the joints `moving` with y . tau - max y . A t = 1.

    Unknowns: y = a - b on joints, c on pulleys, and p - n = A^T y, the pull's share of each tendon:
    the most that the bounds give is high . p - low . n.
    """
    from scipy.optimize import linprog

    size = np.max(np.abs(wiring.A), initial=0.0) or 1.0
    A, idle = wiring.A[list(moving)] / size, wiring.inner()
    idle = np.vstack([idle[: len(wiring.idle)] / size, idle[len(wiring.idle) :]])
    j, f, m = len(moving), len(idle), A.shape[1]
    eye = np.eye(m)
    share = np.hstack([A.T, -A.T, idle.T, -eye, eye])
    on_joints, on_pulleys = np.split(wiring.outer(), [len(wiring.A)])
    held = on_joints[list(moving)].T
    shut = np.hstack([held, -held, on_pulleys.T, np.zeros((len(held), 2 * m))])
    finite = np.where(np.isfinite(high), high, 0.0)
    tau = torque[list(moving)] / size
    scale = max(float(np.max(np.abs(tau))), float(np.max(np.abs(low))), 1e-12)
    gain = np.r_[tau, -tau, np.zeros(f), -finite, low] / scale
    bounds = [(0.0, np.inf)] * (2 * j) + [(-np.inf, np.inf)] * f
    bounds += [(0.0, np.inf if np.isfinite(x) else 0.0) for x in high] + [(0.0, np.inf)] * m
    cost = np.r_[np.ones(2 * j), np.zeros(f + 2 * m)]
    found = linprog(
        cost,
        A_ub=-gain[None],
        b_ub=[-1.0],
        A_eq=np.vstack([share, shut]),
        b_eq=np.zeros(m + len(shut)),
        bounds=bounds,
    )
    if found.x is None or found.status != 0:
        return None
    y = found.x[:j] - found.x[j : 2 * j]
    largest = float(np.max(np.abs(y)))
    if largest > 1e6:  # only just infeasible: within the programme's tolerance
        return None
    p, n = np.split(found.x[2 * j + f :], 2)
    possible = float(finite @ p - low @ n) * size / largest
    used = {
        wiring.joints[k]: float(x / largest)
        for k, x in zip(moving, y, strict=True)
        if abs(x) > TOLERANCE * largest
    }
    along = A.T @ y
    acting = bool(np.any(np.abs(along) > TOLERANCE * largest))
    pulling = along > TOLERANCE * largest
    coupled = wiring.coupling is not None and len(wiring.coupling) > 0
    commanded = bool(np.any(pulling & (high > 0))) and not coupled
    required = float(torque[list(moving)] @ y / largest)
    possible = possible if abs(possible) > TOLERANCE else 0.0
    return Obstacle(used, required, possible, acting, bool(np.any(pulling)), commanded)
