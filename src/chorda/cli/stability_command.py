"""chorda stability: whether a configuration at rest stays, and how the robot answers near it."""

from typing import Any

import chorda
from chorda.checks import refuse_idle
from chorda.cli.options import Json, Model, MotorKind, PictureFile
from chorda.cli.output import fields, finish, print_json, print_table, print_text, write_file
from chorda.cli.prescribing import Prescription
from chorda.statics import Kinematostatics, Stability

JUDGED = (
    "stable",
    "criterion",
    "instability",
    "negative",
    "eigenvalues",
    "margin",
    "mode",
    "sentence",
)
MATRICES = (
    "jacobian",
    "motor_stiffness",
    "compliance",
    "free_compliance",
    "transmission",
    "stiffness",
)


def stability(
    *,
    prescription: Prescription,
    frame: str | None = None,
    model: Model,
    plot: PictureFile = None,
    kind: MotorKind | None = None,
    as_json: Json = False,
) -> None:
    """Stability of a configuration at rest, with locked motors and at constant efforts.

    Parameters
    ----------
    frame : FRAME
        Also how this frame and the efforts answer motors and wrenches.
    plot : FILE
        Draw the critical mode (.png, .svg or .pdf).
    kind
        Motors in the picture. Default: locked.

    \b
    Examples:
      chorda stability rfrfr --hold motor1=2.59 --hold motor2=0.55 \\
        --set leg1.bend_z0=-1 --set leg2.bend_z0=1 --frame leg1.tip
      chorda stability till --plot mode.png
    """
    if plot is None:
        refuse_idle({"--kind": kind}, "without --plot", "give a file to draw")
    rest = chorda.equilibrium(
        model.system(), parameters=model.parameters, **prescription.arguments()
    )
    if not rest.status.ok:
        finish(rest.status)
    found = chorda.stability(rest)
    near = None if frame is None else chorda.kinematostatics(rest, frame)
    write_file(plot, lambda path: found.plot(path, (kind or "locked").replace("-", " ")))
    if as_json:
        print_json(_as_data(found, near))
    else:
        print_table(found.table())
        print_text(str(found))
        if near is not None:
            print_table(near.table())
            print_table(near.singularity_table())
    finish(rest.status)


def _as_data(found: Stability, near: Kinematostatics | None) -> dict[str, Any]:
    rest = found.equilibrium
    data: dict[str, Any] = {
        "robot": rest.system.robot.name,
        **fields(rest, "status", "position", "efforts"),
        "stability": {name: fields(x, *JUDGED) for name, x in found.kinds.items()},
    }
    if near is not None:
        data["kinematostatics"] = _near_data(near)
    return data


def _near_data(near: Kinematostatics) -> dict[str, Any]:
    matrices = {
        name: None if x is None else fields(x, "rows", "columns", "values")
        for name, x in fields(near, *MATRICES).items()
    }
    singularities = {
        x.name: fields(x, "distance", "direction", "meaning") for x in near.singularities
    }
    about = fields(near, "frame", "motors", "counted", "still")
    return {**about, **matrices, "singularities": singularities}
