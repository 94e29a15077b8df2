"""Heun's method: the trapezoidal rule, predicted explicitly."""

from chorda.dynamics.schemes.runge_kutta import explicit
from chorda.dynamics.schemes.stepper import Scheme

SCHEME = Scheme(
    "heun", "Heun", 2, lambda model: explicit(model, [[], [1.0]], [0.5, 0.5]), "Hairer1993"
)
