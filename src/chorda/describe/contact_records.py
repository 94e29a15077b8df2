"""Contacts: pairs of shapes that are declared, and the law of the force between them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from chorda.describe.contact_materials import STARTING_VALUES, MaterialPair
from chorda.describe.names import Name
from chorda.describe.quantity import Number, Record, quantity

NEARLY_ELASTIC = 0.9999  # restitution from which the first terms of a series are exact enough
LEAST_RESTITUTION = 0.05  # below it the dissipation grows without bound


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class ContactFriction(Record):
    """Coulomb friction of a contact, proportional to its normal force.

    `smooth` rises with the sliding speed and is the whole friction beyond a few slip speeds:
    what it holds creeps. `bristle` sticks: up to the deflection it is a spring [Dahl1968].

    See Also
    --------
    Contact : has it in its `friction`.

    Examples
    --------
    >>> from chorda.describe import ContactFriction
    >>> ContactFriction(coefficient=0.5).slip_speed
    0.001
    """

    kind: Literal["smooth", "bristle"] = "smooth"
    coefficient: Number = quantity("-", "coefficient", non_negative=True, usual=(0, 3))
    slip_speed: Number = quantity(
        "m/s",
        "smooth: speed at which it is 0.7 of the whole",
        default=1e-3,
        positive=True,
        usual=(1e-7, 1),
    )
    deflection: Number | None = quantity(
        "m",
        "bristle: by which the surfaces shift before they slide",
        default=None,
        positive=True,
        usual=(1e-8, 1e-1),
    )
    relaxation: Number | None = quantity(
        "s",
        "bristle: damping of that shift, as the time in which it would relax",
        default=None,
        non_negative=True,
        usual=(0, 1),
    )

    @model_validator(mode="before")
    @classmethod
    def _has_fields(cls, value: Any) -> Any:
        if isinstance(value, Mapping | ContactFriction):
            return value
        number = isinstance(value, int | float) and not isinstance(value, bool)
        raise ValueError(
            f"expected a mapping of fields, such as {{coefficient: {value if number else 0.5:g}}}, "
            f"got {value!r:.40}"
        )

    @model_validator(mode="after")
    def _is_one_kind(self) -> "ContactFriction":
        if self.kind == "bristle" and self.deflection is None:
            raise ValueError(
                "deflection: this field is missing; kind: bristle needs the shift before sliding, "
                "such as 1e-4 m"
            )
        for field in ("deflection", "relaxation"):
            if self.kind == "smooth" and getattr(self, field) is not None:
                raise ValueError(
                    f"{field}: expected none for kind: smooth; leave it out, or take kind: bristle"
                )
        if self.kind == "bristle" and "slip_speed" in self.model_fields_set:
            raise ValueError(
                "slip_speed: expected none for kind: bristle; leave it out, or take kind: smooth"
            )
        return self


class Contact(Record):
    """Pairs of shapes that push each other: every one of `first` with every one of `second`.

    Beyond the surface by x, at the rate x' inwards, the normal force is
    stiffness * x^exponent * (1 + dissipation * x'), or 0 where that is negative [Hunt1975]. With a
    smoothing w a linear stiffness grows from nothing over the first w.

    See Also
    --------
    ContactFriction : its friction.
    Sphere : one of the shapes.

    Examples
    --------
    >>> from chorda.describe import Contact
    >>> Contact(name="grasp", first="palm", second="ball", material="rubber-hard").first
    ('palm',)
    """

    name: Name
    first: Names = Field(
        description="shapes; the name of a joint stands for all shapes on it and beyond it"
    )
    second: Names = Field(description="shapes that those touch, in the same way")
    material: MaterialPair | None = Field(
        None, description="starting values for what is not given: stiffness, dissipation, friction"
    )
    stiffness: Number | None = quantity(
        "N/m^exponent", "stiffness", default=None, positive=True, usual=(1e-1, 1e12)
    )
    exponent: Number = quantity(
        "-", "1: linear; 1.5: ball on a plane by Hertz", default=1.0, positive=True, usual=(1, 3)
    )
    dissipation: Number | None = quantity(
        "s/m", "part by which a speed inwards raises the force", default=None, non_negative=True,
        usual=(0, 1e3),
    )  # fmt: skip
    restitution: Number | None = quantity(
        "-",
        "instead of a dissipation: speed after an impact over that before it",
        default=None,
        positive=True,
        usual=(0.01, 1),
    )
    impact_speed: Number | None = quantity(
        "m/s", "at which the restitution holds; none: 0.1", default=None, positive=True,
        usual=(1e-3, 100),
    )  # fmt: skip
    smoothing: Number | None = quantity(
        "m",
        "over which a linear stiffness grows from nothing; none, or 0: a corner",
        default=None,
        non_negative=True,
        usual=(0, 0.1),
    )
    friction: ContactFriction | None = None

    @model_validator(mode="after")
    def _is_a_law(self) -> "Contact":
        if self.stiffness is None and self.material is None:
            raise ValueError(
                "stiffness: this field is missing; give it, or a material: "
                f"{', '.join(STARTING_VALUES)}"
            )
        if self.material is not None and self.stiffness is None and self.exponent != 1:
            raise ValueError(
                f"stiffness: this field is missing; that of material {self.material} is for "
                f"exponent 1, and the exponent is {self.exponent:g}"
            )
        if self.exponent < 1:
            raise ValueError(f"exponent: expected at least 1, got {self.exponent:g}")
        if self.smoothing and self.exponent != 1:
            raise ValueError(
                f"smoothing: expected none beside exponent {self.exponent:g}, which has no corner; "
                "leave it out"
            )
        if self.restitution is not None and self.dissipation is not None:
            raise ValueError(
                "restitution: expected none beside a dissipation, which determines it; leave one "
                "of both out"
            )
        if self.restitution is not None and not LEAST_RESTITUTION <= self.restitution <= 1:
            raise ValueError(
                f"restitution: expected {LEAST_RESTITUTION:g} to 1, got {self.restitution:g}; "
                "below that give a dissipation"
            )
        if self.impact_speed is not None and self.restitution is None:
            raise ValueError(
                "impact_speed: this field belongs to a restitution, and there is none; leave it "
                "out, or give one"
            )
        return self

    @property
    def resolved_stiffness(self) -> float:
        """Its own stiffness, or that of its material [N/m^exponent]."""
        if self.stiffness is not None:
            return self.stiffness
        assert self.material is not None
        return STARTING_VALUES[self.material][0]

    @property
    def resolved_dissipation(self) -> float | None:
        """Its own dissipation, that of its restitution, or that of its material [s/m]."""
        if self.restitution is not None:
            return dissipation_of(self.restitution, self.impact_speed or 0.1)
        if self.dissipation is None and self.material is not None:
            return STARTING_VALUES[self.material][1]
        return self.dissipation

    @property
    def resolved_friction(self) -> ContactFriction | None:
        """Its own friction, or that of its material."""
        if self.friction is None and self.material is not None:
            return ContactFriction(coefficient=STARTING_VALUES[self.material][2])
        return self.friction


def dissipation_of(restitution: float, speed: float) -> float:
    """The dissipation c [s/m] with which an impact at a speed ends with that restitution.

    v dv / (1 + c v) = -k x^n dx / m, over the impact, is
    c (v0 + v1) = log((1 + c v0) / (1 - c v1)) for speeds v0 before and v1 = e v0 after it.

    >>> round(dissipation_of(0.5, 1.0), 4)
    1.4328
    """
    from scipy.optimize import brentq

    e = restitution
    if e > NEARLY_ELASTIC:
        return 1.5 * (1 - e) / speed

    def excess(x: float) -> float:  # x = c v0 e, between 0 and 1
        return float(x * (1 + 1 / e) - np.log1p(x / e) + np.log1p(-x))

    x = brentq(excess, 0.5 * e * (1 - e), 1 - 1e-15, xtol=1e-15)
    return float(x / (e * speed))
