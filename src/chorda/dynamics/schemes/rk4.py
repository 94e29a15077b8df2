"""The classical Runge-Kutta method of order 4."""

from chorda.dynamics.schemes.runge_kutta import explicit
from chorda.dynamics.schemes.stepper import Scheme

STAGES = [[], [1 / 2], [0.0, 1 / 2], [0.0, 0.0, 1.0]]
WEIGHTS = [1 / 6, 1 / 3, 1 / 3, 1 / 6]
SCHEME = Scheme(
    "rk4", "Runge-Kutta 4", 4, lambda model: explicit(model, STAGES, WEIGHTS), "Hairer1993"
)
