"""A planar robot of two legs: a configuration to start from, and a small map."""

import pytest

import chorda
from tests.helpers.small_maps import LIMITS, OVER


@pytest.fixture(scope="session")
def start():
    system = chorda.assemble(chorda.load("rfrfr"))
    return chorda.equilibrium(
        system,
        hold={"motor1": 2.59, "motor2": 0.55},
        initial={"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0},
        strict=True,
    )


@pytest.fixture(scope="session")
def small(start):
    return chorda.workspace(start, OVER, limits=LIMITS, jobs=1)
