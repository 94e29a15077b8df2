"""States of first order at rest: currents of cells of a map, efforts that a current must keep."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, JointMotor, Revolute, Robot
from chorda.errors import InputError


@pytest.fixture(scope="module")
def arm():
    joint = Revolute(
        name="j",
        stiffness=2.0,
        friction=0.01,
        body=Body(mass=0.4, center=(0.1, 0, 0), inertia=(0, 0, 1e-3, 0, 0, 0)),
    )
    winding = {"resistance": 2.0, "torque_constant": 0.05, "inductance": 1e-2}
    motor = JointMotor(name="m", joint="j", inertia=1e-5, gear_ratio=50.0, winding=winding)
    robot = Robot(name="arm", gravity=(0, 0, 0), joints=(joint,), actuators=(motor,))
    return chorda.assemble(robot)


def test_a_cell_of_a_map_has_the_current_of_its_own_voltage(arm):
    start = chorda.equilibrium(arm, inputs={"m": 0.1})
    cell = chorda.workspace(start, {"m": (0.1, 0.5, 3)}).at(2)
    assert cell.position["m.current"] == pytest.approx(0.25, rel=1e-9)
    run = chorda.simulate(arm, duration=0.1, step=1e-3, scheme="bdf2", initial=cell)
    assert np.abs(run.position - cell.q).max() < 1e-9


def test_an_effort_that_a_slow_current_would_have_to_keep_is_refused(arm):
    rest = chorda.equilibrium(arm, efforts={"j": 0.4})
    with pytest.raises(InputError, match=r"whose current takes time to rise"):
        chorda.simulate(arm, duration=0.1, step=1e-3, initial=rest)
