"""What is published of Till's robot, and by whom: the chapter, or its public program.

The chapter prints the parameters of the robot without friction, its equations and the settings of
its solver, but no result. Of friction it prints the equation of the sliding model without a number,
and of the simple model neither an equation nor a number: those are in the public program. Motions
are those of that C++ program (Euler along 200 nodes, BDF2 in steps of 50 ms), as it was run once;
with friction those of its equations and its solver, written down again and run once (BDF-alpha with
sliding friction). The static values are an independent solution of the chapter's equations.
"""

from dataclasses import dataclass
from math import nan
from pathlib import Path

import numpy as np

from chorda.data_table import read_csv
from chorda.mechanics import Array

# of the chapter
DURATION, STEP, NODES = 25.0, 0.05, 200  # [s, s, -]
PULLED = -0.01619  # [m]
RAMP = (3.652, 3.967, 17.63, 17.94)  # t1 to t4 [s]

# of the public program alone, the chapter has none of these
COMPLIANCE = 1.6e-3  # [1/N] of the tendon in the examples with friction
ALPHA = -0.4  # of BDF-alpha in the example with sliding friction
BETA, NU, SPEED = 4.0, 0.1, 1e-3  # [s/m, -, m/s] simple and sliding friction, rounded sign
STEP_TIME = 6.7e-3  # [s] for a step, on another machine
FAILING_STEP = 6.25e-3  # [s] it fails with this step and shorter ones
SOURCES = (
    "The chapter prints the parameters of the robot without friction, its equations and its "
    "solver's settings, but no result. Numbers are of its public program, which was run once (with "
    "friction: its equations and its solver, written down again), or of an independent solution of "
    "the same equations: rows that are held against them are own checks.",
    "Of friction the chapter prints the equation of the sliding model without a number. The simple "
    "model's equation, and all numbers of both, are the public program's.",
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
