"""Chains, lines and belts: what the builders make, and what they refuse in the user's words."""

import math

import numpy as np
import pytest

from chorda.describe import (
    Body,
    DenavitHartenberg,
    KelvinVoigt,
    Point,
    Prismatic,
    Pulley,
    Revolute,
    Rigid,
    Robot,
    Tendon,
    belt,
    chain,
    dump,
    line,
    parse,
)
from chorda.errors import DescriptionError, InputError

LAW = KelvinVoigt(stiffness=1e4, pretension=5.0, one_sided=True)
BODY = Body(mass=1.0, inertia=(0.01, 0.01, 0.01, 0, 0, 0))


def drums(*sides):
    return [Pulley(point=(0.2 * k, 0, 0), radius=0.01, side=s) for k, s in enumerate(sides)]


def test_a_table_becomes_joints_that_stand_on_the_tips_before_them():
    joints = chain(
        [
            (0.3, 0.1, 0.2, 0.4),
            {"kind": "prismatic", "name": "slide", "a": 0.1, "alpha": 0, "theta": 1, "friction": 2},
            DenavitHartenberg(a=0.2),
        ],
        bodies=[BODY, None, BODY],
    )
    assert [j.name for j in joints] == ["joint1", "slide", "joint3"]
    assert [j.parent for j in joints] == ["world", "joint1.tip", "slide.tip"]
    assert [type(j) for j in joints] == [Revolute, Prismatic, Revolute]
    assert joints[0].link == DenavitHartenberg(a=0.3, alpha=0.1, d=0.2, theta=0.4)
    assert joints[1].link == DenavitHartenberg(a=0.1, theta=1.0)
    assert joints[1].friction == 2.0
    assert [j.body for j in joints] == [BODY, None, BODY]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "rows: expected a list with a row for each joint.*give at least one"),
        ("abc", "rows: expected a list with a row for each joint"),
        ({"a": 1}, "rows: expected a list with a row for each joint"),
        ([(1, 2, 3)], r"rows.0: expected four numbers \(a, alpha, d, theta\).*got 3 values"),
        ([(1, 2, 3, 4, 5)], "rows.0: expected four numbers .*got 5 values"),
        (["0.3"], "rows.0: expected four numbers .*got '0.3'"),
        (np.zeros((2, 3)), "rows.0: expected four numbers .*got 3 values"),
        (np.zeros(4), "rows.0: expected four numbers .*got 0.0"),
        ([(0, 0, 0, 0), 7], "rows.1: expected four numbers .*got 7"),
        ([(0, math.nan, 0, 0)], r"rows.0.alpha: expected a finite number \[rad\], got nan"),
        ([(math.inf, 0, 0, 0)], r"rows.0.a: expected a finite number \[m\], got inf"),
        ([("1", 0, 0, 0)], r"rows.0.a: expected a finite number \[m\], got '1'"),
        ([(None, 0, 0, 0)], r"rows.0.a: expected a finite number \[m\], got None"),
        (
            [{"kind": "revolut", "a": 0, "alpha": 0, "d": 0}],
            "rows.0.kind: 'revolut' is not known; did you mean 'revolute'",
        ),
        (
            [{"kind": ["x"], "a": 0}],
            "rows.0.kind: .*is not known; expected one of revolute, prismatic",
        ),
        ([{"a": 0}], "rows.0: alpha, d missing; a revolute joint needs a, alpha and d .write 0"),
        (
            [{"kind": "prismatic", "a": 0, "alpha": 0}],
            "rows.0: theta missing; a prismatic joint needs a, alpha and theta",
        ),
        (
            [{"a": 0, "alpha": 0, "d": 0, "frictions": 1}],
            "rows.0.frictions: unknown field; did you mean 'friction'",
        ),
    ],
)
def test_an_inconsistent_table_is_refused(rows, words):
    with pytest.raises(InputError, match=words):
        chain(rows)


def test_a_numpy_table_is_a_table():
    table = np.array([[0.3, 0, 0, 0.1], [0.2, 0, 0, 0]])
    rows = [tuple(row) for row in table.tolist()]
    assert chain(table) == chain(list(table)) == chain(rows)


@pytest.mark.parametrize("bodies", [BODY, {"joint1": BODY}, "b"])
def test_bodies_are_a_list(bodies):
    with pytest.raises(InputError, match=r"bodies: expected a list .*, got .*write \[body\]"):
        chain([(0.3, 0, 0, 0)], bodies=bodies)


def test_there_is_a_body_for_each_row_in_one_place():
    with pytest.raises(InputError, match="bodies: expected 2, one for each row, got 1; write None"):
        chain([(1, 0, 0, 0)] * 2, bodies=[BODY])
    row = {"a": 1, "alpha": 0, "d": 0, "body": BODY}
    assert chain([row])[0].body == BODY
    with pytest.raises(InputError, match=r"rows.0.body: bodies gives one too"):
        chain([row], bodies=[BODY])


@pytest.mark.parametrize("kind", [Revolute, Prismatic])
def test_a_link_in_denavit_hartenberg_form_needs_the_axis_z(kind):
    with pytest.raises(DescriptionError, match=r"inconsistent with the Denavit-Hartenberg form.*"):
        kind(name="j", axis=(1, 0, 0), link=DenavitHartenberg(a=0.1))
    with pytest.raises(DescriptionError, match=r"link.alpha: expected a number, got 'x'"):
        kind(name="j", link={"alpha": "x"})
    with pytest.raises(DescriptionError, match=r"link.twist: unknown field"):
        kind(name="j", link={"twist": 1.0})


def test_tips_are_frames_only_where_there_is_a_link():
    joints = (*chain([(0.3, 0, 0, 0)]), Revolute(name="k", parent="joint1.tip"))
    robot = Robot(name="x", joints=joints)
    assert robot.frames() == ("world", "joint1", "joint1.tip", "k")
    with pytest.raises(DescriptionError, match=r"joints.2.parent: 'k.tip' is no frame"):
        Robot(name="x", joints=(*joints, Revolute(name="l", parent="k.tip")))
    cable = Tendon(name="t", path=(Point(), Point(frame="joint1.tip", point="left")))
    with pytest.raises(DescriptionError, match=r"'left' is no anchor of joint1.tip; .*origin"):
        Robot(name="x", joints=joints, tendons=(cable,))


def test_a_carrier_is_a_frame_of_the_robot():
    cable = Tendon(name="t", path=(Point(), Point(frame="joint1")), carrier="link9")
    with pytest.raises(DescriptionError, match=r"tendons.0.carrier: 'link9' is no frame"):
        Robot(name="x", joints=chain([(0.3, 0, 0, 0)]), tendons=(cable,))


def test_links_and_carriers_read_back():
    joints = chain([(0.3, 0.1, 0.2, 0.4), {"kind": "prismatic", "a": 1, "alpha": 0, "theta": 0}])
    cable = Tendon(name="t", path=(Point(), Point(frame="joint1.tip")), carrier="joint1")
    robot = Robot(name="x", joints=joints, tendons=(cable,))
    assert parse(dump(robot)) == robot


def test_a_line_is_a_tendon_for_each_segment():
    stiff = KelvinVoigt(stiffness=1e5)
    segments = line(
        "pull",
        drums("right", "left", "left"),
        (LAW, stiff),
        carriers=["world", "arm"],
        actuator="motor",
    )
    assert [t.name for t in segments] == ["pull-1", "pull-2"]
    assert [t.law for t in segments] == [LAW, stiff]
    assert [t.carrier for t in segments] == ["world", "arm"]
    assert [t.actuator for t in segments] == ["motor", None]
    assert [t.winding for t in segments] == [-1, 1]
    assert segments[0].path[1] == segments[1].path[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pulleys": drums("left")}, "pull: pulleys: expected at least two, got 1"),
        (
            {"pulleys": [Point(), *drums("left")]},
            "pulleys.0: expected a Pulley, got Point; .*cables",
        ),
        ({"laws": [LAW] * 3}, "pull: laws: expected one, or 2: one for each segment .*got 3"),
        ({"carriers": ["world"]}, "pull: carriers: expected 2, one for each segment .*got 1"),
        ({"carriers": "world"}, "pull: carriers: expected 2, .*got 'world'"),
        ({"winding": 1}, "pull: winding: there is no actuator"),
        ({"actuator": ["m1", "m2"]}, "pull: actuator: expected the name of one actuator"),
    ],
)
def test_an_inconsistent_line_is_refused(change, words):
    given = {
        "pulleys": drums("left", "left", "left"),
        "laws": LAW,
        "carriers": ["world"] * 2,
    } | change
    with pytest.raises(InputError, match=words):
        line("pull", **given)


def test_a_actuator_that_is_named_must_exist():
    wheel = Revolute(name="w", body=BODY)
    ends = [Pulley(point=(-0.2, 0, 0), radius=0.01, side="left")]
    ends.append(Pulley(frame="w", radius=0.02, side="left"))
    tendons = line("pull", ends, LAW, carriers=["world"], actuator="motor")
    with pytest.raises(
        DescriptionError, match=r"tendons.0.actuator: 'motor' is no actuator of this"
    ):
        Robot(name="x", joints=(wheel,), tendons=tendons)


def test_a_belt_is_its_two_sides():
    go, back = belt("b", *drums("left", "right"), LAW, carrier="arm", actuator="motor")
    assert (go.name, back.name) == ("b-1", "b-2")
    assert [x.side for x in go.path] == ["left", "right"]
    assert [x.side for x in back.path] == ["right", "left"]
    assert (go.winding, back.winding) == (1, -1)
    assert go.actuator == back.actuator == "motor"
    assert go.carrier == back.carrier == "arm"


def test_a_belt_must_stretch():
    with pytest.raises(InputError, match=r"b: law: an endless tendon .*give it a stiffness"):
        belt("b", *drums("left", "left"), Rigid(), carrier="world")
