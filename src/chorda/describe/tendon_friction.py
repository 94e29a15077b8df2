"""Friction of tendons where they turn: at eyelets and pulleys, and along sheaths."""

from typing import Annotated, Literal

from pydantic import Field

from chorda.describe.quantity import Number, Record, quantity

SPEED = "speed of sliding at which friction has 0.7 of its full size; it grows smoothly up to there"


class Capstan(Record):
    """The cable slides over what turns it, and the tension changes by the law of the capstan.

    Behind a guide that turns the cable by the angle a the tension is exp(-coefficient * a) times
    that before it, where the cable slides towards the actuator, and exp(+coefficient * a) times
    where it slides away from it. Of a sheath the angle is that of its bend.
    """

    kind: Literal["capstan"] = "capstan"
    coefficient: Number = quantity(
        "-", "coefficient of friction", non_negative=True, usual=(1e-3, 2)
    )
    speed: Number = quantity("m/s", SPEED, default=1e-3, positive=True, usual=(1e-7, 1))


class Bearing(Record):
    """The cable turns a pulley whose bearing rubs: the torque is coefficient * pin_radius * the
    force on the pin."""

    kind: Literal["bearing"] = "bearing"
    coefficient: Number = quantity(
        "-", "coefficient of friction of the bearing", non_negative=True, usual=(1e-4, 1)
    )
    pin_radius: Number = quantity("m", "radius of the pin", positive=True, usual=(1e-5, 0.1))
    speed: Number = quantity("m/s", SPEED, default=1e-3, positive=True, usual=(1e-7, 1))


PulleyFriction = Annotated[Capstan | Bearing, Field(discriminator="kind")]
