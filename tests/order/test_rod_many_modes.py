"""Many modes on few intervals: slices are added until they tell the functions apart."""

import numpy as np
import pytest

import chorda
from chorda.continuous import rod_statics
from chorda.describe import Sheath, Tendon, TensionActuator
from tests.helpers.rod_robots import robot, rod


def tip_error(count, intervals, shear=0):
    """Of a rod whose tendon ends inside, where its functions break, against the continuous rod,
    which has shear [m]."""
    tendon = Tendon(name="t", sheaths=(Sheath(rod="rod", y=0.01, end=0.3),), actuator="p")
    modes = {"bend_z": count, "stretch": 2, "shear_y": shear, "intervals": intervals}
    parts = {"actuators": (TensionActuator(name="p"),), "tendons": (tendon,)}
    described = robot(rod(modes), gravity=(0, -9.81, 0), **parts)
    rest = chorda.equilibrium(chorda.assemble(described), inputs=1.0, strict=True)
    exact = rod_statics(described, 1.0)
    assert exact.status.ok
    return np.abs(rest.frame("rod.tip")[0] - exact.tip).max()


def test_more_functions_make_a_tendon_that_ends_inside_better():
    errors = [tip_error(count, 12, shear=3) for count in (1, 2, 4, 6)]
    assert np.all(np.diff(errors) < 0)
    assert errors[-1] < 1e-7


def test_what_many_functions_leave_is_shear():
    assert 1e-6 < tip_error(6, 12) < 5e-6


@pytest.mark.parametrize("count", [12, pytest.param(20, marks=pytest.mark.slow)])
def test_few_intervals_are_as_good_as_many(count):
    few, many = (tip_error(count, intervals) for intervals in (2, 12))
    assert few == pytest.approx(many, rel=1e-3)


@pytest.mark.slow
def test_thirty_modes_are_as_exact_as_twelve():
    assert tip_error(30, 12) == pytest.approx(tip_error(12, 12), rel=1e-3)


def test_a_frame_that_is_not_there_is_refused():
    rest = chorda.equilibrium(chorda.assemble(robot(rod())))
    with pytest.raises(chorda.errors.InputError, match=r"frame: 'rod.middle' is not there"):
        rest.frame("rod.middle")
