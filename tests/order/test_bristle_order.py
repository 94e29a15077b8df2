"""Every scheme keeps its order with states of first order, along motions whose rates keep their
signs."""

import numpy as np
import pytest

import chorda
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.convergence import Problem, observed_order
from tests.helpers.rubbing_robots import LUGRE, MASS, rubbing_arm, rubbing_mass


@pytest.fixture(scope="module")
def sliding():
    """An arm and its X-joint turn on in one way, their bristles bent less than they will be."""
    system = chorda.assemble(rubbing_arm(kind="bristle", **LUGRE))
    start = np.array([0.4, -0.3, 0.01, 0.0, 0.02, 3.0, 12.0])
    made = Problem(system, start, 0.02, np.zeros(0), np.zeros(0))
    return made, made.reference()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_scheme_has_its_order_with_bristles(sliding, scheme):
    case, exact = sliding
    assert observed_order(case, exact, scheme) > SCHEMES[scheme].order - 0.15


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "generalized-alpha", "rosenbrock"])
def test_stiff_bristles_need_no_short_steps(scheme):
    """The mass slides on at a constant deceleration while a step is 1000 deflections long."""
    force, speed, step = 6.0, 1.0, 1e-3
    system = chorda.assemble(
        rubbing_mass(spring=None, kind="bristle", force=force, deflection=1e-6)
    )
    run = chorda.simulate(
        system,
        duration=0.2,
        step=step,
        scheme=scheme,
        initial={"mass.rate": speed, "mass.bristle": 1e-6},
        strict=True,
    )
    exact = speed * run.time - force / MASS * run.time**2 / 2
    np.testing.assert_allclose(run.position[:, 0], exact, atol=1.1 * force / MASS * step * 0.2)
    np.testing.assert_allclose(run.position[:, 1], 1e-6, rtol=1e-6)
