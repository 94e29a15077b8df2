"""The fixed joint: no coordinate, one more frame."""

import casadi as ca

from chorda.describe import Fixed
from chorda.mechanics.frames import SX, Pose, identity, rotation, vector
from chorda.mechanics.joints.joint_model import Carried, JointModel, body_inertia
from chorda.mechanics.parameters import Parameters


def build(joint: Fixed, par: Parameters) -> JointModel:
    pose, held, held_turn = identity(), [], None
    if joint.held is not None:
        for name, unit in (("angle", "rad"), ("shift", "m")):
            if value := getattr(joint.held, name):
                held.append(par.scalar(f"{joint.name}.held.{name}", value, unit, signed=True))
                turn = rotation(joint.held.axis, held[-1]) if unit == "rad" else SX.eye(3)
                shift = vector(*joint.held.axis) * (held[-1] if unit == "m" else 0)
                pose = pose @ Pose(turn, ca.sparsify(shift))
                if unit == "rad":
                    held_turn = vector(*joint.held.axis), held[-1]
    body = body_inertia(joint.name, joint.body, par)
    carried = Carried("", pose, SX(3, 0), SX(3, 0), body)
    return JointModel((carried,), held=ca.vertcat(SX(0, 1), *held), held_turn=held_turn)
