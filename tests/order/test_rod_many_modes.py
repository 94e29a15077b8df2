"""Many modes on few intervals: slices are added until they tell the functions apart."""

import numpy as np
import pytest

import chorda
from chorda.continuous import rod_statics
from chorda.describe import Sheath, Tendon, TensionActuator
from tests.helpers.rod_robots import robot, rod

CASES = [  # (functions, intervals)
    (5, 12),
    (12, 2),
    pytest.param(20, 2, marks=pytest.mark.slow),
    pytest.param(30, 12, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("count", "intervals"), CASES)
def test_more_modes_never_make_a_tendon_that_ends_inside_worse(count, intervals):
    tendon = Tendon(name="t", sheaths=(Sheath(rod="rod", y=0.01, end=0.3),), actuator="p")
    modes = {"bend_z": count, "stretch": 2, "intervals": intervals}
    parts = {"actuators": (TensionActuator(name="p"),), "tendons": (tendon,)}
    described = robot(rod(modes), gravity=(0, -9.81, 0), **parts)
    rest = chorda.equilibrium(chorda.assemble(described), inputs=1.0, strict=True)
    exact = rod_statics(described, 1.0)
    assert exact.status.ok
    assert np.abs(rest.frame("rod.tip")[0] - exact.tip).max() < 2e-4 * 0.5


def test_a_frame_that_is_not_there_is_refused():
    rest = chorda.equilibrium(chorda.assemble(robot(rod())))
    with pytest.raises(chorda.errors.InputError, match=r"frame: 'rod.middle' is not there"):
        rest.frame("rod.middle")
