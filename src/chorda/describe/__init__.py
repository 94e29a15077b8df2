"""WHAT a robot is: frozen records in SI units, YAML in and out, a JSON schema. No mathematics."""

from chorda.describe.chains import belt, chain, line
from chorda.describe.elements import Closure, Damper, Load, Spring
from chorda.describe.geometry import Body, Placement, Point
from chorda.describe.joints import (
    DenavitHartenberg,
    Fixed,
    Free,
    Joint,
    Prismatic,
    Revolute,
    XJoint,
)
from chorda.describe.laws import DryFriction, KelvinVoigt, Material, Rigid, Stiffening
from chorda.describe.reading import dump, from_data, parse, read, write
from chorda.describe.robot import Robot, numbers
from chorda.describe.schema import schema
from chorda.describe.tendons import DisplacementDrive, Motor, Pulley, Tendon, TensionDrive

__all__ = [
    "Body",
    "Closure",
    "Damper",
    "DenavitHartenberg",
    "DisplacementDrive",
    "DryFriction",
    "Fixed",
    "Free",
    "Joint",
    "KelvinVoigt",
    "Load",
    "Material",
    "Motor",
    "Placement",
    "Point",
    "Prismatic",
    "Pulley",
    "Revolute",
    "Rigid",
    "Robot",
    "Spring",
    "Stiffening",
    "Tendon",
    "TensionDrive",
    "XJoint",
    "belt",
    "chain",
    "dump",
    "from_data",
    "line",
    "numbers",
    "parse",
    "read",
    "schema",
    "write",
]
