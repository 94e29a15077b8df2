"""Options for what is prescribed at rest, and how their texts become what the verbs take."""

from typing import Annotated, Any

import typer

from chorda.cli.options import assignments, number
from chorda.errors import InputError

Hold = Annotated[
    list[str] | None,
    typer.Option(
        "--hold",
        metavar="NAME=VALUE",
        help="Hold a coordinate of a joint there, in rad or m. Repeatable.",
        show_default=False,
    ),
]
Place = Annotated[
    list[str] | None,
    typer.Option(
        "--place",
        metavar="FRAME.AXIS=VALUE",
        help="Put a frame there: x, y or z in m, or rotation=w,x,y,z. Repeatable.",
        show_default=False,
    ),
]
Actuated = Annotated[
    list[str] | None,
    typer.Option(
        "--driven",
        metavar="NAME",
        help="A coordinate whose effort does that; default: those held. Repeatable, or a list.",
        show_default=False,
    ),
]
Effort = Annotated[
    list[str] | None,
    typer.Option(
        "--effort",
        metavar="NAME=VALUE",
        help="Effort on a joint in N m or N. Repeatable.",
        show_default=False,
    ),
]


def prescribed(
    hold: list[str] | None,
    place: list[str] | None,
    actuated: list[str] | None,
    effort: list[str] | None,
) -> dict[str, Any]:
    """Arguments of chorda.equilibrium."""
    names = [name.strip() for item in actuated or [] for name in item.split(",")]
    return {
        "hold": assignments(hold, "--hold") or None,
        "poses": places(place) or None,
        "actuated": names or None,
        "efforts": assignments(effort, "--effort") or None,
    }


def places(items: list[str] | None) -> dict[str, dict[str, Any]]:
    """
    >>> places(["leg1.tip.x=0", "leg1.tip.y=0.8", "platform.rotation=1,0,0,0"])
    {'leg1.tip': {'x': 0.0, 'y': 0.8}, 'platform': {'rotation': [1.0, 0.0, 0.0, 0.0]}}
    """
    found: dict[str, dict[str, Any]] = {}
    for item in items or []:
        where, equals, text = item.partition("=")
        frame, dot, axis = where.strip().rpartition(".")
        if not equals or not dot:
            raise InputError(f"--place: expected FRAME.AXIS=VALUE, such as tip.x=0.1, got '{item}'")
        if axis in found.setdefault(frame, {}):
            raise InputError(f"--place: '{where.strip()}' is given twice; keep one")
        option = f"--place {where.strip()}"
        many = axis == "rotation"
        value = [number(x, option) for x in text.split(",")] if many else number(text, option)
        found[frame][axis] = value
    return found
