"""The whole benchmark: what is measured, in which order, against which targets."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from chorda.bench import chain, machine, peers
from chorda.bench.batches import measure_batches
from chorda.bench.building import Built, built
from chorda.bench.equilibria import measure_equilibria
from chorda.bench.identifying import ROBOT, Identifying
from chorda.bench.report import Report, Verdict, at_least, at_most
from chorda.bench.rods import measure_rods
from chorda.bench.stepping import Stepping, without_compiler
from chorda.bench.timing import best_in_turns
from chorda.bench.verbs import controlled_motion, overhead
from chorda.catalogue import load
from chorda.dynamics.schemes import SCHEMES
from chorda.mechanics import System, assemble
from chorda.results import Table

OURS = "Chorda implicit-euler"
QUICK_JOINTS, ALL_JOINTS = (1, 3), tuple(range(1, 13))
Part = tuple[list[Table], list[Verdict], dict[str, Any]]


def measure(
    quick: bool = False,
    joints: Sequence[int] | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Report:
    """Measure everything; `say` hears what is going on. quick: few repeats and two necks only."""
    steps, repeats = (1000, 3) if quick else (3000, 15)
    about = machine.describe()
    say("one step, beside MuJoCo's")
    system = assemble(load("neck-3"))
    parts = [_one_step(system, steps, repeats)]
    say("one step of a chain of seven joints")
    parts.append(_chain(steps, repeats))
    say("a rod with a tendon")
    parts.append(measure_rods(quick))
    say("batches")
    parts.append(measure_batches(system, steps, repeats))
    say("equilibria of parallel robots")
    parts.append(measure_equilibria(quick))
    say("every scheme")
    parts.append(_schemes(system, steps, repeats))
    say("whole calls of simulate")
    parts.append(_verbs(system, repeats))
    say("identification of a log")
    parts.append(_identification(1 if quick else 3))
    rows = []
    for n in joints or (QUICK_JOINTS if quick else ALL_JOINTS):
        say(f"building neck-{n} in fresh processes")
        rows.append(built(n, warm_repeats=1 if quick else 3))
    parts.append(_building(rows))
    data: dict[str, Any] = {}
    for _, _, more in parts:
        data |= more
    return Report(
        about,
        tuple(t for tables, _, _ in parts for t in tables),
        tuple(v for _, verdicts, _ in parts for v in verdicts),
        data,
    )


def _one_step(system: System, steps: int, repeats: int) -> Part:
    """Compiled against interpreted against MuJoCo, in turns."""
    ours = Stepping(system, "implicit-euler", steps)
    with without_compiler():
        interpreted = Stepping(system, "implicit-euler", steps)
    slow = f"{OURS}, interpreted"
    contenders: dict[str, Callable[[], float]] = {OURS: ours, slow: interpreted}
    if peers.installed():
        contenders |= peers.contenders(steps)
    best = best_in_turns(contenders, repeats)
    rows = tuple((name, _us(t), f"{t / best[OURS]:.3g}") for name, t in best.items())
    data: dict[str, Any] = {"seconds_per_step": best, "operations": ours.kernel.operations}
    note, ratio = peers.INSTALL, None
    if peers.installed():
        alike = peers.likeness(system)
        data["mujoco"] = asdict(alike)
        ratio = best["MuJoCo implicit"] / best[OURS]
        note = (
            f"MuJoCo {alike.version}: {alike.velocities} velocities, {alike.loops} loops; distance "
            f"of the bars' centres at rest {alike.mid_bar_distance * 1e3:.4f} mm (closed form "
            f"{alike.expected_distance * 1e3:.4f} mm), gap in the loops {alike.closure_error:.1e} m"
            f". Moved alike with dry friction off, joint angles up to {alike.largest_angle:.2f} "
            f"rad differ by {alike.angle_difference:.1e} rad. MuJoCo runs at "
            f"{peers.MUJOCO_STEP * 1e3:g} ms, Chorda at {ours.step * 1e3:g} ms, where these "
            "integrators of MuJoCo diverge; the ratio is per step, not per second of motion."
        )
    table = Table(
        "One step of neck-3 with elastic tendons and motors",
        ("program and scheme", "time a step", "ratio"),
        rows,
        note,
    )
    verdicts = [
        at_most("neck-3, one implicit-euler step", 3.0, best[OURS] * 1e6, "us"),
        at_least("MuJoCo's implicit step over ours", 5.0, ratio, "times"),
    ]
    data["compiled"] = ours.kernel.compiled
    return [table], verdicts, data


def _chain(steps: int, repeats: int) -> Part:
    """Seven joints, eight one-sided tendons and their motors, in turns with MuJoCo."""
    ours = Stepping(assemble(chain.robot()), "implicit-euler", steps, inputs=chain.PULL)
    contenders: dict[str, Callable[[], float]] = {OURS: ours}
    note, ratio = peers.INSTALL, None
    if peers.installed():
        contenders |= chain.contenders(steps)
        note = (
            "MuJoCo has the tendons as fixed ones with the same moment arms, Chorda lays them over "
            f"the pulleys. MuJoCo runs at {chain.MUJOCO_STEP * 1e3:g} ms, Chorda at "
            f"{ours.step * 1e3:g} ms; the ratio is per step."
        )
    best = best_in_turns(contenders, repeats)
    if peers.installed():
        ratio = best["MuJoCo implicit"] / best[OURS]
    table = Table(
        "One step of a planar chain: 7 revolute joints, 8 one-sided tendons, 8 motors",
        ("program and scheme", "time a step", "ratio"),
        tuple((name, _us(t), f"{t / best[OURS]:.3g}") for name, t in best.items()),
        note,
    )
    verdicts = [
        at_most("chain of 7, one implicit-euler step", 15.0, best[OURS] * 1e6, "us"),
        at_least("MuJoCo's implicit step over ours, chain", 1.0, ratio, "times"),
    ]
    return [table], verdicts, {"chain_seconds_per_step": best}


def _schemes(system: System, steps: int, repeats: int) -> Part:
    loops = {name: Stepping(system, name, steps) for name in SCHEMES}
    best = best_in_turns(loops, max(3, repeats // 3))
    rows = tuple(
        (
            name,
            f"{loop.step * 1e3:g} ms",
            _us(best[name]),
            f"{loop.iterations:.1f}" if loop.scheme.iterates else "-",
            str(loop.kernel.operations),
        )
        for name, loop in loops.items()
    )
    header = ("scheme", "step", "time a step", "Newton iterations", "operations")
    note = (
        "rk45 chooses its own steps: the step is its output interval, the time that of one its own."
    )
    data = {"schemes": {n: {"seconds": best[n], "step": x.step} for n, x in loops.items()}}
    return [Table("Every scheme on neck-3, elastic tendons", header, rows, note)], [], data


def _verbs(system: System, repeats: int) -> Part:
    controlled_motion(system)  # compiles the controller
    best = best_in_turns(
        {
            "motion": lambda: controlled_motion(system),
            "overhead": lambda: overhead(system, calls=11),
        },
        max(3, repeats // 3),
    )
    rows = (
        ("6.3 s of computed-torque control, 2 ms steps", _ms(best["motion"])),
        ("one step: what a call itself costs (median of 11)", _ms(best["overhead"])),
    )
    verdicts = [
        at_most("6.3 s controlled motion, whole call", 30.0, best["motion"] * 1e3, "ms"),
        at_most("one-step simulate call", 5.0, best["overhead"] * 1e3, "ms"),
    ]
    note = "Kernel compiled before. Outputs such as tensions are computed when asked for, not here."
    data = {"simulate_seconds": best["motion"], "simulate_overhead_seconds": best["overhead"]}
    return (
        [Table("Whole calls of simulate on neck-3", ("call", "time"), rows, note)],
        verdicts,
        data,
    )


def _identification(repeats: int) -> Part:
    work = Identifying()
    best = best_in_turns(
        {"memory": work.whole, "file": work.from_file, "reading": work.reading}, repeats
    )
    rows = (
        ("log in memory", f"{best['memory']:.2f} s"),
        ("CSV file and robot's description", f"{best['file']:.2f} s"),
        ("of it reading the file", f"{best['reading']:.2f} s"),
    )
    note = (
        "60 s at 500 Hz with a camera at 30 Hz, 16 unknowns, clock offset and instruments "
        "included; kernels compiled before."
    )
    return (
        [Table(f"Identification of {ROBOT}", ("from", "time"), rows, note)],
        [at_most("60 s log at 500 Hz, from file to table", 2.0, best["file"], "s")],
        {"identification_seconds": best},
    )


def _building(rows: Sequence[Built]) -> Part:
    table = Table(
        "Necks of several joints: implicit-euler, elastic tendons, each build in a fresh process",
        ("joints", "operations", "time a step", "cold build", "warm build", "of it assembling"),
        tuple(
            (
                str(r.joints),
                str(r.operations),
                _us(r.step),
                f"{r.cold:.2f} s",
                f"{r.warm:.3f} s",
                f"{r.warm_assemble:.3f} s",
            )
            for r in rows
        ),
        "Build = assemble + kernel; cold with an empty kernel cache (generate, compile), warm from "
        "the cache. The import of the package (about 0.3 s) is not included.",
    )
    cold, warm = max(rows, key=lambda r: r.cold), max(rows, key=lambda r: r.warm)
    verdicts = [
        at_most(f"slowest cold build (neck-{cold.joints})", 10.0, cold.cold, "s"),
        at_most(f"slowest warm build (neck-{warm.joints})", 0.5, warm.warm, "s"),
    ]
    return [table], verdicts, {"building": [asdict(r) for r in rows]}


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} us"


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"
