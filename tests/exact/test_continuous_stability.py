"""Stability that comes with what the continuous models return: Euler's column."""

import math

import pytest

from chorda.continuous import finite_differences, rod_statics, shooting
from chorda.describe import Modes
from tests.helpers import rod_robots as wires
from tests.helpers.assembly_robots import EI, cantilever

EULER = math.pi**2 / 4


@pytest.mark.parametrize(
    ("share", "word"), [(0.99, "stable"), (1.0, "neutral"), (1.01, "unstable"), (9.0, "unstable")]
)
def test_straight_column_carries_its_stability(share, word):
    found = shooting(cantilever(force=(-share * EULER * EI, 0, 0)))
    assert found.status.ok
    assert found.stability == word
    assert found.stable == (word == "stable")
    assert word in found.status.message.lower()


def test_finite_differences_carry_it_too():
    found = finite_differences(cantilever(force=(-9 * EULER * EI, 0, 0)), elements=60)
    assert found.stability == "unstable"


def test_load_that_follows_is_not_judged_and_says_why():
    load = wires.pushed((-1e-3, 0, 0), follows=True)
    found = shooting(wires.robot(wires.rod(), loads=(load,)))
    assert found.status.ok
    assert found.stability == "unknown"
    assert "follows its body" in found.status.message


def test_moment_in_space_is_not_judged_and_says_why():
    modes = Modes(twist=2, stretch=0).model_dump()
    load = wires.pushed(moment=(0, 0, 1e-3))
    found = shooting(wires.robot(wires.rod(modes), loads=(load,)))
    assert found.stability == "unknown"
    assert "moment" in found.status.message


@pytest.mark.parametrize(("share", "word"), [(0.98, "stable"), (9.0, "unstable")])
def test_one_rod_carries_its_stability(share, word):
    push = wires.pushed((-share * EULER * wires.EI / wires.L**2, 0, 0))
    found = rod_statics(wires.robot(wires.rod(), loads=(push,)))
    assert found.status.ok
    assert found.stability == word
    assert word in found.status.message.lower()


def test_rod_with_a_tendon_says_why_its_stability_is_not_known():
    import chorda

    found = rod_statics(chorda.load("till"))
    assert found.stability == "unknown"
    assert "tendons" in found.status.message
