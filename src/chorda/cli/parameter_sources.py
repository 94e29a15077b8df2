"""Where the value of each parameter comes from, as the robot's description states."""

from fnmatch import fnmatchcase

from chorda.describe import DistributedLoad, Robot, RodTube, numbers
from chorda.describe.robot import SECTIONS
from chorda.mechanics import System

AXES = {"inertia": ("xx", "yy", "zz", "xy", "xz", "yz")}
WRAPPERS = ("law", "body", "placement", "point")  # fields that a parameter's name leaves out


def parameter_sources(system: System) -> dict[str, str]:
    """By parameter name; '' where the description does not give a source."""
    robot = system.robot
    found: dict[str, str] = {}
    for path, _, _ in numbers(robot):
        source = next((s for key, s in robot.sources.items() if fnmatchcase(path, key)), "")
        found.setdefault(_parameter(robot, path), source)
    for shape in robot.shapes:
        if isinstance(shape, RodTube):  # where no radius of its own is given
            found.setdefault(f"{shape.name}.radius", f"geometry: the section of {shape.rod}")
    return {name: found.get(name, "") for name in system.parameter_names}


def _parameter(robot: Robot, path: str) -> str:
    """The parameter's name of a number's path: tendons.0.law.stiffness is right1.stiffness."""
    section, *rest = path.split(".")
    if section in SECTIONS:
        item = getattr(robot, section)[int(rest[0])]
        section, rest = item.name, [part for part in rest[1:] if part not in WRAPPERS]
        if rest[0] == "path":  # tendons.0.path.1.radius is right1.path1.radius
            rest = [f"path{rest[1]}", *rest[2:]]
        elif rest[0] == "sheaths":  # tendons.0.sheaths.0.y.1 is tendon.sheath0.y1
            rest = [f"sheath{rest[1]}", "".join(rest[2:])]
        elif rest[0] == "rest" and len(rest) == 3:  # joints.0.rest.bend_y.1 is rod.rest.bend_y1
            rest = ["rest", "".join(rest[1:])]
        elif rest == ["fed", "range", "1"]:
            rest = ["fed", "longest"]
        elif rest[0] == "disks":  # joints.0.disks.0.mass is rod.disk1.mass
            rest = [item.disks[int(rest[1])].name, *rest[2:]]
        elif rest[0] == "frames":  # joints.0.frames.0.body.mass is rod.frame1.mass
            rest = [item.frames[int(rest[1])].name, *rest[2:]]
        elif isinstance(item, DistributedLoad) and len(rest) == 2:  # fx.1 is wind.fx1
            rest = ["".join(rest)]
    if rest and rest[-1].isdigit():
        field = rest[-2] if len(rest) > 1 else section
        rest[-1] = AXES.get(field, ("x", "y", "z"))[int(rest[-1])]
    return ".".join([section, *rest]).replace("dry_friction.", "dry_")
