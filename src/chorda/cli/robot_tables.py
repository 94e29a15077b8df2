"""What a robot is made of, as tables: joints, rods, bodies, tendons, contacts, parameters."""

import math
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import Any

from pydantic import BaseModel

from chorda.cli.contact_tables import contact_tables
from chorda.cli.output import number
from chorda.cli.parameter_sources import parameter_sources
from chorda.describe import (
    STRAINS,
    Damper,
    Modes,
    Pulley,
    Robot,
    Rod,
    Spring,
    Tendon,
    WrenchActuator,
    XJoint,
    numbers,
)
from chorda.describe.distributed_loads import FORCES, MOMENTS
from chorda.describe.joint_actuators import ON_JOINTS
from chorda.describe.motor_parts import MotorParts
from chorda.mechanics import System
from chorda.mechanics.rods.grid import broken
from chorda.results import Table

Row = tuple[str, ...]
NAMED_LAW_FIELDS = ("pretension", "smoothing", "length")  # units tell the others apart


def robot_tables(system: System) -> Iterator[Table]:
    """A table for each kind of thing that the robot has, then its parameters."""
    robot = system.robot
    springs = ("name", "from", "to", "stiffness", "free length", "damping")
    rods = ("name", "length", "section", "Young's modulus", "mass", "modes", "disks")
    closures = [(c.name, c.kind, _point(c.start), _point(c.end)) for c in robot.closures]
    loads = [(x.name, _point(x.at), _vector(x.force), _vector(x.moment)) for x in robot.loads]
    sections: list[tuple[str, Row, Iterable[Row]]] = [
        ("Joints", ("name", "kind", "parent", "range"), _joints(robot)),
        ("Rods", rods, [_rod(robot, x) for x in robot.joints if isinstance(x, Rod)]),
        ("Bodies", ("body", "mass"), _bodies(robot)),
        ("Springs and dampers", springs, _springs(robot)),
        ("Closures", ("name", "kind", "from", "to"), closures),
        ("Couplings", ("name", "factors", "offset"), _couplings(robot)),
        ("Actuators on joints", ("name", "kind", "joint"), _on_joints(robot)),
        ("Forces on frames", ("name", "at", "inputs", "axes"), _pushes(robot)),
        ("Parts of motors", ("motor", "limits", "winding", "backlash"), _motor_parts(robot)),
        ("Tendons", ("name", "path", "law", "actuator"), _tendons(robot)),
        ("Friction along tendons", ("where", "kind", "numbers"), _rubbing(robot)),
        ("Loads", ("name", "at", "force [N]", "moment [N m]"), loads),
        ("Loads along rods", ("name", "rod", "per length", "axes"), _along_rods(robot)),
    ]
    for title, header, rows in sections:
        if found := tuple(rows):
            yield Table(title, header, found)
    yield from contact_tables(system)
    yield Table(
        "Parameters",
        ("parameter", "of", "value", "unit", "source"),
        tuple(_parameter_rows(system)),
        "A parameter is named of.parameter (x1.friction), for example in --parameter.",
    )


def _couplings(robot: Robot) -> Iterator[Row]:
    for x in robot.couplings:
        factors = ", ".join(f"{number(value)} {name}" for name, value in x.factors.items())
        yield x.name, factors, number(x.offset or 0.0)


def _on_joints(robot: Robot) -> Iterator[Row]:
    for x in robot.actuators:
        if isinstance(x, ON_JOINTS):
            yield x.name, x.kind, x.joint


def _pushes(robot: Robot) -> Iterator[Row]:
    for x in robot.actuators:
        if isinstance(x, WrenchActuator):
            inputs = ", ".join(f"{name} [{unit}]" for name, unit, *_ in x.inputs())
            yield x.name, _point(x.at), inputs, "of the body" if x.follows else "of the world"


def _along_rods(robot: Robot) -> Iterator[Row]:
    for x in robot.distributed_loads:
        parts = [
            f"{key} {number(c[0]) if len(c) == 1 else '[' + ', '.join(map(number, c)) + ']'} {unit}"
            for keys, unit in ((FORCES, "N/m"), (MOMENTS, "N m/m"))
            for key in keys
            if any(c := getattr(x, key))
        ]
        where = x.rod
        if x.start or x.end is not None:
            end = "the tip" if x.end is None else f"{number(x.end)} m"
            where += f", from {number(x.start)} m to {end}"
        yield x.name, where, ", ".join(parts), "of the rod" if x.follows else "of the world"


def _motor_parts(robot: Robot) -> Iterator[Row]:
    """Of motors that have any: limits, winding and play."""
    units = {"max_torque": "N m", "max_speed": "rad/s", "max_current": "A"}
    for x in robot.actuators:
        if not isinstance(x, MotorParts):
            continue
        limits = [
            f"{name} {number(value)} {unit}"
            for name, unit in units.items()
            if (value := getattr(x, name)) is not None
        ]
        parts = (", ".join(limits), _fields(x.winding), _fields(getattr(x, "backlash", None)))
        if any(parts):
            yield x.name, *(part or "-" for part in parts)


def _fields(record: BaseModel | None, without: Collection[str] = ()) -> str:
    """Numbers of a record by name, with their units."""
    each = [] if record is None else [x for x in numbers(record) if x[0] not in without]
    return ", ".join(f"{name} {number(value)} {about['unit']}" for name, value, about in each)


def parameters(system: System) -> list[tuple[str, float, str]]:
    """Name, value and unit of each."""
    values = system.parameter_values.tolist()
    return list(zip(system.parameter_names, values, system.parameter_table.units, strict=True))


def _parameter_rows(system: System) -> Iterator[Row]:
    """One row for all items that share a parameter's value and source."""
    sources = parameter_sources(system)
    shared: dict[Row, list[str]] = {}
    for name, value, unit in parameters(system):
        item, _, field = name.partition(".")
        row = (field, number(value), unit, sources[name] or "not given")
        shared.setdefault(row, []).append(item)
    for (field, *rest), items in shared.items():
        yield field, ", ".join(items), *rest


def _joints(robot: Robot) -> Iterator[Row]:
    for joint in robot.joints:
        text, limits = "-", getattr(joint, "range", None)
        if limits is not None:
            unit = "m" if joint.kind == "prismatic" else "rad"
            text = f"{number(limits[0])} to {number(limits[1])} {unit}"
        yield joint.name, joint.kind, joint.parent, text


def _bodies(robot: Robot) -> Iterator[Row]:
    for joint in robot.joints:
        if joint.kind == "x":
            yield from _bars(joint)
        elif joint.kind == "rod":
            for disk in joint.disks:
                if disk.mass is not None:
                    yield f"{joint.name}.{disk.name}: disk", f"{number(disk.mass)} kg"
            for frame in joint.frames:
                if frame.body is not None:
                    yield f"{joint.name}.{frame.name}", f"{number(frame.body.mass)} kg"
        elif joint.body is not None:
            yield joint.name, f"{number(joint.body.mass)} kg"


def _bars(joint: XJoint) -> Iterator[Row]:
    """Masses of an X-joint's bars."""
    given = {x: getattr(joint, x) for x in ("left_diagonal", "right_diagonal", "top")}
    if joint.diagonal_mass is not None and not (joint.left_diagonal or joint.right_diagonal):
        yield f"{joint.name}: two diagonals", f"{number(joint.diagonal_mass)} kg each"
        given = {"top": joint.top}
    if joint.bar_mass is not None:
        yield f"{joint.name}: top bar", f"{number(joint.bar_mass)} kg"
        del given["top"]
    for frame, body in given.items():
        mass = (joint.diagonal_mass or 0.0) if body is None else body.mass
        yield f"{joint.name}.{frame}", f"{number(mass)} kg"


def _springs(robot: Robot) -> Iterator[Row]:
    items: tuple[Spring | Damper, ...] = (*robot.springs, *robot.dampers)
    for x in items:
        texts = [
            "-" if (value := getattr(x, name, None)) is None else f"{number(value)} {unit}"
            for name, unit in (("stiffness", "N/m"), ("free_length", "m"), ("damping", "N s/m"))
        ]
        yield x.name, _point(x.start), _point(x.end), *texts


def _tendons(robot: Robot) -> Iterator[Row]:
    for t in robot.tendons:
        path = [*(_point(point) for point in t.path), *(sheath_text(x) for x in t.sheaths)]
        yield t.name, " > ".join(path), _law(t), _actuator(robot, t.actuator)


def _rubbing(robot: Robot) -> Iterator[Row]:
    for t in robot.tendons:
        places = {t.name: t.friction}
        for word, parts in (("path", t.path), ("sheath", t.sheaths)):
            own = (getattr(x, "friction", None) for x in parts)
            places |= {f"{t.name}.{word}{k}": law for k, law in enumerate(own)}
        for where, law in places.items():
            if law is not None:
                bent = getattr(law, "deflection", None) is not None  # there is no speed then
                yield where, law.kind, _fields(law, {"speed"} if bent else set())


def _law(tendon: Tendon) -> str:
    law = tendon.law
    push = "" if law.one_sided else ", may push"
    if law.kind == "rigid":
        return f"rigid{push}"
    parts = [
        f"{name} " * (name in NAMED_LAW_FIELDS) + f"{number(value)} {about['unit']}"
        for name, value, about in numbers(law)
    ]
    if law.kind == "material":
        parts.append(f"over the {law.over} length")
    return f"{law.kind}: {', '.join(parts)}{push}"


def _actuator(robot: Robot, name: str | None) -> str:
    if name is None:
        return "tied"
    actuator: Any = robot.named(name)
    if actuator.kind != "motor":
        return f"{name}: {actuator.kind} given"
    return (
        f"{name}: motor, {number(actuator.inertia)} kg m^2, drum {number(actuator.drum_radius)} m, "
        f"gear {number(actuator.gear_ratio)}"
    )


def _point(point: Any) -> str:
    named = isinstance(point.point, str)
    text = f"{point.frame}.{point.point}" if named else f"{point.frame} {_vector(point.point)}"
    if isinstance(point, Pulley):
        text += f" (pulley {number(point.radius)} m, {point.side})"
    return text


def _vector(values: tuple[float, ...]) -> str:
    return "(" + ", ".join(number(x) for x in values) + ")"


def _rod(robot: Robot, rod: Rod) -> Row:
    whole = broken(rod, [sheath for _, sheath in robot.sheaths_in(rod.name)])
    parts = len(whole.modes.breaks) + 1
    text = f"{functions_text(rod.modes)}; {rod.modes.basis}"
    text += f", on each of {parts} parts" if parts > 1 else ""
    section, area = _section(rod)
    c = 1.0 if rod.taper is None else rod.taper
    mass = rod.density * rod.length * area * (1 + c + c * c) / 3  # without its disks
    return (
        rod.name,
        f"{number(rod.length)} m{_fed(rod)}",
        section,
        f"{number(rod.young_modulus)} Pa",
        f"{number(mass)} kg",
        text,
        str(len(rod.disks)),
    )


def _fed(rod: Rod) -> str:
    """Between which lengths it is fed."""
    if rod.fed is None:
        return ""
    low, high = rod.fed.range
    return f", fed from {number(low)} to {number(high)} m"


def functions_text(modes: Modes) -> str:
    """How many functions of each strain; where they are for an accuracy, also that."""
    text = ", ".join(f"{name} {count}" for name in STRAINS if (count := getattr(modes, name)))
    if modes.accuracy is not None:
        text += f"; {modes.intervals} intervals, for {number(modes.accuracy)} m"
    return text


def _section(rod: Rod) -> tuple[str, float]:
    """In words, and its area at the base [m^2]."""
    section = rod.section
    if section.kind == "rectangle":
        text = f"{number(section.width)} m (y) by {number(section.height)} m (z)"
        area = section.width * section.height
    elif section.kind == "tube":
        text = f"tube, radius {number(section.inner_radius)} to {number(section.radius)} m"
        area = math.pi * (section.radius**2 - section.inner_radius**2)
    else:
        text = f"circle, radius {number(section.radius)} m"
        area = math.pi * section.radius**2
    tapered = "" if rod.taper is None else f"; at the tip {number(rod.taper)} times that"
    return text + tapered, area


def sheath_text(sheath: Any) -> str:
    """Where a tendon lies in a rod.

    >>> from chorda.describe import Sheath
    >>> sheath_text(Sheath(rod="rod", y=0.008, turns=1.0))
    'in rod at y 0.008, z 0 m, 1 turn'
    """

    def offset(values: tuple[float, ...]) -> str:
        if len(values) == 1:
            return number(values[0])
        return "[" + ", ".join(number(x) for x in values) + "]"

    text = f"in {sheath.rod} at y {offset(sheath.y)}, z {offset(sheath.z)} m"
    if sheath.turns:
        text += f", {number(sheath.turns)} turn{'s' * (abs(sheath.turns) != 1)}"
    if sheath.start or sheath.end is not None:
        end = "the tip" if sheath.end is None else f"{number(sheath.end)} m"
        text += f", from {number(sheath.start)} m to {end}"
    return text


def coordinate_ranges(names: Iterable[tuple[str, str]]) -> list[str]:
    """Names with units; those that are numbered, one after the other, as one.

    >>> coordinate_ranges([("rod.bend_y0", "rad/m"), ("rod.bend_y1", "rad/m"), ("x1", "rad")])
    ['rod.bend_y0 to 1 [rad/m]', 'x1 [rad]']
    """

    def stem(item: tuple[str, str]) -> tuple[str, str]:
        name, unit = item
        return (name.rstrip("0123456789") if "." in name else name), unit

    found = []
    for (start, unit), group in groupby(names, stem):
        first, *others = (name for name, _ in group)
        last = f" to {others[-1].removeprefix(start)}" if others else ""
        found.append(f"{first}{last} [{unit}]")
    return found
