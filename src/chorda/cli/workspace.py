"""chorda workspace: where a robot can rest, over a region of what is prescribed."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorda.cli.options import (
    PICTURES,
    Changes,
    Json,
    RobotName,
    Start,
    TendonModel,
    Tendons,
    assembled,
    assignments,
    destination,
    number,
    values,
)
from chorda.cli.output import finish, print_json, say, show_table, tell
from chorda.cli.output import number as written
from chorda.cli.prescribing import Actuated, Effort, Hold, Place, prescribed
from chorda.errors import InputError

if TYPE_CHECKING:
    from chorda.results import Equilibrium, Workspace

MAPS = (".nc",)


class Way(StrEnum):
    """How the region is surveyed."""

    flooding = "flooding"
    grid = "grid"


class Kind(StrEnum):
    """What the motors do when the robot is disturbed."""

    locked = "locked"
    constant = "constant-efforts"


def workspace(
    robot: RobotName,
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            metavar="NAME=LOW:HIGH:COUNT",
            help="A coordinate (motor1) or an axis of a frame (leg1.tip.x), and its values in SI "
            "units. One to three of them.",
            show_default=False,
        ),
    ],
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
    start: Start = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="NAME=LOW:HIGH",
            help="Limit of a coordinate, an effort (motor1.effort), stress in Pa or strain; one "
            "number for both sides. Repeatable.",
            show_default=False,
        ),
    ] = None,
    way: Annotated[
        Way, typer.Option(help="One branch from the start outward, or every cell on any branch.")
    ] = Way.flooding,
    tendons: TendonModel = Tendons.elastic,
    parameter: Changes = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the map (.nc) every few seconds; if it is there, go on from it.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="COUNT", help="Processes; default: all cores where it takes long."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the map (.png, .svg or .pdf).")
    ] = None,
    colour: Annotated[
        str,
        typer.Option(
            "--colour",
            "--color",
            metavar="WHAT",
            help="Of the map: stability, limits, or a quantity (margin.locked, singularity, "
            "stress, motor1.effort, ...).",
        ),
    ] = "stability",
    kind: Annotated[Kind, typer.Option(help="Motors in the picture.")] = Kind.locked,
    as_json: Json = False,
) -> None:
    """Survey where a robot can rest, from one configuration outward, and where it is stable.

    The first configuration is found as by chorda equilibrium. Ctrl-C ends a survey with what is
    there.

    \b
    Examples:
      chorda workspace rfrfr --hold motor1=2.59 --hold motor2=0.55 \\
        --over leg1.tip.x=-1:1:41 --over leg1.tip.y=-1:1:41 --picture map.png
      chorda workspace rfrfr --hold motor1=2.59 --hold motor2=0.55 \\
        --over motor1=2:3:21 --over motor2=0:1:21 --limit stress=8e8 --save map.nc
    """
    import chorda

    destination(picture, "--picture", PICTURES)
    destination(save, "--save", MAPS)
    region = {name: _values(name, text) for name, text in _named(over, "--over").items()}
    limits = {name: _limit(name, text) for name, text in _named(limit, "--limit").items()}
    wanted = prescribed(hold, place, actuated, effort)
    anew = None if wanted["place"] else wanted.pop("actuated")
    first = chorda.equilibrium(
        assembled(robot, tendons),
        inputs=values(given, "--input"),
        initial=assignments(start, "--set") or None,
        parameters=assignments(parameter, "--parameter"),
        **wanted,
    )
    if not first.status.ok:
        finish(first.status)
    if picture is not None:
        _check_colour(colour, first, region, anew)
    found = chorda.workspace(
        first, region, actuated=anew, way=way.value, limits=limits, jobs=jobs, save=save
    )
    if save is not None:
        tell(f"Wrote {save}")
    if as_json:
        print_json(_as_data(found))
    else:
        _print(found)
    if picture is not None:
        found.plot(picture, colour=colour, kind=kind.value.replace("-", " "))
        tell(f"Wrote {picture}")
    finish(found.status)


def _named(items: list[str] | None, option: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for item in items or []:
        name, equals, text = item.partition("=")
        name = name.strip()
        if not equals or not name:
            raise InputError(f"{option}: expected NAME=VALUES, got '{item}'")
        if name in out:
            raise InputError(f"{option}: '{name}' is given twice; keep one")
        out[name] = text
    return out


def _values(name: str, text: str) -> Any:
    """(low, high, count) from low:high:count, or values from a comma list.

    >>> _values("motor1", "0:1:5"), _values("motor1", "0,0.5,2")
    ((0.0, 1.0, 5), [0.0, 0.5, 2.0])
    """
    option = f"--over {name}"
    if ":" not in text:
        return [number(part, option) for part in text.split(",")]
    parts = text.split(":")
    if len(parts) != 3 or not parts[2].strip().isdigit():
        raise InputError(f"{option}: expected LOW:HIGH:COUNT, got '{text}'")
    return number(parts[0], option), number(parts[1], option), int(parts[2])


def _limit(name: str, text: str) -> float | tuple[float, ...]:
    """
    >>> _limit("stress", "5e8"), _limit("motor1", "-1:2")
    (500000000.0, (-1.0, 2.0))
    """
    found = tuple(number(part, f"--limit {name}") for part in text.split(":"))
    return found[0] if len(found) == 1 else found


def _check_colour(
    colour: str, first: "Equilibrium", region: dict[str, Any], actuated: list[str] | None
) -> None:
    """A name that is not known costs no survey."""
    from chorda.statics.workspace.mapping import names_to_come
    from chorda.view.workspace_paint import check_colour

    check_colour(colour, names_to_come(first, region, actuated), "--colour")


def _as_data(found: "Workspace") -> dict[str, Any]:
    status = found.status
    return {
        "robot": found.system.robot.name,
        "status": {"code": status.code, "message": status.message, "ok": status.ok},
        "axes": dict(zip(found.names, found.values, strict=True)),
        "units": dict(zip(found.names, found.units, strict=True)),
        "limits": found.limits,
        "counts": found.counts,
        "extent": {
            "reached": found.extent(found.reached),
            "usable": found.extent(found.usable),
        },
        "why": found.why,
        "stable": {
            "locked": found.stable("locked"),
            "constant_efforts": found.stable("constant efforts"),
        },
        "usable": found.usable,
        "survey": found.survey,
    }


def _print(found: "Workspace") -> None:
    counts = found.counts
    total = counts.pop("cells")
    rows = [
        (what, str(count), f"{100 * count / total:.1f} %")
        for what, count in counts.items()
        if count
    ]
    size = " x ".join(f"{n} {name}" for name, n in zip(found.names, found.shape, strict=True))
    area = f"Usable: {written(found.extent(found.usable))} {_product(found.units)}".rstrip()
    show_table(f"{found.system.robot.name}, {size}", ("cells", "count", "share"), rows, area)
    if found.status.ok:
        say(str(found.status))


def _product(units: Iterable[str]) -> str:
    """
    >>> _product(("m", "m", "rad")), _product(("N m", "-")), _product(("N/m", "N/m"))
    ('m^2 rad', 'N m', '(N/m)^2')
    """
    counts = Counter(base for unit in units for base in unit.split() if unit != "-")
    wrapped = {base: f"({base})" if {"/", "^"} & {*base} else base for base in counts}
    return " ".join(base if n == 1 else f"{wrapped[base]}^{n}" for base, n in counts.items())
