"""Friction of joints, from a log of joints that are moved by torques and forces."""

import numpy as np

import chorda
from chorda.describe import JointEffort, JointMotor
from chorda.identification.logs.log import Channel, Log, signals
from tests.helpers.actuated_robots import arm

TRUTH = {
    "one.friction": 0.1,
    "two.friction": 0.05,
    "three.friction": 4.0,
    "two.dry_torque": 0.05,
    "three.dry_force": 1.0,
    "m.dry_torque": 2e-3,
}


def test_friction_of_joints_and_their_motors_is_found():
    motor = JointMotor(
        name="m",
        joint="one",
        inertia=1e-5,
        gear_ratio=20.0,
        dry_friction={"torque": 2e-3, "slope": 2.0},
    )
    robot = arm(motor, JointEffort(name="t", joint="two"), JointEffort(name="f", joint="three"))
    one, two, three = robot.joints
    joints = (
        one.model_copy(update={"stiffness": 3.0, "friction": 0.1}),
        two.model_copy(
            update={
                "stiffness": 3.0,
                "friction": 0.05,
                "dry_friction": {"torque": 0.05, "slope": 30.0},
            }
        ),
        three.model_copy(
            update={
                "stiffness": 200.0,
                "friction": 4.0,
                "dry_friction": {"force": 1.0, "slope": 30.0},
            }
        ),
    )
    system = chorda.assemble(robot.model_copy(update={"joints": joints}))

    def inputs(t):
        return [
            0.05 * np.sin(5 * t) + 0.02 * np.sin(11 * t),
            1.2 * np.sin(6 * t + 1) + 0.5 * np.cos(2.5 * t),
            3 * np.sin(4 * t) + 8 * np.sin(9 * t),
        ]

    run = chorda.simulate(
        system,
        duration=6.0,
        step=1e-3,
        scheme="bdf2",
        inputs=inputs,
        strict=True,
    )
    channels = {}
    for x in signals(system):
        rows = run.input if x.kind == "input" else run.position
        channels[x.name] = Channel(x.name, x.unit, run.time, rows[:, x.row], "encoder")
    assert [*channels][3:] == ["m.torque", "t.effort", "f.effort"]
    found = chorda.identify(
        Log(channels=channels, source="simulated"),
        system,
        parameters=list(TRUTH),
        method="least squares",
    )
    for name, value in TRUTH.items():
        assert abs(found[name].value - value) < 0.02 * value, name
