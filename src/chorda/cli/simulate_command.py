"""chorda simulate: the motion of a robot."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer

import chorda
from chorda.checks import refuse_idle
from chorda.cli.inputs import inputs_over_time
from chorda.cli.options import Json, Model, PictureFile, ShapeFile, Start, Texts, write_shape
from chorda.cli.output import finish, print_json, write_file
from chorda.cli.parsing import assignments, number
from chorda.cli.run_summary import as_data, print_summary
from chorda.cli.typer_options import Endings
from chorda.control import JointControl, Reference, Sine, from_file
from chorda.errors import InputError
from chorda.results import Equilibrium, Run
from chorda.results.run_outputs import with_outputs

SCHEMES = (
    "implicit-euler, implicit-euler-converged, bdf2, rosenbrock, generalized-alpha, newmark, "
    "explicit-euler, symplectic-euler, heun, rk4, rk45, cvodes"
)
USUAL_STEP = 2e-3  # [s]
STEP = "Step in seconds; one that does not divide the duration is shortened until it does."


@dataclass(frozen=True)
class Control:
    """Options of a controller.

    Parameters
    ----------
    control
        Follow a reference of the joints.
    reference : FILE.csv|sine:A,B,..
        What to follow: a CSV file (time, joints), or amplitudes in rad of a sine that starts at
        rest.
    minimum_tension
        Tension in newtons that control keeps in every tendon. Default: 5.
    maximum_tension
        Tension in newtons that control does not go beyond in any tendon. Default: no limit.
    compensate_friction
        Let control make up for friction along the tendons, as they slide along the reference.
    """

    control: Literal["computed-torque", "pd", "feed-forward"] | None = None
    reference: str | None = None
    minimum_tension: float | None = None
    maximum_tension: float | None = None
    compensate_friction: bool = False

    def controller(self) -> JointControl | None:
        if self.control is None:
            others = {
                "--reference": self.reference,
                "--minimum-tension": self.minimum_tension,
                "--maximum-tension": self.maximum_tension,
                "--compensate-friction": self.compensate_friction,
            }
            refuse_idle(others, "without --control", "give one, such as --control computed-torque")
            return None
        if self.reference is None:
            raise InputError("--control: needs --reference, such as --reference sine:0.6,0.4,0.2")
        names = ("minimum_tension", "maximum_tension")
        asked = {name: getattr(self, name) for name in names}
        chosen: dict[str, Any] = {name: x for name, x in asked.items() if x is not None}
        return JointControl(
            _reference(self.reference),
            kind=self.control,
            compensates_friction=self.compensate_friction,
            **chosen,
        )


def _reference(text: str) -> Reference:
    if text.startswith("sine:"):
        amplitudes = [number(x, "--reference") for x in text.removeprefix("sine:").split(",")]
        return Sine.from_rest(amplitudes)
    return from_file(text)


@dataclass(frozen=True)
class Files:
    """Options of what is written.

    Parameters
    ----------
    output : FILE
        Write the motion: .nc, .csv or .mat.
    plot : FILE
        Draw it over time: .png, .svg or .pdf.
    animate : FILE
        Write an animation: .gif or .mp4.
    export : FILE
        Write the shape: .glb (surfaces that move), .obj (at the end) or .csv (positions over
        time).
    """

    output: Annotated[Path | None, Endings((".nc", ".csv", ".mat"))] = None
    plot: PictureFile = None
    animate: Annotated[Path | None, Endings((".gif", ".mp4"))] = None
    export: ShapeFile = None

    @property
    def wanted(self) -> bool:
        return any((self.output, self.plot, self.animate, self.export))

    def write(self, run: Run) -> list[Path]:
        """Data first: what was computed is kept even if drawing fails."""
        data = {".nc": run.save, ".csv": run.to_csv, ".mat": run.to_mat}
        writers: list[tuple[Path | None, Callable[[Path], Any]]] = [
            (self.output, lambda path: data[path.suffix.lower()](path)),
            (self.export, lambda path: write_shape(run, path)),
            (self.plot, run.plot),
            (self.animate, run.animate),
        ]
        for path, write in writers:
            write_file(path, write)
        return [path for path, _ in writers if path is not None]


def simulate(
    *,
    duration: float = 2.0,
    step: Annotated[float | None, typer.Option(help=STEP, show_default="0.002")] = None,
    accuracy: float | None = None,
    scheme: Annotated[
        str | None,
        typer.Option(help=f"One of {SCHEMES}.", show_default="implicit-euler, for rods bdf2"),
    ] = None,
    rho_inf: float | None = None,
    model: Model,
    start: Start = None,
    hold: Texts = None,
    input: Texts = None,
    inputs: Path | None = None,
    control: Control,
    settle: bool = False,
    every: int = 1,
    files: Files,
    as_json: Json = False,
) -> None:
    """Integrate the equations of motion.

    Parameters
    ----------
    duration
        Seconds of motion.
    accuracy
        The largest error of any point of the robot in m, for which steps are chosen; --step is then
        the interval of the output. Default: the duration over 200.
    rho_inf
        Spectral radius of generalized-alpha at infinite frequency, 0 to 1. Default: 0.8.
    hold : NAME=VALUE
        Lock a revolute or prismatic joint there, in rad or m. Repeatable.
    input : NAME=VALUE
        A constant input: motor torque in N m (negative pulls), tension in N, or paid-out length
        in m. Repeatable.
    inputs : FILE.csv
        Inputs over time: a header line with 'time' and names of inputs.
    settle
        Start in the equilibrium under the first inputs, found from --set.
    every
        Keep each n-th step.

    \b
    Examples:
      chorda simulate neck-3 --set x1=0.3 --set tension=20 --plot free.png
      chorda simulate neck-3 --input motor-left=-0.02 --output run.nc
      chorda simulate neck-3 --control computed-torque \\
        --reference sine:0.6,0.4,0.2 --set tension=8 --duration 6.3
      chorda simulate till --step 0.01 --export till.csv
      chorda simulate rfrfr --hold motor1=2.6 --hold motor2=0.5 --duration 0.1
    """
    if input and inputs:
        raise InputError("--input and --inputs: give constants or a file, not both")
    if step is None and accuracy is None:
        step = USUAL_STEP
    controller = control.controller()
    system = model.system(assignments(hold, "--hold"))
    signal: Any = assignments(input, "--input") or None
    if inputs is not None:
        signal = inputs_over_time(inputs, system, duration, None if accuracy else step)
    initial: Any = assignments(start, "--set") or None
    if settle:
        if controller is not None:
            raise InputError(
                "--settle: the inputs of a controller are not known before; leave it out"
            )
        initial = _settled(system, signal, initial, model.parameters)
    run = chorda.simulate(
        system,
        duration=duration,
        step=step,
        accuracy=accuracy,
        scheme=scheme,
        rho_inf=rho_inf,
        inputs=signal,
        control=controller,
        initial=initial,
        parameters=model.parameters,
        every=every,
        progress=False if as_json else None,
    )
    run = with_outputs(run, False if as_json else None, events_only=not files.wanted)
    written = files.write(run)
    if as_json:
        print_json({**as_data(run), "files": written})
    else:
        print_summary(run)
    finish(run.status, quiet=as_json)


def _settled(
    system: chorda.System, signal: Any, initial: Any, changes: dict[str, float]
) -> Equilibrium:
    """The equilibrium under the first of the inputs."""
    start = {name: x(0.0) if callable(x) else x for name, x in (signal or {}).items()}
    first = {name: float(np.ravel(x)[0]) for name, x in start.items()}
    given = {name: x for name, x in first.items() if name in system.given}
    rest = chorda.equilibrium(system, inputs=given, initial=initial, parameters=changes)
    if not rest.status.ok:
        raise InputError(f"--settle: {rest.status}")
    return rest
