"""Rods one after the other, and rods on other joints, are what they are as one."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Placement, Revolute
from tests.helpers.evaluate import forces, random_state
from tests.helpers.rod_robots import L, balanced, pose, robot, rod

MODES = {"twist": 1, "bend_y": 2, "bend_z": 3, "stretch": 1}
GRAVITY = (2.0, -8.0, 5.0)


@pytest.fixture(scope="module")
def one():
    """A rod whose strains may jump in its middle."""
    modes = {**MODES, "breaks": (L,), "intervals": 24}
    return chorda.assemble(robot(rod(modes, length=2 * L, young_modulus=5e10), gravity=GRAVITY))


@pytest.fixture(scope="module")
def two():
    """Its halves, one on the tip of the other."""
    lower = rod(MODES, name="lower", young_modulus=5e10)
    upper = rod(MODES, name="upper", young_modulus=5e10, parent="lower.tip")
    return chorda.assemble(robot(lower, upper, gravity=GRAVITY))


def halves(one, two):
    """Where each coordinate of the one rod is among those of the two."""
    order = []
    for name in one.coordinate_names:
        strain, k = name.removeprefix("rod.")[:-1], int(name[-1])
        n = MODES[strain]
        order.append(two.coordinate_names.index(f"{('lower', 'upper')[k // n]}.{strain}{k % n}"))
    return order


def test_two_rods_in_series_have_the_inertia_and_forces_of_one(one, two):
    q, v, *_ = random_state(two, np.random.default_rng(0), 1.0)
    order = halves(one, two)
    M, F = forces(two, q, v)
    M_one, F_one = forces(one, q[order], v[order])
    assert np.allclose(M_one, M[np.ix_(order, order)], rtol=1e-9, atol=1e-14)
    assert np.allclose(F_one, F[order], rtol=1e-9, atol=1e-12)


def test_two_rods_in_series_rest_as_one(one, two):
    tip = pose(one, balanced(one))[1]
    assert np.linalg.norm(tip - [2 * L, 0, 0]) > 0.2 * L
    assert np.allclose(pose(two, balanced(two), "upper.tip")[1], tip, rtol=0, atol=1e-9)


@pytest.fixture(scope="module")
def hinged():
    made = rod({"bend_z": 3, "stretch": 1}, parent="hinge")
    return chorda.assemble(robot(Revolute(name="hinge"), made, gravity=(0, -9.81, 0)))


def test_rod_on_a_turned_hinge_feels_what_a_rod_placed_so_feels(hinged):
    angle = 0.9
    placed = chorda.assemble(
        robot(
            rod({"bend_z": 3, "stretch": 1}, placement=Placement(angle=angle)),
            gravity=(0, -9.81, 0),
        )
    )
    q = np.array([1.0, -2.0, 0.5, 0.01])
    M, F = forces(hinged, [angle, *q])
    M_placed, F_placed = forces(placed, q)
    assert np.allclose(M[1:, 1:], M_placed, rtol=1e-11)
    assert np.allclose(F[1:], F_placed, rtol=1e-10)


def test_hinge_feels_the_weight_of_a_rod_at_the_arm_of_its_centre(hinged):
    """The rod as a circle of curvature k: its centre of mass by hand."""
    k, angle = 3.0, 0.4
    x = (1 - math.cos(k * L)) / (k**2 * L)
    y = (1 - math.sin(k * L) / (k * L)) / k
    arm = x * math.cos(angle) - y * math.sin(angle)
    mass = hinged.robot.joints[1].density * math.pi * 1e-6 * L
    _, F = forces(hinged, [angle, k, 0, 0, 0])
    assert F[0] == pytest.approx(-mass * 9.81 * arm, rel=1e-9)


def test_rod_that_turns_with_its_hinge_is_pulled_outward(hinged):
    """At a steady rate a straight rod needs the force rho A w^2 (L^2 - s^2) / 2 along it."""
    w = 7.0
    _, F = forces(hinged, np.zeros(5), [w, 0, 0, 0, 0], changes={"gravity.y": 0.0})
    per_length = hinged.robot.joints[1].density * math.pi * 1e-6
    assert F[4] == pytest.approx(per_length * w**2 * L**3 / 3, rel=1e-9)
    assert np.allclose(F[:4], 0, rtol=0, atol=1e-12)


def test_stretching_rod_on_a_turning_hinge_feels_coriolis(hinged):
    """Velocity s e outward at each place: the hinge feels 2 w times the moment of mass rate."""
    w, e = 5.0, 0.3
    per_length = hinged.robot.joints[1].density * math.pi * 1e-6
    _, F = forces(hinged, np.zeros(5), [w, 0, 0, 0, e], changes={"gravity.y": 0.0})
    assert F[0] == pytest.approx(-2 * w * e * per_length * L**3 / 3, rel=1e-9)
