"""Options that several commands share."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from chorda.catalogue import load
from chorda.cli.parsing import assignments
from chorda.cli.typer_options import Endings
from chorda.describe import locked
from chorda.mechanics import System
from chorda.results import Equilibrium, Run
from chorda.statics import assemble

CHANGES = "Change a parameter, in SI units; * in a name changes all that match. Repeatable."
ROBOT = "A catalogue name (neck-3), or a robot's YAML file."
START = (
    "Start value of a coordinate or rate (x1, x1.rate), or 'tension' in newtons for all tendons. "
    "Repeatable."
)
Texts = list[str] | None
Tendons = Literal["elastic", "rigid"]  # how they are modelled
MotorKind = Literal["locked", "constant-efforts"]  # what motors do when the robot is disturbed
PictureFile = Annotated[Path | None, Endings((".png", ".svg", ".pdf"))]
ShapeFile = Annotated[Path | None, Endings((".glb", ".obj", ".csv"))]
RobotName = Annotated[str, typer.Argument(metavar="ROBOT", help=ROBOT, show_default=False)]
Start = Annotated[Texts, typer.Option("--set", metavar="NAME=VALUE", help=START)]
Changes = Annotated[Texts, typer.Option("--parameter", metavar="NAME=VALUE", help=CHANGES)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on stdout.")]


@dataclass(frozen=True)
class Model:
    """A robot, how its tendons are modelled, and what is changed of it.

    Parameters
    ----------
    tendons
        How tendons are modelled.
    """

    robot: RobotName
    tendons: Tendons = "elastic"
    parameter: Changes = None

    @property
    def parameters(self) -> dict[str, float]:
        return assignments(self.parameter, "--parameter")

    def system(self, held: Mapping[str, float] | None = None) -> System:
        """The assembled robot; held: joints that are locked there, by name."""
        return assembled(self.robot, self.tendons, held)


def assembled(
    name: str, tendons: Tendons = "elastic", held: Mapping[str, float] | None = None
) -> System:
    robot = load(name)
    return assemble(locked(robot, held) if held else robot, tendons)


def write_shape(result: Run | Equilibrium, path: Path) -> None:
    """What --export asks for."""
    from chorda.view import export_shape

    export_shape(result, path)
