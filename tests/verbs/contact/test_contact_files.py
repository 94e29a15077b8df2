"""Robots with shapes in files, and their runs: what is read back is what was written."""

import numpy as np
import pytest

import chorda
from chorda.describe import Box, Cylinder, Plane, RodTube, dump, parse
from tests.helpers.touching_robots import KINDS, leaning_neck, touching


@pytest.mark.parametrize("kind", KINDS)
def test_robots_with_contacts_are_read_back_as_they_were_written(kind):
    robot = leaning_neck(kind)
    more = [
        Plane(name="floor", point=(0, -0.1, 0)),
        Box(name="box", center=(1, 0, 0), size=(0.1, 0.2, 0.3), rounding=0.01),
        Cylinder(name="disc", start=(1, 1, 0), end=(1, 1, 0.1), radius=0.1),
    ]
    robot = robot.model_copy(update={"shapes": (*robot.shapes, *more)})
    assert parse(dump(robot)) == robot


def test_the_surface_of_a_rod_is_read_back_as_it_was_written():
    rod = chorda.load("till")
    robot = rod.model_copy(update={"shapes": (RodTube(name="skin", rod="rod", radius=0.01),)})
    assert parse(dump(robot)) == robot


@pytest.mark.parametrize("kind", ["smooth", "bristle"])
def test_saved_runs_keep_outputs_and_events_of_contacts_and_go_on_with_their_bristles(
    kind, tmp_path
):
    system, rest = touching(kind, stiffness=1e4, dissipation=2.0)
    how = {"step": 1e-3, "inputs": rest.u}
    start = {"tension": 20.0}
    whole = chorda.simulate(system, duration=1.2, initial=start, **how)
    run = chorda.simulate(system, duration=0.6, initial=start, **how)
    assert run.outputs["normal_force"].max() > 10
    opened = chorda.open(run.save(tmp_path / "run.nc"))
    assert opened.system.robot == system.robot
    assert opened.data.identical(run.data)
    assert opened.events == run.events
    assert "touches" in [x.kind for x in opened.events]
    rest_of_it = chorda.simulate(opened.system, duration=0.6, initial=opened, **how)
    if kind == "bristle":
        assert np.abs(run.position[-1, -system.nz :]).max() > 1e-6
    assert np.array_equal(rest_of_it.position[-1], whole.position[-1])
