"""Options that commands share: declared once, in records that a command takes whole."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from chorda.catalogue import load
from chorda.cli.parsing import assignments, writable
from chorda.describe import locked
from chorda.mechanics import System, assemble
from chorda.results import Equilibrium, Run

Command = Callable[..., None]


def with_records(command: Command) -> Command:
    """The command as Typer needs it, with a record's options in the place of the record.

    A record is a dataclass whose fields are annotated as options. Typer sees all options one by
    one, in the order of the parameters; the command is called with the records.
    """
    parameters: list[Parameter] = []
    records: dict[str, tuple[Any, tuple[str, ...]]] = {}
    for parameter in signature(command).parameters.values():
        if is_dataclass(record := parameter.annotation):
            fields = signature(record).parameters
            records[parameter.name] = record, tuple(fields)
            parameters += fields.values()
        else:
            parameters.append(parameter)

    @wraps(command)
    def run(**values: Any) -> None:
        for name, (record, fields) in records.items():
            values[name] = record(**{field: values.pop(field) for field in fields})
        command(**values)

    expanded = [p.replace(kind=Parameter.KEYWORD_ONLY) for p in parameters]
    run.__signature__ = Signature(expanded)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in expanded}
    return run


def text_option(flag: str, metavar: str, help: str) -> Any:
    return typer.Option(flag, metavar=metavar, help=help)


def file_option(flag: str, endings: tuple[str, ...], help: str, **more: Any) -> Any:
    """A file to write, which is checked before any work is done."""
    more = {"metavar": "FILE", "callback": lambda path: writable(path, flag, endings), **more}
    return typer.Option(flag, help=help, **more)


class Tendons(StrEnum):
    """How tendons are modelled."""

    elastic = "elastic"
    rigid = "rigid"


class MotorKind(StrEnum):
    """What the motors do when the robot is disturbed."""

    locked = "locked"
    constant = "constant-efforts"

    @property
    def words(self) -> str:
        """As the library names it."""
        return self.value.replace("-", " ")


PICTURES = (".png", ".svg", ".pdf")
SHAPES = (".glb", ".obj", ".csv")
ROBOT = "A catalogue name (neck-3), or a robot's YAML file."

Texts = list[str] | None
RobotName = Annotated[str, typer.Argument(metavar="ROBOT", help=ROBOT, show_default=False)]
TendonModel = Annotated[Tendons, typer.Option("--tendons", help="How tendons are modelled.")]
Changes = Annotated[
    Texts,
    text_option(
        "--parameter",
        "NAME=VALUE",
        "Change a parameter, in SI units; * in a name changes all that match. Repeatable.",
    ),
]
Start = Annotated[
    Texts,
    text_option(
        "--set",
        "NAME=VALUE",
        "Start value of a coordinate or rate (x1, x1.rate), or 'tension' in newtons for all "
        "tendons. Repeatable.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on stdout.")]
Jobs = Annotated[
    int | None,
    typer.Option(metavar="COUNT", help="Processes; default: all cores where it takes long."),
]
Motors = Annotated[MotorKind, typer.Option("--kind", help="Motors in the picture.")]
Picture = Annotated[
    Path | None, file_option("--picture", PICTURES, "Draw the configuration (.png, .svg or .pdf).")
]
Export = Annotated[
    Path | None,
    file_option(
        "--export",
        SHAPES,
        "Write the shape: .glb or .obj (surfaces, of a motion at its end) or .csv (positions over "
        "time).",
    ),
]


@dataclass(frozen=True)
class Model:
    """A robot, how its tendons are modelled, and what is changed of it."""

    robot: RobotName
    tendons: TendonModel = Tendons.elastic
    parameter: Changes = None

    @property
    def parameters(self) -> dict[str, float]:
        return assignments(self.parameter, "--parameter")

    def system(self, held: Mapping[str, float] | None = None) -> System:
        """The assembled robot; held: joints that are locked there, by name."""
        return assembled(self.robot, self.tendons, held)


def assembled(name: str, tendons: Tendons, held: Mapping[str, float] | None = None) -> System:
    robot = load(name)
    return assemble(locked(robot, held) if held else robot, tendons.value)


def write_shape(result: Run | Equilibrium, path: Path) -> None:
    """What --export asks for."""
    from chorda.view import export_shape

    export_shape(result, path)
