"""The two continuum parallel robots of Briot2022, with as many modes as a study asks for."""

from chorda.catalogue.loading import load
from chorda.checks import whole_number
from chorda.describe import Robot, Rod

FIRST = (5.86, 5.56, 5.86, 5.46, 5.86, 5.26)  # [rad] motors of 6-rfs where the path begins


def rfrfr(modes: int = 5, intervals: int = 12) -> Robot:
    """The planar RFRFR robot of Briot2022: two rods on motors, their tips on one pin.

    motor1 is the left one; angles are those of the rods' first tangents from +x. The legs bulge
    outwards from a guess such as {"leg1.bend_z0": -1, "leg2.bend_z0": 1}.

    >>> [j.name for j in rfrfr().joints]
    ['motor1', 'leg1', 'motor2', 'leg2']
    """
    return with_modes(load("rfrfr"), modes, intervals)


def six_rfs(modes: int = 5, intervals: int = 12) -> Robot:
    """The spatial 6-RFS robot of Briot2022: six rods on motors, spherical joints at a platform.

    Legs 1 and 2 start at A1, 3 and 4 at A2, 5 and 6 at A3; they end at B3, B1, B1, B2, B2, B3. A
    motor at 0 points its leg outwards along the ground, a negative angle turns it up. The legs
    bulge outwards from a guess such as {"leg1.bend_y0": -2.5, ...} for all six.

    >>> [c.name for c in six_rfs().closures]
    ['joint1', 'joint2', 'joint3', 'joint4', 'joint5', 'joint6']
    """
    return with_modes(load("6-rfs"), modes, intervals)


def with_modes(robot: Robot, modes: int, intervals: int) -> Robot:
    """The robot with as many functions for each strain that its rods have, and intervals."""
    whole_number("modes", modes, 1, 30)
    strains = ("twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z")
    joints = []
    for joint in robot.joints:
        if isinstance(joint, Rod):
            counts = {x: modes for x in strains if getattr(joint.modes, x)}
            chosen = joint.modes.model_copy(update=counts | {"intervals": intervals})
            joint = joint.model_copy(update={"modes": chosen})
        joints.append(joint)
    return robot.model_copy(update={"joints": tuple(joints)})
