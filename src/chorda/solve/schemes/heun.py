"""Heun's method: the trapezoidal rule, predicted explicitly."""

from chorda.solve.schemes.runge_kutta import explicit
from chorda.solve.schemes.stepper import Scheme

SCHEME = Scheme(
    "heun", "Heun", 2, lambda model: explicit(model, [[], [1.0]], [0.5, 0.5]), "Hairer1993"
)
