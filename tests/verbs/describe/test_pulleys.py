"""Pulleys in descriptions: read and written, and impossible paths refused with a remedy."""

import numpy as np
import pytest
import yaml

import chorda
from chorda.describe import Point, Pulley, Tendon, dump, from_data, parse
from chorda.errors import DescriptionError, InputError
from tests.helpers.pulley_robots import LINK, chain, pulled, random_robot, x_joints
from tests.helpers.refusals import refused_robot

HINGE = {"name": "j", "kind": "revolute", "body": {"mass": 1.0}}
PULLEY = {"radius": 0.05, "side": "left"}


def refusal(*path, joints=(HINGE,)):
    return refused_robot(joints=list(joints), tendons=[{"name": "t", "path": list(path)}])


@pytest.mark.parametrize("robot", [random_robot(0), chorda.load("fasquelle-3-pulleys")])
def test_pulleys_are_read_as_they_were_written(robot):
    assert any(isinstance(x, Pulley) for x in robot.tendons[0].path)
    assert parse(dump(robot)) == robot


def test_a_file_gives_a_radius_to_a_pulley_and_none_to_a_point():
    text = yaml.safe_load(
        dump(x_joints((Pulley(frame="x1.base", radius=0.01, side="left"), Point(frame="x1.top"))))
    )
    first, last = text["tendons"][0]["path"]
    assert first == {"frame": "x1.base", "radius": 0.01, "side": "left"}
    assert last == {"frame": "x1.top"}


def test_an_element_with_any_field_of_pulleys_is_told_what_pulleys_need():
    message = refusal({}, {"side": "left"})
    assert message == (
        "arm: tendons.0.path.1.radius: this field is missing; add it (radius of the rim [m])"
    )
    assert "tendons.0.path.1.radus: unknown field; did you mean 'radius'?" in refusal(
        {}, {"radus": 0.1, "side": "left"}
    )
    assert "tendons.0.path.1.side: this field is missing; add it (where the centre lies" in refusal(
        {}, {"radius": 0.1}
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"radius": 0}, "radius: expected a number greater than 0, got 0"),
        ({"radius": "big"}, "radius: expected a number, got 'big'"),
        ({"side": "top"}, "side: expected 'left' or 'right', got 'top'"),
        ({"normal": [1, 1, 0]}, "normal: expected a direction of length 1"),
        ({"leave": "perhaps"}, "leave: expected true or false"),
        ({"wound": float("nan")}, "wound: expected a finite number"),
        ({"frame": "k"}, "frame: 'k' is no frame of this robot"),
        ({"point": "left"}, "point: 'left' is no anchor of world"),
        ({"point": [0, 1]}, "point: expected 3 values, got [0, 1]"),
    ],
)
def test_a_wrong_field_of_a_pulley_is_named(change, words):
    assert f"tendons.0.path.1.{words}" in refusal({}, PULLEY | change)


def test_a_point_is_still_told_about_points():
    assert "tendons.0.path.1: expected a mapping of fields, got 3" in refusal({}, 3)
    assert "tendons.0.path.1.pont: unknown field; did you mean 'point'?" in refusal({}, {"pont": 1})


def test_a_point_inside_a_pulley_of_the_same_frame_is_refused():
    message = refusal(PULLEY | {"frame": "j"}, {"frame": "j", "point": [0.04, 0, 0]})
    assert message == (
        "arm: tendons.0.path: tendon 't' cannot run from element 0 (pulley of radius 0.05 m at j "
        "origin) to element 1 (point at j (0.04, 0, 0)): they are 0.04 m apart, expected more "
        "than 0.05 m; move them apart, make the radius smaller, or check the side"
    )


def test_pulleys_that_overlap_are_refused_only_where_the_cable_crosses_between_them():
    first = PULLEY | {"frame": "j"}
    second = first | {"point": [0.08, 0, 0]}
    assert "0.08 m apart, expected more than 0.1 m" in refusal(first, second | {"side": "right"})
    tendon = {"name": "t", "path": [first, second]}
    assert from_data({"name": "a", "joints": [HINGE], "tendons": [tendon]})


def test_anchors_of_an_x_joint_are_known_places():
    joint = {"name": "x", "kind": "x", "diagonal_length": 0.1, "bar_length": 0.05}
    joint |= {"diagonal_mass": 0.06, "bar_mass": 0.03}
    left = {"frame": "x.top", "point": "left", "radius": 0.03, "side": "left"}
    right = {"frame": "x.top", "point": "right", "radius": 0.03, "side": "right"}
    assert "0.05 m apart, expected more than 0.06 m" in refusal(left, right, joints=[joint])
    low = {"frame": "x.left_diagonal", "point": "low", "radius": 0.06, "side": "left"}
    high = {"frame": "x.left_diagonal", "point": "high", "radius": 0.06, "side": "right"}
    assert "0.1 m apart, expected more than 0.12 m" in refusal(low, high, joints=[joint])


def test_elements_out_of_a_pulleys_plane_are_refused():
    message = refusal(PULLEY | {"frame": "j"}, {"frame": "j", "point": [0.2, 0, 0.01]})
    assert "they are 0.01 m apart across the pulley's plane, expected 0; move one" in message
    other = PULLEY | {"frame": "j", "point": [0.2, 0, 0], "normal": [0, 1, 0]}
    assert "their planes are not parallel; give both the same normal" in refusal(
        PULLEY | {"frame": "j"}, other
    )


def test_more_than_three_pulleys_in_a_row_that_may_be_left_are_refused():
    row = [PULLEY | {"point": [0.2 * k, 0, 0]} for k in range(1, 5)]
    ends = {"point": [0, 0.1, 0]}, {"frame": "j", "point": [1, 0, 0]}
    message = refusal(ends[0], *row, ends[1])
    assert message == (
        "arm: tendons.0.path: tendon 't' may leave 4 pulleys in a row (elements 1 to 4), expected "
        "at most 3; set leave: false where the cable never leaves"
    )
    row[1]["leave"] = False
    tendon = {"name": "t", "path": [ends[0], *row, ends[1]]}
    assert from_data({"name": "a", "joints": [HINGE], "tendons": [tendon]})


# Assembling: what the description alone does not tell ----------------------------------------


def assembling(path, joints=None):
    with pytest.raises(InputError) as caught:
        chorda.assemble(pulled(joints or chain(1), path, name="arm"))
    return str(caught.value)


def test_a_pulley_that_a_point_of_another_frame_is_in_is_refused():
    path = (Pulley(radius=0.05, side="left"), Point(frame="j1", point=(0.03, 0, 0)))
    assert assembling(path) == (
        "arm: tendon 'cable' cannot run from element 0 (pulley of radius 0.05 m at world origin) "
        "to element 1 (point at j1 (0.03, 0, 0)): at the reference configuration they are 0.02 m "
        "too "
        "near to each other; move them apart, make the radius smaller, or check the side"
    )


def test_elements_that_would_meet_where_the_cable_leaves_one_between_are_refused():
    path = (
        Pulley(radius=0.05, side="left"),
        Pulley(frame="j1", point=(LINK, 0, 0), radius=0.03, side="left"),
        Point(frame="j1", point=(0.03, 0, 0)),
    )
    message = assembling(path)
    assert "from element 0" in message
    assert "to element 2" in message
    assert "as it would where it leaves the pulleys between" in message
    assert "set leave: false there" in message
    kept = path[1].model_copy(update={"leave": False})
    assert chorda.assemble(pulled(chain(1), (path[0], kept, path[2])))


def test_a_plane_that_is_left_by_moving_is_refused():
    across = chain(1)[0].model_copy(update={"axis": (0.0, 1.0, 0.0)})
    path = (Pulley(radius=0.05, side="left"), Point(frame="j1", point=(LINK, 0, 0)))
    message = assembling(path, (across,))
    assert "m apart across the pulley's plane, expected 0" in message
    drum = Pulley(frame="j1", point=(LINK, 0, 0), radius=0.02, side="left")
    message = assembling((path[0], drum), (across,))
    assert "their planes do not stay parallel; give pulleys normals along the axes" in message


# In motion -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["explicit-euler", "implicit-euler", "rk4", "rk45", "cvodes"])
def test_a_path_that_becomes_impossible_stops_the_motion_with_a_sentence(scheme):
    slide = chorda.describe.Prismatic(
        name="s",
        axis=(1, 0, 0),
        body=chorda.describe.Body(mass=1.0),
        placement=chorda.describe.Placement(position=(0.3, 0, 0)),
    )
    path = (Pulley(radius=0.05, side="left"), Point(frame="s"))
    system = chorda.assemble(pulled((slide,), path))
    run = chorda.simulate(system, duration=2.0, step=1e-2, scheme=scheme, inputs=[1.0])
    assert run.status.code == "impossible-path"
    assert run.status.message.startswith(
        "Tendon 'cable' can no longer run from element 0 (pulley of radius 0.05 m at world origin) "
        "to element 1 (point at s origin): they came too near to each other (s = -0.25"
    )
    when = f"at step {len(run.time)} (t = "
    assert when in run.status.message
    assert "Limit the joints' ranges or the inputs, or move the pulley" in run.status.message
    assert 0.6 < run.time[-1] < 0.8


def test_a_start_where_the_path_is_impossible_is_told():
    path = (Pulley(radius=0.05, side="left"), Point(frame="j1", point=(LINK, 0, 0)))
    run = chorda.simulate(
        chorda.assemble(pulled(chain(1), path)),
        duration=0.1,
        step=1e-2,
        scheme="rk4",
        inputs=[1.0],
        parameters={"cable.path0.radius": 0.5},
    )
    assert run.status.code == "impossible-path"
    assert "at step 1" in run.status.message
    assert "check initial values and parameters" in run.status.message


def test_results_hold_wrap_angles_contacts_and_tangent_points(tmp_path):
    system = chorda.assemble(random_robot(2, joints=2, leave=True))
    run = chorda.simulate(system, duration=0.05, step=1e-3, scheme="rk4", initial={"j1": 0.4})
    data = run.data
    k = next(i for i, x in enumerate(system.robot.tendons[0].path) if isinstance(x, Pulley))
    assert data.wrap_angle.sel(pulley=f"cable.path{k}").attrs["units"] == "rad"
    assert set(np.unique(data.contact)) <= {0.0, 1.0}
    assert f"cable.path{k}.in.x" in data.tangent.values
    assert data.tangent_point.attrs["units"] == "m"
    again = chorda.open_run(run.save(tmp_path / "run.nc"))
    assert np.array_equal(again.outputs["tangent_point"], run.outputs["tangent_point"])
    header = run.to_csv(tmp_path / "run.csv").read_text().splitlines()[0]
    assert f"wrap_angle cable.path{k} [rad]" in header


def test_a_tendon_of_points_has_no_outputs_of_pulleys():
    names = {o.name for o in chorda.assemble(chorda.neck(1)).outputs}
    assert not names & {"wrap_angle", "contact", "tangent_point"}


def test_pulleys_made_in_python_are_checked_too():
    with pytest.raises(DescriptionError, match="Pulley: radius: expected a number greater than 0"):
        Pulley(radius=-1.0, side="left")
    with pytest.raises(DescriptionError, match="t: path: expected at least two points, got 1"):
        Tendon(name="t", path=(Pulley(radius=0.1, side="left"),))
