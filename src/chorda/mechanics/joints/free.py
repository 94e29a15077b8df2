"""The free joint: a unit quaternion and a position, so no angle is singular.

Velocities are angular first, both in the axes of the base frame: e_dot = (0, w) e / 2.
"""

import casadi as ca

from chorda.describe import Free
from chorda.mechanics.frames import SX, Pose, quaternion_matrix
from chorda.mechanics.joints.joint_model import Carried, Coordinate, JointModel, body_inertia
from chorda.mechanics.parameters import Parameters


def build(joint: Free, par: Parameters) -> JointModel:
    name = joint.name
    q, v = SX.sym(name, 7), SX.sym(f"{name}.rate", 6)
    w, x, y, z = ca.vertsplit(q[:4])
    spin = ca.vertcat(
        ca.horzcat(-x, -y, -z), ca.horzcat(w, z, -y), ca.horzcat(-z, w, x), ca.horzcat(y, -x, w)
    )
    return JointModel(
        q=q,
        v=v,
        coordinates=(
            *(Coordinate(f"{name}.e{k}", "-", rest=float(k == "w")) for k in "wxyz"),
            *(Coordinate(f"{name}.{k}", "m") for k in "xyz"),
        ),
        velocities=(
            *((f"{name}.w{k}", "rad/s") for k in "xyz"),
            *((f"{name}.v{k}", "m/s") for k in "xyz"),
        ),
        kinematics=ca.diagcat(spin / 2, SX.eye(3)),
        carried=(
            Carried(
                "",
                Pose(quaternion_matrix(q[:4]), q[4:]),
                ca.horzcat(SX.eye(3), SX(3, 3)),
                ca.horzcat(SX(3, 3), SX.eye(3)),
                body_inertia(name, joint.body, par),
            ),
        ),
        quaternion=True,
    )
