"""Stops: what holds a joint at the ends of its range."""

from pydantic import BaseModel, model_validator

from chorda.describe.quantity import Number, Record, optional, quantity


class Stop(Record):
    """A stop at both ends of a range of angles: it pushes back, and never pulls.

    Within the range nothing acts. Beyond an end by r, at the rate r' outwards, the torque is
    stiffness * r + damping * r', or 0 where that is negative. With a smoothing w stiffness and
    damping grow from nothing over the first w: no torque jumps, and beyond w it is that of a stop
    which begins at w/2. A stop that damps has a smoothing.

    See Also
    --------
    SlidingStop : of displacements.
    Revolute : has it as its `stop`.

    Examples
    --------
    >>> from chorda.describe import Stop
    >>> Stop(stiffness=5.0, damping=0.01, smoothing=0.02).damping
    0.01
    """

    stiffness: Number = quantity("N m/rad", "stiffness", positive=True, usual=(1e-3, 1e7))
    damping: Number | None = optional("N m s/rad", "damping while in contact", 1e5)
    smoothing: Number | None = optional(
        "rad", "over which the stop grows stiff; none, or 0: a corner", 1
    )

    @model_validator(mode="after")
    def _does_not_jump(self) -> "Stop":
        _check_smoothing(self)
        return self


class SlidingStop(Record):
    """A stop at both ends of a range of displacements; see `Stop`.

    See Also
    --------
    Stop : of angles.

    Examples
    --------
    >>> from chorda.describe import SlidingStop
    >>> SlidingStop(stiffness=1e4).stiffness
    10000.0
    """

    stiffness: Number = quantity("N/m", "stiffness", positive=True, usual=(1e-1, 1e9))
    damping: Number | None = optional("N s/m", "damping while in contact", 1e6)
    smoothing: Number | None = optional(
        "m", "over which the stop grows stiff; none, or 0: a corner", 1
    )

    @model_validator(mode="after")
    def _does_not_jump(self) -> "SlidingStop":
        _check_smoothing(self)
        return self


def _check_smoothing(stop: Stop | SlidingStop) -> None:
    if stop.damping and not stop.smoothing:
        unit = "rad" if isinstance(stop, Stop) else "m"
        got = "none" if stop.smoothing is None else "0"
        raise ValueError(
            f"smoothing: expected a positive number beside damping {stop.damping:g}, got {got} "
            f"(over which the stop grows stiff [{unit}]); without one the damping would jump where "
            "the joint meets the stop: give one, or leave damping out"
        )


def check_range(joint: BaseModel) -> None:
    """A stop stands at the ends of a range that is given."""
    if getattr(joint, "stop", None) is not None and "range" not in joint.model_fields_set:
        raise ValueError(
            "stop: a stop stands at the ends of the joint's range, and there is none; give "
            "range: [low, high] too, or leave the stop out"
        )
