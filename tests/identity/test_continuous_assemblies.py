"""The continuous model of parallel robots: places, balance, and the forward and inverse problem."""

import math

import numpy as np
import pytest

from chorda.continuous import follow, joint_stiffness, shooting
from tests.helpers.assembly_robots import (
    EI,
    SIX,
    SIX_BULGE,
    SIX_MOTORS,
    TWO,
    TWO_BULGE,
    TWO_MOTORS,
    cantilever,
    hand,
    six_angles,
    two_angles,
)

# P on the printed path of Briot2022, by an independent solution of the continuous problem
PLACES = {
    0: (0.00039493, 0.83903214),
    25: (-0.68205512, 0.41559150),
    50: (0.00050057, -0.91007367),
}


@pytest.fixture(scope="module")
def two():
    """Every fifth configuration of the printed way."""
    ways = [two_angles(t) for t in range(0, 51, 5)]
    return follow(TWO, hold=ways, initial=TWO_BULGE, strict=True)


@pytest.fixture(scope="module")
def six():
    return shooting(SIX, hold=six_angles(0), initial=SIX_BULGE, strict=True)


@pytest.mark.parametrize("t", PLACES)
def test_the_pin_is_where_an_independent_solution_has_it(two, t):
    assert two[t // 5].frame("leg2.tip")[0][:2] == pytest.approx(PLACES[t], abs=1e-8)


def test_a_moment_at_the_tip_bends_a_rod_to_a_circle():
    bend = 1.3
    found = shooting(cantilever(moment=(0, 0, bend * EI)), strict=True)
    p, R = found.frame("rod.tip")
    assert p == pytest.approx([math.sin(bend) / bend, (1 - math.cos(bend)) / bend, 0], abs=1e-12)
    assert R[:, 0] == pytest.approx([math.cos(bend), math.sin(bend), 0], abs=1e-12)
    assert found.strains("rod")[1][:, 2] == pytest.approx(bend, rel=1e-11)


def test_places_converge_with_order_8(two):
    """24 steps are within 1e-12 of 40: they stand for the exact place here."""
    start, exact = two[-2], two[-1].frame("leg1.tip")[0]
    errors = []
    for steps in (6, 12):
        found = shooting(TWO, hold=two_angles(50), initial=start, steps=steps, strict=True)
        errors.append(np.linalg.norm(found.frame("leg1.tip")[0] - exact))
    assert 7.5 < math.log2(errors[0] / errors[1]) < 8.5


def test_bending_energy_and_pull_along_the_tangent_add_up_to_a_constant(six):
    """EI k^2 / 2 + n t does not change along an elastica: nothing in the solver knows that."""
    for i in range(6):
        m, n = six.nodes.m[:, i], six.nodes.n[:, i]
        constant = (m**2).sum(axis=1) / (2 * EI) + n[:, 0]
        assert np.ptp(constant) < 1e-9 * np.max(np.abs(constant))


def test_tips_pull_the_platform_nowhere(six):
    centre = six.frame("platform")[0]
    wrench = six.nodes.wrench[-1]
    arms = six.nodes.p[-1] - centre
    force, moment = wrench[:, 3:].sum(axis=0), np.cross(arms, wrench[:, 3:]).sum(axis=0)
    assert np.max(np.abs(wrench[:, 3:])) > 0.1
    assert np.abs([*force, *moment]) == pytest.approx(0, abs=1e-10)
    assert np.abs(wrench[:, :3]) == pytest.approx(0, abs=1e-10)  # balls carry no moment


def test_equal_motors_keep_the_platform_in_the_middle(six):
    found = shooting(SIX, hold=dict.fromkeys(SIX_MOTORS, 5.5), initial=six, strict=True)
    p, R = found.frame("platform")
    assert p[:2] == pytest.approx([0, 0], abs=1e-12)
    assert R[2, 2] == pytest.approx(1, abs=1e-12)
    assert np.ptp(list(found.efforts.values())) < 1e-10


def test_a_motor_holds_with_the_derivative_of_the_energy(six):
    step, energy = 1e-3, []
    for sign in (-1, 1):
        angles = six_angles(0) | {"motor3": six_angles(0)["motor3"] + sign * step}
        energy.append(shooting(SIX, hold=angles, initial=six, strict=True).energy)
    slope = (energy[1] - energy[0]) / (2 * step)
    assert six.efforts["motor3"] == pytest.approx(slope, rel=1e-5)


def slopes(robot, found, hold, name, step=1e-4):
    """How efforts change with one joint, by differences."""
    efforts = []
    for sign in (-1, 1):
        moved = hold | {name: hold[name] + sign * step}
        there = shooting(robot, hold=moved, initial=found, strict=True)
        efforts.append(np.array([there.efforts[x] for x in hold]))
    return (efforts[1] - efforts[0]) / (2 * step)


def test_stiffness_of_the_motors_is_how_efforts_change(six):
    K = joint_stiffness(six, SIX_MOTORS)
    assert pytest.approx(K.T, abs=1e-9) == K
    assert K[:, 1] == pytest.approx(slopes(SIX, six, six_angles(0), "motor2"), abs=1e-6)


@pytest.mark.parametrize("follows", [False, True])
def test_so_it_is_under_loads_and_moments_at_the_tip(follows):
    robot, hold = hand(follows), {"slide": 0.2, "motor": -0.3}
    found = shooting(robot, hold=hold, strict=True)
    K = joint_stiffness(found, list(hold))
    assert K[:, 1] == pytest.approx(slopes(robot, found, hold, "motor"), abs=1e-7)


def test_motors_that_put_the_platform_somewhere_put_it_there(six):
    """The inverse problem from a configuration near by, then the forward one from the first."""
    p, R = six.frame("platform")
    place = {"platform": {"x": p[0] + 0.02, "y": p[1], "z": p[2] - 0.03, "rotation": R}}
    found = shooting(SIX, poses=place, actuated=SIX_MOTORS, initial=six, strict=True)
    assert found.frame("platform")[0] == pytest.approx(p + np.array([0.02, 0, -0.03]), abs=1e-10)
    angles = {name: found.position[name] for name in SIX_MOTORS}
    again = shooting(SIX, hold=angles, initial=six, strict=True)
    assert again.frame("platform")[1] == pytest.approx(R, abs=1e-9)
    assert again.efforts == pytest.approx(found.efforts, abs=1e-9)


def test_motors_that_put_the_pin_somewhere_are_those_that_hold_it_there(two):
    x, y, _ = two[3].frame("leg1.tip")[0]
    place = {"leg1.tip": {"x": x, "y": y}}
    found = shooting(TWO, poses=place, actuated=TWO_MOTORS, initial=two[2], strict=True)
    assert found.position == pytest.approx(two[3].position, abs=1e-9)


def test_a_place_out_of_reach_is_told(two):
    place = {"leg1.tip": {"x": 0.0, "y": 2.5}}
    found = shooting(TWO, poses=place, actuated=TWO_MOTORS, initial=two[0], steps=6)
    assert found.status.code == "not-converged"
    assert "is left of the equations" in found.status.message
    assert "Try a start nearer to it" in found.status.message


@pytest.mark.slow
def test_six_legs_follow_the_whole_printed_way(six):
    ways = [six_angles(t) for t in range(51)]
    found = follow(SIX, hold=ways, initial=six, strict=True)
    assert max(x.iterations for x in found) < 10
    for reached, wanted in zip(found, ways, strict=True):
        assert {name: reached.position[name] for name in wanted} == pytest.approx(wanted)
