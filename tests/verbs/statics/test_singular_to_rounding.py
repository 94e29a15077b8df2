"""Rods so thin beside their length that numbers do not tell their bending from nothing."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Circle
from tests.helpers.rod_robots import E, L, pushed, robot, rod

SPATIAL = {"twist": 2, "bend_y": 4, "bend_z": 4, "stretch": 2}


def bent(radius, modes=SPATIAL):
    """The tip is pushed aside by about half the length."""
    stiffness = 3 * E * math.pi * radius**4 / 4 / L**3
    load = pushed((0, -0.5 * L * stiffness, 0))
    thin = rod(modes, section=Circle(radius=radius))
    return chorda.equilibrium(chorda.assemble(robot(thin, loads=(load,))))


@pytest.mark.filterwarnings("ignore::chorda.errors.MagnitudeWarning")
@pytest.mark.parametrize("radius", [1e-7, 1e-8])
def test_rod_that_bends_a_rounding_error_is_no_equilibrium(radius):
    found = bent(radius)
    assert not found.status.ok
    assert found.status.code == "singular"
    assert found.stability == "unknown"
    assert "rod.bend" in found.status.message
    assert "rod.stretch0" in found.status.message


@pytest.mark.filterwarnings("ignore::chorda.errors.MagnitudeWarning")
def test_rod_that_does_not_stretch_is_solved_at_any_radius():
    thin, thick = (bent(radius, {**SPATIAL, "stretch": 0}) for radius in (1e-7, 1e-3))
    assert thin.stable
    assert np.allclose(thin.q, thick.q, atol=1e-6)
