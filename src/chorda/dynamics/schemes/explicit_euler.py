"""Explicit Euler: the position uses the OLD velocity [Testard2023, eqs. 4 and 10]."""

from chorda.dynamics.schemes.runge_kutta import explicit
from chorda.dynamics.schemes.stepper import Scheme

SCHEME = Scheme(
    "explicit-euler", "explicit Euler", 1, lambda model: explicit(model, [[]], [1.0]), "Testard2023"
)
