"""locked: a robot some of whose joints do not move."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from chorda.checks import mapping, number, shown
from chorda.describe.joints import Fixed, Held, Prismatic, Revolute
from chorda.describe.robot import Robot
from chorda.errors import InputError


def locked(robot: Robot, values: Mapping[str, float]) -> Robot:
    """The robot with joints fixed at values, as motors do that hold their angle.

    Frames keep their names, and lengths of tendons refer to the configuration that they referred
    to. Friction and springs of those joints are gone, and so are their coordinates, from the
    `start` too.

    Parameters
    ----------
    robot : Robot
        Its description.
    values : mapping of str to float
        Angles [rad] and displacements [m] of revolute and prismatic joints, by name.

    Returns
    -------
    Robot
        A description without those coordinates.

    Raises
    ------
    InputError
        A name is no such joint, or a value is no number.

    See Also
    --------
    chorda.equilibrium : holds joints by `hold`, and finds what that takes.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> held = locked(load("rfrfr"), {"motor1": 2.59, "motor2": 0.55})
    >>> [joint.kind for joint in held.joints]
    ['fixed', 'rod', 'fixed', 'rod']
    """
    if not isinstance(robot, Robot):
        raise InputError(f"robot: expected what chorda.load returns, got {shown(robot)}")
    values = mapping("hold", values, "{'motor1': 0.1}")
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
    moves = {"angle": value} if isinstance(joint, Revolute) else {"shift": value}
    held = Held(axis=joint.axis, **moves)
    return Fixed(
        name=joint.name,
        parent=joint.parent,
        placement=joint.placement,
        body=joint.body,
        held=held,
    )
