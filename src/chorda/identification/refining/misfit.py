"""The weighted difference between a simulated and a measured motion, with its exact derivative."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from scipy.interpolate import CubicHermiteSpline, make_interp_spline

from chorda.dynamics.sensitivities import Sensitivity, sensitivities
from chorda.identification.refining.fit_problem import FitProblem
from chorda.mechanics import Array, System

MAX_MISFIT = 1.0  # over the motion's own spread, above which derivatives lead nowhere


@dataclass(frozen=True, eq=False)
class Misfit:
    """At the unknowns x: residuals over sigma (m), their derivatives (m, k), the motion."""

    x: Array
    residual: Array
    J: Array
    motion: Sensitivity

    @property
    def cost(self) -> float:
        return float(self.residual @ self.residual) / 2


def misfit(
    problem: FitProblem, x: Array, after_each: Callable[[int], bool] | None = None
) -> Misfit | None:
    """The misfit at x, or None where the motion does not reach the end of the record."""
    system = problem.system
    p, start, offsets = problem.split(x)
    motion = sensitivities(
        system,
        problem.directions,
        step=problem.step,
        signal=problem.signal,
        q=start[: system.nq],
        v=start[system.nq :],
        p=p,
        steps=problem.steps,
        scheme=problem.scheme,
        after_each=after_each,
    )
    if not motion.status.ok:
        return None
    residuals, rows = [], []
    for m in problem.measured:
        t = m.time - offsets.get(m.sensor, 0.0)
        value, slope, by = _between(motion, system, m.coordinate, t)
        clocks = np.outer(-slope, [m.sensor == sensor for sensor in problem.clocks])
        residuals.append((value - m.value) / m.sigma)
        rows.append(np.hstack([by, clocks]) / np.reshape(m.sigma, (-1, 1)))
    found = Misfit(x.copy(), np.concatenate(residuals), np.vstack(rows), motion)
    return found if np.all(np.isfinite(found.residual)) and np.all(np.isfinite(found.J)) else None


def is_near(problem: FitProblem, found: Misfit) -> bool:
    """Whether the simulated motion is like the measured one."""
    for m, rows in zip(problem.measured, problem.channels, strict=True):
        difference = found.residual[rows] * m.sigma
        noise = float(np.sqrt(np.mean(np.square(m.sigma))))
        if np.sqrt(np.mean(difference**2)) > MAX_MISFIT * float(np.std(m.value)) + 3 * noise:
            return False
    return True


def _between(
    motion: Sensitivity, system: System, coordinate: str, t: Array
) -> tuple[Array, Array, Array]:
    """A coordinate, its slope and its derivatives at any times of the motion.

    Cubic between two steps, as the rates there are known too; linear for parts of a quaternion.
    """

    def columns(row: int) -> Array:
        return np.column_stack([motion.state[:, row], motion.by[:, row]])

    i = system.coordinate_names.index(coordinate)
    N = ca.sparsify(system.dynamics.N[i, :])
    if N.nnz() == 1 and N.is_constant() and float(N.nonzeros()[0]) == 1:
        rate = system.nq + int(N.sparsity().get_triplet()[1][0])
        curve: Any = CubicHermiteSpline(motion.time, columns(i), columns(rate))
    else:
        curve = make_interp_spline(motion.time, columns(i), k=1)
    value = curve(t)
    return value[:, 0], curve(t, 1)[:, 0], value[:, 1:]
