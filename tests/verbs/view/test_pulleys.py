"""Pulleys in pictures: circles of their radius, the cable along their rims, marks at points
only."""

import numpy as np
import pytest

import chorda
from chorda.view.actors import Actors, Widths
from chorda.view.stage import build_stage
from chorda.view.style import new_figure


@pytest.fixture(scope="module")
def stage():
    system = chorda.assemble(chorda.load("fasquelle-3-pulleys"))
    q = np.zeros(system.nq)
    q[:3] = 0.3, -0.5, 0.6
    return build_stage(system, q[None], system.parameters())


def lines(stage, kind):
    return [line for line in stage.system.picture.lines if line.kind == kind]


def test_pulleys_are_circles_about_their_centres(stage):
    at = stage.points[0]
    assert len(lines(stage, "pulley")) == 12
    for line in lines(stage, "pulley"):
        (center,) = line.marks
        assert np.allclose(np.linalg.norm(at[list(line.points)] - at[center], axis=1), 0.005)


def test_the_cable_as_drawn_is_nearly_as_long_as_the_cable(stage):
    system = stage.system
    zeros = [np.zeros(n) for n in (system.nv, system.nv, 0, system.nu)]
    q = np.zeros(system.nq)
    q[:3] = 0.3, -0.5, 0.6
    exact = system.observe(q, *zeros, system.parameters())[0].full().ravel()
    for line, length in zip(lines(stage, "tendon"), exact, strict=True):
        way = stage.points[0][list(line.points)]
        drawn = np.linalg.norm(np.diff(way, axis=0), axis=1).sum()
        assert drawn == pytest.approx(length, rel=1e-3)
        assert drawn < length


def test_eyelets_are_drawn_at_points_and_not_along_rims(stage):
    ax = new_figure().add_subplot()
    actors = Actors(ax, stage, Widths(5.0, 2.0, 1.0, 3.0), None)
    actors.show(0)
    assert len(actors.pulleys.get_paths()) == 12
    assert len(actors.eyelets.get_xdata()) == 4
