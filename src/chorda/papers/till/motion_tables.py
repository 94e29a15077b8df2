"""The tip over the ramp of 25 s: what the chapter states, the program's motion, short steps."""

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.signal import find_peaks

from chorda.mechanics import Array
from chorda.papers.comparison import Comparison, Row, not_determined, own_check
from chorda.papers.till import published
from chorda.papers.till.published import PULLED, RAMP
from chorda.papers.till.study import PAPER_CASE, Case, Motion, Study, gauss, modes, motion
from chorda.papers.till.tables import METRES, NEWTONS, WHOSE
from chorda.papers.tolerance import YES, above, at_most, below, percent, unit, within, words
from chorda.results import Table
from chorda.statics import equilibrium

TIP_TOLERANCE = 3e-4  # [m] of the program's solver: motions within it are the same
TENSION_TOLERANCE = 5e-3  # [N] likewise
SETTLING_TIME = 0.1  # [s] after the ramp, where its own motion is over
LAST_SECONDS = 1.0  # [s] before the release, in which the arm approaches its steady state
STEADY_SWING = 0.01  # part of the way up that may be left of the swing there
LIMIT_GAP = 2e-3  # of the program's error: what the limits of both formulations may differ by


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


def distance(a: Array, b: Array) -> float:
    """The largest of points (n, 3) from others [m]."""
    return float(np.linalg.norm(a - b, axis=1).max())


def chapter_table(study: Study) -> Comparison:
    """What the chapter states of the ramp: in its own steps, and in the limit of short ones."""
    ours, true = study.run(PAPER_CASE), study.truth
    runs = {
        "Euler, 200 nodes, 50 ms": (ours.time, ours.tip[:, 0]),
        "limit of short steps": (true.time, true.at(true.time)[:, 0]),
    }
    held = equilibrium(study.system, inputs=[PULLED], strict=True).frame("rod.tip")[0][0]
    rows, shown = [], runs["limit of short steps"][1]
    for name, (time, x) in runs.items():
        end = x[(time > RAMP[2] - LAST_SECONDS) & (time < RAMP[2])]
        rest = float((end.max() + end.min()) / 2)  # Euler's nodes have another one
        left = float(np.ptp(end)) / 2 / (rest - x[0])
        rows += [
            Row(f"the pulled tendon raises the arm: {name}", "chapter: 'to raise the arm'",
                rest - float(x[0]), above(0.0), shown=METRES),
            Row(f"swing before the release, over the way up: {name}",
                "chapter: 'approaching steady-state'", left, at_most(STEADY_SWING), shown=percent,
                helped_by=("steady",)),
        ]  # fmt: skip
    rows.append(
        not_determined(
            "plot of the tip's x over time: highest point", "chapter: a figure",
            float(shown.max()), "the text has no numbers of it", shown=unit("m"),
        )
    )  # fmt: skip
    return Comparison(
        "The ramp: what the chapter states",
        rows,
        f"Held at {PULLED * 1e3:g} mm, strain modes have the tip at rest at x = {held:.4f} m. The "
        f"swing is half the range of x in the last {LAST_SECONDS:g} s before the release.",
        paper=WHOSE,
    )


def motion_table(study: Study) -> Comparison:
    """The program's motion, and the limits of short steps by both formulations."""
    quoted, ours, true = published.program(), study.run(PAPER_CASE), study.truth
    assert ours.tension is not None
    n = len(quoted.time)
    error = study.error(quoted.time, quoted.tip)
    mutual = distance(true.at(study.check.time), study.check.at(study.check.time))
    beside = "Euler, 200 nodes, 50 ms"
    rows = (
        own_check(f"tip, {beside}: away by", distance(ours.tip[:n], quoted.tip),
                  below(TIP_TOLERANCE), expected="program: its motion", shown=METRES),
        own_check(f"tension, {beside}: away by",
                  float(np.abs(ours.tension[:n] - quoted.tension).max()),
                  below(TENSION_TOLERANCE), expected="program: its motion", shown=NEWTONS),
        *(own_check(f"observed order in time, {name}", x.order, within(2.0, absolute=0.2),
                    expected=2.0)
          for name, x in (("strain modes", true), ("continuous", study.check))),
        own_check("both formulations in the limit of short steps: away by", mutual,
                  below(LIMIT_GAP * float(error.max())), shown=METRES),
    )  # fmt: skip
    return Comparison(
        "Tip over the ramp of 25 s",
        rows,
        "Largest distances over the whole motion. The limit of short steps is by Richardson's "
        "extrapolation from two runs; the order is that of three. Limits may differ by "
        f"{percent(LIMIT_GAP)} of what the program's steps cost.",
        paper=WHOSE,
    )


def cost_table(study: Study) -> Table:
    """What the program's steps and nodes cost."""
    quoted, ours, true = published.program(), study.run(PAPER_CASE), study.truth
    error, fine = study.error(quoted.time, quoted.tip), study.run(gauss(published.STEP))
    space, late = distance(ours.tip, fine.tip), float(study.error(fine.time, fine.tip).max())
    theirs, real = swing(quoted.time, quoted.tip[:, 0]), swing(true.time, true.at(true.time)[:, 0])
    rows = (
        ("program's motion from the limit", f"{error.max() * 1e3:.1f} mm",
         f"at {quoted.time[error.argmax()]:.2f} s"),
        ("of nodes: Euler's 200 against gauss6, both 50 ms", f"{space * 1e3:.1f} mm", ""),
        ("of steps: gauss6 with 50 ms against the limit", f"{late * 1e3:.1f} mm", ""),
        ("decay of the swing while held: program", f"{theirs.decay:.3f} 1/s", ""),
        ("decay: limit", f"{real.decay:.3f} 1/s",
         f"{percent(1 - real.decay / theirs.decay)} of the program's is of its steps"),
        ("period of the swing: program", f"{theirs.period:.3f} s", ""),
        ("period: limit", f"{real.period:.3f} s", ""),
    )  # fmt: skip
    return Table("What the program's nodes and steps cost", ("quantity", "value", "remark"), rows)


def short_table(study: Study) -> Comparison:
    """Steps with which single shooting fails, by formulations that do not march."""
    rows, start, duration = [], RAMP[0], 0.2 if study.quick else 0.5
    for step in (published.FAILING_STEP, 1e-3, 5e-4):
        for case in (modes(step), Case("euler", step, PAPER_CASE.nodes), gauss(step)):
            made: Motion = motion(study.integrated(case, duration, start))
            error = float(study.error(made.time + start, made.tip).max())
            left = "-" if made.residual is None else f"{made.residual:.0e}"
            rows.append(
                own_check(
                    f"{step * 1e3:g} ms, {case.label}", float(made.status.ok), YES,
                    expected="program: fails", shown=words("fails", "completes"),
                    beside=(str(len(made.time) - 1), left, f"{error * 1e3:.3f} mm"),
                )
            )  # fmt: skip
    return Comparison(
        "Short steps without a march",
        rows,
        f"From {start:g} s, when the tendon is pulled, for {duration:g} s. The residual is the "
        "largest of all steps, scaled; strain modes end Newton's method by its corrections and "
        "keep none. The error of the tip is from the limit of short steps.",
        columns=("steps", "residual", "error of the tip"),
        first="step and formulation",
        paper=WHOSE,
    )
