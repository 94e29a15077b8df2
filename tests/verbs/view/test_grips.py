"""A hand pulls the body that it grabbed, whichever robot it is."""

import numpy as np
import pytest

import chorda
from chorda.view.drawing import make_drawing
from chorda.view.live.motion_panel import MotionPanel
from chorda.view.live.moving_robot import MovingRobot
from tests.helpers.fake_viser import FakeGui

SECONDS = 0.05


@pytest.mark.parametrize(
    ("name", "end"),
    [("hand-ball", "ball"), ("belt-arm", "joint2.tip"), ("recursive-1", "link2.tip")],
)
def test_the_end_of_a_robot_is_something_that_moves(name, end):
    system = chorda.assemble(chorda.load(name))
    drawing = make_drawing(system, system.start[None], system.parameter_values)
    place = system.function("end", "q p", system.frames[end].p)(
        system.start, system.parameter_values
    )
    assert drawing.end[0] == pytest.approx(place.full().ravel(), abs=1e-12)


@pytest.mark.parametrize("name", ["belt-arm", "hand-ball"])
def test_a_hand_pulls_each_body_where_it_was_grabbed(name):
    system = chorda.assemble(chorda.load(name))
    model = MovingRobot(system)
    for k in range(len(model.grips)):
        ways = []
        for force in (0.0, 2.0):
            model.reset()
            model.grip = k
            model.take(model.pulled_point())
            assert model.grip == k
            model.pull = np.array([force, 0.0, 0.0])
            model.advance(SECONDS)
            ways.append(model.pulled_point()[0])
        assert ways[1] > ways[0] + 1e-6


def test_a_drag_takes_what_is_under_the_mouse_and_lets_it_go():
    arm = chorda.assemble(chorda.load("belt-arm"))
    panel = MotionPanel(FakeGui(), lambda: arm, 0.5, lambda: None)
    panel._speed.value, panel._pull.value = 1.0, 10.0
    while panel.model is None:
        panel.tick(0.0)
    model, way = panel.model, np.array([0.1, 0.0, 0.0])
    for k in (0, 1):
        model.grip = k
        place = model.pulled_point() + 0.01
        model.grip = 1 - k
        panel.drag("start", place, place + way)
        assert model.grip == k
        panel.drag("update", place, place + 2 * way)
        assert model.pull == pytest.approx([4.0, 0.0, 0.0])  # N: 10 N for 0.5 m
        panel.drag("end", place, place + 2 * way)
        assert model.pull == pytest.approx([0.0, 0.0, 0.0])


def test_what_is_prescribed_cannot_be_grabbed():
    model = MovingRobot(chorda.assemble(chorda.load("hand-ball")))
    assert "pedestal" not in {x.frame for x in model.grips}


def test_the_arrow_of_the_hand_is_where_it_pulls():
    model = MovingRobot(chorda.assemble(chorda.load("belt-arm")))
    model.grip, model.pull = 0, np.array([0.0, 3.0, 0.0])
    model.advance(SECONDS)
    pushes = model.configuration().pushes
    acting = np.linalg.norm(pushes.forces[0], axis=1) > 0
    assert pushes.forces[0, acting] == pytest.approx(np.array([[0.0, 3.0, 0.0]]))
    assert pushes.points[0, acting][0] == pytest.approx(model.pulled_point())
