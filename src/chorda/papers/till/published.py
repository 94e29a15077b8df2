"""What is published of Till's robot: the input, its program's motion and time, static tips.

The chapter prints parameters and code but no result. The motion is that of the public C++ program
(Euler along 200 nodes, BDF2 in steps of 50 ms), as it was run once; with friction that of its
equations and its solver, written down again and run once (BDF-alpha with sliding friction). The
static values are an independent solution of the same equations.
"""

from dataclasses import dataclass
from math import nan
from pathlib import Path

import numpy as np

from chorda.data_table import read_csv
from chorda.mechanics import Array

DURATION, STEP, NODES = 25.0, 0.05, 200  # [s, s, -]
PULLED = -0.01619  # [m]
RAMP = (3.652, 3.967, 17.63, 17.94)  # t1 to t4 [s]
COMPLIANCE = 1.6e-3  # [1/N] of the tendon in the examples with friction
ALPHA = -0.4  # of BDF-alpha in the example with sliding friction
BETA, NU = 4.0, 0.1  # [s/m, -] simple and sliding friction
STEP_TIME = 6.7e-3  # [s] of the public program for a step, on another machine
FAILING_STEP = 6.25e-3  # [s] the longest step with which the public program fails
SOURCES = (
    "The chapter prints all parameters and the program, but no result: numbers beside ours are of "
    "the public program, run once (with friction: of its equations and its solver, written down "
    "again), and of an independent solution of the same equations."
)


Tip = tuple[float, float, float]  # x and z [m], tension [N]; NaN where a solution leaves it out
CONVERGED: Tip = (-0.1478147, 0.6957325, 2.507781)
EULER: Tip = (-0.149335, nan, 2.544596)
INEXTENSIBLE: Tip = (-0.14769, nan, nan)


def ramp(t: float) -> float:
    """Paid-out length z(t) [m].

    >>> ramp(0.0), ramp(10.0)
    (0.0, -0.01619)
    """
    return float(np.interp(t, RAMP, (0.0, PULLED, PULLED, 0.0)))


@dataclass(frozen=True, eq=False)
class Trajectory:
    """time (n) [s], tip (n, 3) [m] and tension (n) [N]."""

    time: Array
    tip: Array
    tension: Array


def program(friction: str = "") -> Trajectory:
    """The motion of the public program: without friction, with 'simple' or with 'sliding'."""
    name = "-".join(["ramp", *filter(None, [friction]), "euler200-dt50ms.csv"])
    file = Path(__file__).with_name(name)
    t, x, z, tau = read_csv(file).columns.values()
    return Trajectory(t, np.column_stack([x, 0 * x, z]), tau)
