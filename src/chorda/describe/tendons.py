"""Tendons and the drives that wind them."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from chorda.describe.geometry import Name, Point
from chorda.describe.laws import DryFriction, Law, Rigid
from chorda.describe.quantity import Number, Record, quantity


class Tendon(Record):
    """A cord from its drive along a path of points, each fixed in a frame.

    The first point is where it leaves its drive or a strut, the last where it is attached; those
    between are eyelets. The part before the first point (along struts) has constant length.
    """

    name: Name
    path: tuple[Point, ...] = Field(
        description="points from the drive's side to the attachment",
        json_schema_extra={"minItems": 2},
    )
    lead: Number = quantity(
        "m", "constant length before the first point", default=0.0, non_negative=True, usual=(0, 20)
    )
    law: Law = Rigid()
    drive: str | None = Field(None, description="name of the drive that winds it; none: tied")
    winding: Literal[1, -1] = Field(1, description="+1: a positive drive angle pays it out")

    @field_validator("path")
    @classmethod
    def _has_a_length(cls, path: tuple[Point, ...]) -> tuple[Point, ...]:
        if len(path) < 2:
            raise ValueError(
                f"expected at least two points, got {len(path)}; "
                "give where the tendon starts and where it is attached"
            )
        return path


class Motor(Record):
    """A motor with a drum: torque is the input, the rotor's angle a coordinate."""

    kind: Literal["motor"] = "motor"
    name: Name
    inertia: Number = quantity(
        "kg m^2", "rotor inertia about its axis", positive=True, usual=(1e-9, 10)
    )
    drum_radius: Number = quantity("m", "radius of the drum", positive=True, usual=(1e-4, 1))
    gear_ratio: Number = quantity(
        "-", "motor turns per drum turn", default=1.0, positive=True, usual=(0.1, 1e4)
    )
    dry_friction: DryFriction | None = Field(None, description="absent: no dry friction")
    friction: Number | None = quantity(
        "N m s/rad", "viscous friction of the rotor", default=None, non_negative=True, usual=(0, 10)
    )


class TensionDrive(Record):
    """Prescribes the tension: the input is a force in newtons."""

    kind: Literal["tension"] = "tension"
    name: Name


class DisplacementDrive(Record):
    """Prescribes the paid-out length: the input is a length in metres."""

    kind: Literal["displacement"] = "displacement"
    name: Name


Drive = Annotated[Motor | TensionDrive | DisplacementDrive, Field(discriminator="kind")]
