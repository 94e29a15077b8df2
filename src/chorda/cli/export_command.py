"""chorda export: a robot as code for controllers and for other programs."""

from typing import Literal

import chorda
from chorda.cli.options import Json, Model, Start, Texts
from chorda.cli.output import print_json, print_text
from chorda.cli.parsing import assignments


def export(
    *,
    to: Literal["c", "casadi", "mjcf"],
    output: str,  # not a path, of which "" is the current folder
    scheme: str | None = None,
    rho_inf: float | None = None,
    step: float = 1e-3,
    model: Model,
    start: Start = None,
    input: Texts = None,
    force: bool = False,
    as_json: Json = False,
) -> None:
    """Write a robot as code that runs without Chorda: C for a controller, CasADi, MuJoCo.

    Parameters
    ----------
    to
        c: a folder of C99 with an example and a test; casadi: a folder of CasADi functions; mjcf:
        a file for MuJoCo.
    output : PATH
        Folder, or file.
    scheme
        Integration scheme, as of simulate; not for mjcf. Default: implicit-euler; bdf2 for robots
        with rods.
    rho_inf
        Spectral radius of generalized-alpha at infinite frequency, 0 to 1. Default: 0.8.
    step
        Time step in s.
    input : NAME=VALUE
        Default value of an input, others 0. Repeatable.
    force
        Overwrite files that chorda export did not make, or that were changed since.

    \b
    Examples:
      chorda export neck-3 --to c --step 2e-3 --output neck
      chorda export neck-3 --to casadi --output neck-casadi
      chorda export neck-3 --to mjcf --output neck.xml
    """
    system = model.system()
    made = chorda.export(
        system,
        output,
        to=to,
        scheme=scheme,
        rho_inf=rho_inf,
        step=step,
        inputs=assignments(input, "--input") or None,
        initial=assignments(start, "--set") or None,
        parameters=model.parameters,
        force=force,
    )
    if as_json:
        print_json(
            {
                "robot": system.robot.name,
                "to": made.to,
                "scheme": None if to == "mjcf" else made.model.scheme.name,
                "step": made.model.step,
                "files": made.files,
            }
        )
        return
    print_text(f"Wrote {', '.join(str(path) for path in made.files)}")
    if to == "c":
        print_text(f"Compare it with Chorda: make -C {output} test")
