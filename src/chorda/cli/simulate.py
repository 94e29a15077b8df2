"""chorda simulate: the motion of a robot."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from chorda.cli.options import (
    PICTURES,
    SHAPES,
    Changes,
    Export,
    Json,
    RobotName,
    Start,
    TendonModel,
    Tendons,
    assembled,
    assignments,
    destination,
    number,
)
from chorda.cli.output import finish, print_json, say, tell
from chorda.errors import InputError

if TYPE_CHECKING:
    from chorda.control import JointControl, Reference
    from chorda.results import Run

SCHEMES = (
    "implicit-euler, implicit-euler-converged, bdf2, rosenbrock, generalized-alpha, newmark, "
    "explicit-euler, symplectic-euler, heun, rk4, rk45, cvodes"
)
DATA, MOVIES = (".nc", ".csv", ".mat"), (".gif", ".mp4")


class Law(StrEnum):
    """Controllers of the joints."""

    computed_torque = "computed-torque"
    pd = "pd"
    feed_forward = "feed-forward"


def simulate(
    robot: RobotName,
    duration: Annotated[float, typer.Option(help="Seconds of motion.")] = 2.0,
    step: Annotated[float, typer.Option(help="Step in seconds.")] = 2e-3,
    scheme: Annotated[
        str | None,
        typer.Option(help=f"One of {SCHEMES}.", show_default="implicit-euler, for rods bdf2"),
    ] = None,
    tendons: TendonModel = Tendons.elastic,
    start: Start = None,
    hold: Annotated[
        list[str] | None,
        typer.Option(
            "--hold",
            metavar="NAME=VALUE",
            help="Lock a revolute or prismatic joint there, in rad or m. Repeatable.",
            show_default=False,
        ),
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="NAME=VALUE",
            help="A constant input: motor torque in N m (negative pulls), tension in N, or "
            "paid-out length in m. Repeatable.",
            show_default=False,
        ),
    ] = None,
    inputs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv",
            help="Inputs over time: a header line with 'time' and names of inputs.",
        ),
    ] = None,
    parameter: Changes = None,
    control: Annotated[
        Law | None, typer.Option(help="Follow a reference of the joints.", show_default=False)
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.csv|sine:A,B,..",
            help="What to follow: a CSV file (time, joints), or amplitudes in rad of a sine that "
            "starts at rest.",
        ),
    ] = None,
    minimum_tension: Annotated[
        float, typer.Option(help="Tension in newtons that control keeps in every tendon.")
    ] = 5.0,
    settle: Annotated[
        bool,
        typer.Option(
            "--settle", help="Start in the equilibrium under the first inputs, found from --set."
        ),
    ] = False,
    every: Annotated[int, typer.Option(help="Keep each n-th step.")] = 1,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the motion: .nc, .csv or .mat.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it over time: .png, .svg or .pdf.")
    ] = None,
    animate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an animation: .gif or .mp4.")
    ] = None,
    export: Export = None,
    as_json: Json = False,
) -> None:
    """Integrate the equations of motion.

    \b
    Examples:
      chorda simulate neck-3 --set x1=0.3 --set tension=20 --plot free.png
      chorda simulate neck-3 --input motor-left=-0.02 --output run.nc
      chorda simulate neck-3 --control computed-torque \\
        --reference sine:0.6,0.4,0.2 --set tension=8 --duration 6.3
      chorda simulate till --step 0.01 --export till.csv
      chorda simulate rfrfr --hold motor1=2.6 --hold motor2=0.5 --duration 0.1
    """
    import chorda
    from chorda.cli.inputs import inputs_over_time

    destination(output, "--output", DATA)
    destination(plot, "--plot", PICTURES)
    destination(animate, "--animate", MOVIES)
    destination(export, "--export", SHAPES)
    if given and inputs:
        raise InputError("--input and --inputs: give constants or a file, not both")
    law = _control(control, reference, minimum_tension)
    system = assembled(robot, tendons, assignments(hold, "--hold"))
    signal: Any = assignments(given, "--input") or None
    if inputs is not None:
        signal = inputs_over_time(inputs, system, duration, step)
    changes = assignments(parameter, "--parameter")
    initial: Any = assignments(start, "--set") or None
    if settle:
        initial = _settled(system, signal, law, initial, changes)
    run = chorda.simulate(
        system,
        duration=duration,
        step=step,
        scheme=scheme,
        inputs=signal,
        control=law,
        initial=initial,
        parameters=changes,
        every=every,
        progress=False if as_json else None,
    )
    files = _write(run, output, plot, animate, export)
    _report(run, files, as_json)
    finish(run.status)


def _settled(system: Any, signal: Any, law: Any, initial: Any, changes: Any) -> Any:
    import chorda

    if law is not None:
        raise InputError("--settle: the inputs of a controller are not known before; leave it out")
    first = {name: float(np.ravel(x)[0]) for name, x in (signal or {}).items()}
    given = {name: x for name, x in first.items() if name in system.given}
    rest = chorda.equilibrium(system, inputs=given, initial=initial, parameters=changes)
    if not rest.status.ok:
        raise InputError(f"--settle: {rest.status}")
    return rest


def _control(kind: Law | None, reference: str | None, minimum: float) -> "JointControl | None":
    if kind is None:
        if reference is not None:
            raise InputError("--reference: needs --control, such as --control computed-torque")
        return None
    if reference is None:
        raise InputError("--control: needs --reference, such as --reference sine:0.6,0.4,0.2")
    from chorda.control import JointControl

    return JointControl(_reference(reference), minimum_tension=minimum, kind=kind.value)


def _reference(text: str) -> "Reference":
    from chorda.control import Sine, from_file

    if text.startswith("sine:"):
        amplitudes = [number(x, "--reference") for x in text.removeprefix("sine:").split(",")]
        return Sine.from_rest(amplitudes)
    return from_file(text)


def _write(
    run: "Run", output: Path | None, plot: Path | None, movie: Path | None, shape: Path | None
) -> list[Path]:
    """Data first: what was computed is kept even if drawing fails."""
    files: list[Path] = []
    if output is not None:
        writers = {".nc": run.save, ".csv": run.to_csv, ".mat": run.to_mat}
        files.append(writers[output.suffix.lower()](output))
        tell(f"Wrote {output}")
    if shape is not None:
        from chorda.view import export_shape

        files.append(export_shape(run, shape))
        tell(f"Wrote {shape}")
    if plot is not None:
        run.plot(plot)
        files.append(plot)
        tell(f"Wrote {plot}")
    if movie is not None:
        files.append(run.animate(movie))
        tell(f"Wrote {movie}")
    return files


def _report(run: "Run", files: list[Path], as_json: bool) -> None:
    from chorda.cli.summary import as_data, show_summary

    if as_json:
        print_json({**as_data(run), "files": files})
        return
    show_summary(run)
    if run.status.ok:
        say(str(run.status))
