"""chorda list, chorda show: which robots there are, and what a robot is made of."""

from typing import Annotated, Any

import numpy as np
import typer

from chorda import describe
from chorda.catalogue import load, names
from chorda.catalogue.necks import MOST_JOINTS
from chorda.checks import refuse_idle
from chorda.cli.contact_tables import operations
from chorda.cli.options import ROBOT, Json, PictureFile
from chorda.cli.output import fields, print_json, print_note, print_table, print_text
from chorda.cli.parameter_sources import parameter_sources
from chorda.cli.robot_tables import coordinate_ranges, parameters, robot_tables
from chorda.describe import Robot
from chorda.dynamics.signals import sampled
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.results import Table
from chorda.statics import assemble
from chorda.statics.closing import closed


def list_robots(as_json: Json = False) -> None:
    """Robots of the catalogue.

    \b
    Example:
      chorda list
    """
    robots = [_summary(load(name)) for name in names()]
    if as_json:
        print_json(robots)
        return
    note = f"neck-1 to neck-{MOST_JOINTS} are made on request. A YAML file works like a name."
    rows = tuple(tuple(str(x) for x in robot.values()) for robot in robots)
    print_table(Table("Catalogue", tuple(robots[0]), rows, note))


def show(
    robot: Annotated[str | None, typer.Argument(metavar="ROBOT", help=ROBOT)] = None,
    yaml: bool = False,
    schema: bool = False,
    as_json: Json = False,
    picture: PictureFile = None,
) -> None:
    """What a robot is made of: joints, bodies, springs, tendons, contacts, parameters, sources.

    Parameters
    ----------
    yaml
        Print the description as YAML.
    schema
        Print the JSON schema of robot files.
    picture : FILE
        Draw the configuration (.png, .svg or .pdf).

    \b
    Examples:
      chorda show neck-3
      chorda show neck-3 --yaml > my-neck.yaml
      chorda show --schema > robot.schema.json
    """
    if schema:
        others = {"ROBOT": robot, "--yaml": yaml, "--picture": picture}
        refuse_idle(others, "with --schema, which is that of all robots", "leave --schema out")
        print_json(describe.schema())
        return
    if robot is None:
        raise InputError("ROBOT: expected a catalogue name or a YAML file; see chorda list")
    described = load(robot)
    if yaml:
        others = {"--json": as_json, "--picture": picture}
        refuse_idle(others, "with --yaml, which prints the description alone", "leave --yaml out")
        print(describe.dump(described), end="")
        return
    system = assemble(described)
    if picture is not None:
        from chorda.view import plot_configuration

        q, remark = _closed(system)
        plot_configuration(system, q, path=picture)
        print_note(f"Wrote {picture}{remark}")
    if as_json:
        print_json(_as_data(system))
        return
    print_text(f"{described.name}: {described.title}" if described.title else described.name)
    print_text(
        f"{system.nv} velocities{' with elastic tendons' * bool(described.tendons)}; coordinates "
        + ", ".join(coordinate_ranges((c.name, c.unit) for c in system.coordinates))
    )
    for table in robot_tables(system):
        print_table(table)


def _closed(system: System) -> tuple[Array, str]:
    """The start with its closures shut, and a remark where they cannot be."""
    q, p = system.start, system.parameter_values
    still, u = np.zeros(system.nu), sampled(system, None, np.zeros(1))[0]
    try:
        return closed(system, None, q, np.zeros(system.nv), u, still, p)[0], ""
    except InputError:
        return q, ", as described; loops open"


def _summary(robot: Robot) -> dict[str, Any]:
    return {
        "name": robot.name,
        "title": robot.title,
        "joints": sum(joint.kind != "fixed" for joint in robot.joints),  # those that move
        "tendons": len(robot.tendons),
    }


def _as_data(system: System) -> dict[str, Any]:
    sources = parameter_sources(system)
    return {
        **_summary(system.robot),
        "coordinates": [
            {**fields(c, "name", "unit", "kind", "rest"), "range": (c.low, c.high)}
            for c in system.coordinates
        ],
        "inputs": [fields(i, "name", "unit", "kind") for i in system.inputs],
        "parameters": [
            {"name": name, "value": value, "unit": unit, "source": sources[name]}
            for name, value, unit in parameters(system)
        ],
        "description": system.robot.model_dump(mode="json"),
        **_contacts(system),
    }


def _contacts(system: System) -> dict[str, Any]:
    """Points where shapes may touch, and what they cost, of robots that have contacts."""
    if not system.touches:
        return {}
    both = dict(zip(("operations", "operations_without_contacts"), operations(system), strict=True))
    return {"touches": [x.label for x in system.touches], **both}
