"""Work and precision: error of the tip over the whole ramp against wall time."""

from dataclasses import dataclass

from chorda.papers.report import Table, seconds
from chorda.papers.till.published import DURATION, STEP, STEP_TIME, program
from chorda.papers.till.study import ALPHA_SCHEME, Case, Study

PROGRAM = "public C++ program, quoted"
HEADER = (
    "formulation", "step", "wall time", "largest error", "times real time", "beside the program",
)  # fmt: skip


@dataclass(frozen=True)
class Point:
    """label: one for each curve; step and wall time [s], largest error of the tip [m]."""

    label: str
    step: float
    wall: float
    error: float


def cases(quick: bool) -> list[Case]:
    """bdf2 of strain modes and the finest steps are left out in a short version."""
    steps = (0.05, 0.025, 0.01, 0.005) if quick else (0.05, 0.025, 0.01, 0.005, 0.0025)
    few = (0.05, 0.025) if quick else (0.05, 0.01)
    return [
        *(Case(ALPHA_SCHEME, h) for h in steps),
        *(Case("bdf2", h) for h in (() if quick else steps)),
        *(Case("euler", h, 200) for h in few),
        *(Case("rk4", h, 41) for h in few[: 1 if quick else 2]),
        *(Case("gauss6", h, 11) for h in few),
        *(
            Case("gauss6", h, 11, -0.4)
            for h in ((0.05, 0.01) if quick else (0.05, 0.01, 0.005, 0.0025))
        ),
    ]


def points(study: Study) -> list[Point]:
    told = program()
    found = [
        Point(PROGRAM, STEP, STEP_TIME * DURATION / STEP, study.error(told.time, told.tip).max())
    ]
    for case in cases(study.quick):
        run = study.run(case)
        found.append(
            Point(case.label, case.step, run.seconds, study.error(run.time, run.tip).max())
        )
    return found


def precision_table(found: list[Point]) -> Table:
    program = found[0]
    rows = tuple(
        (
            x.label,
            f"{x.step * 1e3:g} ms",
            seconds(x.wall),
            f"{x.error * 1e3:.3g} mm",
            f"{DURATION / x.wall:.3g}",
            "quoted" if x is program else _beside(x, program),
        )
        for x in found
    )
    return Table(
        "Work and precision: the ramp of 25 s",
        HEADER,
        rows,
        "Error of the tip against the limit of short steps; wall times of this run, best of three "
        "where short, without the building of kernels. The program's 6.7 ms a step are quoted, "
        "from another machine.",
    )


def _beside(x: Point, program: Point) -> str:
    fast, exact = (
        f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"
        for ratio in (program.wall / x.wall, program.error / x.error)
    )
    return f"{fast} times as fast, {exact} times as exact"
