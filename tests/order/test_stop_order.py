"""A smooth stop keeps the order of schemes up to two."""

import numpy as np
import pytest

import chorda
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.convergence import Problem, observed_order
from tests.helpers.stopped_robots import sliding_mass

SECOND = [name for name, x in SCHEMES.items() if x.order <= 2]


@pytest.fixture(scope="module")
def problem():
    """Into the stop and out of it again."""
    robot = sliding_mass((9.81, 0, 0), stiffness=400.0, damping=6.0, smoothing=0.1)
    start, none = np.array([0.05, 1.0]), np.zeros(0)
    made = Problem(chorda.assemble(robot), start, 0.3, none, none, steps={1: 1280, 2: 640})
    return made, made.reference()


@pytest.mark.parametrize("scheme", SECOND)
def test_scheme_keeps_its_order_over_a_smooth_stop(problem, scheme):
    case, exact = problem
    assert observed_order(case, exact, scheme) == pytest.approx(SCHEMES[scheme].order, abs=0.2)
