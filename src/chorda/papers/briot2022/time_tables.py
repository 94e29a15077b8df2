"""Tables III and VI: seconds for the configurations along the path, by model."""

from statistics import mean

from chorda.numerics.timing import timed
from chorda.papers.briot2022.published import TABLE3_S, TABLE6_S
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, STEPS, RobotStudy
from chorda.papers.verdicts import seconds, table, verdict
from chorda.results import Table
from chorda.statics import follow

PATIENCE = 2.0  # [s] of repeating one path
ELEMENTS = 1000
SLOWER_TIMES = 100.0  # times, at least, that finite differences take


def table3(study: RobotStudy, steps: tuple[int, ...], repeats: int = 10) -> Table:
    rows = []
    for n in steps:
        one, two = _times(study, n, repeats)
        three = study.elements(ELEMENTS, n).seconds
        printed, faster = TABLE3_S[n], three / one
        reason = f"it is {faster:.0f} times here: long steps are divided for the modes"
        rows.append(
            (str(n), seconds(one), seconds(two), seconds(three), f"{faster:.0f}",
             ", ".join(f"{x:g} s" for x in printed), f"{printed[2] / printed[0]:.0f}",
             verdict(min(printed[0] / one, faster / SLOWER_TIMES), reason, above=1))
        )  # fmt: skip
    return table(
        "Table III: RFRFR, seconds for all configurations along the path",
        ("steps", "5 modes", "continuous", f"{ELEMENTS} elements", "elements / modes",
         "printed: 1, 2, 3", "printed 3 / 1", "verdict"),
        rows,
        "Reproduced: the modes are faster than printed (MATLAB, another machine), and finite "
        "differences take more than 100 times as long, as the paper states. The modes run "
        f"compiled, the other two in NumPy. {_stability_note(study)}",
    )  # fmt: skip


def table6(study: RobotStudy, steps: tuple[int, ...], repeats: int = 10) -> Table:
    rows = []
    for n in steps:
        one, two = _times(study, n, repeats)
        printed = TABLE6_S[n]
        rows.append(
            (str(n), seconds(one), seconds(two), f"{two / one:.1f}",
             ", ".join(f"{x:g} s" for x in printed), f"{printed[1] / printed[0]:.1f}",
             verdict(one, "the modes are slower here", below=min(printed[0], two)))
        )  # fmt: skip
    return table(
        "Table VI: 6-RFS, seconds for all configurations along the path",
        ("steps", "5 modes", "continuous", "continuous / modes", "printed: 1, 2",
         "printed 2 / 1", "verdict"),
        rows,
        "Reproduced: the modes are faster than printed and faster than the continuous model. The "
        f"modes run compiled, the continuous model in NumPy. {_stability_note(study)}",
    )  # fmt: skip


def _times(study: RobotStudy, steps: int, repeats: int) -> list[float]:
    """By 5 modes, without stability, and by the continuous model: means, as the paper's."""
    path, frame = study.compiled(steps), study.case.frame
    path()  # builds the kernel
    runs = (lambda: path.poses(frame), study.continuous_run(steps))
    return [mean(timed(run, repeats, PATIENCE)[1]) for run in runs]


def _stability_note(study: RobotStudy) -> str:
    start, hold = study.start(5, CATALOGUE_INTERVALS), study.case.angles(1)
    _, times = timed(lambda: follow(start, hold=hold, points=STEPS, strict=True), 3, PATIENCE)
    text = seconds(mean(times))
    return f"With stability, locked and under constant torque, 50 steps take {text}."
