"""Shapes, contacts and what they cost, as tables."""

from collections.abc import Iterable, Iterator

from chorda.cli.output import number
from chorda.describe import Robot, numbers
from chorda.describe.contact_checks import pairs
from chorda.describe.contact_records import Contact
from chorda.describe.shapes import MeshFile, RodTube, Shape, positions
from chorda.mechanics import System, assemble
from chorda.mechanics.subexpressions import operations as counted
from chorda.results import Table

Row = tuple[str, ...]


def contact_tables(system: System) -> Iterator[Table]:
    """Of robots that have any."""
    robot = system.robot
    if robot.shapes:
        yield Table(
            "Shapes",
            ("name", "kind", "frame", "where and how large"),
            tuple((x.name, x.kind, _carrier(x), _measures(x)) for x in robot.shapes),
        )
    if robot.contacts:
        yield Table(
            "Contacts",
            ("name", "pairs", "normal force", "friction"),
            tuple(_contact(robot, x) for x in robot.contacts),
            _cost(system),
        )


def operations(system: System) -> tuple[int, int]:
    """Of the forces F(q, v, u, p), with contacts and without them."""
    robot = system.robot.model_copy(update={"contacts": ()})
    without = assemble(robot, "rigid" if system.mode == "rigid" else "elastic")
    made = [x.function("F", "q v u p", x.dynamics.F) for x in (system, without)]
    return counted(made[0]), counted(made[1])


def _cost(system: System) -> str:
    with_contacts, without = operations(system)
    points = len(system.touches)
    return (
        f"Of the {with_contacts} operations of the forces in every step, contacts take "
        f"{with_contacts - without}, at {points} point{'s' * (points != 1)}."
    )


def _carrier(shape: Shape) -> str:
    return shape.rod if isinstance(shape, RodTube) else shape.frame


def _measures(shape: Shape) -> str:
    points = [
        f"{field} {x if isinstance(x, str) else _point(x) + ' m'}" for field, x in positions(shape)
    ]
    if isinstance(shape, MeshFile):
        points.append(f"file {shape.file}")
    if shape.kind == "bore":
        points.append(f"along {' '.join(map(_point, shape.points))} m")
    if shape.kind == "plane":
        points.append(f"normal {_point(shape.normal)}")
    if shape.kind == "box":
        points.append(f"size {_point(shape.size)} m")
    sizes = [
        f"{name} {number(x)} {about['unit']}".removesuffix(" -")
        for name, x, about in numbers(shape)
        if "." not in name and x  # vectors are there already
    ]
    return ", ".join([*points, *sizes])


def _point(x: Iterable[float]) -> str:
    return f"({', '.join(map(number, x))})"


def _contact(robot: Robot, contact: Contact) -> Row:
    each = ", ".join(f"{a.name}-{b.name}" for a, b in pairs(contact, robot.shapes, robot.joints))
    power = "" if contact.exponent == 1 else f"^{number(contact.exponent)}"
    law = [f"{number(contact.resolved_stiffness)} N/m{power}"]
    if contact.resolved_dissipation is not None:
        law.append(f"dissipation {number(contact.resolved_dissipation)} s/m")
    if contact.smoothing is not None:
        law.append(f"smoothing {number(contact.smoothing)} m")
    friction = contact.resolved_friction
    if friction is None:
        return contact.name, each, ", ".join(law), "none"
    unused = {"slip_speed"} if friction.kind == "bristle" else set()
    values = [
        f"{name} {number(x)} {about['unit']}".removesuffix(" -")
        for name, x, about in numbers(friction)
        if name not in unused
    ]
    return contact.name, each, ", ".join(law), f"{friction.kind}: {', '.join(values)}"
