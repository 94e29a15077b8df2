"""Joint kinds: each a pure function from a description to frames and twists."""

from chorda.mechanics.joints import fixed, free, one_axis, rod, xjoint
from chorda.mechanics.joints.joint_model import Build, Carried, Coordinate, Inertia, JointModel

KINDS: dict[str, Build] = {
    "revolute": one_axis.build,
    "prismatic": one_axis.build,
    "fixed": fixed.build,
    "free": free.build,
    "x": xjoint.build,
}

__all__ = ["KINDS", "Build", "Carried", "Coordinate", "Inertia", "JointModel", "rod"]
