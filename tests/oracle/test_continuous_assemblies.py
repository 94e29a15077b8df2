"""The continuous model and the one with modes are two formulations of the same robots."""

import pytest

import chorda
from chorda.continuous import shooting
from tests.helpers.assembly_robots import TWO, TWO_BULGE, hand, loaded_platform, two_angles

BENDS = {"leg0": -0.5, "leg1": 0.8, "leg2": 0.3}


def agree(robot, frame, hold, initial, modes, within):
    found = shooting(robot, hold=hold, initial=initial, strict=True)
    other = chorda.equilibrium(chorda.assemble(robot), hold=hold, initial=modes, strict=True)
    for mine, theirs in zip(found.frame(frame), other.frame(frame), strict=True):
        assert mine == pytest.approx(theirs, abs=within)
    assert found.efforts == pytest.approx(other.efforts, abs=20 * within)
    return found, other


def test_three_legs_that_stretch_and_a_loaded_platform():
    """Nine functions of bending leave 9e-8 rad; twelve would leave less."""
    hold = {"motor0": 0.9, "motor1": 2.2, "motor2": -1.2}
    mine = {f"{leg}.bend_z": bend for leg, bend in BENDS.items()} | {"y": 0.4}
    theirs = {f"{leg}.bend_z0": bend for leg, bend in BENDS.items()} | {"y": 0.4}
    agree(loaded_platform(), "platform", hold, mine, theirs, within=2e-7)


@pytest.mark.parametrize("follows", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_rod_with_all_strains_weight_rest_and_a_hand(follows):
    agree(hand(follows), "hand", {"slide": 0.2, "motor": -0.3}, None, None, within=1e-9)


def test_curved_legs_that_meet_their_platform_at_rest():
    """Without a guess: the motors turn from where the loops are closed."""
    hold = {"motor1": 0.1, "motor2": 0.2, "motor3": 0.3}
    agree(chorda.load("3-rfr"), "platform", hold, None, None, within=1e-7)


def test_an_equilibrium_with_modes_is_a_start():
    start = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    found, other = agree(TWO, "leg1.tip", two_angles(0), TWO_BULGE, start, within=1e-7)
    again = shooting(TWO, hold=two_angles(0), initial=other, strict=True)
    assert again.iterations < 5 < found.iterations
    assert again.energy == pytest.approx(found.energy, rel=1e-10)
