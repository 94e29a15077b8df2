"""Finite differences: of first order, and the errors of Briot2022, Table II."""

import math

import numpy as np
import pytest

from chorda.continuous import finite_differences, follow, shooting
from tests.helpers.assembly_robots import SIX, SIX_BULGE, TWO, TWO_BULGE, six_angles, two_angles

# elements: least, largest and mean error [mm] over 51 configurations, as printed
TABLE = {
    50: (1.50, 53.44, 12.94),
    100: (0.72, 27.76, 6.59),
    500: (0.14, 5.71, 1.34),
    1000: (0.07, 2.86, 0.67),
}


@pytest.fixture(scope="module")
def exact():
    ways = [two_angles(t) for t in range(51)]
    return follow(TWO, hold=ways, initial=TWO_BULGE, strict=True)


@pytest.mark.parametrize(
    "elements", [50, *(pytest.param(n, marks=pytest.mark.slow) for n in (100, 500, 1000))]
)
def test_errors_are_those_of_the_printed_table(exact, elements):
    """Measured: within 2.6 % at 50 elements, 1 % at 1000; printed with two or three digits."""
    errors, found = [], None
    for t, there in enumerate(exact):
        start = there if found is None else found
        found = finite_differences(
            TWO, elements=elements, hold=two_angles(t), initial=start, strict=True
        )
        off = found.frame("leg1.tip")[0] - there.frame("leg1.tip")[0]
        errors.append(1e3 * np.linalg.norm(off))
    assert [min(errors), max(errors), np.mean(errors)] == pytest.approx(TABLE[elements], rel=0.04)


def test_a_spatial_robot_converges_with_order_1():
    exact = shooting(SIX, hold=six_angles(0), initial=SIX_BULGE, strict=True)
    errors = []
    for elements in (40, 80):
        found = finite_differences(
            SIX, elements=elements, hold=six_angles(0), initial=exact, strict=True
        )
        errors.append(np.linalg.norm(found.frame("platform")[0] - exact.frame("platform")[0]))
    assert 0.9 < math.log2(errors[0] / errors[1]) < 1.1


def test_efforts_are_derivatives_of_the_energy_of_the_elements():
    """The elements have an energy of their own: their forces are exactly its derivatives."""
    start = finite_differences(TWO, elements=30, hold=two_angles(0), initial=TWO_BULGE, strict=True)
    step, energy = 1e-3, []
    for sign in (-1, 1):
        angles = two_angles(0) | {"motor1": two_angles(0)["motor1"] + sign * step}
        found = finite_differences(TWO, elements=30, hold=angles, initial=start, strict=True)
        energy.append(found.energy)
    slope = (energy[1] - energy[0]) / (2 * step)
    assert start.efforts["motor1"] == pytest.approx(slope, rel=1e-5)
