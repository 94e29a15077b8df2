"""Friction along tendons against the law of the capstan, and that of a pulley's bearing."""

import math
from itertools import pairwise

import numpy as np
import pytest

import chorda
from chorda.describe import Bearing, Capstan, Pulley, Winch
from tests.helpers.evaluate import forces, outputs
from tests.helpers.rubbing_tendons import CAPSTAN, CORNERS, MU, SOFT, TURNS, at, carriage

PULL = 7.0


def lost(turns, way):
    return math.exp(-MU * sum(turns) * way)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("guides", [1, 2, 4])
def test_tension_falls_by_the_capstan_formula_over_guides(guides, way):
    path = CORNERS[4 - guides :]
    system = chorda.assemble(carriage(path))
    got = outputs(system, [0.0], [0.3 * way], [PULL])["segment_tension"]
    exact = PULL * np.exp(-MU * way * np.cumsum([0.0, *turned(path)]))
    np.testing.assert_allclose(got, exact, rtol=1e-10)


def turned(path):
    """Angles of the corners of a polygon that ends at the cart."""
    points = np.array([x["point"] for x in path] + [(0.0, 0.0, 0.0)])
    d = np.diff(points, axis=0)
    d /= np.linalg.norm(d, axis=1)[:, None]
    return [math.acos(np.clip(a @ b, -1, 1)) for a, b in pairwise(d)]


def test_the_corners_turn_as_they_are_drawn():
    np.testing.assert_allclose(turned(CORNERS), TURNS, atol=1e-7)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_at_rest_the_cart_stands_where_it_was_pulled_to_or_released_to(way):
    """k x = T exp(-mu angle) along x: the ends of the band of equilibria."""
    path = (at(2.0, 1.0), at(2.0, 0.0), at(1.0, 0.0))
    system = chorda.assemble(carriage(path))
    rest = chorda.equilibrium(system, tensions={"pull": PULL}, parameters={"pull.sliding": way})
    exact = PULL * math.exp(-MU * math.pi / 2 * way) / 100.0
    assert rest.position["cart"] == pytest.approx(exact, abs=1e-9)


def test_a_cable_around_a_pulley_loses_tension_by_its_wrap_angle():
    rim = Pulley(point=(1.0, 0.1, 0), radius=0.1, side="right", friction=CAPSTAN)
    system = chorda.assemble(carriage((at(3.0, 2.0), rim), friction=None))
    found = outputs(system, [0.0], [0.2], [PULL])
    ratio = found["segment_tension"][1] / PULL
    assert ratio == pytest.approx(math.exp(-MU * found["wrap_angle"][0]), rel=1e-12)
    assert found["wrap_angle"][0] > 0.3


@pytest.mark.parametrize("way", [1, -1])
def test_a_bearing_takes_its_torque_from_the_force_on_its_pin(way):
    """(T0 - T1) radius = coefficient * pin * |force|, from the two tensions and their angle."""
    bearing = Bearing(coefficient=0.3, pin_radius=0.04, speed=1e-7)
    rim = Pulley(point=(1.0, 0.1, 0), radius=0.1, side="right", friction=bearing)
    system = chorda.assemble(carriage((at(1.5, 2.0), rim), friction=None))
    found = outputs(system, [0.0], [0.2 * way], [PULL])
    before, behind = found["segment_tension"]
    angle = found["wrap_angle"][0]
    force = math.hypot(before - behind * math.cos(angle), behind * math.sin(angle))
    assert way * (before - behind) * 0.1 == pytest.approx(0.3 * 0.04 * force, rel=1e-10)
    assert abs(before - behind) > 0.1


def test_a_straight_cable_does_not_rub():
    system = chorda.assemble(carriage((at(2.0, 0.0), at(1.0, 0.0))))
    found = outputs(system, [0.0], [0.2], [PULL])["segment_tension"]
    np.testing.assert_allclose(found, PULL, rtol=1e-14)
    assert np.all(np.isfinite(chorda.linearize(system, u=np.array([PULL])).K))


def test_a_held_cable_that_is_wound_slides_by_its_stretch():
    """Wound by dx, what lies beyond the guide gets longer by its part of dx."""
    path = (at(2.0, 3.0), at(2.0, 0.0))
    system = chorda.assemble(carriage(path, law=SOFT, actuator=Winch(name="winch")))
    length, beyond, rate = 5.0, 2.0, -0.1
    found = outputs(system, [0.0], [0.0], [-0.01, rate])
    assert found["sliding_speed"][0] == pytest.approx(-rate * beyond / length, rel=1e-12)
    before, behind = found["segment_tension"]
    assert behind / before == pytest.approx(lost([math.pi / 2], 1), rel=1e-9)
    law = SOFT.stiffness * 0.01 - SOFT.damping * rate
    mean = (before * (length - beyond) + behind * beyond) / length
    assert mean == pytest.approx(law, rel=1e-9)


def test_friction_has_its_size_from_the_speed_of_sliding():
    """v / sqrt(v^2 + speed^2)."""
    slow = Capstan(coefficient=MU, speed=0.05)
    system = chorda.assemble(carriage((at(2.0, 1.0), at(2.0, 0.0)), friction=slow))
    for v in (0.0, 0.05, -0.2):
        ratio = outputs(system, [0.0], [v], [PULL])["segment_tension"][1] / PULL
        way = v / math.hypot(v, 0.05)
        assert ratio == pytest.approx(lost([math.pi / 2], way), rel=1e-12)


def test_the_force_on_the_cart_is_that_of_the_cable_at_it():
    system = chorda.assemble(carriage((at(2.0, 1.0), at(2.0, 0.0))))
    F = forces(system, [0.0], [0.3], [PULL])[1][0]
    assert pytest.approx(PULL * lost([math.pi / 2], 1) - 0.5 * 0.3, rel=1e-12) == F
