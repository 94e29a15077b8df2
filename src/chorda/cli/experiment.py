"""chorda experiment: a log of a virtual experiment, for trying identification."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorda.cli.options import (
    Changes,
    Json,
    RobotName,
    TendonModel,
    Tendons,
    assembled,
    assignments,
    destination,
)
from chorda.cli.output import number, print_json, show_table, tell
from chorda.errors import InputError

if TYPE_CHECKING:
    from chorda.identification import Log, Sensors

LOGS = (".csv", ".tsv", ".parquet", ".mat", ".nc")
HEADER = ("signal", "unit", "sensor", "samples", "min", "max")
Error = float | None  # of a sensor; absent: that of Sensors


def experiment(
    robot: RobotName,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"Write the log: {', '.join(LOGS)}.",
            show_default=False,
        ),
    ],
    duration: Annotated[float, typer.Option(help="Seconds of motion.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Makes the motion and the sensors' errors.")] = 0,
    motion: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv",
            help="Wanted motion: a header line, then time and joints. Without it, a Fourier "
            "series within the joints' ranges.",
        ),
    ] = None,
    amplitude: Annotated[
        float | None,
        typer.Option(help="Of that series, in rad or m. Without it, 0.5 rad or 0.02 m at most."),
    ] = None,
    tension: Annotated[
        float | None,
        typer.Option(help="Newtons kept in every tendon. Without it, 20, 10 or 5."),
    ] = None,
    tendons: TendonModel = Tendons.elastic,
    parameter: Changes = None,
    step: Annotated[
        float | None,
        typer.Option(help="Step of integration and control in seconds; at most 0.5 ms."),
    ] = None,
    ideal: Annotated[
        bool, typer.Option("--ideal", help="Exact sensors, all at the encoders' rate.")
    ] = False,
    encoder_rate: Annotated[
        Error, typer.Option(help="Samples of motors and inputs per second (500).")
    ] = None,
    encoder_counts: Annotated[
        int | None, typer.Option(help="Counts per turn of a motor (2000; 0: exact).")
    ] = None,
    camera_rate: Annotated[
        Error, typer.Option(help="Frames per second (30; 0: joints come with the encoders).")
    ] = None,
    camera_noise: Annotated[
        Error, typer.Option(help="Standard deviation of joint angles in rad (0.005).")
    ] = None,
    camera_latency: Annotated[
        Error, typer.Option(help="Seconds by which frames are stamped late (0.04).")
    ] = None,
    camera_dropped: Annotated[
        Error, typer.Option(help="Part of the frames that are lost (0.02).")
    ] = None,
    current_noise: Annotated[
        Error, typer.Option(help="Standard deviation of torques in N m (0.001).")
    ] = None,
    current_resolution: Annotated[
        Error, typer.Option(help="Steps of torques in N m (0.00005; 0: exact).")
    ] = None,
    current_ripple: Annotated[
        Error, typer.Option(help="Standard deviation of a slow error of torques in N m (0.0012).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Move a robot and log what its sensors would measure: motors, joints, torques.

    The file also keeps the true parameters, to compare identified ones with.

    \b
    Examples:
      chorda experiment neck-3 --duration 20 --output log.csv
      chorda experiment neck-3 --duration 5 --ideal \\
        --parameter "motor-*.inertia=2e-5" --output exact.nc
    """
    from chorda.control import from_file
    from chorda.identification import experiment as move
    from chorda.identification import write_log
    from chorda.identification.logs.formats import check_format
    from chorda.identification.virtual.experiment import default_motion

    destination(output, "--output", LOGS)
    check_format(output)
    changes = {
        "encoder_rate": encoder_rate,
        "encoder_counts": encoder_counts,
        "camera_rate": camera_rate,
        "camera_noise": camera_noise,
        "camera_latency": camera_latency,
        "camera_dropped": camera_dropped,
        "current_noise": current_noise,
        "current_resolution": current_resolution,
        "current_ripple": current_ripple,
    }
    sensors = _sensors({k: v for k, v in changes.items() if v is not None}, ideal)
    if motion is not None and amplitude is not None:
        raise InputError("--amplitude: it is that of the default motion; drop it, or --motion")
    system = assembled(robot, tendons)
    wanted = default_motion(system, seed, amplitude) if motion is None else from_file(motion)
    log = move(
        system,
        wanted,
        tension=tension,
        duration=duration,
        sensors=sensors,
        seed=seed,
        step=step,
        progress=False if as_json else None,
        parameters=assignments(parameter, "--parameter"),
    )
    write_log(log, output)
    tell(f"Wrote {output}")
    _report(log, output, as_json)


def _sensors(changes: dict[str, float], ideal: bool) -> "Sensors":
    from chorda.identification import Sensors

    if not ideal:
        return Sensors(**changes)  # type: ignore[arg-type]  # counts are an int option
    rate = changes.pop("encoder_rate", 500.0)
    if changes:
        name = next(iter(changes)).replace("_", "-")
        raise InputError(f"--ideal: sensors are exact, so that --{name} has no meaning; drop one")
    return Sensors.ideal(rate)


def _report(log: "Log", path: Path, as_json: bool) -> None:
    rows: list[dict[str, Any]] = [
        {
            "signal": c.name,
            "unit": c.unit,
            "sensor": c.sensor,
            "samples": len(c.time),
            "min": float(c.value.min()),
            "max": float(c.value.max()),
        }
        for c in log.channels.values()
    ]
    if as_json:
        print_json({"channels": rows, "about": log.about, "truth": log.truth, "files": [str(path)]})
        return
    show_table(
        f"Virtual experiment with {log.about['robot']}, {log.about['duration']:g} s",
        HEADER,
        [(*(str(r[k]) for k in HEADER[:4]), number(r["min"]), number(r["max"])) for r in rows],
        note=f"The true values of {len(log.truth)} parameters are in the file.",
    )
