"""chorda stability: whether a configuration at rest stays, and how the robot answers near it."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorda.cli.options import (
    PICTURES,
    Changes,
    Json,
    RobotName,
    TendonModel,
    Tendons,
    assembled,
    assignments,
    destination,
    values,
)
from chorda.cli.output import finish, print_json, say, show, tell
from chorda.cli.prescribing import Actuated, Effort, Hold, Place, prescribed

if TYPE_CHECKING:
    from chorda.statics import Kinematostatics, Stability


class Kind(StrEnum):
    """What the motors do when the robot is disturbed."""

    locked = "locked"
    constant = "constant-efforts"


def stability(
    robot: RobotName,
    hold: Hold = None,
    place: Place = None,
    actuated: Actuated = None,
    effort: Effort = None,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="VALUES",
            help="Inputs of the actuators: one number, a comma list, or NAME=VALUE.",
            show_default=False,
        ),
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "--initial",
            metavar="NAME=VALUE",
            help="Start value of a coordinate, where the solver begins. Repeatable.",
            show_default=False,
        ),
    ] = None,
    frame: Annotated[
        str | None,
        typer.Option(
            metavar="FRAME", help="Also how this frame and the efforts answer motors and wrenches."
        ),
    ] = None,
    tendons: TendonModel = Tendons.elastic,
    parameter: Changes = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the critical mode (.png, .svg or .pdf)."),
    ] = None,
    kind: Annotated[Kind, typer.Option(help="Motors in the picture.")] = Kind.locked,
    as_json: Json = False,
) -> None:
    """Stability of a configuration at rest, with locked motors and at constant efforts.

    \b
    Examples:
      chorda stability rfrfr --hold motor1=2.59 --hold motor2=0.55 \\
        --set leg1.bend_z0=-1 --set leg2.bend_z0=1 --frame leg1.tip
      chorda stability till --plot mode.png
    """
    import chorda

    destination(plot, "--plot", PICTURES)
    rest = chorda.equilibrium(
        assembled(robot, tendons),
        inputs=values(given, "--input"),
        initial=assignments(start, "--set") or None,
        parameters=assignments(parameter, "--parameter"),
        **prescribed(hold, place, actuated, effort),
    )
    if not rest.status.ok:
        finish(rest.status)
    found = chorda.stability(rest)
    near = None if frame is None else chorda.kinematostatics(rest, frame)
    if plot is not None:
        found.plot(plot, kind.value.replace("-", " "))
        tell(f"Wrote {plot}")
    if as_json:
        print_json(_as_data(found, near))
    else:
        show(found.table())
        say(str(found))
        if near is not None:
            show(near.table())
            show(near.singularity_table())
    finish(rest.status)


def _as_data(found: "Stability", near: "Kinematostatics | None") -> dict[str, Any]:
    rest = found.equilibrium
    data: dict[str, Any] = {
        "robot": rest.system.robot.name,
        "status": {"code": rest.status.code, "message": rest.status.message, "ok": rest.status.ok},
        "position": rest.position,
        "efforts": rest.efforts,
        "stability": {
            name: {
                "stable": x.stable,
                "negative": x.negative,
                "eigenvalues": x.eigenvalues,
                "margin": x.margin,
                "mode": x.mode,
                "sentence": x.sentence,
            }
            for name, x in found.kinds.items()
        },
    }
    if near is not None:
        data["kinematostatics"] = _near_data(near)
    return data


def _near_data(near: "Kinematostatics") -> dict[str, Any]:
    matrices = {
        "jacobian": near.jacobian,
        "motor_stiffness": near.motor_stiffness,
        "compliance": near.compliance,
        "free_compliance": near.free_compliance,
        "transmission": near.transmission,
        "stiffness": near.stiffness,
    }
    return {
        "frame": near.frame,
        "motors": near.motors,
        "counted": near.counted,
        "still": near.still,
        **{
            name: None if x is None else {"rows": x.rows, "columns": x.columns, "values": x.values}
            for name, x in matrices.items()
        },
        "singularities": {
            x.name: {"distance": x.distance, "direction": x.direction, "meaning": x.meaning}
            for x in near.singularities
        },
    }
