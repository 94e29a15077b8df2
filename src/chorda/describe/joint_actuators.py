"""Actuators on joints: a torque or force, a motor with a gear, a prescribed motion."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from chorda.describe.feeding import ONE_COORDINATE
from chorda.describe.motor_parts import Backlash, MotorParts
from chorda.describe.names import Name
from chorda.describe.quantity import Number, Record, quantity

JOINT = (
    "name of the joint that it moves: revolute, prismatic or X-joint; or ROD.length of a rod that "
    "is fed"
)


class JointEffort(Record):
    """A torque or force along a joint's coordinate: the input, in N m or N.

    See Also
    --------
    JointMotor : with a rotor and a gear.
    JointMotion : prescribes the motion.

    Examples
    --------
    >>> from chorda.describe import JointEffort
    >>> JointEffort(name="torque", joint="elbow").kind
    'effort'
    """

    kind: Literal["effort"] = "effort"
    name: Name
    joint: str = Field(description=JOINT)


class JointMotor(MotorParts):
    """A motor on a joint, behind a gear: the rotor's torque, or its voltage, is the input.

    Its angle is `gear_ratio` times the joint's coordinate, unless the gear has backlash.

    See Also
    --------
    Motor : on a tendon.
    Winding : driven by a voltage.

    Examples
    --------
    >>> from chorda.describe import JointMotor
    >>> JointMotor(name="servo", joint="elbow", inertia=1e-5, gear_ratio=50.0).gear_ratio
    50.0
    """

    kind: Literal["joint-motor"] = "joint-motor"
    name: Name
    joint: str = Field(description=JOINT)
    inertia: Number = quantity(
        "kg m^2", "rotor inertia about its axis", positive=True, usual=(1e-9, 10)
    )
    gear_ratio: Number = quantity(
        "rad/rad or rad/m",
        "turns of the rotor per turn of the joint, or radians per metre",
        default=1.0,
        positive=True,
        usual=(0.1, 1e5),
    )
    backlash: Backlash | None = Field(
        None, description="absent: the gear does not give, and the rotor turns with the joint"
    )


class JointMotion(Record):
    """Prescribes a joint's coordinate: the input, in rad or m.

    What it takes is the output `effort`. A second input NAME.acceleration, in rad/s^2 or m/s^2,
    counts in that; left out, it follows from the input over time.

    See Also
    --------
    JointEffort : prescribes the effort.

    Examples
    --------
    >>> from chorda.describe import JointMotion
    >>> JointMotion(name="crank", joint="elbow").kind
    'motion'
    """

    kind: Literal["motion"] = "motion"
    name: Name
    joint: str = Field(description=JOINT)


ON_JOINTS = JointEffort | JointMotor | JointMotion


def check_joint_actuators(actuators: Sequence[Any], joints: Mapping[str, str]) -> None:
    """One actuator for each joint that can have one; joints: kind by name."""
    known = [name for name, kind in joints.items() if kind in ONE_COORDINATE]
    moved: dict[str, str] = {}
    for i, actuator in enumerate(actuators):
        if not isinstance(actuator, ON_JOINTS):
            continue
        name = actuator.joint
        if name not in known:
            got = f"is of kind {joints[name]}" if name in joints else "is no joint"
            raise ValueError(
                f"actuators.{i}.joint: '{name}' {got}; expected a revolute, prismatic or X-joint, "
                f"or the length of a rod that is fed: {', '.join(known) or '(there are none)'}"
            )
        if name in moved:
            raise ValueError(
                f"actuators.{i}.joint: '{actuator.name}' and '{moved[name]}' both move '{name}'; "
                "expected one actuator for each coordinate, leave one out"
            )
        moved[name] = actuator.name
