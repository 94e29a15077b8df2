"""Tables III and VI: seconds for the configurations along the path, by model."""

import time
from collections.abc import Callable

import numpy as np

from chorda.continuous.assembly import follow as follow_continuous
from chorda.mechanics.posing import frame_poses
from chorda.papers.briot2022.published import TABLE3_S, TABLE6_S
from chorda.papers.briot2022.study import AS_LOADED, STEPS, Study
from chorda.papers.report import Table, seconds, verdict
from chorda.statics import follow
from chorda.statics.branch import solve_along, state_of
from chorda.statics.follow import problem_from
from chorda.statics.prescribe import read
from chorda.statics.targets import along

SLOW = 1.0  # [s] what takes longer is run twice
ELEMENTS = 1000
SLOWER = 100.0  # times, at least, that finite differences take


def timed(run: Callable[[], object], repeats: int) -> float:
    """Mean seconds."""
    begin = time.perf_counter()
    run()
    first = time.perf_counter() - begin
    if first > SLOW:
        repeats = min(repeats, 2)
    begin = time.perf_counter()
    for _ in range(repeats - 1):
        run()
    return (time.perf_counter() - begin + first) / repeats


def by_modes(study: Study, steps: int) -> Callable[[], object]:
    """Mod. 1 with 5 modes: configurations and the end's poses, without verdicts on stability."""
    subject, start = study.subject, study.start(5, AS_LOADED)
    rows = [subject.angles(k / steps) for k in range(steps + 1)]
    hold = {name: np.array([row[name] for row in rows]) for name in subject.motors}
    request = read(start.system, start.parameters, hold=hold)
    problem, values = problem_from(start, request, subject.motors)
    targets = along(problem.prescription, values, np.zeros(0), steps)
    x = state_of(problem, start)

    def run() -> object:
        found = solve_along(problem, x, targets[0], targets)
        found.status.raise_unless_ok()
        q = problem.parts(found.states)[0]
        return frame_poses(problem.system, [subject.end], q, problem.p)

    run()  # builds the kernel
    return run


def with_stability(study: Study, steps: int) -> Callable[[], object]:
    start, hold = study.start(5, AS_LOADED), study.subject.angles(1)
    return lambda: follow(start, hold=hold, points=steps, strict=True)


def continuous(study: Study, steps: int) -> Callable[[], object]:
    """Mod. 2 from its first configuration, which is known."""
    subject = study.subject
    hold = [subject.angles(k / steps) for k in range(steps + 1)]
    return lambda: follow_continuous(
        study.robot, hold=hold, initial=study.continuous[0], strict=True
    )


def table3(study: Study, steps: tuple[int, ...], repeats: int = 10) -> Table:
    rows = []
    for n in steps:
        one, two = (timed(way(study, n), repeats) for way in (by_modes, continuous))
        three = study.elements(ELEMENTS, n).seconds
        told = TABLE3_S[n]
        faster = three / one
        rows.append(
            (
                str(n), *(seconds(x) for x in (one, two, three)), f"{faster:.0f}",
                ", ".join(f"{x:g} s" for x in told), f"{told[2] / told[0]:.0f}",
                verdict(one < told[0] and faster > SLOWER,
                        f"it is {faster:.0f} times here: long steps are divided for the modes"),
            )
        )  # fmt: skip
    return Table(
        "Table III: RFRFR, seconds for all configurations along the path",
        (
            "steps", "5 modes", "continuous", f"{ELEMENTS} elements", "elements / modes",
            "printed: 1, 2, 3", "printed 3 / 1", "verdict",
        ),
        tuple(rows),
        "Reproduced: the modes are faster than printed (MATLAB, another machine), and finite "
        "differences take more than 100 times as long, as the paper states. The modes run "
        f"compiled, the other two in NumPy. Verdicts on stability come on top of the modes: "
        f"{seconds(timed(with_stability(study, STEPS), 3))} for 50 steps with both of them.",
    )  # fmt: skip


def table6(study: Study, steps: tuple[int, ...], repeats: int = 10) -> Table:
    rows = []
    for n in steps:
        one, two = (timed(way(study, n), repeats) for way in (by_modes, continuous))
        told = TABLE6_S[n]
        rows.append(
            (
                str(n), seconds(one), seconds(two), f"{two / one:.1f}",
                ", ".join(f"{x:g} s" for x in told), f"{told[1] / told[0]:.1f}",
                verdict(one < told[0] and one < two, "the modes are slower here"),
            )
        )  # fmt: skip
    return Table(
        "Table VI: 6-RFS, seconds for all configurations along the path",
        (
            "steps", "5 modes", "continuous", "continuous / modes", "printed: 1, 2",
            "printed 2 / 1", "verdict",
        ),
        tuple(rows),
        "Reproduced: the modes are faster than printed and faster than the continuous model. The "
        "modes run compiled, the continuous model in NumPy. Verdicts on stability come on top: "
        f"{seconds(timed(with_stability(study, STEPS), 2))} for 50 steps with both of them.",
    )  # fmt: skip
