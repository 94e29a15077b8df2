"""locked: a robot some of whose joints do not move."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.checks import number
from chorda.describe.geometry import Placement
from chorda.describe.joints import Fixed, Prismatic, Revolute
from chorda.describe.robot import Robot
from chorda.errors import InputError


def locked(robot: Robot, values: Mapping[str, float]) -> Robot:
    """The robot with joints fixed at values [rad or m], as motors do that hold their angle.

    Frames keep their names. Friction and springs of those joints are gone, and so are their
    coordinates, from the `start` too.

    >>> from chorda.catalogue import load
    >>> held = locked(load("rfrfr"), {"motor1": 2.59, "motor2": 0.55})
    >>> [joint.kind for joint in held.joints]
    ['fixed', 'rod', 'fixed', 'rod']
    """
    known = {x.name: x for x in robot.joints if isinstance(x, Revolute | Prismatic)}
    for name, value in values.items():
        if name not in known:
            near = get_close_matches(str(name), known, n=3)
            hint = f"did you mean {', '.join(near)}?" if near else _known(known)
            raise InputError(f"hold: '{name}' is no revolute or prismatic joint; {hint}")
        if known[name].link is not None:
            raise InputError(f"hold: '{name}' has a Denavit-Hartenberg link; give it in its link")
        number(f"hold.{name}", value)
    joints = [
        _fixed(known[x.name], float(values[x.name])) if x.name in values else x
        for x in robot.joints
    ]
    start = {name: value for name, value in robot.start.items() if name not in values}
    return robot.model_copy(update={"joints": tuple(joints), "start": start})


def _known(names: Mapping[str, Any]) -> str:
    return f"expected some of {', '.join(names)}" if names else "this robot has none"


def _fixed(joint: Revolute | Prismatic, value: float) -> Fixed:
    placed = joint.placement
    turn, origin = _rotation(placed.axis, placed.angle), np.array(placed.position)
    if isinstance(joint, Prismatic):
        origin = origin + value * turn.apply(joint.axis)
    else:
        turn = turn * _rotation(joint.axis, value)
    axis, angle = _axis_angle(turn.as_rotvec())
    placement = Placement(position=tuple(origin.tolist()), axis=axis, angle=angle)
    return Fixed(name=joint.name, parent=joint.parent, placement=placement, body=joint.body)


def _rotation(axis: tuple[float, float, float], angle: float) -> Rotation:
    return Rotation.from_rotvec(angle * np.array(axis))


def _axis_angle(turn: Any) -> tuple[tuple[float, float, float], float]:
    """Of a rotation vector; main axes stay exact, so that planar robots stay planar."""
    angle = float(np.linalg.norm(turn))
    if angle == 0:
        return (0.0, 0.0, 1.0), 0.0
    axis = turn / angle
    axis = np.where(np.abs(axis) < 1e-14, 0.0, axis)
    axis = axis / np.linalg.norm(axis)
    return tuple(axis.tolist()), angle
