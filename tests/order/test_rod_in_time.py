"""Observed orders of the implicit schemes on a rod that is pulled smoothly."""

import numpy as np
import pytest

import chorda
from chorda.describe import Sheath, Tendon, TensionActuator
from tests.helpers.rod_robots import robot, rod


@pytest.fixture(scope="module")
def system():
    tendon = Tendon(name="t", sheaths=(Sheath(rod="rod", y=0.01),), actuator="p")
    soft = rod({"bend_z": 3}, bend_damping=2e-4)
    parts = {"actuators": (TensionActuator(name="p"),), "tendons": (tendon,)}
    return chorda.assemble(robot(soft, gravity=(0, -9.81, 0), **parts))


def tip(system, scheme, step):
    rest = chorda.equilibrium(system, inputs=0.1, strict=True)
    pull = {"p": lambda t: 0.1 + 0.3 * np.sin(5 * t) ** 2}
    run = chorda.simulate(
        system, duration=0.4, step=step, scheme=scheme, initial=rest, inputs=pull, strict=True
    )
    return run.frame("rod.tip")[0][-1]


@pytest.mark.parametrize("scheme", ["bdf2", "generalized-alpha", "newmark"])
def test_the_tip_converges_with_the_square_of_the_step(system, scheme):
    exact = tip(system, scheme, 2.5e-4)
    steps = [8e-3, 4e-3, 2e-3]
    errors = [float(np.linalg.norm(tip(system, scheme, h) - exact)) for h in steps]
    orders = np.diff(np.log(errors)) / np.diff(np.log(steps))
    assert orders == pytest.approx([2, 2], abs=0.25)
    assert errors[-1] < 1e-4
