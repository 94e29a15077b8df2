"""chorda equilibrium: a configuration at rest, and whether it is stable."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorda.cli.options import (
    PICTURES,
    SHAPES,
    Changes,
    Export,
    Json,
    Picture,
    RobotName,
    Start,
    TendonModel,
    Tendons,
    assembled,
    assignments,
    destination,
    values,
)
from chorda.cli.output import coordinate, finish, number, print_json, say, show_table, tell
from chorda.cli.prescribing import Actuated, Effort, Hold, Place, prescribed
from chorda.cli.rods import strains, tip_data, tip_rows

if TYPE_CHECKING:
    from chorda.results import Equilibrium

MOST_EIGENVALUES = 6  # that are printed of a rod
VALUES = "one number, a comma list, or NAME=VALUE"


def _held(flag: str, what: str) -> Any:
    return typer.Option(flag, metavar="VALUES", help=f"{what}: {VALUES}.", show_default=False)


def equilibrium(
    robot: RobotName,
    tension: Annotated[list[str] | None, _held("--tension", "Tensions in N")] = None,
    angles: Annotated[list[str] | None, _held("--angle", "Motor angles in rad")] = None,
    torque: Annotated[
        list[str] | None, _held("--torque", "Motor torques in N m, negative pulls")
    ] = None,
    given: Annotated[
        list[str] | None, _held("--input", "Inputs, whatever the actuators are")
    ] = None,
    hold: Hold = None,
    place: Place = None,
    actuated: Actuated = None,
    effort: Effort = None,
    start: Start = None,
    tendons: TendonModel = Tendons.elastic,
    parameter: Changes = None,
    picture: Picture = None,
    export: Export = None,
    as_json: Json = False,
) -> None:
    """Find a configuration at rest under tensions, motor angles or torques, and its stability.

    \b
    Examples:
      chorda equilibrium neck-3 --tension 20
      chorda equilibrium neck-3 --tension left=30,right1=10 --picture bent.png
      chorda equilibrium neck-3 --torque -0.016,-0.016,-0.016,-0.02
      chorda equilibrium rfrfr --hold motor1=2.59 --hold motor2=0.55 \\
        --set leg1.bend_z0=-1 --set leg2.bend_z0=1
    """
    import chorda

    destination(picture, "--picture", PICTURES)
    destination(export, "--export", SHAPES)
    found = chorda.equilibrium(
        assembled(robot, tendons),
        tensions=values(tension, "--tension"),
        angles=values(angles, "--angle"),
        torques=values(torque, "--torque"),
        inputs=values(given, "--input"),
        initial=assignments(start, "--set") or None,
        parameters=assignments(parameter, "--parameter"),
        **prescribed(hold, place, actuated, effort),
    )
    if picture is not None:
        from chorda.view import plot_configuration

        plot_configuration(found.system, found.q, found.parameters, found.tension, path=picture)
        tell(f"Wrote {picture}")
    if export is not None:
        from chorda.view import export_shape

        export_shape(found, export)
        tell(f"Wrote {export}")
    if as_json:
        print_json(_as_data(found))
    else:
        _print(found)
    finish(found.status)


def _as_data(found: "Equilibrium") -> dict[str, Any]:
    system = found.system
    return {
        "robot": system.robot.name,
        "tendons": system.mode,
        "given": found.prescription.given,
        "status": {
            "code": found.status.code,
            "message": found.status.message,
            "ok": found.status.ok,
        },
        "stable": found.stable,
        "position": found.position,
        "tips": tip_data(system, found.q, found.parameters),
        "tension": _tensions(found),
        "input": dict(zip([i.name for i in system.inputs], found.u, strict=True)),
        "efforts": found.efforts,
        "hessian_eigenvalues": found.eigenvalues,
        "residual": found.residual,
        "iterations": found.iterations,
    }


def _tensions(found: "Equilibrium") -> dict[str, float]:
    names = [t.name for t in found.system.robot.tendons]
    return dict(zip(names, found.tension.tolist(), strict=False))


def _efforts(found: "Equilibrium") -> list[tuple[str, float, str]]:
    """Of what is actuated, with its unit."""
    units = {c.name: "N" if c.unit == "m" else "N m" for c in found.system.coordinates}
    return [(name, x, units[name]) for name, x in found.efforts.items()]


def _title(found: "Equilibrium") -> str:
    """Of tendons and inputs only where there are some."""
    system = found.system
    words = [f"{system.mode} tendons"] if system.robot.tendons else []
    if system.inputs or found.prescription.given != "inputs":
        words.append(f"{found.prescription.given} held")
    return ", ".join([system.robot.name, *(words or ["at rest"])])


def _print(found: "Equilibrium") -> None:
    system = found.system
    hidden = strains(system)
    rows: list[tuple[str, ...]] = [
        (c.name, coordinate(x, c.unit, c.kind))
        for c, x in zip(system.coordinates, found.q, strict=True)
        if c.name not in hidden
    ]
    rows += tip_rows(system, found.q, found.parameters)
    rows += [(f"tension {name}", f"{number(t)} N") for name, t in _tensions(found).items()]
    rows += [
        (f"input {i.name}", f"{number(u)} {i.unit}")
        for i, u in zip(system.inputs, found.u, strict=True)
    ]
    rows += [(f"effort {name}", f"{number(x)} {unit}") for name, x, unit in _efforts(found)]
    shown = found.eigenvalues[: MOST_EIGENVALUES if hidden else None]
    some = f", the smallest {len(shown)} of {len(found.eigenvalues)}"
    note = (
        f"Hessian eigenvalues{some * (len(shown) < len(found.eigenvalues))}, all positive where "
        "stable: " + ", ".join(number(x) for x in shown)
    )
    if hidden:
        note += f"\nStrains of the rods, {len(hidden)} coordinates: with --json"
    show_table(_title(found), ("quantity", "value"), rows, note)
    if found.status.ok:
        say(str(found.status))
