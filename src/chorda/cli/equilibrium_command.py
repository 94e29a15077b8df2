"""chorda equilibrium: a configuration at rest, and whether it is stable."""

from typing import Any

import chorda
from chorda.cli.options import Json, Model, PictureFile, ShapeFile, write_shape
from chorda.cli.output import (
    coordinate,
    fields,
    finish,
    number,
    print_json,
    print_table,
    write_file,
)
from chorda.cli.prescribing import Prescription
from chorda.cli.robot_tables import functions_text
from chorda.cli.rod_tips import strains, tip_data, tip_rows
from chorda.describe import Rod
from chorda.results import Equilibrium, Table

EIGENVALUES_SHOWN = 6  # of a robot with rods


def equilibrium(
    *,
    prescription: Prescription,
    model: Model,
    picture: PictureFile = None,
    export: ShapeFile = None,
    accuracy: float | None = None,
    as_json: Json = False,
) -> None:
    """Find a configuration at rest under tensions, motor angles or torques, and its stability.

    Parameters
    ----------
    picture : FILE
        Draw the configuration (.png, .svg or .pdf).
    export : FILE
        Write the shape: .glb or .obj (surfaces) or .csv (positions).
    accuracy : METRES
        Give rods more functions until their tips are as accurate as this.

    \b
    Examples:
      chorda equilibrium neck-3 --tension 20
      chorda equilibrium neck-3 --picture bent.png \\
        --tension left=30,right1=10,right2=10,right3=10
      chorda equilibrium neck-3 --torque -0.016,-0.016,-0.016,-0.02
      chorda equilibrium rfrfr --hold motor1=2.59 --hold motor2=0.55 \\
        --set leg1.bend_z0=-1 --set leg2.bend_z0=1
    """
    found = chorda.equilibrium(
        model.system(),
        parameters=model.parameters,
        accuracy=accuracy,
        **prescription.arguments(),
    )
    write_file(picture, found.plot)
    write_file(export, lambda path: write_shape(found, path))
    if as_json:
        print_json(_as_data(found))
    else:
        _print(found)
    finish(found.status, quiet=as_json)


def _as_data(found: Equilibrium) -> dict[str, Any]:
    system = found.system
    return {
        "robot": system.robot.name,
        "tendons": system.mode,
        "given": found.prescription.given,
        **fields(found, "status", "stability", "stable", "criterion", "instability", "position"),
        "tips": tip_data(found),
        "tension": _tensions(found),
        "input": dict(zip([i.name for i in system.inputs], found.u, strict=True)),
        **fields(found, "efforts", "reactions", "not_unique"),
        "hessian_eigenvalues": found.eigenvalues,
        **fields(found, "residual", "iterations"),
        "accuracy": None if found.accuracy is None else found.accuracy.to_dict(),
        "modes": {
            joint.name: joint.modes.model_dump(exclude={"auto"})
            for joint in system.robot.joints
            if isinstance(joint, Rod)
        },
    }


def _tensions(found: Equilibrium) -> dict[str, float]:
    names = [t.name for t in found.system.robot.tendons]
    return dict(zip(names, found.tension.tolist(), strict=False))


def _title(found: Equilibrium) -> str:
    """Of tendons and inputs only where there are some."""
    system = found.system
    words = [f"{system.mode} tendons"] if system.robot.tendons else []
    if system.inputs or found.prescription.given != "inputs":
        words.append(f"{found.prescription.given} held")
    return ", ".join([system.robot.name, *(words or ["at rest"])])


def _print(found: Equilibrium) -> None:
    system = found.system
    hidden = strains(system)
    rows = [
        (c.name, coordinate(x, c.unit, c.kind))
        for c, x in zip(system.coordinates, found.q, strict=True)
        if c.name not in hidden
    ]
    rows += tip_rows(found)
    rows += [(f"tension {name}", f"{number(t)} N") for name, t in _tensions(found).items()]
    rows += [
        (f"input {i.name}", f"{number(u)} {i.unit}")
        for i, u in zip(system.inputs, found.u, strict=True)
    ]
    units = {c.name: "N" if c.unit == "m" else "N m" for c in system.coordinates}
    rows += [(f"effort {name}", f"{number(x)} {units[name]}") for name, x in found.efforts.items()]
    if (accuracy := found.accuracy) is not None:
        rows += [
            (f"estimated error of {frame}", f"{number(x)} m")
            for frame, x in zip(accuracy.frames, accuracy.error, strict=True)
        ]
    rows += [
        (f"functions of {joint.name}", functions_text(joint.modes))
        for joint in system.robot.joints
        if isinstance(joint, Rod) and joint.modes.accuracy is not None
    ]
    shown = found.eigenvalues[: EIGENVALUES_SHOWN if hidden else None]
    some = f", the smallest {len(shown)} of {len(found.eigenvalues)}"
    what = "Hessian" if found.criterion == "energy" else "Stiffness"
    where = ", all positive where stable" if found.criterion == "energy" else ", real parts"
    note = f"{what} eigenvalues{some * (len(shown) < len(found.eigenvalues))}{where}: " + ", ".join(
        number(x) for x in shown
    )
    if hidden:
        note += f"\nStrains of the rods, {len(hidden)} coordinates: with --json"
    print_table(Table(_title(found), ("quantity", "value"), tuple(rows), note))
