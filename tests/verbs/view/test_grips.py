"""A hand pulls the body that it grabbed, whichever robot it is."""

import numpy as np
import pytest

import chorda
from chorda.view.drawing import make_drawing
from chorda.view.live.moving_robot import MovingRobot

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
