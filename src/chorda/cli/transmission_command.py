"""chorda transmission: what the tendons can hold at a configuration."""

from typing import Any

import chorda
from chorda.cli.options import Changes, Json, RobotName, Texts, assembled
from chorda.cli.output import fields, finish, number, print_json, print_table, print_text
from chorda.cli.parsing import assignments
from chorda.results import Table
from chorda.statics.initial import configuration
from chorda.tendons import Distribution, Transmission


def transmission(
    robot: RobotName,
    set: Texts = None,
    torque: Texts = None,
    press: Texts = None,
    low: float = 0.0,
    high: float | None = None,
    parameter: Changes = None,
    as_json: Json = False,
) -> None:
    """Moment arms of the tendons, whether they have wrench closure, and least tensions.

    Parameters
    ----------
    set : NAME=VALUE
        Value of a coordinate, others at rest. Repeatable.
    torque : NAME=VALUE
        Torque on a joint in N m (force in N on a slide), others 0; without it, what holds the
        configuration at rest. Repeatable.
    press : NAME=VALUE
        Normal force in N with which a contact shall press; the configuration is moved to where it
        does. Repeatable.
    low
        Least tension in N.
    high
        Largest tension in N. Default: none.

    \b
    Examples:
      chorda transmission neck-3
      chorda transmission neck-3 --set x1=0.3 --torque x1=0.2 --low 5 --high 100
    """
    system, changes = assembled(robot), assignments(parameter, "--parameter")
    given = assignments(set, "--set") or None
    q = configuration(system, given, system.parameters(changes), "--set")
    pressing = assignments(press, "--press") or None
    found = chorda.transmission(system, q, normal_forces=pressing, parameters=changes)
    wanted = assignments(torque, "--torque") or None
    held = found.distribute(wanted, low, float("inf") if high is None else high)
    if as_json:
        print_json(_as_data(found, held))
    else:
        purpose = "for the torques" if wanted else "to hold the configuration at rest"
        _print(found, held, f"Least tensions of {low:g} N or more {purpose}")
    finish(held.status, quiet=as_json)


def _as_data(found: Transmission, held: Distribution) -> dict[str, Any]:
    return {
        "robot": found.system.robot.name,
        "configuration": dict(zip(found.system.coordinate_names, found.q, strict=True)),
        **fields(found, "joints", "tendons", "lines"),
        "free_pulleys": found.pulleys,
        "normal_forces": found.normal_forces,
        **fields(found, "B", "rank", "null_space"),
        "actuators": found.commands.actuators,
        "commands": found.commands.changes,
        **fields(found, "passive", "arrangement", "wrench_closure", "summary"),
        **fields(held, "torque", "tension", "status"),
    }


def _print(found: Transmission, held: Distribution, title: str) -> None:
    print_table(found.table())
    print_text(found.summary)
    if held.status.ok:
        torques = ", ".join(
            f"{name} {number(x)} {unit}"
            for (name, x), unit in zip(held.torque.items(), found.units, strict=True)
        )
        rows = tuple((name, f"{number(x)} N") for name, x in held.tension.items())
        note = f"Torques: {torques}."
        if found.normal_forces:
            forces = (f"{name} {number(x)} N" for name, x in found.normal_forces.items())
            note += f" Normal forces: {', '.join(forces)}."
        print_table(Table(title, ("tendon", "tension"), rows, note))
