"""The tip at rest and over the ramp of 25 s: the program's numbers, the limit of short steps."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.signal import find_peaks

from chorda.catalogue import load
from chorda.continuous import rod_statics
from chorda.describe import Robot
from chorda.mechanics import Array, assemble
from chorda.papers.till import published
from chorda.papers.till.published import CONVERGED, EULER, INEXTENSIBLE, RAMP, Tip
from chorda.papers.till.study import PAPER_CASE, Case, Point, Study, gauss, modes, motion
from chorda.papers.verdicts import same, seconds, table, verdict
from chorda.results import Equilibrium, Table
from chorda.statics import equilibrium

TIP_TOLERANCE = 3e-4  # [m] of the program's solver: motions within it are the same
SWING_TOLERANCE = 0.01  # relative difference of decays and periods that are called the same
SETTLING_TIME = 0.1  # [s] after the ramp, where its own motion is over


def static_table(study: Study) -> Table:
    """Tip and tension by both formulations."""
    without = equilibrium(assemble(inextensible()), inputs=[0.0])
    ways = (
        ("continuous, euler, 200 nodes", _shooting("euler", published.NODES), EULER, 1e-5),
        ("continuous, rk4, 61 nodes", _shooting("rk4", 61), CONVERGED, 1e-6),
        ("continuous, gauss6, 21 nodes", _shooting("gauss6", 21), CONVERGED, 1e-6),
        ("strain modes", _by_modes(study.rest), CONVERGED, 1e-6),
        ("strain modes, neither stretch nor shear", _by_modes(without), INEXTENSIBLE, 1e-5),
    )
    return table(
        "Static tip and tension",
        ("formulation", "x [m]", "z [m]", "tension [N]", "known x, z, tension", "difference [m]",
         "verdict"),
        (_static_row(*way) for way in ways),
        "Known: an independent solution of the same equations, converged, and with the program's "
        "Euler march (x, tension). Euler's 200 nodes put the tip 1.5 mm off. The backbone's 6 um "
        "of compression shorten the tendon's path, which is 0.14 mm at the tip: stretch counts.",
    )  # fmt: skip


def inextensible() -> Robot:
    robot = load("till")
    rod = robot.joints[0]
    modes = rod.modes.model_copy(update={"stretch": 0, "shear_z": 0})  # type: ignore[union-attr]
    return robot.model_copy(update={"joints": (rod.model_copy(update={"modes": modes}),)})


def _shooting(integrator: str, nodes: int) -> Tip:
    found = rod_statics(load("till"), 0.0, integrator=integrator, nodes=nodes)
    found.status.raise_unless_ok()
    return found.tip[0], found.tip[2], found.tension[0]


def _by_modes(found: Equilibrium) -> Tip:
    x, _, z = found.frame("rod.tip")[0]
    return x, z, found.tension[0]


def _static_row(label: str, ours: Tip, known: Tip, within: float) -> tuple[str, ...]:
    """within: the tip [m], and the tension within ten times as much [N]."""
    x, z, tension = ours
    *away, pull = np.nan_to_num(np.subtract(ours, known))
    gap, there = math.hypot(*away), ("-" if math.isnan(x) else f"{x:.7g}" for x in known)
    few = "the nodes are too few" if label.startswith("continuous") else "the modes are too few"
    reached = verdict(max(gap, abs(pull) / 10), few, below=within)
    return label, f"{x:.7f}", f"{z:.7f}", f"{tension:.6f}", ", ".join(there), f"{gap:.1e}", reached


@dataclass(frozen=True)
class Swing:
    """Decay [1/s] and period [s] of the tip's swing."""

    decay: float
    period: float


def swing(
    time: Array, x: Array, small: float = 2e-3, within: tuple[float, float] = (RAMP[1], RAMP[2])
) -> Swing:
    """From half the way between neighbouring extremes of x, those of more than `small` [m].

    within: from when to when [s]; usually while the tendon is held.

    >>> t = np.linspace(0, 20, 2001)
    >>> found = swing(t, 0.1 * np.exp(-0.2 * t) * np.sin(5 * t))
    >>> round(found.decay, 3), round(found.period, 2)
    (0.2, 1.26)
    """
    fine = np.arange(within[0] + SETTLING_TIME, within[1], 1e-3)
    y = CubicSpline(time, x)(fine)
    at = np.sort(np.concatenate([find_peaks(y)[0], find_peaks(-y)[0]]))
    size, when = np.abs(np.diff(y[at])) / 2, (fine[at][1:] + fine[at][:-1]) / 2
    large = np.logical_and.accumulate(size > small)
    slope = np.polyfit(when[large], np.log(size[large]), 1)[0]
    return Swing(float(-slope), float(2 * np.mean(np.diff(fine[at])[large])))


def motion_table(study: Study) -> Table:
    """The program, both limits, and the parts of the program's error."""
    quoted, ours, true = published.program(), study.run(PAPER_CASE), study.truth
    assert ours.tension is not None
    n = len(quoted.time)
    apart = distance(ours.tip[:n], quoted.tip)
    pulls = float(np.abs(ours.tension[:n] - quoted.tension).max())
    error = study.error(quoted.time, quoted.tip)
    fine = study.run(gauss(published.STEP))
    space, late = distance(ours.tip, fine.tip), float(study.error(fine.time, fine.tip).max())
    mutual = distance(true.at(study.check.time), study.check.at(study.check.time))
    theirs, real = swing(quoted.time, quoted.tip[:, 0]), swing(true.time, true.at(true.time)[:, 0])
    numerical = 1 - real.decay / theirs.decay
    other, long = "the discretisation is another", "steps of 50 ms damp the swing and delay it"
    rows = [
        ("tip as the program has it: Euler, 200 nodes, 50 ms", "0 mm", f"{apart * 1e3:.3f} mm",
         verdict(apart, other, below=TIP_TOLERANCE)),
        ("tension likewise", "0 N", f"{pulls:.4f} N", verdict(pulls, other, below=5e-3)),
        *(
            (f"left of time steps in the finer run, {name}", "-",
             f"{x.fine * 1e3:.4f} mm (with steps twice as long {x.coarse * 1e3:.4f} mm)",
             verdict(x.fine / x.coarse, "steps are too long for second order", "(order 2)",
                     below=0.35))
            for name, x in (("strain modes", true), ("continuous", study.check))
        ),
        ("both formulations in the limit of short steps: they differ by", "0 mm",
         f"{mutual * 1e3:.4f} mm",
         verdict(mutual, "one of them has not converged", below=2e-3 * error.max())),
        ("the program's motion is from the limit", "0 mm",
         f"{error.max() * 1e3:.1f} mm at {quoted.time[error.argmax()]:.2f} s",
         verdict(error.max(), long, below=TIP_TOLERANCE)),
        ("of which space: Euler against gauss6, both with 50 ms", "-", f"{space * 1e3:.1f} mm",
         verdict(space, "Euler is of first order along the rod", below=TIP_TOLERANCE)),
        ("of which time: gauss6 with 50 ms against the limit", "-", f"{late * 1e3:.1f} mm",
         verdict(late, long, below=TIP_TOLERANCE)),
        ("decay of the swing while held", f"{theirs.decay:.3f} 1/s", f"{real.decay:.3f} 1/s",
         verdict(abs(numerical), f"{100 * numerical:.0f} % of the program's damping is numerical",
                 below=SWING_TOLERANCE)),
        ("period of the swing", f"{theirs.period:.3f} s", f"{real.period:.3f} s",
         verdict(abs(1 - real.period / theirs.period), "BDF2 with 50 ms slows the swing down",
                 below=SWING_TOLERANCE)),
    ]  # fmt: skip
    return table(
        "Tip over the ramp of 25 s",
        ("quantity", "program", "Chorda", "verdict"),
        rows,
        "Largest distances of the tip over the whole motion. The limit of short steps is by "
        "Richardson's extrapolation from two runs.",
    )


def distance(a: Array, b: Array) -> float:
    """The largest of points (n, 3) from others [m]."""
    return float(np.linalg.norm(a - b, axis=1).max())


def short_table(study: Study) -> Table:
    """Steps with which single shooting fails, as the tendon starts to be pulled."""
    rows = []
    start, duration = RAMP[0], 0.2 if study.quick else 0.5
    for step in (published.FAILING_STEP, 1e-3, 5e-4):
        for case in (modes(step), Case("euler", step, PAPER_CASE.nodes), gauss(step)):
            made = motion(study.integrated(case, duration, start))
            error = float(study.error(made.time + start, made.tip).max())
            left = "-" if made.residual is None else f"{made.residual:.0e}"
            rows.append(
                (f"{step * 1e3:g} ms", case.label, f"{len(made.time) - 1}", made.status.code, left,
                 f"{error * 1e3:.3f} mm",
                 same(made.status.ok, False, "no march amplifies errors: it works"))
            )  # fmt: skip
    return table(
        "Short steps",
        ("step", "formulation", "steps", "status", "residual", "error of the tip", "verdict"),
        rows,
        f"From {start:g} s, when the tendon is pulled, for {duration:g} s. The public program "
        "(single shooting, derivatives by differences) fails with steps of 6.25 ms and less: what "
        "grows along the rod then takes all digits. Here all nodes are solved for at once. The "
        "residual is the largest of all steps, scaled; strain modes end Newton's method by its "
        "corrections (1e-10) and keep none. What is left with Euler is of its nodes.",
    )


def precision_table(points: list[Point]) -> Table:
    """Error of the tip over the whole ramp against wall time."""
    quoted = points[0]
    return table(
        "Work and precision: the ramp of 25 s",
        ("formulation", "step", "wall time", "largest error", "times real time",
         "beside the program"),
        (
            (x.label, f"{x.step * 1e3:g} ms", seconds(x.wall), f"{x.error * 1e3:.3g} mm",
             published.DURATION / x.wall, "quoted" if x is quoted else _beside(x, quoted))
            for x in points
        ),
        "Error of the tip against the limit of short steps; wall times of this run, best of three "
        "where short, without the building of kernels. The program's 6.7 ms a step are quoted, "
        "from another machine.",
    )  # fmt: skip


def _beside(x: Point, quoted: Point) -> str:
    fast, exact = (
        f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"
        for ratio in (quoted.wall / x.wall, quoted.error / x.error)
    )
    return f"{fast} times as fast, {exact} times as exact"
