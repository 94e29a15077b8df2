"""Laws of tendons (how they stretch) and of dry friction."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from chorda.describe.quantity import Number, Record, optional, quantity

ONE_SIDED = "true: the tendon pulls and cannot push (tension >= 0); false: it may push, as a bar"


class Rigid(Record):
    """A tendon that does not stretch.

    See Also
    --------
    KelvinVoigt : stretches.

    Examples
    --------
    >>> from chorda.describe import Rigid
    >>> Rigid().one_sided
    True
    """

    kind: Literal["rigid"] = "rigid"
    one_sided: bool = Field(True, description=ONE_SIDED)


class _Elastic(Record):
    """What every law of a tendon that stretches may say."""

    pretension: Number | None = quantity(
        "N", "tension at the reference configuration", default=None, usual=(0, 1e4)
    )
    one_sided: bool = Field(True, description=ONE_SIDED)
    smoothing: Number | None = quantity(
        "N",
        "rounds the corner where a one-sided tendon goes slack: its tension there; none, or 0: a "
        "corner",
        default=None,
        non_negative=True,
        usual=(1e-6, 1e3),
    )

    @model_validator(mode="after")
    def _rounds_a_corner(self) -> Self:
        if self.smoothing is not None and not self.one_sided:
            raise ValueError(
                "smoothing rounds the corner of a one-sided law; leave smoothing out, or "
                "'one_sided: false'"
            )
        return self


class KelvinVoigt(_Elastic):
    """Linear law: tension = pretension + stiffness * elongation + damping * its rate.

    See Also
    --------
    Material : by modulus and section.
    Stiffening : stiffer as it stretches.
    Rigid : does not stretch.

    Examples
    --------
    >>> from chorda.describe import KelvinVoigt
    >>> KelvinVoigt(stiffness=1e4, damping=5.0).one_sided
    True
    """

    kind: Literal["kelvin-voigt"] = "kelvin-voigt"
    stiffness: Number = quantity("N/m", "stiffness", positive=True, usual=(1, 1e8))
    damping: Number = quantity("N s/m", "damping", default=0.0, non_negative=True, usual=(0, 1e6))


class Stiffening(_Elastic):
    """Law of a cable that gets stiffer the more it is pulled.

    tension = pretension + stiffness * x + stiffening * x abs(x) + damping * rate of x, where x is
    the elongation.

    See Also
    --------
    KelvinVoigt : linear.

    Examples
    --------
    >>> from chorda.describe import Stiffening
    >>> Stiffening(stiffness=1e4, stiffening=1e6).damping
    0.0
    """

    kind: Literal["stiffening"] = "stiffening"
    stiffness: Number = quantity("N/m", "stiffness without load", positive=True, usual=(1, 1e8))
    stiffening: Number = quantity(
        "N/m^2", "half the growth of the stiffness per metre", non_negative=True, usual=(1, 1e12)
    )
    damping: Number = quantity("N s/m", "damping", default=0.0, non_negative=True, usual=(0, 1e6))


class Material(_Elastic):
    """Law of a cable by the moduli of its material and its section.

    tension = pretension + section / length * (young_modulus * x + damping_modulus * rate of x),
    where x is the elongation. The length is that of the whole cable (`over: total`), only what is
    unwound in the configuration (`over: unwound`), or what is unwound without its elongation
    (`over: free`).

    See Also
    --------
    KelvinVoigt : by stiffness.

    Examples
    --------
    >>> from chorda.describe import Material
    >>> Material(young_modulus=2e9, section=1e-6).over
    'total'
    """

    kind: Literal["material"] = "material"
    young_modulus: Number = quantity("Pa", "Young's modulus", positive=True, usual=(1e5, 1e12))
    damping_modulus: Number = quantity(
        "Pa s", "damping modulus", default=0.0, non_negative=True, usual=(0, 1e11)
    )
    section: Number = quantity("m^2", "cross-section", positive=True, usual=(1e-9, 1e-3))
    over: Literal["total", "unwound", "free"] = Field(
        "total",
        description="total: the cable's whole length; unwound: the length at q; free: "
        "that less the elongation, which is what the actuator has paid out",
    )
    length: Number | None = quantity(
        "m",
        "whole length for 'total'; none: lead and path at the reference configuration",
        default=None,
        positive=True,
        usual=(1e-3, 100),
    )


Law = Annotated[Rigid | KelvinVoigt | Stiffening | Material, Field(discriminator="kind")]


STEP = "arctan, tanh: smooth; sign: discontinuous; bristle: sticks, by the deflection of bristles"
DEFLECTION = "of kind bristle: how far bristles bend before they slide"
DAMPING = "of kind bristle: damping of the bristles while they bend; none: no"
BREAKAWAY = "friction at no speed, which falls to the one that stays (Stribeck's effect); none: no"


class _Dry(Record):
    """What dry friction of every kind of joint has: times a step of the rate, or by bristles."""

    UNITS: ClassVar[tuple[str, str]]  # of the coordinate, and of what acts along it
    LEVEL: ClassVar[str]  # the field that has the friction which stays
    kind: Literal["arctan", "tanh", "sign", "bristle"] = Field("arctan", description=STEP)
    breakaway: Number | None
    stribeck_rate: Number | None
    deflection: Number | None
    damping: Number | None
    coefficient: Number | None

    @property
    def level(self) -> float:
        """Friction that stays [N m or N]."""
        return float(getattr(self, self.LEVEL))

    @model_validator(mode="after")
    def _bends(self) -> Self:
        unit, effort = self.UNITS
        if self.kind != "bristle":
            for name in ("deflection", "damping"):
                if getattr(self, name) is not None:
                    raise ValueError(
                        f"{name}: only bristles have one, got kind {self.kind}; write "
                        f"'kind: bristle', or leave {name} out"
                    )
            return self
        if self.deflection is None:
            raise ValueError(
                f"deflection: this field is missing; bristles need the deflection [{unit}] at "
                "which they begin to slide"
            )
        if "slope" in self.model_fields_set:
            raise ValueError(
                "slope: bristles have none, they stick; leave it out, or take kind arctan or tanh"
            )
        if self.breakaway is not None and self.coefficient is not None:
            raise ValueError(
                "breakaway: bristles whose friction grows with the load have no effect of "
                "Stribeck; leave breakaway and stribeck_rate out, or coefficient"
            )
        if self.breakaway == 0:
            raise ValueError(
                f"breakaway: expected more than 0 {effort} of bristles, got 0; leave breakaway and "
                "stribeck_rate out"
            )
        return self

    @model_validator(mode="after")
    def _falls(self) -> Self:
        unit, effort = self.UNITS
        if (self.breakaway is None) != (self.stribeck_rate is None):
            lacks = "stribeck_rate" if self.stribeck_rate is None else "breakaway"
            raise ValueError(
                f"{lacks}: this field is missing; Stribeck's effect needs breakaway [{effort}] and "
                f"stribeck_rate [{unit}/s]: give both or none"
            )
        if self.breakaway is not None and self.breakaway < self.level:
            raise ValueError(
                f"breakaway: expected at least {self.LEVEL} {self.level:g} {effort}, got "
                f"{self.breakaway:g} {effort}; friction falls with the speed"
            )
        return self


class DryFriction(_Dry):
    """Dry friction of a motor or of what turns: torque times a step of the rate.

    The step is sign(rate), 2/pi atan(slope * rate) or tanh(slope * rate). Bristles that are bent by
    z have torque z / deflection instead, and bend at the rate less abs(rate) z / deflection (Dahl's
    model; with breakaway, stribeck_rate and damping LuGre's).

    See Also
    --------
    SlidingFriction : of what slides.
    Stop : ends of the range.

    Examples
    --------
    >>> from chorda.describe import DryFriction
    >>> DryFriction(torque=0.008).kind
    'arctan'
    """

    UNITS = "rad", "N m"
    LEVEL = "torque"
    torque: Number = quantity("N m", "friction torque", non_negative=True, usual=(0, 1e3))
    slope: Number = quantity(
        "s/rad", "steepness of the smooth laws", default=100.0, positive=True, usual=(1e-3, 1e6)
    )
    breakaway: Number | None = optional("N m", BREAKAWAY, 1e3)
    stribeck_rate: Number | None = quantity(
        "rad/s", "rate over which it falls", default=None, positive=True, usual=(1e-6, 1e3)
    )
    deflection: Number | None = quantity(
        "rad", DEFLECTION, default=None, positive=True, usual=(1e-8, 1)
    )
    damping: Number | None = optional("N m s/rad", DAMPING, 1e3)
    coefficient: Number | None = optional(
        "-", "of a revolute joint: friction of its pin by the load that it carries; none: no", 10
    )
    pin_radius: Number | None = quantity(
        "m", "radius of the pin that rubs", default=None, positive=True, usual=(1e-5, 1)
    )

    @model_validator(mode="after")
    def _has_a_pin(self) -> Self:
        if (self.coefficient is None) != (self.pin_radius is None):
            lacks = "coefficient" if self.coefficient is None else "pin_radius"
            raise ValueError(
                f"{lacks}: this field is missing; friction by the load needs coefficient and "
                "pin_radius [m]: give both or none"
            )
        return self


class SlidingFriction(_Dry):
    """Dry friction of what slides: force times a step of the rate, as `DryFriction` has it.

    See Also
    --------
    DryFriction : of what turns.

    Examples
    --------
    >>> from chorda.describe import SlidingFriction
    >>> SlidingFriction(force=2.0).kind
    'arctan'
    """

    UNITS = "m", "N"
    LEVEL = "force"
    force: Number = quantity("N", "friction force", non_negative=True, usual=(0, 1e5))
    slope: Number = quantity(
        "s/m", "steepness of the smooth laws", default=1000.0, positive=True, usual=(1e-3, 1e8)
    )
    breakaway: Number | None = optional("N", BREAKAWAY, 1e5)
    stribeck_rate: Number | None = quantity(
        "m/s", "rate over which it falls", default=None, positive=True, usual=(1e-9, 1e2)
    )
    deflection: Number | None = quantity(
        "m", DEFLECTION, default=None, positive=True, usual=(1e-9, 1)
    )
    damping: Number | None = optional("N s/m", DAMPING, 1e5)
    coefficient: Number | None = optional(
        "-", "friction of the slide by the force normal to its axis; none: no", 10
    )


def check_unloaded(law: DryFriction | None, what: str) -> None:
    """Refuse friction by a load that is not known."""
    if law is not None and law.coefficient is not None:
        raise ValueError(
            f"dry_friction.coefficient: the load of {what} is not known, only those of revolute "
            "and prismatic joints are; leave coefficient and pin_radius out"
        )
