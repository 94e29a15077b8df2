"""chorda experiment: a log of a virtual experiment, for trying identification."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from chorda.checks import refuse_idle
from chorda.cli.options import Json, Model
from chorda.cli.output import number, print_json, print_table, print_written
from chorda.cli.typer_options import Endings
from chorda.errors import InputError
from chorda.results import Table

if TYPE_CHECKING:
    from chorda.identification import Log, Sensors

HEADER = ("signal", "unit", "sensor", "samples", "min", "max")


@dataclass(frozen=True)
class SensorOptions:
    """Fields of Sensors that are changed, or exact sensors.

    Parameters
    ----------
    ideal
        Exact sensors, all at the encoders' rate.
    encoder_rate
        Samples of motors and inputs per second (500).
    encoder_counts
        Counts per turn of a motor (2000; 0: exact).
    camera_rate
        Frames per second (30; 0: joints come with the encoders).
    camera_noise
        Standard deviation of joint angles in rad (0.005).
    camera_latency
        Seconds by which frames are stamped late (0.04).
    camera_dropped
        Part of the frames that are lost (0.02).
    current_noise
        Standard deviation of torques in N m (0.001).
    current_resolution
        Steps of torques in N m (0.00005; 0: exact).
    current_ripple
        Standard deviation of a slow error of torques in N m (0.0012).
    """

    ideal: bool = False
    encoder_rate: float | None = None
    encoder_counts: int | None = None
    camera_rate: float | None = None
    camera_noise: float | None = None
    camera_latency: float | None = None
    camera_dropped: float | None = None
    current_noise: float | None = None
    current_resolution: float | None = None
    current_ripple: float | None = None

    def sensors(self) -> "Sensors":
        from chorda.identification import Sensors

        changes = {name: value for name, value in asdict(self).items() if value is not None}
        if not changes.pop("ideal"):
            if self.camera_rate == 0:
                late = {"--camera-latency": self.camera_latency}
                others = late | {"--camera-dropped": self.camera_dropped}
                why = "with --camera-rate 0: joints come with the encoders"
                refuse_idle(others, why, "give a rate of the camera")
            return Sensors(**changes)
        rate = changes.pop("encoder_rate", 500.0)
        if changes:
            name = next(iter(changes)).replace("_", "-")
            raise InputError(
                f"--ideal: sensors are exact, so that --{name} has no meaning; drop one"
            )
        return Sensors.ideal(rate)


def experiment(
    *,
    output: Annotated[Path, Endings((".csv", ".tsv", ".parquet", ".mat", ".nc"))],
    duration: float = 60.0,
    seed: int | None = None,
    motion: Path | None = None,
    amplitude: float | None = None,
    tension: float | None = None,
    model: Model,
    step: float | None = None,
    sensors: SensorOptions,
    as_json: Json = False,
) -> None:
    """Move a robot and log what its sensors would measure: motors, joints, torques.

    The file also keeps the true parameters, to compare identified ones with.

    Parameters
    ----------
    output, -o : FILE
        Write the log: .csv, .tsv, .parquet, .mat, .nc.
    duration
        Seconds of motion.
    seed
        Seed of the motion and of the sensors' errors. Default: 0.
    motion : FILE.csv
        Wanted motion: a header line, then time and joints. Without it, a Fourier series within
        the joints' ranges.
    amplitude
        Amplitude of that series, in rad or m. Without it, 0.5 rad or 0.02 m at most.
    tension
        Newtons kept in every tendon. Without it, 20, 10 or 5.
    step
        Step of integration and control in seconds; at most 0.5 ms.

    \b
    Examples:
      chorda experiment neck-3 --duration 20 --output log.csv
      chorda experiment neck-3 --duration 5 --ideal \\
        --parameter "motor-*.inertia=2e-5" --output exact.nc
    """
    from chorda import identification
    from chorda.control import from_file
    from chorda.identification.logs.formats import check_format
    from chorda.identification.virtual.experiment import default_motion

    check_format(output)
    chosen = sensors.sensors()
    if motion is not None and amplitude is not None:
        raise InputError("--amplitude: it is that of the default motion; drop it, or --motion")
    if motion is not None and sensors.ideal:
        why = "with --motion and --ideal: nothing is drawn at random"
        refuse_idle({"--seed": seed}, why, "leave one of them out")
    seed = 0 if seed is None else seed
    system = model.system()
    log = identification.experiment(
        system,
        default_motion(system, seed, amplitude) if motion is None else from_file(motion),
        tension=tension,
        duration=duration,
        sensors=chosen,
        seed=seed,
        step=step,
        progress=False if as_json else None,
        parameters=model.parameters,
    )
    identification.write_log(log, output)
    print_written(output)
    _report(log, output, as_json)


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
        print_json({"channels": rows, "about": log.about, "truth": log.truth, "files": [path]})
        return
    remark = f" {log.about['remark']}" if "remark" in log.about else ""
    print_table(
        Table(
            f"Virtual experiment with {log.about['robot']}, {log.about['duration']:g} s",
            HEADER,
            tuple(
                (*(str(r[k]) for k in HEADER[:4]), number(r["min"]), number(r["max"])) for r in rows
            ),
            f"The true values of {len(log.truth)} parameters are in the file.{remark}",
        )
    )
