"""chorda transmission: what the tendons can hold at a configuration."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorda.cli.options import (
    Changes,
    Json,
    RobotName,
    Tendons,
    assembled,
    assignments,
)
from chorda.cli.output import finish, number, print_json, say, show, show_table

if TYPE_CHECKING:
    from chorda.tendons import Distribution, Transmission


def transmission(
    robot: RobotName,
    configuration: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Value of a coordinate, others at rest. Repeatable.",
            show_default=False,
        ),
    ] = None,
    torque: Annotated[
        list[str] | None,
        typer.Option(
            "--torque",
            metavar="NAME=VALUE",
            help="Torque on a joint in N m (force in N on a slide), others 0; without it, what "
            "holds the configuration at rest. Repeatable.",
            show_default=False,
        ),
    ] = None,
    low: Annotated[float, typer.Option(help="Least tension in N.")] = 0.0,
    high: Annotated[
        float | None, typer.Option(help="Largest tension in N.", show_default="none")
    ] = None,
    parameter: Changes = None,
    as_json: Json = False,
) -> None:
    """Moment arms of the tendons, whether they hold every torque, and the least tensions for one.

    \b
    Examples:
      chorda transmission neck-3
      chorda transmission neck-3 --set x1=0.3 --torque x1=0.2 --low 5 --high 100
    """
    import chorda
    from chorda.statics.initial import initial_state

    system, changes = assembled(robot, Tendons.elastic), assignments(parameter, "--parameter")
    given = assignments(configuration, "--set") or None
    q, _ = initial_state(system, given, system.parameters(changes), "--set")
    found = chorda.transmission(system, q, parameters=changes)
    wanted = assignments(torque, "--torque") or None
    held = found.distribute(wanted, low, float("inf") if high is None else high)
    if as_json:
        print_json(_as_data(found, held))
    else:
        _print(
            found, held, low, "for the torques" if wanted else "to hold the configuration at rest"
        )
    finish(held.status)


def _as_data(found: "Transmission", held: "Distribution") -> dict[str, Any]:
    return {
        "robot": found.system.robot.name,
        "configuration": dict(zip(found.system.coordinate_names, found.q, strict=True)),
        "joints": found.joints,
        "tendons": found.tendons,
        "lines": found.lines,
        "free_pulleys": found.pulleys,
        "B": found.B,
        "rank": found.rank,
        "null_space": found.null_space,
        "actuators": found.commands.actuators,
        "commands": found.commands.changes,
        "passive": found.passive,
        "arrangement": found.arrangement,
        "wrench_closure": found.wrench_closure,
        "summary": found.summary,
        "torque": held.torque,
        "tension": held.tension,
        "status": {"code": held.status.code, "message": held.status.message, "ok": held.status.ok},
    }


def _print(found: "Transmission", held: "Distribution", low: float, what: str) -> None:
    show(found.table())
    say(found.summary)
    if held.status.ok:
        torques = ", ".join(
            f"{name} {number(x)} {unit}"
            for (name, x), unit in zip(held.torque.items(), found.units, strict=True)
        )
        rows = [(name, f"{number(x)} N") for name, x in held.tension.items()]
        title = f"Least tensions of {low:g} N or more {what}"
        show_table(title, ("tendon", "tension"), rows, f"Torques: {torques}.")
        say(str(held.status))
