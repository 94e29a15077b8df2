"""A wheel behind a gear, moved by a motor with whatever parts a test asks for."""

import chorda
from chorda.describe import JointMotor, Robot
from tests.helpers.actuated_robots import wheel

WHEEL, ROTOR, GEAR = 2e-3, 1e-5, 30.0  # [kg m^2, kg m^2, -]
INERTIA = ROTOR + WHEEL / GEAR**2  # [kg m^2] that the rotor feels
R, K = 2.0, 0.05  # [ohm, N m/A]
WINDING = {"resistance": R, "torque_constant": K}


def motor(**parts):
    return JointMotor(name="m", joint="wheel", inertia=ROTOR, gear_ratio=GEAR, **parts)


def spun(joint=None, **parts):
    """The system of a wheel, or of another joint of that name, on a motor."""
    made = Robot(name="spun", joints=(joint or wheel(WHEEL),), actuators=(motor(**parts),))
    return chorda.assemble(made)
