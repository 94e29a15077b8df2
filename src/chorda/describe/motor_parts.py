"""Parts of a motor that can be left out: limits, a winding, the play of its gear."""

from typing import Any, Self

from pydantic import Field, model_validator

from chorda.describe.laws import DryFriction, check_unloaded
from chorda.describe.quantity import Number, Record, optional, quantity


class Winding(Record):
    """The winding of a motor, whose input is then a voltage.

    The current is (voltage - back_emf_constant * rate) / resistance, or with an inductance follows
    that after inductance / resistance; the torque is torque_constant times the current.

    See Also
    --------
    Motor : has it as its `winding`.

    Examples
    --------
    >>> from chorda.describe import Winding
    >>> Winding(resistance=2.0, torque_constant=0.03).back_emf_constant is None
    True
    """

    resistance: Number = quantity("ohm", "resistance", positive=True, usual=(1e-3, 1e4))
    torque_constant: Number = quantity(
        "N m/A", "torque per current", positive=True, usual=(1e-5, 100)
    )
    back_emf_constant: Number | None = quantity(
        "V s/rad",
        "voltage per rate of the rotor; none: as the torque constant",
        default=None,
        positive=True,
        usual=(1e-5, 100),
    )
    inductance: Number | None = quantity(
        "H",
        "inductance; none: the current follows at once",
        default=None,
        positive=True,
        usual=(1e-7, 10),
    )
    max_voltage: Number | None = quantity(
        "V",
        "largest voltage, to both sides; none: no limit",
        default=None,
        positive=True,
        usual=(0.1, 1e4),
    )


class Backlash(Record):
    """Play between a motor's gear and its joint, whose rotor has then an angle of its own.

    Within the play nothing acts. Beyond it the teeth push as a `Stop` does, and never pull.

    See Also
    --------
    JointMotor : has it in its `backlash`.

    Examples
    --------
    >>> from chorda.describe import Backlash
    >>> Backlash(gap=0.01, stiffness=500.0).gap
    0.01
    """

    gap: Number = quantity(
        "rad or m",
        "the whole play, measured at the joint with the rotor held",
        non_negative=True,
        usual=(1e-6, 1),
    )
    stiffness: Number = quantity(
        "N m/rad or N/m", "of the teeth, at the joint", positive=True, usual=(1e-3, 1e9)
    )
    damping: Number | None = optional("N m s/rad or N s/m", "of the teeth, while in contact", 1e6)
    smoothing: Number | None = optional(
        "rad or m", "over which the teeth grow stiff; none, or 0: a corner", 1
    )

    @model_validator(mode="after")
    def _does_not_jump(self) -> Self:
        if self.damping and not self.smoothing:
            got = "none" if self.smoothing is None else "0"
            raise ValueError(
                f"smoothing: expected a positive number beside damping {self.damping:g}, got "
                f"{got}; without one the damping would jump where the teeth meet: give one, or "
                "leave damping out"
            )
        return self


class MotorParts(Record):
    """What motors on tendons and on joints share beside their rotor and gear."""

    dry_friction: DryFriction | None = Field(None, description="absent: no dry friction")
    friction: Number | None = optional("N m s/rad", "viscous friction of the rotor", 10)
    max_torque: Number | None = quantity(
        "N m",
        "largest torque of the rotor, to both sides; none: no limit",
        default=None,
        positive=True,
        usual=(1e-6, 1e4),
    )
    max_speed: Number | None = quantity(
        "rad/s",
        "no-load speed: the torque that is left in the direction of motion falls from the largest "
        "at rest to zero there; none: no limit",
        default=None,
        positive=True,
        usual=(0.1, 1e5),
    )
    max_current: Number | None = quantity(
        "A",
        "largest current, to both sides; none: no limit",
        default=None,
        positive=True,
        usual=(1e-3, 1e4),
    )
    torque_constant: Number | None = quantity(
        "N m/A",
        "torque per current, of a motor without a winding",
        default=None,
        positive=True,
        usual=(1e-5, 100),
    )
    winding: Winding | None = Field(
        None, description="absent: the input is a torque; given: it is a voltage"
    )

    @model_validator(mode="after")
    def _belongs_together(self) -> Self:
        check_unloaded(self.dry_friction, "a motor's bearings")
        winding = self.winding
        if winding is not None and self.torque_constant is not None:
            raise ValueError(
                f"torque_constant: the winding has one, {winding.torque_constant:g} N m/A, got "
                f"{self.torque_constant:g} beside it; leave it out"
            )
        if winding is not None and self.max_speed is not None:
            k = winding.back_emf_constant or winding.torque_constant
            raise ValueError(
                f"max_speed: with a winding the back-EMF limits the speed, got {self.max_speed:g} "
                "rad/s beside it; give winding.max_voltage instead: "
                f"{self.max_speed * k:g} V have that no-load speed"
            )
        if self.max_current is not None and winding is None and self.torque_constant is None:
            raise ValueError(
                f"torque_constant: expected one beside max_current {self.max_current:g} A, got "
                "none; give torque_constant [N m/A], or a winding, or max_torque instead"
            )
        if self.max_speed is not None and self.max_torque is None and self.max_current is None:
            raise ValueError(
                f"max_torque: expected the torque at rest beside max_speed {self.max_speed:g} "
                "rad/s, from which it falls to zero, got none; give max_torque, or max_current "
                "with torque_constant"
            )
        return self


def refuse_backlash(fields: Any) -> Any:
    """Of a motor on tendons: the drum behind the play would have no inertia."""
    if isinstance(fields, dict) and fields.get("backlash") is not None:
        raise ValueError(
            "backlash: expected none on a motor that winds tendons, whose drum has no inertia of "
            "its own behind the play; describe the drum as a revolute joint with a body, a pulley "
            "in its frame as the tendon's first element, and a joint-motor with backlash on it"
        )
    return fields
