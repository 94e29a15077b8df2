"""chorda list, chorda show: which robots there are, and what a robot is made of."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorda.cli.options import PICTURES, ROBOT, Json, Picture, destination, robot_named
from chorda.cli.output import number, print_json, say, show_table, tell
from chorda.cli.rods import HEADER, in_short, rod_rows, sheath_text
from chorda.describe import Pulley, numbers
from chorda.errors import InputError

if TYPE_CHECKING:
    from chorda.mechanics import Array, System

Row = tuple[str, ...]


def list_robots(as_json: Json = False) -> None:
    """Robots of the catalogue.

    \b
    Example:
      chorda list
    """
    from chorda.catalogue import load, names
    from chorda.catalogue.necks import MOST_JOINTS

    robots = [load(name) for name in names()]
    if as_json:
        print_json([_summary(robot) for robot in robots])
        return
    rows = [(r.name, r.title, str(_moving(r)), str(len(r.tendons))) for r in robots]
    note = f"neck-1 to neck-{MOST_JOINTS} are made on request. A YAML file works like a name."
    show_table("Catalogue", ("name", "title", "joints", "tendons"), rows, note)


def show(
    robot: Annotated[
        str | None, typer.Argument(metavar="ROBOT", help=ROBOT, show_default=False)
    ] = None,
    as_yaml: Annotated[bool, typer.Option("--yaml", help="Print the description as YAML.")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of robot files.")
    ] = False,
    as_json: Json = False,
    picture: Picture = None,
) -> None:
    """What a robot is made of: joints, bodies, springs, tendons, parameters and their sources.

    \b
    Examples:
      chorda show neck-3
      chorda show neck-3 --yaml > my-neck.yaml
      chorda show --schema > robot.schema.json
    """
    if schema:
        from chorda.describe import schema as robot_schema

        print_json(robot_schema())
        return
    if robot is None:
        raise InputError("ROBOT: expected a catalogue name or a YAML file; see chorda list")
    destination(picture, "--picture", PICTURES)
    described = robot_named(robot)
    if as_yaml:
        from chorda.describe import dump

        print(dump(described), end="")
        return
    from chorda.mechanics import assemble

    system = assemble(described)
    if picture is not None:
        from chorda.view import plot_configuration

        q, how = _assembled(system)
        plot_configuration(system, q, path=picture)
        tell(f"Wrote {picture}{how}")
    if as_json:
        print_json(_everything(system))
        return
    _print(system)


def _assembled(system: "System") -> "tuple[Array, str]":
    """The start with its closures shut, and what to say where they cannot be."""
    import numpy as np

    from chorda.statics.initial import closed

    q, p = system.start, system.parameter_values
    still = np.zeros(system.nv), np.zeros(system.nu), np.zeros(system.nu), p
    try:
        return closed(system, None, q, *still)[0], ""
    except InputError:
        return q, ", as described; loops open"


def _summary(robot: Any) -> dict[str, Any]:
    return {
        "name": robot.name,
        "title": robot.title,
        "joints": _moving(robot),
        "tendons": len(robot.tendons),
    }


def _moving(robot: Any) -> int:
    """How many joints move: fixed ones only place things."""
    return sum(joint.kind != "fixed" for joint in robot.joints)


def _everything(system: "System") -> dict[str, Any]:
    from chorda.cli.sources import parameter_sources

    sources = parameter_sources(system)
    return {
        **_summary(system.robot),
        "coordinates": [
            {
                "name": c.name,
                "unit": c.unit,
                "kind": c.kind,
                "rest": c.rest,
                "range": (c.low, c.high),
            }
            for c in system.coordinates
        ],
        "inputs": [{"name": i.name, "unit": i.unit, "kind": i.kind} for i in system.inputs],
        "parameters": [
            {"name": name, "value": value, "unit": unit, "source": sources[name]}
            for name, value, unit in _parameters(system)
        ],
        "description": system.robot.model_dump(mode="json"),
    }


def _parameters(system: "System") -> list[tuple[str, float, str]]:
    values = system.parameter_values.tolist()
    return list(zip(system.parameter_names, values, system.parameter_table.units, strict=True))


def _print(system: "System") -> None:
    robot = system.robot
    say(f"{robot.name}: {robot.title}" if robot.title else robot.name)
    say(
        f"{system.nv} velocities{' with elastic tendons' * bool(robot.tendons)}; coordinates "
        + ", ".join(in_short((c.name, c.unit) for c in system.coordinates))
    )
    for title, header, rows in _sections(robot):
        if rows:
            show_table(title, header, rows)
    note = "A parameter is named of.parameter (x1.friction), for example in --parameter."
    header = ("parameter", "of", "value", "unit", "source")
    show_table("Parameters", header, _parameter_rows(system), note)


def _sections(robot: Any) -> list[tuple[str, Row, list[Row]]]:
    springs = ("name", "from", "to", "stiffness", "free length", "damping")
    closures: list[Row] = [(c.name, c.kind, _at(c.start), _at(c.end)) for c in robot.closures]
    loads: list[Row] = [
        (x.name, _at(x.at), _vector(x.force), _vector(x.moment)) for x in robot.loads
    ]
    return [
        ("Joints", ("name", "kind", "stands on", "range"), _joints(robot)),
        ("Rods", HEADER, rod_rows(robot)),
        ("Bodies", ("body", "mass"), _bodies(robot)),
        ("Springs and dampers", springs, _springs(robot)),
        ("Closures", ("name", "kind", "from", "to"), closures),
        ("Tendons", ("name", "path", "law", "actuator"), _tendons(robot)),
        ("Loads", ("name", "at", "force [N]", "moment [N m]"), loads),
    ]


def _parameter_rows(system: "System") -> list[Row]:
    """One row for all items that share a parameter's value and source."""
    from chorda.cli.sources import parameter_sources

    sources = parameter_sources(system)
    shared: dict[Row, list[str]] = {}
    for name, value, unit in _parameters(system):
        item, _, field = name.partition(".")
        row = (field, number(value), unit, sources[name] or "not said")
        shared.setdefault(row, []).append(item)
    return [(field, ", ".join(items), *rest) for (field, *rest), items in shared.items()]


def _joints(robot: Any) -> list[Row]:
    return [
        (j.name, j.kind, j.parent, _range(getattr(j, "range", None), j.kind)) for j in robot.joints
    ]


def _range(limits: tuple[float, float] | None, kind: str) -> str:
    if limits is None:
        return "-"
    return f"{number(limits[0])} to {number(limits[1])} {'m' if kind == 'prismatic' else 'rad'}"


def _bodies(robot: Any) -> list[Row]:
    rows: list[Row] = []
    for joint in robot.joints:
        if joint.kind == "x":
            rows.append((f"{joint.name}: two diagonals", f"{number(joint.diagonal_mass)} kg each"))
            rows.append((f"{joint.name}: top bar", f"{number(joint.bar_mass)} kg"))
        elif joint.kind == "rod":
            rows += [
                (f"{joint.name}.{disk.name}: disk", f"{number(disk.mass)} kg")
                for disk in joint.disks
                if disk.mass is not None
            ]
        elif joint.body is not None:
            rows.append((joint.name, f"{number(joint.body.mass)} kg"))
    return rows


def _springs(robot: Any) -> list[Row]:
    rows: list[Row] = [
        (
            s.name,
            _at(s.start),
            _at(s.end),
            f"{number(s.stiffness)} N/m",
            f"{number(s.free_length)} m",
            "-" if s.damping is None else f"{number(s.damping)} N s/m",
        )
        for s in robot.springs
    ]
    return rows + [
        (d.name, _at(d.start), _at(d.end), "-", "-", f"{number(d.damping)} N s/m")
        for d in robot.dampers
    ]


def _tendons(robot: Any) -> list[Row]:
    return [
        (t.name, " > ".join(_way(t)), _law(t.law), _actuator(robot, t.actuator))
        for t in robot.tendons
    ]


def _way(tendon: Any) -> list[str]:
    return [*(_at(point) for point in tendon.path), *(sheath_text(x) for x in tendon.sheaths)]


def _law(law: Any) -> str:
    if law.kind == "rigid":
        return "rigid"
    words = {name: f"{name} " for name in ("pretension", "smoothing", "length")}
    # the others tell by their unit
    parts = [
        f"{words.get(name, '')}{number(value)} {about['unit']}"
        for name, value, about in numbers(law)
    ]
    if law.kind == "material":
        parts.append(f"over the {law.over} length")
    return f"{law.kind}: {', '.join(parts)}" + (", cannot push" if law.one_sided else "")


def _actuator(robot: Any, name: str | None) -> str:
    if name is None:
        return "tied"
    actuator = robot.named(name)
    if actuator.kind != "motor":
        return f"{name}: {actuator.kind} given"
    return (
        f"{name}: motor, {number(actuator.inertia)} kg m^2, drum {number(actuator.drum_radius)} m, "
        f"gear {number(actuator.gear_ratio)}"
    )


def _at(point: Any) -> str:
    where = point.point if isinstance(point.point, str) else _vector(point.point)
    text = f"{point.frame}.{where}" if isinstance(point.point, str) else f"{point.frame} {where}"
    if isinstance(point, Pulley):
        text += f" (pulley {number(point.radius)} m, {point.side})"
    return text


def _vector(values: tuple[float, ...]) -> str:
    return "(" + ", ".join(number(x) for x in values) + ")"
