"""Revolute and prismatic joints: one coordinate along a constant axis."""

from chorda.describe import Prismatic, Revolute
from chorda.mechanics.frames import SX, Pose, rotation, vector
from chorda.mechanics.joints.joint_model import (
    Carried,
    Coordinate,
    JointModel,
    body_inertia,
    dry_pivots,
)
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.stop_forces import stop_model


def build(joint: Revolute | Prismatic, par: Parameters) -> JointModel:
    turns = joint.kind == "revolute"
    unit, torque = ("rad", "N m") if turns else ("m", "N")
    q, v = SX.sym(joint.name), SX.sym(f"{joint.name}.rate")
    n = vector(*joint.axis)
    pose = Pose(rotation(joint.axis, q), SX(3, 1)) if turns else Pose(SX.eye(3), n * q)
    none = SX(3, 1)
    low, high = joint.range or (-float("inf"), float("inf"))
    friction = stiffness = rest = SX(0)
    if joint.friction is not None:
        friction = par.scalar(f"{joint.name}.friction", joint.friction, f"{torque} s/{unit}")
    if joint.stiffness is not None:
        stiffness = par.scalar(f"{joint.name}.stiffness", joint.stiffness, f"{torque}/{unit}")
        rest = par.scalar(f"{joint.name}.rest", joint.rest, unit, signed=True)
    body = body_inertia(joint.name, joint.body, par)
    stop = stop_model(joint, unit, torque, par)
    return JointModel(
        q=q,
        v=v,
        coordinates=(Coordinate(joint.name, unit, low=low, high=high, stops=stop is not None),),
        velocities=((f"{joint.name}.rate", f"{unit}/s"),),
        kinematics=SX.eye(1),
        carried=(Carried("", pose, n if turns else none, none if turns else n, body),),
        pivots=SX.eye(1),
        pivot_friction=friction,
        **dry_pivots(joint, SX.eye(1), par),
        spring_energy=stiffness * (q - rest) ** 2 / 2,
        stop=stop,
    )
