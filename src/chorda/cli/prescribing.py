"""Options for what is prescribed at rest, and the arguments of the verbs that they make."""

from dataclasses import dataclass
from typing import Any

from chorda.cli.options import Start, Texts
from chorda.cli.parsing import assignments, by_name, number, values
from chorda.errors import InputError

AXIS_VALUE = "FRAME.AXIS=VALUE, such as tip.x=0.1"


@dataclass(frozen=True)
class Prescription:
    """What is held, posed, pulled and given, and where the solver begins.

    Parameters
    ----------
    tension : VALUES
        Tensions in N: one number, a comma list, or NAME=VALUE.
    angle : VALUES
        Motor angles in rad: one number, a comma list, or NAME=VALUE.
    torque : VALUES
        Motor torques in N m, negative pulls: one number, a comma list, or NAME=VALUE.
    hold : NAME=VALUE
        Hold a coordinate of a joint there, in rad or m. Repeatable.
    pose : FRAME.AXIS=VALUE
        Put a frame there: x, y or z in m, or rotation=w,x,y,z. Repeatable.
    actuated : NAME
        A coordinate whose effort does that; default: those held. Repeatable, or a list.
    effort : NAME=VALUE
        Effort on a joint in N m or N. Repeatable.
    input : VALUES
        Inputs of the actuators: one number, a comma list, or NAME=VALUE.
    """

    tension: Texts = None
    angle: Texts = None
    torque: Texts = None
    hold: Texts = None
    pose: Texts = None
    actuated: Texts = None
    effort: Texts = None
    input: Texts = None
    start: Start = None

    def arguments(self) -> dict[str, Any]:
        """Arguments of chorda.equilibrium."""
        names = [name.strip() for item in self.actuated or [] for name in item.split(",")]
        return {
            "tensions": values(self.tension, "--tension"),
            "angles": values(self.angle, "--angle"),
            "torques": values(self.torque, "--torque"),
            "hold": assignments(self.hold, "--hold") or None,
            "poses": poses(self.pose) or None,
            "actuated": names or None,
            "efforts": assignments(self.effort, "--effort") or None,
            "inputs": values(self.input, "--input"),
            "initial": assignments(self.start, "--set") or None,
        }


def poses(items: Texts) -> dict[str, dict[str, Any]]:
    """
    >>> poses(["leg1.tip.x=0", "leg1.tip.y=0.8", "platform.rotation=1,0,0,0"])
    {'leg1.tip': {'x': 0.0, 'y': 0.8}, 'platform': {'rotation': [1.0, 0.0, 0.0, 0.0]}}
    """
    found: dict[str, dict[str, Any]] = {}
    for where, text in by_name(items, "--pose", AXIS_VALUE).items():
        frame, dot, axis = where.rpartition(".")
        if not dot:
            raise InputError(f"--pose: expected {AXIS_VALUE}, got '{where}={text}'")
        texts = text.split(",") if axis == "rotation" else [text]
        numbers = [number(x, f"--pose {where}") for x in texts]
        found.setdefault(frame, {})[axis] = numbers if axis == "rotation" else numbers[0]
    return found
