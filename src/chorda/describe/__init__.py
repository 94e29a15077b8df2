"""WHAT a robot is: frozen records in SI units, YAML in and out, a JSON schema. No mathematics."""

from chorda.describe.chains import belt, chain, line
from chorda.describe.contact_records import Contact, ContactFriction
from chorda.describe.distributed_loads import DistributedLoad
from chorda.describe.elements import Closure, Coupling, Damper, Load, Spring
from chorda.describe.feeding import Feeder
from chorda.describe.geometry import Body, Placement, Point
from chorda.describe.joint_actuators import JointEffort, JointMotion, JointMotor
from chorda.describe.joints import (
    DenavitHartenberg,
    Fixed,
    Free,
    Joint,
    Prismatic,
    Revolute,
    XJoint,
)
from chorda.describe.laws import (
    DryFriction,
    KelvinVoigt,
    Material,
    Rigid,
    SlidingFriction,
    Stiffening,
)
from chorda.describe.locking import locked
from chorda.describe.motor_parts import Backlash, Winding
from chorda.describe.robot import Robot, numbers
from chorda.describe.robot_files import dump, from_data, parse, read, write
from chorda.describe.rods import (
    STRAINS,
    Circle,
    Disk,
    Modes,
    Rectangle,
    Rod,
    RodFrame,
    Sheath,
    Strains,
    Tube,
)
from chorda.describe.schema import schema
from chorda.describe.shapes import (
    Bore,
    Box,
    Capsule,
    Cylinder,
    MeshFile,
    Plane,
    RodTube,
    Shape,
    Sphere,
)
from chorda.describe.stops import SlidingStop, Stop
from chorda.describe.tendon_friction import Bearing, Capstan, Viscous
from chorda.describe.tendons_and_actuators import (
    Eyelet,
    Motor,
    Pulley,
    Tendon,
    TensionActuator,
    Winch,
)
from chorda.describe.wrench_actuators import WrenchActuator

__all__ = [
    "STRAINS",
    "Backlash",
    "Bearing",
    "Body",
    "Bore",
    "Box",
    "Capstan",
    "Capsule",
    "Circle",
    "Closure",
    "Contact",
    "ContactFriction",
    "Coupling",
    "Cylinder",
    "Damper",
    "DenavitHartenberg",
    "Disk",
    "DistributedLoad",
    "DryFriction",
    "Eyelet",
    "Feeder",
    "Fixed",
    "Free",
    "Joint",
    "JointEffort",
    "JointMotion",
    "JointMotor",
    "KelvinVoigt",
    "Load",
    "Material",
    "MeshFile",
    "Modes",
    "Motor",
    "Placement",
    "Plane",
    "Point",
    "Prismatic",
    "Pulley",
    "Rectangle",
    "Revolute",
    "Rigid",
    "Robot",
    "Rod",
    "RodFrame",
    "RodTube",
    "Shape",
    "Sheath",
    "SlidingFriction",
    "SlidingStop",
    "Sphere",
    "Spring",
    "Stiffening",
    "Stop",
    "Strains",
    "Tendon",
    "TensionActuator",
    "Tube",
    "Viscous",
    "Winch",
    "Winding",
    "WrenchActuator",
    "XJoint",
    "belt",
    "chain",
    "dump",
    "from_data",
    "line",
    "locked",
    "numbers",
    "parse",
    "read",
    "schema",
    "write",
]
