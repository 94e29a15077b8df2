"""chorda workspace: where a robot can rest, over a region of what is prescribed."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import chorda
from chorda.checks import refuse_idle, shown
from chorda.cli.options import Json, Model, MotorKind, PictureFile, Texts
from chorda.cli.output import fields, finish, print_json, print_table, print_text, print_written
from chorda.cli.output import number as written
from chorda.cli.parsing import by_name, number
from chorda.cli.prescribing import Prescription
from chorda.cli.typer_options import Endings
from chorda.errors import InputError
from chorda.plurals import percentage
from chorda.results import Equilibrium, Table, Workspace


def workspace(
    *,
    over: list[str],
    prescription: Prescription,
    limit: Texts = None,
    way: Literal["flooding", "grid"] = "flooding",
    model: Model,
    save: Annotated[Path | None, Endings((".nc",))] = None,
    jobs: int | None = None,
    picture: PictureFile = None,
    colour: str | None = None,
    kind: MotorKind | None = None,
    as_json: Json = False,
) -> None:
    """Survey where a robot can rest, from one configuration outward, and where it is stable.

    The first configuration is found as by chorda equilibrium. Ctrl-C ends a survey with what is
    there.

    Parameters
    ----------
    over : NAME=LOW:HIGH:COUNT
        A coordinate (motor1) or an axis of a frame (leg1.tip.x), and its values in SI units. One
        to three of them.
    limit : NAME=LOW:HIGH
        Limit of a coordinate, an effort (motor1.effort), stress in Pa or strain; one number for
        both sides. Repeatable.
    way
        One branch from the start outward, or every cell on any branch.
    save : FILE
        Write the map (.nc) every few seconds; if it is there, go on from it.
    jobs : COUNT
        Processes; default: all cores where it takes long.
    picture : FILE
        Draw the map (.png, .svg or .pdf).
    colour, --color : WHAT
        What the colours of the map show: stability (the default), limits, or a quantity
        (margin.locked, singularity, stress, motor1.effort, ...).
    kind
        Motors in a picture of the stability. Default: locked.

    \b
    Examples:
      chorda workspace rfrfr --hold motor1=2.59 --hold motor2=0.55 \\
        --over leg1.tip.x=-1:1:21 --over leg1.tip.y=-1:1:21 --picture map.png
      chorda workspace rfrfr --hold motor1=2.59 --hold motor2=0.55 \\
        --over motor1=2:3:21 --over motor2=0:1:21 --limit stress=8e8 --save map.nc
    """
    if picture is None:
        refuse_idle(
            {"--colour": colour, "--kind": kind}, "without --picture", "give a file to draw"
        )
    region = {x: _values(x, text) for x, text in by_name(over, "--over", "NAME=VALUES").items()}
    limits = {x: _limit(x, text) for x, text in by_name(limit, "--limit", "NAME=VALUES").items()}
    wanted = prescription.arguments()
    actuated = None if prescription.pose else wanted.pop("actuated")
    first = chorda.equilibrium(model.system(), parameters=model.parameters, **wanted)
    if not first.status.ok:
        finish(first.status)
    if picture is not None:
        _check_colour(colour or "stability", kind, first, region, actuated)
    found = chorda.workspace(
        first, region, actuated=actuated, way=way, limits=limits, jobs=jobs, save=save
    )
    print_written(save)
    if as_json:
        print_json(_as_data(found))
    else:
        _print(found)
    if picture is not None:
        shown = None if kind is None else kind.replace("-", " ")
        found.plot(picture, colour=colour or "stability", kind=shown)
        print_written(picture)
    finish(found.status)


def _values(name: str, text: str) -> Any:
    """(low, high, count) from low:high:count, or values from a comma list.

    >>> _values("motor1", "0:1:5"), _values("motor1", "0,0.5,2")
    ((0.0, 1.0, 5), [0.0, 0.5, 2.0])
    """
    option = f"--over {name}"
    if ":" not in text:
        return [number(part, option) for part in text.split(",")]
    parts = text.split(":")
    try:
        low, high, count = parts[0], parts[1], int(":".join(parts[2:]))
    except (ValueError, IndexError):
        raise InputError(f"{option}: expected LOW:HIGH:COUNT, got {shown(text)}") from None
    return number(low, option), number(high, option), count


def _limit(name: str, text: str) -> float | tuple[float, ...]:
    """
    >>> _limit("stress", "5e8"), _limit("motor1", "-1:2")
    (500000000.0, (-1.0, 2.0))
    """
    found = tuple(number(part, f"--limit {name}") for part in text.split(":"))
    return found[0] if len(found) == 1 else found


def _check_colour(
    colour: str,
    kind: str | None,
    first: Equilibrium,
    region: dict[str, Any],
    actuated: list[str] | None,
) -> None:
    """A name that is not known costs no survey."""
    from chorda.statics.workspace.mapping import names_to_come
    from chorda.view.workspace_colours import check_colour, check_kind

    check_colour(colour, names_to_come(first, region, actuated), "--colour")
    check_kind(colour, kind, "--kind", "--colour")


def _as_data(found: Workspace) -> dict[str, Any]:
    return {
        "robot": found.system.robot.name,
        "status": found.status,
        "axes": dict(zip(found.names, found.values, strict=True)),
        "units": dict(zip(found.names, found.units, strict=True)),
        **fields(found, "limits", "counts"),
        "extent": {name: found.extent(x) for name, x in fields(found, "reached", "usable").items()},
        "why": found.why,
        "stable": {
            "locked": found.stable("locked"),
            "constant_efforts": found.stable("constant efforts"),
        },
        "instability": {
            "locked": found.instability("locked"),
            "constant_efforts": found.instability("constant efforts"),
        },
        **fields(found, "usable", "survey"),
    }


def _print(found: Workspace) -> None:
    counts = found.counts
    total = counts.pop("cells")
    rows = tuple(
        (what, str(count), percentage(count, total)) for what, count in counts.items() if count
    )
    size = " x ".join(f"{n} {name}" for name, n in zip(found.names, found.shape, strict=True))
    area = f"Usable: {written(found.extent(found.usable))} {_product(found.units)}".rstrip()
    title = f"{found.system.robot.name}, {size}"
    print_table(Table(title, ("cells", "count", "share"), rows, area))
    if found.status.ok:
        print_text(str(found.status))


def _product(units: Iterable[str]) -> str:
    """
    >>> _product(("m", "m", "rad")), _product(("N m", "-")), _product(("N/m", "N/m"))
    ('m^2 rad', 'N m', '(N/m)^2')
    """
    counts = Counter(base for unit in units for base in unit.split() if unit != "-")
    wrapped = {base: f"({base})" if {"/", "^"} & {*base} else base for base in counts}
    return " ".join(base if n == 1 else f"{wrapped[base]}^{n}" for base, n in counts.items())
