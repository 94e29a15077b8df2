"""The two continuum parallel robots of Briot2022 moved along their printed paths.

The motors turn through the 51 configurations that `equilibria.py` solves at rest, in a slow and in
a fast motion (`EquilibriumPath.inputs` is the law in time). Times are those of whole calls of
`simulate`, its kernel compiled. How far a motion is from the configurations at rest is what its
speed makes of it; the error of its steps is estimated beside it.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.interpolate import CubicSpline

from chorda.bench.groups import Group, at_most, ms
from chorda.dynamics import simulate
from chorda.mechanics.posing import frame_poses
from chorda.numerics.timing import best_in_turns, seconds
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, RobotStudy
from chorda.papers.briot2022.robots import PLANAR, SPATIAL
from chorda.results import Run, Table

MODES = 5  # a bending and leg
SLOW, FAST = 10.0, 0.5  # [s]
STEPS = 1000


@dataclass(frozen=True, eq=False)
class AlongPath:
    """A robot led along its printed path in so many seconds."""

    study: RobotStudy
    duration: float

    def __call__(self) -> Run:
        path = self.study.path(MODES, CATALOGUE_INTERVALS)
        return simulate(
            path.system,
            duration=self.duration,
            step=self.duration / STEPS,
            initial=path.at(0),
            inputs=path.inputs(self.duration),
            strict=True,
        )

    def away(self, run: Run) -> float:
        """Largest distance of the frame that is compared from where it is at rest with the same
        angles of the motors [m]."""
        path = self.study.path(MODES, CATALOGUE_INTERVALS)
        frame, row = self.study.case.frame, path.system.coordinate_names.index("motor1")
        angle, ends = run.position[:, row], path.q[[0, -1], row]
        share = (angle - ends[0]) / (ends[1] - ends[0])  # the printed path is a straight one
        there = CubicSpline(path.parameter, path.frame(frame)[0])(share)
        here = frame_poses(run.system, [frame], run.position, run.parameters)[1][:, 0]
        return float(np.max(np.linalg.norm(here - there, axis=1)))


def parallel_motion_group(quick: bool, repeats: int) -> Group:
    """Both robots, slow and fast, in turns; quick: the planar one alone."""
    studies = [RobotStudy(case) for case in ((PLANAR,) if quick else (PLANAR, SPATIAL))]
    moving = {(s.case.name, t): AlongPath(s, t) for s in studies for t in (SLOW, FAST)}
    runs = {key: move() for key, move in moving.items()}  # compiles
    turns = {key: partial(seconds, move) for key, move in moving.items()}
    best = best_in_turns(turns, repeats)
    rows, data = [], []
    for (name, duration), run in runs.items():
        t, error = best[name, duration], run.accuracy.time
        away = moving[name, duration].away(run)
        wrong = float("nan") if error is None else error.position
        rows.append(
            (name, f"{duration:g} s", ms(t), f"{t / duration:.3g}",
             f"{run.counts['iterations'] / STEPS:.1f}", f"{run.counts['matrices'] / STEPS:.2f}",
             f"{wrong * 1e3:.2g} mm", f"{away * 1e3:.3g} mm")
        )  # fmt: skip
        data.append({"robot": name, "duration": duration, "seconds": t, "error": wrong,
                     "away": away})  # fmt: skip
    table = Table(
        "Motions along the paths of Briot2022",
        ("robot", "motion", "time", "of the motion", "iterations a step", "matrices a step",
         "error", "from rest"),
        tuple(rows),
        f"{MODES} modes a bending and leg, {STEPS} steps of BDF2, whole calls of simulate. error: "
        "of the steps, as estimated; from rest: how far the motion is at most from the "
        "configurations at rest with the same motor angles.",
    )  # fmt: skip
    seen = best.get(("6-rfs", SLOW))
    target = at_most("6-rfs, 5 + 5 modes, 10 s of motion", SLOW, seen, "s")
    return Group(table, (target,), {"parallel_motions": data})
