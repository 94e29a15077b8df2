"""Controllers of a simulated motion, as records."""

from typing import Literal

from pydantic import Field

from chorda.control import JointControl, PointToPoint
from chorda.describe.quantity import Number, Record, quantity


class Control(Record):
    """Joints led from one configuration to another; see `chorda.control.JointControl`."""

    start: tuple[Number, ...] = quantity("rad or m", "first configuration of the joints")
    end: tuple[Number, ...] = quantity("rad or m", "last configuration of the joints")
    duration: Number = quantity("s", "time from one to the other", positive=True)
    law: Literal["computed-torque", "pd", "feed-forward"] = Field(
        "computed-torque", description="how it is done"
    )
    frequency: Number = quantity("rad/s", "of the error's decay", default=10.0, positive=True)
    damping_ratio: Number = quantity("-", "of the error's decay", default=1.0, non_negative=True)
    minimum_tension: Number = quantity("N", "least tension of every tendon", default=5.0)


def controller(record: Control) -> JointControl:
    return JointControl(
        PointToPoint(record.start, record.end, record.duration),
        frequency=record.frequency,
        damping_ratio=record.damping_ratio,
        minimum_tension=record.minimum_tension,
        kind=record.law,
    )
