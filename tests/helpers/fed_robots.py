"""Robots with rods that are fed out of their base."""

from chorda.catalogue import load
from chorda.describe import Robot, Rod

STEEL = {"section": {"kind": "circle", "radius": 0.001}, "young_modulus": 2e11, "density": 7850}
RANGE = [0.2, 1.5]


def rod(*, fed=True, feeder=None, length=0.5, modes=None, **fields):
    """A planar steel rod along x from where it stands."""
    modes = {"bend_z": 3, "bend_y": 0, "twist": 0, "stretch": 0} | (modes or {})
    given = {"name": "leg", "kind": "rod", "length": length, "modes": modes, **STEEL, **fields}
    return given | ({"fed": {"range": RANGE} | (feeder or {})} if fed else {})


def single(*more, gravity=(0, 0, 0), **fields):
    """One rod that is clamped at the world's origin; more: joints after it."""
    keep = {k: fields.pop(k) for k in ("loads", "closures", "actuators", "start") if k in fields}
    joints = [rod(**fields), *more]
    return Robot.model_validate({"name": "fed", "gravity": gravity, "joints": joints, **keep})


def carried(**fields):
    """A rod that is fed by a feeder on a slide and a pivot, with a body at its tip."""
    body = {"mass": 0.05, "inertia": [1e-4, 1e-4, 1e-4, 0, 0, 0]}
    joints = [
        {"name": "slide", "kind": "prismatic", "axis": [0, 1, 0], "body": {"mass": 0.1}},
        {"name": "turn", "kind": "revolute", "parent": "slide", "body": body},
        rod(parent="turn", modes={"stretch": 1}, rest={"bend_z": 1.0}, **fields),
        {"name": "end", "kind": "fixed", "parent": "leg.tip", "body": body},
    ]
    return Robot.model_validate({"name": "carried", "gravity": [1, -9.81, 0], "joints": joints})


def fed_rfrfr(**feeder):
    """The planar robot of Briot2022 with legs that are fed."""
    robot = load("rfrfr")
    joints = []
    for joint in robot.joints:
        if isinstance(joint, Rod):
            fed = {"range": [0.5, 1.5], **feeder}
            joints.append(Rod.model_validate(joint.model_dump() | {"fed": fed}))
        else:
            joints.append(joint)
    return robot.model_copy(update={"joints": tuple(joints)})
