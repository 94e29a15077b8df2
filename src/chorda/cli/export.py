"""chorda export: a robot as code for controllers and for other programs."""

from enum import StrEnum
from typing import Annotated

import typer

from chorda.cli.options import (
    Changes,
    Json,
    RobotName,
    Start,
    TendonModel,
    Tendons,
    assembled,
    assignments,
)
from chorda.cli.output import print_json, say


class Format(StrEnum):
    """What is written."""

    c = "c"
    casadi = "casadi"
    mjcf = "mjcf"


def export(
    robot: RobotName,
    to: Annotated[
        Format,
        typer.Option(
            "--to",
            help="c: a folder of C99 with an example and a test; casadi: a folder of CasADi "
            "functions; mjcf: a file for MuJoCo.",
            show_default=False,
        ),
    ],
    output: Annotated[
        str,  # not a path, of which "" is the current folder
        typer.Option("--output", metavar="PATH", help="Folder, or file.", show_default=False),
    ],
    scheme: Annotated[
        str | None,
        typer.Option(
            help="Integration scheme, as of simulate; not for mjcf.",
            show_default="implicit-euler; bdf2 for robots with rods",
        ),
    ] = None,
    step: Annotated[float, typer.Option(help="Time step in s.")] = 1e-3,
    tendons: TendonModel = Tendons.elastic,
    start: Start = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="NAME=VALUE",
            help="Default value of an input, others 0. Repeatable.",
            show_default=False,
        ),
    ] = None,
    parameter: Changes = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Overwrite files that chorda export did not make, or that were changed since.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a robot as code that runs without Chorda: C for a controller, CasADi, MuJoCo.

    \b
    Examples:
      chorda export neck-3 --to c --step 2e-3 --output neck
      chorda export neck-3 --to casadi --output neck-casadi
      chorda export neck-3 --to mjcf --output neck.xml
    """
    from chorda.exporting import export as write

    system = assembled(robot, tendons)
    made = write(
        system,
        output,
        to=to.value,
        scheme=scheme,
        step=step,
        inputs=assignments(inputs, "--input") or None,
        initial=assignments(start, "--set") or None,
        parameters=assignments(parameter, "--parameter"),
        force=force,
    )
    if as_json:
        print_json(
            {
                "robot": system.robot.name,
                "to": made.to,
                "scheme": None if to is Format.mjcf else made.model.scheme.name,
                "step": made.model.step,
                "files": made.files,
            }
        )
        return
    say(f"Wrote {', '.join(str(path) for path in made.files)}")
    if to is Format.c:
        say(f"Compare it with Chorda: make -C {output} test")
