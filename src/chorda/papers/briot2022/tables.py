"""Tables I, II and IV: errors of the modes and of finite differences, and the text on them."""

from collections.abc import Callable, Mapping

import numpy as np

from chorda.mechanics import Array
from chorda.papers.briot2022 import published
from chorda.papers.briot2022.published import BRANCH, ELEMENTS, KINDS, LARGEST, LEAST, LEGS, MEAN
from chorda.papers.briot2022.robot_study import MODES, RobotStudy
from chorda.papers.comparison import Comparison, Row, not_determined
from chorda.papers.tolerance import below, between, number, printed, unit

TOLERANCE = 0.1  # beyond what rounds to the printed number
MM, MDEG = 1e3, 1e3 * 180 / np.pi
SIMILAR = 2.0  # times: errors that the paper calls similar
TWO_ANGLES = (
    "each printed mean is the average of its least and largest, so they are of two numbers, and "
    "the paper does not say which"
)
JUDGED = "A printed number stands for all that are rounded to it, and the tolerance is beyond. "
Errors = Callable[[int], Array]


def three(error: Array) -> dict[str, float]:
    """Least, largest and mean."""
    return {LEAST: float(error.min()), LARGEST: float(error.max()), MEAN: float(error.mean())}


def table1(study: RobotStudy) -> Comparison:
    rows = compared("{} modes, position", published.TABLE1_MM, _mm(study), "mm", (BRANCH,), study)
    for modes in MODES:
        error = three(MDEG * study.inverse_error(modes))
        rows += [
            not_determined(
                f"{modes} modes, motor angle, {kind}", f"{text} mdeg", error[kind], TWO_ANGLES,
                shown=unit("mdeg"),
            )
            for kind, text in zip(KINDS, published.TABLE1_MDEG[modes], strict=True)
        ]  # fmt: skip
    rows.append(
        Row("5 modes: the mean is lower than 30 microns", "< 0.03 mm", rows[8].value, below(0.03),
            shown=unit("mm"), helped_by=(BRANCH,))
    )  # fmt: skip
    return Comparison(
        "Table I: RFRFR, errors of the modes against the continuous model, 51 configurations",
        rows,
        JUDGED + "Both models are converged here; the next table has them as published. The "
        "straight line of eq. 61 leaves the branch of equilibria on its way: motor angles here are "
        "of both motors at the 51 positions where the continuous model has the pin.",
    )


def table1_as_published(study: RobotStudy, modes: tuple[int, ...]) -> Comparison:
    """With the paper's integrator, tolerances and solver, in both models."""
    texts = {n: published.TABLE1_MM[n] for n in modes}
    helped = (BRANCH, published.SOLVERS)
    rows = compared(
        "{} modes, position", texts, lambda n: MM * study.published_error(n), "mm", helped, study
    )
    return Comparison(
        "Table I as published: ode45 and Levenberg-Marquardt in both models",
        rows,
        f"{JUDGED}Integrated so, the continuous model is up to {_reference(study)} from where its "
        "converged solution has the pin.",
    )


def table2(study: RobotStudy, counts: tuple[int, ...]) -> Comparison:
    texts = {count: published.TABLE2_MM[count] for count in counts}
    helped = (BRANCH, ELEMENTS)
    rows = compared(
        "{} elements, position", texts, lambda n: MM * study.element_error(n), "mm", helped
    )
    if 1000 in counts:
        ratio = study.element_error(1000).mean() / study.error(4).mean()
        rows.append(
            Row("1000 elements have an error similar to that of 4 modes: ratio of means",
                "similar", float(ratio), between(1 / SIMILAR, SIMILAR), helped_by=helped)
        )  # fmt: skip
    return Comparison(
        "Table II: RFRFR, errors of finite differences against the continuous model", rows, JUDGED
    )


def table4(study: RobotStudy, planar: RobotStudy) -> Comparison:
    rows = compared("{} modes, position", published.TABLE4_MM, _mm(study), "mm", (LEGS,), planar)
    rows += compared(
        "{} modes, angle", published.TABLE4_DEG, lambda n: np.degrees(study.turn_error(n)), "deg",
        (LEGS,),
    )  # fmt: skip
    position, angle = rows[8].value, rows[17].value
    for text, value, limit, name in (
        ("the mean position error is lower than 40 microns", position, 0.04, "mm"),
        ("the accuracy is 50 microns (conclusions)", position, 0.05, "mm"),
        ("the mean angular error is lower than 0.01 deg", angle, 0.01, "deg"),
    ):
        rows.append(
            Row(f"5 modes: {text}", f"< {limit:g} {name}", value, below(limit),
                shown=unit(name), helped_by=(LEGS,))
        )  # fmt: skip
    return Comparison(
        "Table IV: 6-RFS, errors of the modes against the continuous model, 51 configurations",
        rows,
        JUDGED + "Angles as the paper defines them, the norm of vee(R1^T R2 - R2^T R1), which is "
        "twice the sine of the angle between the two: halve them for angles.",
    )


def compared(
    label: str,
    texts: Mapping[int, tuple[str, ...]],
    error: Errors,
    name: str,
    helped_by: tuple[str, ...],
    resolving: RobotStudy | None = None,
) -> list[Row]:
    """By number of modes or elements, for which the label has room; name: of the unit.

    resolving: the robot that shows what the paper's integration resolves, where that is known.
    """
    return [
        Row(f"{label.format(n)}, {kind}", f"{text} {name}", x, printed(text, TOLERANCE),
            shown=unit(name) if x >= 1e-2 else unit(name, digits=".2e"),
            why=_unresolved(resolving, float(text)), helped_by=helped_by)
        for n, kinds in texts.items()
        for (kind, x), text in zip(three(error(n)).items(), kinds, strict=True)
    ]  # fmt: skip


def _mm(study: RobotStudy) -> Errors:
    return lambda n: MM * study.error(n)


def _unresolved(study: RobotStudy | None, printed_mm: float) -> str:
    """The reason of a difference below what ode45 resolves."""
    if study is None or printed_mm > MM * study.published_reference_error:
        return ""
    return f"integrated as published, the RFRFR's reference itself is up to {_reference(study)} off"


def _reference(study: RobotStudy) -> str:
    return f"{number(MM * study.published_reference_error)} mm"
