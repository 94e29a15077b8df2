"""Pulleys in pictures: circles of their radius, the cable along their rims, marks at points
only."""

import numpy as np
import pytest

import chorda
from chorda.view.artists import RobotArtists
from chorda.view.drawing import make_drawing
from chorda.view.style import new_figure


@pytest.fixture(scope="module")
def drawing():
    system = chorda.assemble(chorda.load("fasquelle-3-pulleys"))
    q = np.zeros(system.nq)
    q[:3] = 0.3, -0.5, 0.6
    return make_drawing(system, q[None], system.parameters())


def lines(drawing, kind):
    return [line for line in drawing.system.picture.lines if line.kind == kind]


def test_pulleys_are_circles_about_their_centres(drawing):
    at = drawing.points[0]
    assert len(lines(drawing, "pulley")) == 12
    for line in lines(drawing, "pulley"):
        (center,) = line.marks
        assert np.allclose(np.linalg.norm(at[list(line.points)] - at[center], axis=1), 0.005)


def test_the_cable_as_drawn_is_nearly_as_long_as_the_cable(drawing):
    system = drawing.system
    zeros = [np.zeros(n) for n in (system.nv, system.nv, 0, system.nu)]
    q = np.zeros(system.nq)
    q[:3] = 0.3, -0.5, 0.6
    exact = system.observe(q, *zeros, system.parameters())[0].full().ravel()
    for line, length in zip(lines(drawing, "tendon"), exact, strict=True):
        way = drawing.points[0][list(line.points)]
        drawn = np.linalg.norm(np.diff(way, axis=0), axis=1).sum()
        assert drawn == pytest.approx(length, rel=1e-3)
        assert drawn < length


def test_eyelets_are_drawn_at_points_and_not_along_rims(drawing):
    ax = new_figure().add_subplot()
    robot = RobotArtists(ax, drawing)
    robot.show(0)
    assert len(robot.pulleys.get_paths()) == 12
    assert len(robot.eyelets.get_xdata()) == 4
