"""What acts on coordinates of joints: stops, actuators, and couplings between them."""

from collections.abc import Iterator

import numpy as np

from chorda.describe import (
    Coupling,
    Joint,
    JointEffort,
    JointMotion,
    JointMotor,
    Prismatic,
    Revolute,
    XJoint,
)
from chorda.errors import InputError
from chorda.exporting.mjcf.actuators import add_torque
from chorda.exporting.mjcf.mujoco_model import MujocoModel, add, dry_level, hard_friction, text
from chorda.mechanics.assembler import assemble

LEAST_IMPEDANCE = (
    1e-4  # MuJoCo's least impedance: a limit is then a spring and a damper up to this part
)


def add_stops(model: MujocoModel) -> None:
    """Springs that act beyond the range; with damping, limits of MuJoCo's that are as soft."""
    for joint in model.robot.joints:
        if isinstance(joint, Revolute | Prismatic | XJoint) and joint.stop is not None:
            _add_stop(model, joint)


def _add_stop(model: MujocoModel, joint: Revolute | Prismatic | XJoint) -> None:
    low, high, k, d, w = (
        model.parameter(f"{joint.name}.stop.{x}")
        for x in ("low", "high", "stiffness", "damping", "smoothing")
    )
    ends = (low - w / 2, high + w / 2)
    if not d:
        _tie(model, f"{joint.name}.stop", [(joint, 1.0)], stiffness=k, springlength=ends)
        return
    a = _mobility(model, joint)
    soft = {
        "solreflimit": (-k * a, -d * a),
        "solimplimit": (LEAST_IMPEDANCE, LEAST_IMPEDANCE, 1e-3),
    }
    limits = {"limited": "true", "range": ends}
    _tie(model, f"{joint.name}.stop", [(joint, 1.0)], **limits, **soft)


def _mobility(model: MujocoModel, joint: Joint) -> float:
    """Acceleration of the joint per force on it at the reference configuration, by which MuJoCo
    scales its limits: of the bodies alone, the rotors being bodies of their own there."""
    robot = model.robot
    if any(isinstance(x, XJoint) for x in robot.joints):
        raise InputError(
            f"joints.{joint.name}.stop.damping: MuJoCo scales the damping of a limit by the "
            "inertia of the opened loops of X-joints, which Chorda does not have; leave the "
            "damping out, or give the joint friction"
        )
    none = {"tendons": (), "actuators": (), "closures": (), "couplings": ()}
    bare = assemble(robot.model_copy(update={**none, "start": {}}))
    values = [model.parameter(name) for name in bare.parameter_names]
    M = np.asarray(bare.equations(bare.rest, np.zeros(bare.nv), [], values)[0].full())
    row = [name for name, _ in bare.velocities].index(f"{joint.name}.rate")
    return float(np.linalg.inv(M)[row, row])


def add_coupling(model: MujocoModel, coupling: Coupling) -> None:
    """A combination of joints that stays at its offset."""
    joints = {joint.name: joint for joint in model.robot.joints}
    name = coupling.name
    terms = [(joints[x], model.parameter(f"{name}.{x}")) for x in coupling.factors]
    _tie(model, name, terms)
    offset = (model.parameter(f"{name}.offset"), 0, 0, 0, 0)
    add(model.equality, "tendon", name=name, tendon1=name, polycoef=offset)


def add_joint_actuators(model: MujocoModel) -> None:
    """Torques and forces; a motor's rotor and friction are the joint's own."""
    joints = {joint.name: joint for joint in model.robot.joints}
    for x in model.robot.actuators:
        if isinstance(x, JointMotion):
            raise InputError(
                f"actuators.{x.name}: MuJoCo cannot prescribe the motion of a joint; take kind: "
                "effort or joint-motor, or export to c or casadi"
            )
        if isinstance(x, JointEffort | JointMotor):
            ratio = model.parameter(f"{x.name}.gear_ratio", 1.0)
            joint = joints[x.joint]
            where = {"joint": x.joint}
            if isinstance(joint, XJoint):
                _tie(model, x.name, [(joint, 1.0)])
                where = {"tendon": x.name}
            if isinstance(x, JointMotor):
                _add_rotor(model, x, joint, ratio)
                add_torque(model, x, ratio, **where)
            else:
                add(model.actuators, "motor", name=x.name, gear=ratio, **where)


def _add_rotor(model: MujocoModel, motor: JointMotor, joint: Joint, ratio: float) -> None:
    if isinstance(joint, XJoint):
        raise InputError(
            f"actuators.{motor.name}: MuJoCo's X-joints have no hinge that a rotor turns with; "
            "take kind: effort, or export to c or casadi"
        )
    (made,) = (x for x in model.world.iter("joint") if x.get("name") == joint.name)
    inertia, viscous = (model.parameter(f"{motor.name}.{x}") for x in ("inertia", "friction"))
    more = {"armature": inertia * ratio**2, "damping": viscous * ratio**2}
    if dry := dry_level(model, motor):
        hard = hard_friction(model)
        more["frictionloss"] = dry * ratio
        made.attrib.update({key: text(value) for key, value in hard.items()})
    for key, value in more.items():
        if value:
            made.set(key, repr(float(made.get(key, 0.0)) + value))


def _tie(
    model: MujocoModel, name: str, terms: list[tuple[Joint, float]], **attributes: object
) -> None:
    """A tendon whose length is a combination of coordinates."""
    made = add(model.tendons, "fixed", name=name, **attributes)
    for joint, factor in terms:
        for part in _hinges(joint):
            add(made, "joint", joint=part, coef=factor)


def _hinges(joint: Joint) -> Iterator[str]:
    """MuJoCo's joints whose sum is the coordinate: an X-joint's top turns against a diagonal."""
    if isinstance(joint, XJoint):
        yield from (f"{joint.name}.left_diagonal", f"{joint.name}.top")
    else:
        yield joint.name
