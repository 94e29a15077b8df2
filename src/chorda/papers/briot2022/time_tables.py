"""Tables III and VI: seconds for the configurations along the path, by model; not judged."""

from statistics import mean

from chorda.numerics.timing import timed
from chorda.papers.briot2022.published import TABLE3_S, TABLE6_S
from chorda.papers.briot2022.robot_study import RobotStudy
from chorda.papers.tolerance import seconds
from chorda.results import Table

PATIENCE = 2.0  # [s] of repeating one path
ELEMENTS = 1000
NOT_JUDGED = (
    "Not judged: the paper's times are of MATLAB on another machine, and here the modes run "
    "compiled and the other models in NumPy. The next table counts operations."
)


def table3(study: RobotStudy, steps: tuple[int, ...], repeats: int = 10) -> Table:
    rows = []
    for n in steps:
        times = [*_times(study, n, repeats), study.elements(ELEMENTS, n).seconds]
        rows.append((str(n), *map(seconds, times), *(f"{x:g} s" for x in TABLE3_S[n])))
    return Table(
        "Table III: RFRFR, seconds for all configurations along the path",
        ("steps", "5 modes", "continuous", f"{ELEMENTS} elements",
         "paper: 5 modes", "paper: continuous", f"paper: {ELEMENTS} elements"),
        tuple(rows), NOT_JUDGED,
    )  # fmt: skip


def table6(study: RobotStudy, steps: tuple[int, ...], repeats: int = 10) -> Table:
    rows = [
        (str(n), *map(seconds, _times(study, n, repeats)), *(f"{x:g} s" for x in TABLE6_S[n]))
        for n in steps
    ]
    return Table(
        "Table VI: 6-RFS, seconds for all configurations along the path",
        ("steps", "5 modes", "continuous", "paper: 5 modes", "paper: continuous"),
        tuple(rows), NOT_JUDGED.removesuffix(" The next table counts operations."),
    )  # fmt: skip


def _times(study: RobotStudy, steps: int, repeats: int) -> list[float]:
    """By 5 modes, without stability, and by the continuous model: means, as the paper's."""
    path, frame = study.compiled(steps), study.case.frame
    path()  # builds the kernel
    runs = (lambda: path.poses(frame), study.continuous_run(steps))
    return [mean(timed(run, repeats, PATIENCE)[1]) for run in runs]
