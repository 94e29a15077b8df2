"""The RFRFR as the paper solves it: ode45 along the legs, Levenberg-Marquardt, a predictor.

Both models are in the same language here and share the integrator and the solver, so that what they
ask of these can be counted. MATLAB's default tolerances, as the paper states; one of its steps of
ode45 is at most a tenth of the interval.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.polynomial.legendre import leg2poly
from scipy.integrate import solve_ivp

from chorda.mechanics import Array

BASES = np.array([[-0.2, 0.0], [0.2, 0.0]])  # [m] of the motors
BENDING = 210e9 * np.pi * 1e-3**4 / 4  # [N m^2] the legs' stiffness; they are 1 m long
RELATIVE_TOLERANCE, ABSOLUTE_TOLERANCE, LONGEST_STEP = 1e-3, 1e-6, 0.1  # ode45
DAMPING, STEP_TOLERANCE, GRADIENT_TOLERANCE = 0.1, 1e-6, 1e-10  # fsolve; the first as printed
MAX_ITERATIONS, ROUNDING = 400, 1e-8
QUARTER = np.array([[0.0, -1.0], [1.0, 0.0]])  # turns by 90 degrees
Slope = Callable[[float, Array], Array]
Equations = Callable[[Array, Array], tuple[Array, Array, Array]]


@dataclass
class Counts:
    """What is asked of the integrator: right-hand sides, and numbers that these give."""

    slopes: int = 0
    numbers: int = 0

    def integrated(self, slope: Slope, start: Array) -> Array:
        """Over the length of a leg."""
        found = solve_ivp(
            slope,
            (0.0, 1.0),
            start,
            rtol=RELATIVE_TOLERANCE,
            atol=ABSOLUTE_TOLERANCE,
            max_step=LONGEST_STEP,
        )
        self.slopes += found.nfev
        self.numbers += found.nfev * len(start)
        return np.asarray(found.y[:, -1])


@dataclass(frozen=True, eq=False)
class PublishedPath:
    """Where the pin is (51, 2) [m], and what it took after the first configuration."""

    pin: Array
    counts: Counts
    iterations: int


@dataclass
class Modes:
    """Mod. 1 [Briot2022, eqs. 18, 39, 79]: unknown are strains, pin, torques and multipliers."""

    count: int
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        m = self.count
        self.stiffness = BENDING / (2 * np.arange(m) + 1)  # of Legendre polynomials
        self._powers = np.zeros((m, m))  # their coefficients over (-1, 1)
        for k in range(m):
            self._powers[k, : k + 1] = leg2poly(np.eye(m)[k])[: k + 1]

    def guess(self, bend: float) -> Array:
        x = np.zeros(2 * self.count + 8)
        x[0], x[self.count] = -bend, bend
        return x

    def pin(self, x: Array) -> Array:
        return x[2 * self.count : 2 * self.count + 2]

    def _slope(self, q: Array, s: float, y: Array) -> Array:
        """Of the angle, the position, their derivatives by the modes, and the second ones."""
        m = self.count
        basis = self._powers @ (2 * s - 1) ** np.arange(m)
        theta, by_modes = y[0], y[1 : m + 1]
        along = np.array([np.cos(theta), np.sin(theta)])
        first = np.outer(QUARTER @ along, by_modes)
        twice = -np.multiply.outer(along, np.outer(by_modes, by_modes))
        return np.concatenate([[basis @ q], basis, along, first.ravel(), twice.ravel()])

    def _leg(self, angle: float, q: Array) -> tuple[Array, Array, Array]:
        """Tip from its motor (2), its derivatives by motor and modes, and the second ones."""
        m = self.count
        start = np.zeros(3 * m + 3 + 2 * m * m)
        start[0] = angle
        y = self.counts.integrated(partial(self._slope, q), start)
        tip, first = y[m + 1 : m + 3], y[m + 3 : 3 * m + 3].reshape(2, m)
        J = np.column_stack([QUARTER @ tip, first])
        H = np.empty((2, m + 1, m + 1))
        H[:, 0, 0], H[:, 1:, 1:] = -tip, y[3 * m + 3 :].reshape(2, m, m)
        H[:, 0, 1:] = H[:, 1:, 0] = QUARTER @ first
        return tip, J, H

    def __call__(self, x: Array, angles: Array) -> tuple[Array, Array, Array]:
        """Equations, and their derivatives by the unknowns and by the motors' angles."""
        m, n = self.count, 2 * self.count
        q, torque, force = x[:n].reshape(2, m), x[n + 2 : n + 4], x[n + 4 :].reshape(2, 2)
        r, A, B = np.zeros(len(x)), np.zeros((len(x), len(x))), np.zeros((len(x), 2))
        for i in range(2):
            tip, J, H = self._leg(angles[i], q[i])
            own, turn, loop = slice(i * m, i * m + m), n + i, slice(n + 4 + 2 * i, n + 6 + 2 * i)
            loaded = -np.tensordot(force[i], H, 1)
            r[own] = self.stiffness * q[i] - J[:, 1:].T @ force[i]
            r[turn] = -torque[i] - J[:, 0] @ force[i]
            r[loop] = x[n : n + 2] - BASES[i] - tip
            A[own, own] = np.diag(self.stiffness) + loaded[1:, 1:]
            A[own, loop], A[turn, loop], A[turn, own] = -J[:, 1:].T, -J[:, 0], loaded[0, 1:]
            A[turn, n + 2 + i], A[loop, n : n + 2], A[loop, own] = -1, np.eye(2), -J[:, 1:]
            B[own, i], B[turn, i], B[loop, i] = loaded[1:, 0], loaded[0, 0], -J[:, 0]
        r[n + 2 : n + 4] = force.sum(axis=0)
        A[n + 2 : n + 4, n + 4 :] = np.hstack([np.eye(2), np.eye(2)])
        return r, A, B


@dataclass
class Continuous:
    """Mod. 2, by shooting: unknown are force and moment at each motor, and the pin."""

    counts: Counts = field(default_factory=Counts)

    def guess(self, bend: float) -> Array:
        moment = bend * BENDING
        return np.array([0.0, 0.0, -moment, 0.0, 0.0, moment, 0.0, 0.8])

    def pin(self, x: Array) -> Array:
        return x[6:]

    @staticmethod
    def _slope(force: Array, _: float, y: Array) -> Array:
        """Of position, angle and moment, and of their derivatives by force and moment."""
        theta, moment, by = y[2], y[3], y[4:].reshape(4, 3)
        along = np.array([np.cos(theta), np.sin(theta)])
        across = QUARTER @ along
        first = np.empty((4, 3))
        first[:2], first[2] = np.outer(across, by[2]), by[3] / BENDING
        first[3] = (along @ force) * by[2] - np.append(across, 0.0)
        return np.concatenate([along, [moment / BENDING, -across @ force], first.ravel()])

    def _leg(self, angle: float, load: Array) -> tuple[Array, Array, Array]:
        """Tip (position from its motor, angle, moment), its derivatives by force and moment at the
        motor, and by the motor's angle."""
        start = np.zeros(16)
        start[2], start[3], start[-1] = angle, load[2], 1.0
        y = self.counts.integrated(partial(self._slope, load[:2]), start)
        tip, by_load = y[:4], y[4:].reshape(4, 3)
        # a leg that turns with its load keeps its shape: the load's turn is taken back
        turned = np.append(QUARTER @ tip[:2], [1.0, 0.0]) - by_load[:, :2] @ QUARTER @ load[:2]
        return tip, by_load, turned

    def __call__(self, x: Array, angles: Array) -> tuple[Array, Array, Array]:
        """Equations, and their derivatives by the unknowns and by the motors' angles."""
        r, A, B = np.zeros(8), np.zeros((8, 8)), np.zeros((8, 2))
        for i in range(2):
            own, at, free = slice(3 * i, 3 * i + 3), slice(2 * i, 2 * i + 2), 4 + i
            tip, by_load, turned = self._leg(angles[i], x[own])
            r[at], r[free] = BASES[i] + tip[:2] - x[6:], tip[3]
            A[at, own], A[free, own], A[at, 6:] = by_load[:2], by_load[3], -np.eye(2)
            B[at, i], B[free, i] = turned[:2], turned[3]
            r[6:] += x[own][:2]
            A[6:, 3 * i : 3 * i + 2] = np.eye(2)
        return r, A, B


def solved(equations: Equations, x: Array, angles: Array) -> tuple[Array, Array, int]:
    """Levenberg-Marquardt as fsolve has it: the solution, its motion by the angles, iterations."""
    r, A, B = equations(x, angles)
    damping, iterations = DAMPING, 0
    enough = GRADIENT_TOLERANCE * max(float(np.max(np.abs(A.T @ r))), ROUNDING)
    while np.max(np.abs(A.T @ r)) >= enough and iterations < MAX_ITERATIONS:
        iterations += 1
        step = -np.linalg.solve(A.T @ A + damping * np.eye(len(x)), A.T @ r)
        new = equations(x + step, angles)
        better = new[0] @ new[0] < r @ r
        if better:
            x, (r, A, B) = x + step, new
        damping *= 0.1 if better else 10.0
        if np.linalg.norm(step) < STEP_TOLERANCE * (ROUNDING + np.linalg.norm(x)):
            break
    return x, np.asarray(-np.linalg.solve(A, B), float), iterations


def published_path(model: Modes | Continuous, angles: Array, bend: float = 1.0) -> PublishedPath:
    """Rows of motor angles, each from the one before by the predictor; the first is known."""
    x, tangent, _ = solved(model, model.guess(bend), angles[0])
    pins, total = [model.pin(x).copy()], 0
    model.counts = Counts()
    for before, now in pairwise(angles):
        x, tangent, iterations = solved(model, x + tangent @ (now - before), now)
        pins.append(model.pin(x).copy())
        total += iterations
    return PublishedPath(np.array(pins), model.counts, total)
