"""Euler's column, clamped at its base: the load at which its stiffness across vanishes."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import chorda
from chorda.describe import Circle
from tests.helpers.rod_robots import EI, PRECISE, E, L, pose, pushed, robot, rod, settled

EULER = math.pi**2 * EI / (4 * L**2)
THICK = 0.03  # [m] radius of a column with P / EA of two per mille
EA_THICK = E * math.pi * THICK**2
GA_THICK = EA_THICK / 2.6


def column(modes, load=1.0, **fields):
    return robot(rod({**PRECISE, **modes}, **fields), loads=(pushed((-load, 0, 0)),))


def critical(described, about, stretch=0.0):
    """The load [N] near `about` at which the straight configuration loses its stiffness.

    stretch: of the straight configuration under one newton."""
    system = chorda.assemble(described)
    names = system.coordinate_names
    along = np.array([stretch * (name == "rod.stretch0") for name in names])
    across = [i for i, name in enumerate(names) if ".stretch" not in name]

    def least(load):
        linear = chorda.linearize(system, load * along, parameters={"push.force.x": -load})
        return np.linalg.eigvalsh(-linear.K[np.ix_(across, across)])[0]

    return brentq(least, 0.7 * about, 1.4 * about, rtol=1e-13)


def test_column_buckles_at_the_load_of_euler_ever_closer_with_more_functions():
    errors = [critical(column({"bend_z": n}), EULER) / EULER - 1 for n in (1, 2, 3, 4, 5, 6)]
    assert min(errors) > 0, "fewer functions make a column stiffer"
    assert errors[0] == pytest.approx(12 / math.pi**2 - 1, rel=1e-6)
    assert all(b < 0.1 * a for a, b in itertools.pairwise(errors))
    assert errors[-1] < 1e-10


def test_column_that_can_be_pressed_together_buckles_where_it_has_become_shorter():
    """P (1 - P / EA) = pi^2 EI / (4 L^2)."""
    euler = EULER * (THICK / 1e-3) ** 4
    thick = column({"bend_z": 6, "stretch": 1}, section=Circle(radius=THICK))
    load = critical(thick, euler, -1 / EA_THICK)
    assert load > 1.002 * euler
    assert load * (1 - load / EA_THICK) == pytest.approx(euler, rel=1e-9)


def test_column_that_shears_buckles_earlier():
    """P (1 - P / EA + P / GA) = pi^2 EI / (4 L^2), from the balance of a shearing column."""
    euler = EULER * (THICK / 1e-3) ** 4
    modes = {"bend_z": 6, "stretch": 1, "shear_y": 6}
    load = critical(column(modes, section=Circle(radius=THICK)), euler, -1 / EA_THICK)
    assert load < 0.997 * euler
    assert load * (1 - load / EA_THICK + load / GA_THICK) == pytest.approx(euler, rel=1e-9)


def test_straight_column_is_stable_below_that_load_and_unstable_above():
    below, above = (settled(column({"bend_z": 4}, share * EULER)) for share in (0.999, 1.001))
    assert below.stable
    assert not above.stable
    assert np.allclose(above.q, 0)


def test_column_under_more_than_that_load_bends_into_the_elastica():
    """From a configuration that is slightly bent it settles where P = 4 K(k)^2 EI / (4 L^2)."""
    m = math.sin(math.radians(100) / 2) ** 2  # the tip has turned by 100 degrees
    load = ellipk(m) ** 2 * EI / L**2
    made = column({"bend_z": 9}, load)
    bent = settled(made, initial={"rod.bend_z0": 1.0})
    turn, tip = pose(bent.system, bent.q)
    assert bent.stable
    assert math.atan2(turn[1, 0], turn[0, 0]) == pytest.approx(math.radians(100), abs=1e-7)
    assert tip[0] / L == pytest.approx(2 * ellipe(m) / ellipk(m) - 1, abs=1e-8)
    assert tip[1] / L == pytest.approx(2 * math.sqrt(m) / ellipk(m), abs=1e-8)
