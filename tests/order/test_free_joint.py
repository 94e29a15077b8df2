"""Every scheme keeps its order where q_dot = N(q) v: a tumbling body with a limb."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Free, Placement, Point, Revolute, Robot, Spring
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.convergence import Problem, observed_order
from tests.helpers.robots import unit


@pytest.fixture(scope="module")
def problem():
    hull = Free(
        name="hull",
        body=Body(mass=2.0, center=(0.05, 0, 0.02), inertia=(0.02, 0.03, 0.04, 0, 0, 0)),
    )
    limb = Revolute(
        name="limb",
        parent="hull",
        placement=Placement(position=(0.2, 0, 0)),
        axis=unit(0, 1, 1),
        body=Body(mass=0.5, center=(0.1, 0, 0), inertia=(1e-3, 2e-3, 2e-3, 0, 0, 0)),
        stiffness=2.0,
    )
    spring = Spring(
        name="rope",
        start=Point(point=(0, 0.8, 0)),
        end=Point(frame="hull", point=(0, 0.1, 0)),
        stiffness=60.0,
        free_length=0.5,
        damping=1.0,
    )
    system = chorda.assemble(Robot(name="tumbler", joints=(hull, limb), springs=(spring,)))
    q = [*unit(1, 0.3, -0.2, 0.4), 0, 0, 0, 0.3]
    v = [3.0, -2.0, 4.0, 0.5, 0, -0.5, 2.0]
    made = Problem(system, np.array([*q, *v]), 0.3, np.zeros(0), np.zeros(0), steps={5: 160})
    return made, made.reference()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_scheme_keeps_its_order_with_quaternions(problem, scheme):
    case, exact = problem
    assert observed_order(case, exact, scheme) == pytest.approx(SCHEMES[scheme].order, abs=0.15)
