"""Friction that cannot be is refused with field, expected, got and remedy."""

import pytest

import chorda
from chorda.describe import Body, DryFriction, Revolute, Robot, Tendon
from chorda.errors import InputError
from chorda.tendons import newton_euler
from tests.helpers.refusals import HINGE, X, refused, refused_motion, refused_robot
from tests.helpers.rubbing_robots import brushed_neck

SLIDE = {"name": "s", "kind": "prismatic"}


@pytest.mark.parametrize(
    ("joint", "law", "expected"),
    [
        (HINGE, {"torque": -1.0}, "dry_friction.torque: expected a number of at least 0, got -1.0"),
        (X, {"torque": 1.0, "slope": 0}, "dry_friction.slope: expected a number greater than 0"),
        (SLIDE, {"torque": 1.0}, "dry_friction.torque: unknown field"),
        (SLIDE, {}, "dry_friction.force: this field is missing; add it (friction force [N])"),
        (
            HINGE,
            {"torque": 1.0, "breakaway": 2.0},
            "dry_friction.stribeck_rate: this field is missing; Stribeck's effect needs breakaway "
            "[N m] and stribeck_rate [rad/s]: give both or none",
        ),
        (
            SLIDE,
            {"force": 1.0, "stribeck_rate": 2.0},
            "dry_friction.breakaway: this field is missing",
        ),
        (
            HINGE,
            {"torque": 1.0, "breakaway": 0.5, "stribeck_rate": 0.1},
            "dry_friction.breakaway: expected at least torque 1 N m, got 0.5 N m; friction falls",
        ),
    ],
)
def test_the_wrong_number_of_friction_is_named(joint, law, expected):
    assert f"joints.0.{expected}" in refused_robot(joints=[{**joint, "dry_friction": law}])


BRISTLE = {"kind": "bristle", "torque": 1.0}


@pytest.mark.parametrize(
    ("joint", "law", "expected"),
    [
        (
            HINGE,
            BRISTLE,
            "dry_friction.deflection: this field is missing; bristles need the deflection [rad]",
        ),
        (
            HINGE,
            {**BRISTLE, "deflection": 0},
            "dry_friction.deflection: expected a number greater than 0",
        ),
        (
            HINGE,
            {**BRISTLE, "deflection": 1e-3, "slope": 10},
            "dry_friction.slope: bristles have none",
        ),
        (
            HINGE,
            {**BRISTLE, "deflection": 1e-3, "damping": -1},
            "dry_friction.damping: expected a number of at least 0, got -1 ",
        ),
        (
            HINGE,
            {"torque": 1.0, "deflection": 1e-3},
            "dry_friction.deflection: only bristles have one, got kind arctan; write 'kind: "
            "bristle', or leave deflection out",
        ),
        (
            HINGE,
            {**BRISTLE, "torque": 0, "deflection": 1e-3, "breakaway": 0, "stribeck_rate": 1},
            "dry_friction.breakaway: expected more than 0 N m of bristles, got 0",
        ),
        (
            HINGE,
            {"torque": 1.0, "coefficient": -0.1, "pin_radius": 0.01},
            "dry_friction.coefficient: expected a number of at least 0, got -0.1",
        ),
        (
            HINGE,
            {"torque": 1.0, "coefficient": 0.1},
            "dry_friction.pin_radius: this field is missing; friction by the load needs "
            "coefficient and pin_radius [m]: give both or none",
        ),
        (
            HINGE,
            {"torque": 1.0, "pin_radius": 0.01},
            "dry_friction.coefficient: this field is missing",
        ),
        (
            SLIDE,
            {"force": 1.0, "coefficient": 0.1, "pin_radius": 0.01},
            "dry_friction.pin_radius: unknown field",
        ),
        (
            X,
            {"torque": 1.0, "coefficient": 0.1, "pin_radius": 0.01},
            "dry_friction.coefficient: the load of an X-joint's pivots is not known",
        ),
        (
            HINGE,
            {
                **BRISTLE,
                "deflection": 1e-3,
                "breakaway": 2,
                "stribeck_rate": 1,
                "coefficient": 0.1,
                "pin_radius": 0.01,
            },
            "dry_friction.breakaway: bristles whose friction grows with the load",
        ),
    ],
)
def test_the_wrong_number_of_bristles_and_pins_is_named(joint, law, expected):
    assert f"joints.0.{expected}" in refused_robot(joints=[{**joint, "dry_friction": law}])


def test_a_motor_does_not_rub_by_a_load():
    law = {"torque": 1.0, "coefficient": 0.1, "pin_radius": 0.01}
    motor = {"kind": "motor", "name": "m", "inertia": 1e-4, "drum_radius": 0.01}
    message = refused_robot(actuators=[{**motor, "dry_friction": law}])
    assert "actuators.0.dry_friction.coefficient: the load of a motor's bearings" in message


PINNED = {"torque": 0.1, "coefficient": 0.1, "pin_radius": 0.01}
ARM = Revolute(name="arm", body=Body(mass=1, inertia=(0, 0, 1, 0, 0, 0)), dry_friction=PINNED)


def test_a_load_that_follows_from_the_motion_is_refused_by_name():
    path = [{"point": (0, 1, 0)}, {"frame": "arm", "point": (1, 0, 0)}]
    rigid = Robot(name="a", joints=(ARM,), tendons=(Tendon(name="tie", path=path),))
    message = refused(InputError, chorda.assemble, rigid)
    assert "joints.0.dry_friction.coefficient: tendon 'tie' crosses 'arm' and is rigid" in message
    loop = {"name": "loop", "kind": "spherical", "start": {"frame": "other"}, "end": path[1]}
    other = ARM.model_copy(update={"name": "other", "dry_friction": None})
    closed = Robot.model_validate({"name": "b", "joints": [ARM, other], "closures": [loop]})
    message = refused(InputError, chorda.assemble, closed)
    assert "what 'arm' carries depends on the forces of closure 'loop'" in message


def test_deflections_that_are_not_there_are_refused():
    law = {"kind": "bristle", "torque": 0.1, "deflection": 1e-3}
    robot = Robot(name="a", joints=(ARM.model_copy(update={"dry_friction": DryFriction(**law)}),))
    system = chorda.assemble(robot)
    assert "'arm.bristel' is not there" in refused_motion(system, initial={"arm.bristel": 0.1})
    message = refused(InputError, newton_euler, robot, [0.0], [0.0], [0.0])
    assert "q: the bristles of arm have deflections; give a System" in message
    assert "'arm.bristle' is not there" in refused(
        InputError, chorda.equilibrium, system, hold={"arm.bristle": 1e-4}
    )


def test_identification_says_that_nothing_measures_bristles():
    system = chorda.assemble(brushed_neck())
    log = chorda.experiment(system, duration=1.0)
    message = refused(InputError, chorda.identify, log, system)
    assert "no sensor measures x1.bristle1, " in message
    assert (
        "take dry_friction of kind arctan or tanh, or fit the motion by simulation error" in message
    )


def test_mujoco_gets_no_friction_by_load():
    system = chorda.assemble(Robot(name="a", joints=(ARM,)))
    message = refused(InputError, chorda.export, system, "never.xml", to="mjcf")
    assert "arm.dry_friction.coefficient: MuJoCo's friction loss does not grow" in message


def test_mujoco_gets_what_bristles_carry_in_sliding_as_friction_loss(tmp_path):
    law = DryFriction(kind="bristle", torque=0.125, deflection=1e-3)
    robot = Robot(name="a", joints=(ARM.model_copy(update={"dry_friction": law}),))
    chorda.export(chorda.assemble(robot), tmp_path / "a.xml", to="mjcf")
    assert 'frictionloss="0.125"' in (tmp_path / "a.xml").read_text()
    damped = law.model_copy(update={"damping": 1.0})
    robot = Robot(name="a", joints=(ARM.model_copy(update={"dry_friction": damped}),))
    message = refused(
        InputError, chorda.export, chorda.assemble(robot), tmp_path / "b.xml", to="mjcf"
    )
    assert "arm.dry_friction.damping: MuJoCo's friction loss has no bristles" in message
