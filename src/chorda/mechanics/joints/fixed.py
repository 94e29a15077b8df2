"""The fixed joint: no coordinate, one more frame."""

from chorda.describe import Fixed
from chorda.mechanics.frames import SX, identity
from chorda.mechanics.joints.joint_model import Carried, JointModel, body_inertia
from chorda.mechanics.parameters import Parameters


def build(joint: Fixed, par: Parameters) -> JointModel:
    body = body_inertia(joint.name, joint.body, par)
    return JointModel((Carried("", identity(), SX(3, 0), SX(3, 0), body),))
