"""MuJoCo models of robots of the catalogue that grasp, made of their descriptions.

Pulleys lie on the joints' axes, so that moment arms are constant and MuJoCo's tendons are "fixed"
ones with these coefficients; Chorda lays them over the pulleys. Only declared pairs collide. A
prescribed slide stands still. MuJoCo's contacts have its own law: as soft as here, damped, with an
elliptic cone.
"""

from typing import Any

import numpy as np

from chorda.describe import Capsule, Cylinder, Free, Motor, Pulley, Revolute, Robot
from chorda.describe.contact_checks import pairs
from chorda.mechanics import Array


def mujoco_xml(robot: Robot, step: float, integrator: str = "implicit") -> str:
    """The robot as a document; its controls are the motors' torques in their order [N m]."""
    rotors = "".join(
        f'<body><joint name="{x.name}" axis="0 0 1" damping="{x.friction or 0.0}"/><inertial '
        f'pos="0 0 0" mass="1" diaginertia="{x.inertia} {x.inertia} {x.inertia}"/></body>'
        for x in _motors(robot)
    )
    torques = "".join(f'<motor joint="{x.name}"/>' for x in _motors(robot))
    return (
        f'<mujoco><compiler angle="radian"/><option timestep="{step}" integrator="{integrator}" '
        f'cone="elliptic" gravity="{_numbers(robot.gravity)}"/>'
        f"<worldbody>{_branch(robot, 'world')}{rotors}</worldbody>"
        f"<tendon>{''.join(_cable(robot, x) for x in robot.tendons)}</tendon>"
        f"<contact>{_declared(robot)}</contact><actuator>{torques}</actuator></mujoco>"
    )


def load(robot: Robot, torques: Array, step: float) -> tuple[Any, Any]:
    """MuJoCo's model and data, where the robot starts, at rest."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mujoco_xml(robot, step))
    data = mujoco.MjData(model)
    data.ctrl[:] = torques
    return model, data


def normal_forces(model: Any, data: Any) -> list[tuple[tuple[str, str], float]]:
    """Names of both shapes, and the force between them [N], of everything that touches."""
    import mujoco

    force, found = np.zeros(6), []
    for k in range(data.ncon):
        mujoco.mj_contactForce(model, data, k, force)
        first, second = (model.geom(x).name for x in data.contact[k].geom)
        found.append(((first, second), float(force[0])))
    return found


def _motors(robot: Robot) -> list[Motor]:
    return [x for x in robot.actuators if isinstance(x, Motor)]


def _branch(robot: Robot, frame: str) -> str:
    """Shapes on a frame, and the bodies that it carries with all beyond them."""
    found = "".join(_geom(x) for x in robot.shapes if x.frame == frame)
    for joint in robot.joints:
        if joint.parent == frame:
            place = joint.placement
            body = getattr(joint, "body", None)
            turn = " ".join(map(repr, (*map(float, place.axis), place.angle)))
            found += (
                f'<body name="{joint.name}" pos="{_numbers(place.position)}" axisangle="{turn}">'
                f"{_joint(joint)}{_mass(body)}{_branch(robot, joint.name)}</body>"
            )
    return found


def _joint(joint: Any) -> str:
    if isinstance(joint, Free):
        return "<freejoint/>"
    if not isinstance(joint, Revolute):
        return ""
    return (
        f'<joint name="{joint.name}" axis="{_numbers(joint.axis)}" '
        f'damping="{joint.friction or 0.0}" stiffness="{joint.stiffness or 0.0}"/>'
    )


def _mass(body: Any) -> str:
    if body is None or not any(body.inertia):
        return ""
    return (
        f'<inertial pos="{_numbers(body.center)}" mass="{body.mass}" '
        f'diaginertia="{_numbers(body.inertia[:3])}"/>'
    )


def _geom(shape: Any) -> str:
    """That collides in declared pairs alone, and has no mass."""
    kind = {Capsule: "capsule", Cylinder: "cylinder"}.get(type(shape), "sphere")
    if kind == "sphere":
        at = f'pos="{_numbers(_point(shape.center))}"'
    else:
        at = f'fromto="{_numbers((*_point(shape.start), *_point(shape.end)))}"'
    return (
        f'<geom name="{shape.name}" type="{kind}" size="{shape.radius}" {at} mass="0" '
        'contype="0" conaffinity="0"/>'
    )


def _point(point: Any) -> tuple[float, float, float]:
    return (0.0, 0.0, 0.0) if point == "origin" else point


def _cable(robot: Robot, cable: Any) -> str:
    """A fixed tendon: arms at the axes of the pulleys, and the drum."""
    arms = {
        rim.frame: -rim.radius * (1 if rim.side == "right" else -1)
        for rim in cable.path
        if isinstance(rim, Pulley)
    }
    motor = next(x for x in _motors(robot) if x.name == cable.actuator)
    slack = -(cable.law.pretension or 0.0) / cable.law.stiffness
    rows = {**arms, motor.name: -motor.drum_radius}
    return (
        f'<fixed stiffness="{cable.law.stiffness}" damping="{cable.law.damping}" '
        f'springlength="-1e3 {slack}">'
        + "".join(f'<joint joint="{name}" coef="{x}"/>' for name, x in rows.items())
        + "</fixed>"
    )


def _declared(robot: Robot) -> str:
    found = ""
    for contact in robot.contacts:
        law = contact.resolved_friction
        mu = 0.0 if law is None else law.coefficient
        for a, b in pairs(contact, robot.shapes, robot.joints):
            found += (
                f'<pair geom1="{a.name}" geom2="{b.name}" condim="3" solref="0.004 1" '
                f'friction="{mu} {mu} 0 0 0"/>'
            )
    return found


def _numbers(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)
