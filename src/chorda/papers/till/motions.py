"""The tip over the 25 s ramp: the program's numbers, the truth, and short steps."""

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.signal import find_peaks

from chorda.mechanics import Array
from chorda.papers.report import Table, differs, verdict
from chorda.papers.till.published import FAILS, RAMP, STEP, program
from chorda.papers.till.study import PAPER, Case, Study, Truth, continuous, gauss, modes, motion

LIKE = 3e-4  # [m] within which the program's motion is called the same: its solver's tolerance
MILLI = 1e3
WORKS = "no march amplifies errors: it works"
AFTER = 0.1  # [s] after the ramp, where its own motion is over


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
    fine = np.arange(within[0] + AFTER, within[1], 1e-3)
    y = CubicSpline(time, x)(fine)
    at = np.sort(np.concatenate([find_peaks(y)[0], find_peaks(-y)[0]]))
    size, when = np.abs(np.diff(y[at])) / 2, (fine[at][1:] + fine[at][:-1]) / 2
    large = np.logical_and.accumulate(size > small)
    slope = np.polyfit(when[large], np.log(size[large]), 1)[0]
    return Swing(float(-slope), float(2 * np.mean(np.diff(fine[at])[large])))


def motion_table(study: Study) -> Table:
    """The program, both limits, and the parts of the program's error."""
    told, ours, true = program(), study.run(PAPER), study.truth
    assert ours.tension is not None
    n = len(told.time)
    apart = float(np.linalg.norm(ours.tip[:n] - told.tip, axis=1).max())
    pulls = float(np.abs(ours.tension[:n] - told.tension).max())
    error = study.error(told.time, told.tip)
    fine = study.run(gauss(STEP))
    space = float(np.linalg.norm(ours.tip - fine.tip, axis=1).max())
    late = float(study.error(fine.time, fine.tip).max())
    mutual = between(study.truth, study.check)
    published, real = swing(told.time, told.tip[:, 0]), swing(true.time, true.at(true.time)[:, 0])
    same = "steps of 50 ms damp the swing and delay it"
    rows = [
        ("tip as the program has it: Euler, 200 nodes, 50 ms", "0 mm", f"{apart * MILLI:.3f} mm",
         verdict(apart < LIKE, "the discretisation is another")),
        ("tension likewise", "0 N", f"{pulls:.4f} N",
         verdict(pulls < 5e-3, "the discretisation is another")),
        *(
            (f"left of time steps in the finer run, {name}", "-",
             f"{x.fine * MILLI:.4f} mm (with steps twice as long {x.coarse * MILLI:.4f} mm)",
             verdict(x.fine < 0.35 * x.coarse, "steps are too long for second order", "(order 2)"))
            for name, x in (("strain modes", study.truth), ("continuous", study.check))
        ),
        ("both formulations in the limit of short steps: they differ by", "0 mm",
         f"{mutual * MILLI:.4f} mm",
         verdict(mutual < 2e-3 * error.max(), "one of them has not converged")),
        ("the program's motion is from the limit", "0 mm",
         f"{error.max() * MILLI:.1f} mm at {told.time[error.argmax()]:.2f} s", differs(same)),
        ("of which space: Euler against gauss6, both with 50 ms", "-", f"{space * MILLI:.1f} mm",
         differs("Euler is of first order along the rod")),
        ("of which time: gauss6 with 50 ms against the limit", "-", f"{late * MILLI:.1f} mm",
         differs(same)),
        ("decay of the swing while held", f"{published.decay:.3f} 1/s", f"{real.decay:.3f} 1/s",
         differs(f"{100 * (1 - real.decay / published.decay):.0f} % of the program's damping is "
                 "numerical")),
        ("period of the swing", f"{published.period:.3f} s", f"{real.period:.3f} s",
         differs("BDF2 with 50 ms slows the swing down")),
    ]  # fmt: skip
    return Table(
        "Tip over the ramp of 25 s",
        ("quantity", "program", "Chorda", "verdict"),
        tuple(rows),
        "Largest distances of the tip over the whole motion. The limit of short steps is by "
        "Richardson's extrapolation from two runs.",
    )


def between(a: Truth, b: Truth) -> float:
    """Largest distance of two limits [m], at times that both know."""
    return float(np.linalg.norm(a.at(b.time) - b.at(b.time), axis=1).max())


def short_table(study: Study) -> Table:
    """Steps with which single shooting fails, as the tendon starts to be pulled."""
    rows = []
    start, duration = RAMP[0], 0.2 if study.quick else 0.5
    for step in (FAILS, 1e-3, 5e-4):
        for case in (modes(step), Case("euler", step, PAPER.nodes), gauss(step)):
            made = motion(
                continuous(study.robot, case, duration, start)
                if case.nodes
                else study.strain_run(case, duration, start)
            )
            error = float(study.error(made.time + start, made.tip).max())
            left = "-" if made.residual is None else f"{made.residual:.0e}"
            rows.append(
                (
                    f"{step * MILLI:g} ms",
                    case.label,
                    f"{len(made.time) - 1}",
                    made.status.code,
                    left,
                    f"{error * MILLI:.3f} mm",
                    differs(WORKS if made.status.ok else "a step has failed"),
                )
            )
    return Table(
        "Short steps",
        ("step", "formulation", "steps", "status", "residual", "error of the tip", "verdict"),
        tuple(rows),
        f"From {start:g} s, when the tendon is pulled, for {duration:g} s. The public program "
        "(single shooting, derivatives by differences) fails with steps of 6.25 ms and less: what "
        "grows along the rod then takes all digits. Here all nodes are solved for at once. The "
        "residual is the largest of all steps, scaled; strain modes end Newton's method by its "
        "corrections (1e-10) and keep none. What is left with Euler is of its nodes.",
    )
