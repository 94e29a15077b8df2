"""Loads along rods and frames of rods: files, tables, and what is refused by name."""

import pytest

import chorda
from chorda.cli.parameter_sources import parameter_sources
from chorda.cli.robot_tables import robot_tables
from chorda.continuous import rod_statics, shooting
from chorda.describe import Body, DistributedLoad, RodFrame, WrenchActuator, dump, parse
from chorda.errors import DescriptionError, InputError
from tests.helpers.rod_robots import L, robot, rod

WIND = DistributedLoad(name="wind", rod="rod", fy=(0.1, 0.2), start=0.1, end=0.3)
COAT = DistributedLoad(name="coat", rod="rod", mz=0.01, follows=True)
FRAMES = (RodFrame(name="a", at=0.2), RodFrame(name="b", at=0.3, body=Body(mass=0.01)))
ROBOT = robot(
    rod(frames=FRAMES),
    distributed_loads=(WIND, COAT),
    sources={"distributed_loads.*.fy.1": "a guess", "joints.*.frames.*.body.mass": "a scale"},
)


def test_a_robot_with_them_is_written_and_read_again():
    assert parse(dump(ROBOT)) == ROBOT


def test_coefficients_and_bodies_are_parameters_with_sources():
    sources = parameter_sources(chorda.assemble(ROBOT))
    assert sources["wind.fy1"] == "a guess"
    assert sources["wind.fy0"] == ""
    assert sources["rod.b.mass"] == "a scale"
    assert "coat.mz0" in sources


def test_tables_show_them():
    tables = {x.title: x.rows for x in robot_tables(chorda.assemble(ROBOT))}
    wind, coat = tables["Loads along rods"]
    assert wind == ("wind", "rod, from 0.1 m to 0.3 m", "fy [0.1, 0.2] N/m", "of the world")
    assert coat == ("coat", "rod", "mz 0.01 N m/m", "of the rod")
    assert ("rod.b", "0.01 kg") in tables["Bodies"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rod": "bar", "fx": 1.0}, "distributed_loads.0.rod: 'bar' is no rod of this robot"),
        ({"fx": 1.0, "end": 2 * L}, "distributed_loads.0.end: 1 m is beyond the rod"),
        ({"fx": 1.0, "start": L}, "distributed_loads.0.start: 0.5 m is the rod's tip"),
        ({"fx": 1.0, "start": 0.3, "end": 0.2}, "end: expected more than start (0.3 m), got 0.2 m"),
        (
            {"start": 0.1},
            "expected a force or moment per length (fx, fy, fz, mx, my, mz), got none",
        ),
    ],
)
def test_loads_that_no_rod_can_have_are_refused(fields, message):
    load = {"name": "w", "rod": "rod", **fields}
    with pytest.raises(DescriptionError) as caught:
        robot(rod(), distributed_loads=(load,))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ((RodFrame(name="a", at=2 * L),), "frames.0.at: 1 m is beyond the rod"),
        ((RodFrame(name="tip", at=0.1),), "frames: names must differ, and from tip and base"),
    ],
)
def test_frames_that_no_rod_can_have_are_refused(frames, message):
    with pytest.raises(DescriptionError) as caught:
        rod(frames=frames)
    assert message in str(caught.value)


def test_assemblies_without_modes_refuse_them_by_name():
    with pytest.raises(InputError, match=r"distributed_loads\.wind: the continuous model of an"):
        shooting(robot(rod(), distributed_loads=(WIND,)))
    with pytest.raises(InputError, match=r"rod\.frames: expected none, got 2"):
        shooting(robot(rod(frames=FRAMES)))


def test_a_continuous_rod_refuses_forces_as_inputs_by_name():
    push = WrenchActuator(name="push", at={"frame": "rod.tip"}, components=("fx",))
    with pytest.raises(InputError, match=r"actuators\.0 \(push\): forces on frames are no inputs"):
        rod_statics(robot(rod(), actuators=(push,)))
