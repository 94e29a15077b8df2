"""Tendons and the actuators that wind them."""

import math
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from chorda.describe.geometry import Direction, Point, Position
from chorda.describe.joint_actuators import JointEffort, JointMotion, JointMotor
from chorda.describe.laws import Law, Rigid
from chorda.describe.motor_parts import MotorParts, refuse_backlash
from chorda.describe.names import Name
from chorda.describe.quantity import Number, Record, quantity
from chorda.describe.rods import Sheath
from chorda.describe.tendon_friction import Capstan, PulleyFriction, SheathFriction
from chorda.describe.wrench_actuators import WrenchActuator

RUBS = "of the cable here, instead of the tendon's"


class Eyelet(Point):
    """A point of a path with friction of its own.

    See Also
    --------
    Point : without friction.
    Pulley : with a radius.

    Examples
    --------
    >>> from chorda.describe import Capstan, Eyelet
    >>> Eyelet(frame="arm", point=(0, 0.02, 0), friction=Capstan(coefficient=0.2)).frame
    'arm'
    """

    friction: Capstan = Field(description=f"friction {RUBS}")


class Pulley(Record):
    """A pulley in a tendon's path, fixed in a frame: the cable runs along its rim.

    As first or last element of a path it is a drum: the cable ends at a point of the rim that
    moves with the frame.

    See Also
    --------
    Eyelet : without a radius.
    Tendon : has them in its `path`.

    Examples
    --------
    >>> from chorda.describe import Pulley
    >>> Pulley(frame="arm", radius=0.01, side="left").leave
    True
    """

    frame: str = Field("world", description="'world', a joint's name, or joint.frame (x1.top)")
    point: Position = quantity(
        "m",
        "centre: coordinates in the frame, or an anchor as for points",
        default="origin",
        usual=(0, 20),
    )
    radius: Number = quantity("m", "radius of the rim", positive=True, usual=(1e-4, 1))
    side: Literal["left", "right"] = Field(
        description="where the centre lies, seen along the path from the actuator's side, the "
        "normal pointing at the viewer; left: the cable turns counter-clockwise about it"
    )
    normal: Direction = quantity(
        "-", "normal of the pulley's plane in the frame's axes, a unit vector", default=(0, 0, 1)
    )
    leave: bool = Field(
        True,
        description="true: the cable leaves the pulley where its wrap angle falls to zero; "
        "false: flanges or a guard hold it there. Drums always hold it",
    )
    wound: Number | None = quantity(
        "rad",
        "wrap angle at the reference configuration; none: a quarter turn on drums, else the angle "
        "between -90 and 270 degrees. Between the ends it only chooses the number of turns",
        default=None,
        usual=(0, 100 * math.pi),
    )
    friction: PulleyFriction | None = Field(
        None, description=f"friction {RUBS}, on the rim (capstan) or in the bearing; none: its own"
    )


ONLY_PULLEYS = frozenset(Pulley.model_fields) - frozenset(Eyelet.model_fields)


def _kind_of_element(value: Any) -> str:
    """A pulley has a radius; any other field that only pulleys have asks for one."""
    if isinstance(value, dict):
        if ONLY_PULLEYS & value.keys():
            return "pulley"
        return "eyelet" if "friction" in value else "point"
    if isinstance(value, Pulley):
        return "pulley"
    return "eyelet" if isinstance(value, Eyelet) else "point"


Element = Annotated[
    Annotated[Point, Tag("point")]
    | Annotated[Eyelet, Tag("eyelet")]
    | Annotated[Pulley, Tag("pulley")],
    Discriminator(_kind_of_element),
]


class Tendon(Record):
    """A cable from its actuator along a path of points and pulleys, each fixed in a frame.

    The first element is where it leaves its actuator or a strut, the last where it is attached;
    points between are eyelets. The part before the first element (along struts) has constant
    length. A tendon of a rod runs on through `sheaths` and is attached where the last one ends; a
    path before them ends where the first one starts.

    See Also
    --------
    KelvinVoigt : a law that stretches.
    Motor : an actuator.
    line : over pulleys that turn.

    Examples
    --------
    >>> from chorda.describe import Point, Tendon
    >>> Tendon(name="flexor", path=[Point(), Point(frame="knuckle", point=(0.008, 0.01, 0))],
    ...     actuator="flex").law.kind
    'rigid'
    """

    name: Name
    path: tuple[Element, ...] = Field(
        (),
        description="points and pulleys from the actuator's side to the attachment",
        json_schema_extra={"minItems": 2},
    )
    sheaths: tuple[Sheath, ...] = Field(
        (),
        description="parts inside rods, after the path, from the actuator's side to the attachment",
    )
    lead: Number = quantity(
        "m",
        "constant length before the first element",
        default=0.0,
        non_negative=True,
        usual=(0, 20),
    )
    law: Law = Rigid()
    friction: SheathFriction | None = Field(
        None,
        description="where the cable turns: at eyelets and pulleys between the ends of the path, "
        "and along sheaths; absent: no friction",
    )
    actuator: str | None = Field(None, description="name of the actuator that winds it; none: tied")
    winding: Literal[1, -1] = Field(1, description="+1: a positive actuator angle pays it out")
    carrier: str | None = Field(
        None,
        description="frame of the link that carries all pulleys and points of the path: they keep "
        "their positions in it, and drums may turn without limit; none: nothing is checked",
    )

    @model_validator(mode="after")
    def _has_a_length(self) -> "Tendon":
        if len(self.path) == 1 or not (self.path or self.sheaths):
            raise ValueError(
                f"path: expected at least two points, got {len(self.path)}; give where the tendon "
                "starts and where it is attached, or the sheaths that it runs through"
            )
        if self.carrier is not None and self.sheaths:
            raise ValueError("carrier: a rod carries no pulleys at fixed positions; leave it out")
        return self


class Motor(MotorParts):
    """A motor with a drum: torque is the input, or voltage, the rotor's angle a coordinate.

    See Also
    --------
    Winch : prescribes the length.
    TensionActuator : prescribes the tension.
    JointMotor : on a joint.

    Examples
    --------
    >>> from chorda.describe import Motor
    >>> Motor(name="motor", inertia=1e-4, drum_radius=0.02, gear_ratio=25.0).drum_radius
    0.02
    """

    kind: Literal["motor"] = "motor"
    name: Name
    inertia: Number = quantity(
        "kg m^2", "rotor inertia about its axis", positive=True, usual=(1e-9, 10)
    )
    drum_radius: Number = quantity("m", "radius of the drum", positive=True, usual=(1e-4, 1))
    gear_ratio: Number = quantity(
        "-", "motor turns per drum turn", default=1.0, positive=True, usual=(0.1, 1e4)
    )

    @model_validator(mode="before")
    @classmethod
    def _has_no_play(cls, fields: Any) -> Any:
        return refuse_backlash(fields)


class TensionActuator(Record):
    """Prescribes the tension: the input is a force in newtons.

    See Also
    --------
    Motor : with a rotor and a drum.
    Winch : prescribes the length.

    Examples
    --------
    >>> from chorda.describe import TensionActuator
    >>> TensionActuator(name="flex").kind
    'tension'
    """

    kind: Literal["tension"] = "tension"
    name: Name


class Winch(Record):
    """Prescribes the paid-out length: the input is a length in metres.

    Where it winds an elastic tendon, whose damping answers to the winch's rate, there is a second
    input NAME.rate in m/s; left out, it follows from the lengths over time.

    See Also
    --------
    Motor : with a rotor and a drum.
    TensionActuator : prescribes the tension.

    Examples
    --------
    >>> from chorda.describe import Winch
    >>> Winch(name="winch").kind
    'winch'
    """

    kind: Literal["winch"] = "winch"
    name: Name


Actuator = Annotated[
    Motor | TensionActuator | Winch | JointEffort | JointMotor | JointMotion | WrenchActuator,
    Field(discriminator="kind"),
]
