"""Laws of tendons (how they stretch) and of dry friction."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from chorda.describe.quantity import Number, Record, quantity

ONE_SIDED = "true: the tendon pulls and cannot push (tension >= 0); false: it may push, as a bar"


class Rigid(Record):
    """A tendon that does not stretch."""

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
    """tension = pretension + stiffness * elongation + damping * its rate."""

    kind: Literal["kelvin-voigt"] = "kelvin-voigt"
    stiffness: Number = quantity("N/m", "stiffness", positive=True, usual=(1, 1e8))
    damping: Number = quantity("N s/m", "damping", default=0.0, non_negative=True, usual=(0, 1e6))


class Stiffening(_Elastic):
    """tension = pretension + stiffness * x + stiffening * x |x| + damping * rate of x.

    x is the elongation: a cable that gets stiffer the more it is pulled.
    """

    kind: Literal["stiffening"] = "stiffening"
    stiffness: Number = quantity("N/m", "stiffness without load", positive=True, usual=(1, 1e8))
    stiffening: Number = quantity(
        "N/m^2", "half the growth of the stiffness per metre", non_negative=True, usual=(1, 1e12)
    )
    damping: Number = quantity("N s/m", "damping", default=0.0, non_negative=True, usual=(0, 1e6))


class Material(_Elastic):
    """tension = pretension + section / length * (young_modulus * x + damping_modulus * rate of x).

    x is the elongation. The length is that of the whole cable (`over: total`), only what is
    unwound in the configuration (`over: unwound`), or what is unwound without its elongation
    (`over: free`).
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


class DryFriction(Record):
    """Dry friction at a motor: torque times a step of the rate.

    The step is sign(rate), 2/pi atan(slope * rate) or tanh(slope * rate).
    """

    kind: Literal["arctan", "tanh", "sign"] = Field(
        "arctan", description="arctan, tanh: smooth; sign: discontinuous"
    )
    torque: Number = quantity("N m", "friction torque", non_negative=True, usual=(0, 1e3))
    slope: Number = quantity(
        "s/rad", "steepness of the smooth laws", default=100.0, positive=True, usual=(1e-3, 1e6)
    )
