"""Robots told to other programs."""

import numpy as np
from scipy.spatial.transform import Rotation


def text(values):
    """Numbers of an attribute in XML."""
    return " ".join(repr(float(x)) for x in values)


def pinocchio_model(pin, robot):
    """(model, data) of a chain in Pinocchio: joints and bodies, and nothing else of it."""
    model = pin.Model()
    model.gravity.linear = np.array(robot.gravity)
    kinds = {
        "revolute": pin.JointModelRevoluteUnaligned,
        "prismatic": pin.JointModelPrismaticUnaligned,
    }
    parent = 0
    for joint in robot.joints:
        R = Rotation.from_rotvec(joint.placement.angle * np.array(joint.placement.axis))
        place = pin.SE3(R.as_matrix(), np.array(joint.placement.position))
        xx, yy, zz, xy, xz, yz = joint.body.inertia
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inertia = pin.Inertia(joint.body.mass, np.array(joint.body.center), matrix)
        if joint.kind == "fixed":
            model.appendBodyToJoint(parent, inertia, place)
            continue
        free = joint.kind == "free"
        moving = pin.JointModelFreeFlyer() if free else kinds[joint.kind](np.array(joint.axis))
        parent = model.addJoint(parent, moving, place, joint.name)
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    return model, model.createData()
