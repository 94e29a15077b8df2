"""Options for what is prescribed at rest, and the arguments of the verbs that they make."""

from dataclasses import dataclass
from typing import Annotated, Any

from chorda.cli.options import Start, Texts, text_option
from chorda.cli.parsing import assignments, by_name, number, values
from chorda.errors import InputError

AXIS_VALUE = "FRAME.AXIS=VALUE, such as tip.x=0.1"


def values_option(flag: str, what: str) -> Any:
    return text_option(flag, "VALUES", f"{what}: one number, a comma list, or NAME=VALUE.")


@dataclass(frozen=True)
class Prescription:
    """What is held, posed, pulled and given, and where the solver begins."""

    hold: Annotated[
        Texts,
        text_option(
            "--hold", "NAME=VALUE", "Hold a coordinate of a joint there, in rad or m. Repeatable."
        ),
    ] = None
    pose: Annotated[
        Texts,
        text_option(
            "--pose",
            "FRAME.AXIS=VALUE",
            "Put a frame there: x, y or z in m, or rotation=w,x,y,z. Repeatable.",
        ),
    ] = None
    actuated: Annotated[
        Texts,
        text_option(
            "--actuated",
            "NAME",
            "A coordinate whose effort does that; default: those held. Repeatable, or a list.",
        ),
    ] = None
    effort: Annotated[
        Texts,
        text_option("--effort", "NAME=VALUE", "Effort on a joint in N m or N. Repeatable."),
    ] = None
    given: Annotated[Texts, values_option("--input", "Inputs of the actuators")] = None
    start: Start = None

    def arguments(self) -> dict[str, Any]:
        """Arguments of chorda.equilibrium."""
        names = [name.strip() for item in self.actuated or [] for name in item.split(",")]
        return {
            "hold": assignments(self.hold, "--hold") or None,
            "place": poses(self.pose) or None,
            "actuated": names or None,
            "efforts": assignments(self.effort, "--effort") or None,
            "inputs": values(self.given, "--input"),
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
