"""Options that several commands share, and how their texts become numbers."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chorda.errors import InputError

if TYPE_CHECKING:
    from chorda.describe import Robot
    from chorda.mechanics import System


class Tendons(StrEnum):
    """How tendons are modelled."""

    elastic = "elastic"
    rigid = "rigid"


ROBOT = "A catalogue name (neck-3), or a robot's YAML file."
RobotName = Annotated[str, typer.Argument(metavar="ROBOT", help=ROBOT, show_default=False)]
TendonModel = Annotated[Tendons, typer.Option("--tendons", help="How tendons are modelled.")]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter",
        metavar="NAME=VALUE",
        help="Change a parameter, in SI units; * in a name changes all that match. Repeatable.",
        show_default=False,
    ),
]
Start = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Start value of a coordinate or rate (x1, x1.rate), or 'tension' in newtons for all "
        "tendons. Repeatable.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on stdout.")]
Picture = Annotated[
    Path | None,
    typer.Option("--picture", metavar="FILE", help="Draw the configuration (.png, .svg or .pdf)."),
]
PICTURES = (".png", ".svg", ".pdf")
Export = Annotated[
    Path | None,
    typer.Option(
        "--export",
        metavar="FILE",
        help="Write the shape: .glb or .obj (surfaces, of a motion at its end) or .csv (places "
        "over time).",
    ),
]
SHAPES = (".glb", ".obj", ".csv")


def robot_named(name: str) -> "Robot":
    """The robot; a file in this folder needs no './'."""
    from chorda.catalogue import load

    return load(name)


def assembled(name: str, tendons: Tendons, held: Mapping[str, float] | None = None) -> "System":
    """The robot's system; held: joints that are locked."""
    from chorda.describe import locked
    from chorda.mechanics import assemble

    robot = robot_named(name)
    return assemble(locked(robot, held) if held else robot, tendons.value)


def number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{option}: expected a number, got '{text}'") from None


def assignments(items: list[str] | None, option: str) -> dict[str, float]:
    """
    >>> assignments(["x1=0.3", "tension=20"], "--set")
    {'x1': 0.3, 'tension': 20.0}
    """
    out: dict[str, float] = {}
    for item in items or []:
        name, equals, value = item.partition("=")
        name = name.strip()
        if not equals or not name:
            raise InputError(f"{option}: expected NAME=VALUE, got '{item}'")
        if name in out:
            raise InputError(f"{option}: '{name}' is given twice; keep one")
        out[name] = number(value, f"{option} {name}")
    return out


def values(items: list[str] | None, option: str) -> float | list[float] | dict[str, float] | None:
    """One number for all, a list in order, or values by name.

    >>> values(["20"], "--tension"), values(["1,2"], "--tension"), values(["left=3"], "--tension")
    (20.0, [1.0, 2.0], {'left': 3.0})
    """
    if not items:
        return None
    parts = [part for item in items for part in item.split(",")]
    if any("=" in part for part in parts):
        return assignments(parts, option)
    numbers = [number(part, option) for part in parts]
    return numbers[0] if len(numbers) == 1 else numbers


def destination(path: Path | None, option: str, endings: tuple[str, ...]) -> None:
    """Refuse, before any work is done, a file that could not be written afterwards."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        raise InputError(f"{option}: expected a file ending in {', '.join(endings)}, got '{path}'")
    if not path.parent.is_dir():
        raise InputError(f"{option}: the folder {path.parent} does not exist; make it first")
