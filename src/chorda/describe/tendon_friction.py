"""Friction of tendons where they turn: at eyelets and pulleys, and along sheaths."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from chorda.describe.quantity import Number, Record, quantity

DEFLECTION = (
    "how far bristles between the cable and what it runs over bend before it slides: friction then "
    "holds at rest, and creeps nowhere; none: it rises smoothly with the speed"
)
SPEED = "speed of sliding at which friction has 0.7 of its full size; it grows smoothly up to there"


class _Rubbing(Record):
    """What friction of every kind has: how it begins."""

    speed: Number = quantity("m/s", SPEED, default=1e-3, positive=True, usual=(1e-7, 1))
    deflection: Number | None = quantity(
        "m", DEFLECTION, default=None, positive=True, usual=(1e-8, 0.1)
    )

    @model_validator(mode="after")
    def _begins_one_way(self) -> Self:
        if self.deflection is not None and "speed" in self.model_fields_set:
            raise ValueError(
                f"speed: expected none beside a deflection, got {self.speed:g} m/s; bristles hold "
                "without any speed: leave speed or deflection out"
            )
        return self


class Capstan(_Rubbing):
    """The cable slides over what turns it, and the tension changes by the law of the capstan.

    Behind a guide that turns the cable by the angle a the tension is exp(-coefficient * a) times
    that before it, where the cable slides towards the actuator, and exp(+coefficient * a) times
    where it slides away from it. Of a sheath the angle is that of its bend.

    See Also
    --------
    Bearing : a cable that turns its pulley.
    Viscous : along a rod's sheath.

    Examples
    --------
    >>> from chorda.describe import Capstan
    >>> Capstan(coefficient=0.2).kind
    'capstan'
    """

    kind: Literal["capstan"] = "capstan"
    coefficient: Number = quantity(
        "-", "coefficient of friction", non_negative=True, usual=(1e-3, 2)
    )


class Bearing(_Rubbing):
    """Friction of a pulley that the cable turns, in its bearing.

    The torque is coefficient * pin_radius * the force on the pin.

    See Also
    --------
    Capstan : a cable that slides.
    Pulley : has it in its `friction`.

    Examples
    --------
    >>> from chorda.describe import Bearing
    >>> Bearing(coefficient=0.1, pin_radius=0.002).kind
    'bearing'
    """

    kind: Literal["bearing"] = "bearing"
    coefficient: Number = quantity(
        "-", "coefficient of friction of the bearing", non_negative=True, usual=(1e-4, 1)
    )
    pin_radius: Number = quantity("m", "radius of the pin", positive=True, usual=(1e-5, 0.1))


class Viscous(Record):
    """A force on the rod along the tendon in its sheath, against the tendon's sliding.

    The tension stays the same along the path. Per length of rod the force is coefficient * tension
    * bend of the path * speed of sliding, towards the tip where the tendon slides towards its
    actuator: the simple friction of the public program of [Till2019], whose coefficient is 4 s/m
    and whose moment is opposite.

    See Also
    --------
    Capstan : dry friction.

    Examples
    --------
    >>> from chorda.describe import Viscous
    >>> Viscous(coefficient=0.1).moment
    'consistent'
    """

    kind: Literal["viscous"] = "viscous"
    coefficient: Number = quantity(
        "s/m", "force per tension, bend and speed", non_negative=True, usual=(1e-3, 1e3)
    )
    moment: Literal["consistent", "opposite"] = Field(
        "consistent",
        description="consistent: the force acts at the tendon; opposite: its moment about the "
        "centre line has the opposite sign, as in the public program",
    )


PulleyFriction = Annotated[Capstan | Bearing, Field(discriminator="kind")]
SheathFriction = Annotated[Capstan | Viscous, Field(discriminator="kind")]
