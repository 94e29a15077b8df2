"""The adaptive pair of Dormand and Prince, orders 5 and 4; the step is then the output interval."""

from chorda.dynamics.schemes.runge_kutta import explicit
from chorda.dynamics.schemes.stepper import Scheme

STAGES = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
WEIGHTS = [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0]
EMBEDDED = [5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40]
SCHEME = Scheme(
    "rk45",
    "adaptive Runge-Kutta 5(4)",
    5,
    lambda model: explicit(model, STAGES, WEIGHTS, EMBEDDED),
    "Dormand1980",
    adaptive=True,
)
