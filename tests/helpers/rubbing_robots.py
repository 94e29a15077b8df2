"""A mass on a spring and an arm whose joints rub, and a neck whose motors do."""

import chorda
from chorda.describe import Body, DryFriction, Prismatic, Revolute, Robot, XJoint

MASS, SPRING = 2.0, 800.0  # [kg, N/m]
LUGRE = {  # bristles with all that they may have
    "torque": 0.2,
    "deflection": 0.05,
    "damping": 0.01,
    "breakaway": 0.3,
    "stribeck_rate": 0.4,
}


def rubbing_mass(spring=SPRING, gravity=(0, 0, 0), **friction):
    """A mass of 2 kg that slides along x on a spring."""
    joint = Prismatic(
        name="mass",
        axis=(1, 0, 0),
        body=Body(mass=MASS),
        stiffness=spring,
        dry_friction=friction or None,
    )
    return Robot(name="rubbing", gravity=gravity, joints=(joint,))


def rubbing_arm(**friction):
    """A link, and an X-joint on it, with dry friction in every pivot."""
    body = Body(mass=0.5, center=(0.1, 0, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    bars = {"diagonal_length": 0.1, "bar_length": 0.05, "diagonal_mass": 0.06, "bar_mass": 0.3}
    joints = (
        Revolute(name="arm", body=body, dry_friction=friction),
        XJoint(name="x", parent="arm", dry_friction=friction, **bars),
    )
    return Robot(name="arm", joints=joints)


def brushed_neck():
    """The neck of three joints, with bristles in its motors and joints."""
    robot = chorda.neck(3)
    law = {"kind": "bristle", **LUGRE}
    rubs = {"dry_friction": type(robot.actuators[0].dry_friction)(**law)}
    return robot.model_copy(
        update={
            "actuators": tuple(x.model_copy(update=rubs) for x in robot.actuators),
            "joints": tuple(x.model_copy(update=rubs) for x in robot.joints),
        }
    )


def loaded_joints(kind, **fields):
    """The finger of three joints, which its tendons press into their bearings."""
    robot = chorda.load("finger-3")
    law = {"kind": kind, "torque": 0.01, "coefficient": 0.3, "pin_radius": 0.003, **fields}
    joints = tuple(
        x.model_copy(update={"dry_friction": DryFriction(**law)} if x.kind == "revolute" else {})
        for x in robot.joints
    )
    return robot.model_copy(update={"joints": joints})
