"""Table V: errors of the motor angles, motor by motor, and the text on them."""

import numpy as np

from chorda.mechanics import Array
from chorda.papers.briot2022.published import (
    KINDS,
    LARGEST,
    LEAST,
    LEGS,
    MEAN,
    NEAREST,
    TABLE5_MDEG,
)
from chorda.papers.briot2022.robot_study import RobotStudy
from chorda.papers.briot2022.tables import JUDGED, MDEG, TOLERANCE, three
from chorda.papers.comparison import Comparison, Row
from chorda.papers.tolerance import below, count, equal, printed, unit

HELPED = (LEGS, NEAREST)
OTHERS = "mean of all but the largest"
MEAN_LIMIT, PEAK = 20.0, "170"  # [mdeg] of the text: below 0.02 degrees, 0.17 degrees


def table5(study: RobotStudy) -> Comparison:
    """Motor by motor."""
    change = MDEG * study.inverse_change(5)
    error, rows = np.abs(change), list[Row]()
    for k, motor in enumerate(study.case.motors):
        found = three(error[:, k])
        texts = {kind: TABLE5_MDEG[kind][k] for kind in KINDS}
        why = _whys(change[:, k])
        rows += [
            _row(f"{motor}, {kind}", texts[kind], found[kind], why.get(kind, "")) for kind in KINDS
        ]
        # what is left of the sum without the largest, of the paper's numbers too
        ours, theirs = (_others(x, len(error)) for x in (found, texts))
        rows.append(_row(f"{motor}, {OTHERS}", f"{theirs:.2f}", ours))
    means, at = error.mean(axis=0), int(np.argmax(error.max(axis=0)))
    shown = unit("mdeg")
    rows += [
        Row("the mean of every motor is below 0.02 degrees", "< 20 mdeg", float(means.max()),
            below(MEAN_LIMIT), shown=shown, helped_by=HELPED),
        Row("the peak is of motor", 6, at + 1, equal(6), shown=count, helped_by=HELPED),
        Row("the peak is 0.17 degrees", f"{PEAK} mdeg", float(error.max()),
            printed(PEAK, TOLERANCE), shown=shown, helped_by=HELPED),
    ]  # fmt: skip
    return Comparison(
        "Table V: 6-RFS, errors of the motor angles with 5 modes, poses of the continuous model",
        rows,
        JUDGED + _in_itself(),
    )


def _whys(change: Array) -> dict[str, str]:
    """Where the least and the largest are, and whether the least is next to a change of sign."""
    least, peak = int(np.argmin(np.abs(change))), int(np.argmax(np.abs(change)))
    beside = change[max(least - 1, 0) : least + 2]
    passes = f"the error passes zero near configuration {least}, and what is left there is chance"
    whys = {LARGEST: f"the largest is at configuration {peak}"}
    return whys | ({LEAST: passes} if beside.min() < 0 < beside.max() else {})


def _others(numbers: dict[str, float] | dict[str, str], total: int) -> float:
    return (total * float(numbers[MEAN]) - float(numbers[LARGEST])) / (total - 1)


def _row(label: str, text: str, found: float, why: str = "") -> Row:
    shown = unit("mdeg") if found >= 1e-2 else unit("mdeg", digits=".2e")
    tolerance = printed(text, TOLERANCE)
    return Row(label, f"{text} mdeg", found, tolerance, shown=shown, why=why, helped_by=HELPED)


def _in_itself() -> str:
    """The paper's table against its own text."""
    mean = max(float(x) for x in TABLE5_MDEG[MEAN])
    peak = max(float(x) for x in TABLE5_MDEG[LARGEST])
    kept = "keeps" if mean < MEAN_LIMIT else "breaks"
    return (
        f"The paper in itself: its largest mean, {mean:g} mdeg of motor 6, {kept} its text's "
        f"'below 0.02 degrees'; its peak of {peak:g} mdeg is {peak / 1e3:.2f} degrees, where the "
        f"text has 0.17. What is called {OTHERS} is of the paper's by its mean and largest."
    )
