"""The RFRFR as the paper solves it: ode45 along the legs, Levenberg-Marquardt, a predictor.

Both models are in the same language here and share the integrator and the solver, so that what they
ask of these can be counted. MATLAB's default tolerances, as the paper states; one of its steps of
ode45 is at most a tenth of the interval.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.polynomial.legendre import leg2poly
from scipy.integrate import solve_ivp

from chorda.mechanics import Array

BASES = np.array([[-0.2, 0.0], [0.2, 0.0]])  # [m] of the motors
BENDING = 210e9 * np.pi * 1e-3**4 / 4  # [N m^2] the legs' stiffness; they are 1 m long
RELATIVE, ABSOLUTE, LONGEST = 1e-3, 1e-6, 0.1  # ode45
DAMPING, STEP, GRADIENT = 0.1, 1e-6, 1e-10  # fsolve; the first as printed
MAX_ITERATIONS = 400
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
            slope, (0.0, 1.0), start, rtol=RELATIVE, atol=ABSOLUTE, max_step=LONGEST
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

    def _slope(self, s: float, y: Array) -> Array:
        """Of the angle, the position, their derivatives by the modes, and the second ones."""
        m = self.count
        basis = self._powers @ (2 * s - 1) ** np.arange(m)
        theta, by_modes = y[0], y[1 : m + 1]
        along = np.array([np.cos(theta), np.sin(theta)])
        across = QUARTER @ along
        twice = -np.multiply.outer(along, np.outer(by_modes, by_modes))
        first = np.outer(across, by_modes)
        bend = basis @ self._q
        return np.concatenate([[bend], basis, along, first.ravel(), twice.ravel()])

    def _leg(self, angle: float, q: Array) -> tuple[Array, Array, Array]:
        """Tip from its motor (2), its derivatives by motor and modes, and the second ones."""
        m = self.count
        start = np.zeros(3 * m + 3 + 2 * m * m)
        start[0], self._q = angle, q
        y = self.counts.integrated(self._slope, start)
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
    """Mod. 2, by shooting: unknown are the force (2) and the moment at each motor."""

    counts: Counts = field(default_factory=Counts)

    def guess(self, bend: float) -> Array:
        return np.array([0.0, 0.0, -bend * BENDING, 0.0, 0.0, bend * BENDING])

    def pin(self, x: Array) -> Array:
        return self._pin

    def _slope(self, _: float, y: Array) -> Array:
        """Of position, angle and moment, and of their derivatives by force and moment."""
        theta, moment, by = y[2], y[3], y[4:].reshape(4, 3)
        along = np.array([np.cos(theta), np.sin(theta)])
        across = QUARTER @ along
        slopes = np.empty((4, 4))
        slopes[:2, 0], slopes[:2, 1:] = along, np.outer(across, by[2])
        slopes[2] = np.append(moment, by[3]) / BENDING
        slopes[3] = np.append(-across @ self._force, (along @ self._force) * by[2])
        slopes[3, 1:3] -= across
        return np.concatenate([slopes[:, 0], slopes[:, 1:].ravel()])

    def __call__(self, x: Array, angles: Array) -> tuple[Array, Array, Array]:
        """Equations, and their derivatives by the unknowns and by the motors' angles."""
        tips, by, turned = [], [], []
        for i, (fx, fy, moment) in enumerate(x.reshape(2, 3)):
            self._force = np.array([fx, fy])
            start = np.zeros(16)
            start[2], start[3], start[-1] = angles[i], moment, 1.0
            y = self.counts.integrated(self._slope, start)
            # the leg turned with its load has the turned shape: what is left is the load's turn
            D, tip = y[4:].reshape(4, 3), y[:2]
            back = D[:, :2] @ (QUARTER @ self._force)
            turned.append(np.append(QUARTER @ tip, [1.0, 0.0]) - back)
            tips.append(np.append(BASES[i] + tip, y[2:]))
            by.append(D)
        self._pin = tips[0][:2]
        force = x.reshape(2, 3)[:, :2]
        r = np.concatenate([tips[0][:2] - tips[1][:2], [tips[0][3], tips[1][3]], force.sum(axis=0)])
        A, B = np.zeros((6, 6)), np.zeros((6, 2))
        A[:2, :3], A[:2, 3:], B[:2, 0], B[:2, 1] = by[0][:2], -by[1][:2], turned[0][:2], -turned[1][:2]
        A[2, :3], A[3, 3:], B[2, 0], B[3, 1] = by[0][3], by[1][3], turned[0][3], turned[1][3]
        A[4:, :2] = A[4:, 3:5] = np.eye(2)
        return r, A, B


def solved(equations: Equations, x: Array, angles: Array) -> tuple[Array, Array, int]:
    """Levenberg-Marquardt as fsolve has it: the solution, its motion by the angles, iterations."""
    r, A, B = equations(x, angles)
    damping, first = DAMPING, max(float(np.max(np.abs(A.T @ r))), 1e-8)
    for k in range(MAX_ITERATIONS):
        gradient = A.T @ r
        if np.max(np.abs(gradient)) < GRADIENT * first:
            break
        step = -np.linalg.solve(A.T @ A + damping * np.eye(len(x)), gradient)
        new = equations(x + step, angles)
        if new[0] @ new[0] < r @ r:
            x, (r, A, B), damping = x + step, new, damping / 10
        else:
            damping *= 10
        if np.linalg.norm(step) < STEP * (1e-8 + np.linalg.norm(x)):
            break
    return x, -np.linalg.solve(A, B), k + 1


def published_path(model: Modes | Continuous, angles: Array, bend: float = 1.0) -> PublishedPath:
    """Rows of motor angles, each from the one before by the predictor; the first is known."""
    x, tangent, _ = solved(model, model.guess(bend), angles[0])
    pins, total = [model.pin(x).copy()], 0
    model.counts = Counts()
    for before, now in zip(angles[:-1], angles[1:], strict=True):
        x, tangent, iterations = solved(model, x + tangent @ (now - before), now)
        pins.append(model.pin(x).copy())
        total += iterations
    return PublishedPath(np.array(pins), model.counts, total)
