"""Tensions that are nothing but rounding are no tensions."""

import numpy as np
import pytest

import chorda
from chorda.view.configurations import configurations
from chorda.view.live.robot_nodes import RobotNodes
from chorda.view.motion_page import _tension
from chorda.view.scene import make_scene
from chorda.view.tension_look import slack, tension_scale, without_noise
from tests.helpers.fake_viser import FakeServer


@pytest.fixture(scope="module")
def held():
    """Joints that are held: what is left in the tendons is of the order of 1e-15 N."""
    system = chorda.assemble(chorda.load("finger-2n"))
    return chorda.equilibrium(system, hold={"joint1": 0.5, "joint2": 0.4})


def test_a_robot_that_carries_nothing_has_slack_tendons_alone(held):
    assert np.any(held.tension > 0), "without this the test shows nothing"
    assert np.all(slack(held.tension))
    assert tension_scale(held.tension).vmax == 1.0
    found = _tension(configurations(held))
    assert (found["max"], found["slack"]) == (1.0, True)


def test_in_the_viewer_it_is_slack_too(held):
    c = configurations(held)
    nodes = RobotNodes(FakeServer(), make_scene(c), "robot")
    nodes.show(c)
    assert nodes.unusual == (True, False)
    assert nodes.largest == 0


def test_a_small_tension_is_one_where_nothing_is_larger():
    assert not np.any(slack(np.array([2e-6, 3e-6])))
    assert without_noise(np.array([np.nan, 1.0, 1e-10])) == pytest.approx(
        [np.nan, 1.0, 0.0], nan_ok=True
    )
