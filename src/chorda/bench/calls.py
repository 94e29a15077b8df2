"""The time of whole calls, as a user meets them; kernels are compiled before."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from chorda.bench.groups import Group, at_most, ms
from chorda.catalogue import load
from chorda.control import JointControl, Sine
from chorda.dynamics import simulate
from chorda.identification import experiment, identify, read_log, write_log
from chorda.mechanics import System, assemble
from chorda.numerics.timing import best_in_turns, seconds
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, RobotStudy
from chorda.papers.briot2022.robots import SPATIAL
from chorda.results import Table
from chorda.statics import equilibrium, follow

DURATION, STEP = 6.3, 2e-3  # [s] the motion of the three-joint neck
AMPLITUDE = (0.6, 0.4, 0.2)  # [rad]
TENSION = {"tension": 8.0}  # [N] at the start
ONE_STEP_CALLS = 11
MODES, POINTS = (5, 10), 50  # modes a bending and leg; configurations of the kernel's path
SOLVED = {"equilibrium": 1, "follow, two points": 2}  # configurations that a call solves for
LOGGED, LOG_DURATION = "fasquelle-3-pulleys", 60.0  # [s]


def simulate_group(system: System, repeats: int) -> Group:
    """neck-3: 6.3 s with computed-torque control, and one step."""
    control = JointControl(Sine.from_rest(AMPLITUDE))

    def motion() -> float:
        return seconds(
            lambda: simulate(
                system, duration=DURATION, step=STEP, control=control, initial=TENSION, strict=True
            )
        )

    def one_step() -> float:
        calls = (
            seconds(lambda: simulate(system, duration=STEP, step=STEP, initial=TENSION))
            for _ in range(ONE_STEP_CALLS)
        )
        return median(calls)

    motion()  # compiles the controller
    best = best_in_turns({"motion": motion, "step": one_step}, repeats)
    table = Table(
        "Whole calls of simulate on neck-3",
        ("call", "time"),
        (
            ("6.3 s of computed-torque control, 2 ms steps", ms(best["motion"])),
            ("one step: what a call itself costs (median of 11)", ms(best["step"])),
        ),
        "Kernel compiled before. Outputs such as tensions are computed when asked for, not here.",
    )
    targets = (
        at_most("6.3 s controlled motion, whole call", 30.0, best["motion"] * 1e3, "ms"),
        at_most("one-step simulate call", 5.0, best["step"] * 1e3, "ms"),
    )
    data = {"simulate_seconds": best["motion"], "simulate_overhead_seconds": best["step"]}
    return Group(table, targets, data)


def statics_group(repeats: int) -> Group:
    """6-rfs: one equilibrium and a path of two, from a known configuration."""
    rows, targets, data = [], [], {}
    for modes in MODES:
        best = best_in_turns(_statics_calls(modes), repeats)
        kernel = best.pop("kernel")
        data[str(modes)] = {"kernel": kernel, **best}
        for call, t in best.items():
            rows.append((str(modes), call, ms(t), ms(kernel), f"{t / kernel:.3g}"))
            what = f"6-rfs, {modes} modes, {call}, whole call"
            over = (t - SOLVED[call] * kernel) * 1e3
            targets.append(at_most(what, 5.0, over, "ms over the kernel"))
    table = Table(
        "Calls of statics, whole: 6-rfs, motors turned by a fiftieth of the path of Briot2022",
        ("modes", "call", "time", "kernel a point", "ratio"),
        tuple(rows),
        "From the configuration before, with stability; modes a bending and leg. The kernel's time "
        "is that of a point along the whole path in compiled code. Estimates of errors are "
        "computed when they are read.",
    )
    return Group(table, tuple(targets), {"statics_seconds": data})


def _statics_calls(modes: int) -> dict[str, Callable[[], float]]:
    """Whole calls, and the kernel's time a point, all warm."""
    study = RobotStudy(SPATIAL)
    previous, path = study.start(modes, CATALOGUE_INTERVALS), study.compiled(POINTS, modes)
    system, hold = previous.system, study.case.angles(1 / POINTS)
    call = partial(equilibrium, system, hold=hold, initial=previous, strict=True)
    calls: dict[str, Callable[[], object]] = {
        "equilibrium": call,
        "follow, two points": lambda: follow(previous, hold=hold, points=1, strict=True),
    }
    path()
    for each in calls.values():
        each()
    timed = {name: partial(seconds, each) for name, each in calls.items()}
    return {**timed, "kernel": lambda: seconds(path) / len(path.targets)}


def identification_group(repeats: int) -> Group:
    """A log of the neck of Fasquelle2021: 60 s at 500 Hz, 16 unknowns."""
    system = assemble(load(LOGGED))
    log = experiment(system, duration=LOG_DURATION, progress=False)
    identify(log, system)  # compiles the simulation behind the instruments
    with TemporaryDirectory() as folder:
        path = write_log(log, Path(folder) / "log.csv")
        best = best_in_turns(
            {
                "memory": partial(seconds, lambda: identify(log, system)),
                "file": partial(seconds, lambda: identify(path, load(LOGGED))),
                "reading": partial(seconds, lambda: read_log(path, system)),
            },
            repeats,
        )
    table = Table(
        f"Identification of {LOGGED}",
        ("from", "time"),
        (
            ("log in memory", f"{best['memory']:.2f} s"),
            ("CSV file and robot's description", f"{best['file']:.2f} s"),
            ("of it reading the file", f"{best['reading']:.2f} s"),
        ),
        "60 s at 500 Hz with a camera at 30 Hz, 16 unknowns, clock offset and instruments "
        "included; kernels compiled before.",
    )
    target = at_most("60 s log at 500 Hz, from file to table", 2.0, best["file"], "s")
    return Group(table, (target,), {"identification_seconds": best})
