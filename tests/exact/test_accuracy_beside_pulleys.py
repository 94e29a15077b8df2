"""Rods beside cables around pulleys: their error from the same equilibrium with more functions."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Circle,
    KelvinVoigt,
    Modes,
    Point,
    Pulley,
    Robot,
    Rod,
    Sheath,
    Tendon,
    TensionActuator,
)


def pulled(count):
    wire = {"length": 0.3, "section": Circle(radius=1e-3), "young_modulus": 6e10, "density": 6500}
    modes = Modes(twist=0, bend_y=0, bend_z=count, stretch=1)
    pulley = Pulley(frame="world", point=(0.05, 0.2, 0), radius=0.02, side="left")
    ends = Point(frame="world", point=(0, 0.2, 0)), Point(frame="rod.tip")
    spring = KelvinVoigt(stiffness=20.0, damping=0.0, pretension=1.0)
    sheath = Sheath(rod="rod", y=(0.008,), z=(0.0,))
    return chorda.assemble(
        Robot(
            name="beside pulleys",
            joints=[Rod(name="rod", **wire, modes=modes)],
            tendons=[
                Tendon(name="pull", sheaths=[sheath], actuator="hand"),
                Tendon(name="side", path=[ends[0], pulley, ends[1]], law=spring),
            ],
            actuators=[TensionActuator(name="hand")],
        )
    )


@pytest.fixture(scope="module")
def exact():
    return chorda.equilibrium(pulled(10), inputs={"hand": 3.0}).frame("rod.tip")[0]


@pytest.mark.parametrize("count", [1, 2])
def test_the_estimate_is_the_error(count, exact):
    found = chorda.equilibrium(pulled(count), inputs={"hand": 3.0})
    error = np.linalg.norm(found.frame("rod.tip")[0] - exact)
    assert found.accuracy.worst == pytest.approx(error, rel=1e-2)
    assert ("The rods are not resolved" in found.status.message) == (count == 1)


def test_an_accuracy_that_is_asked_for_is_met(exact):
    found = chorda.equilibrium(pulled(1), inputs={"hand": 3.0}, accuracy=1e-5)
    assert found.status.ok
    assert np.linalg.norm(found.frame("rod.tip")[0] - exact) < 1e-5


def test_a_motion_says_that_it_is_not_known():
    run = chorda.simulate(pulled(2), duration=0.02, step=1e-3, inputs=[1.0])
    assert run.status.ok
    assert run.accuracy.space is None
    assert "the functions of the rods leave it off is not known" in run.status.message
