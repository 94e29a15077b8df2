"""Tables I, II, IV and V: errors of the modes and of finite differences; and how modes converge."""

from collections.abc import Callable, Mapping

import numpy as np

from chorda.mechanics import Array
from chorda.papers.briot2022 import published
from chorda.papers.briot2022.robot_study import MODES, STEPS, RobotStudy
from chorda.papers.verdicts import NOT_DETERMINED, table, verdict
from chorda.results import Table

KINDS = LEAST, LARGEST, MEAN = published.KINDS
HEADER = ("error", "", "here", "printed", "away", "verdict")
TOLERANCE = 0.1
MM, MDEG = 1e3, 1e3 * 180 / np.pi
FINE_MODES = 20, 60  # modes and intervals with which positions are shown
PIN_TOLERANCE = 1e-8  # [m] of the known positions
SPECTRAL_ERROR = 1e-9  # [m] that the error falls to
RESOLVED = "it is less than what the paper's reference resolves (ode45, tolerance 1e-3)"
UNKNOWN = "of something that the paper does not tell"
SIGN = "the least is where an error happens to change its sign near a configuration"
JUDGED = (
    "Reproduced: within 10 % of a number that is printed so (0.13 stands for 0.125 to 0.135); "
    "'away' is the rest. "
)
Row = tuple[str | float, ...]


def three(error: Array) -> dict[str, float]:
    """Least, largest and mean."""
    return {LEAST: float(error.min()), LARGEST: float(error.max()), MEAN: float(error.mean())}


def table1(study: RobotStudy) -> Table:
    rows = _rows("{} modes, position [mm]", published.TABLE1_MM, lambda n: MM * study.error(n))
    for modes in MODES:
        error = three(MDEG * study.inverse_error(modes))
        label = f"{modes} modes, motor angle [mdeg]"
        rows += [
            (label, kind, error[kind], printed, "", NOT_DETERMINED)
            for kind, printed in zip(KINDS, published.TABLE1_MDEG[modes], strict=True)
        ]
    return table(
        "Table I: RFRFR, errors of the modes against the continuous model, 51 configurations",
        HEADER,
        rows,
        JUDGED + "Motor angles: each printed mean is the average of its least and largest, so they "
        "are of two numbers, and the paper does not say which. The straight line of eq. 61 leaves "
        "the branch of equilibria on its way. Here they are of both motors at the 51 positions "
        "where the continuous model has the pin.",
    )


def table2(study: RobotStudy, counts: tuple[int, ...]) -> Table:
    printed = {count: published.TABLE2_MM[count] for count in counts}
    rows = _rows("{} elements, position [mm]", printed, lambda n: MM * study.element_error(n))
    return table(
        "Table II: RFRFR, errors of finite differences against the continuous model",
        HEADER,
        rows,
        JUDGED + "Explicit Euler along the legs; the energy of the elements is stationary.",
    )


def table4(study: RobotStudy) -> Table:
    rows = _rows("{} modes, position [mm]", published.TABLE4_MM, lambda n: MM * study.error(n))
    rows += _rows(
        "{} modes, angle [deg]", published.TABLE4_DEG, lambda n: np.degrees(study.turn_error(n))
    )
    return table(
        "Table IV: 6-RFS, errors of the modes against the continuous model, 51 configurations",
        HEADER,
        rows,
        JUDGED + "Angles as the paper defines them, the norm of vee(R1^T R2 - R2^T R1), which is "
        "twice the sine of the angle between the two: halve them for angles.",
    )


def table5(study: RobotStudy) -> Table:
    """Motor by motor."""
    error = MDEG * study.inverse_error(5)
    worst, count = int(np.argmax(error.max(axis=1))), len(error)
    rows = []
    for k, motor in enumerate(study.case.motors):
        found = three(error[:, k])
        printed = {kind: published.TABLE5_MDEG[kind][k] for kind in KINDS}
        peak, label = int(np.argmax(error[:, k])), f"{motor} [mdeg]"
        singular = f"configuration {peak} is near a singularity, where small differences count"
        reason = singular if peak == worst else f"{UNKNOWN}, at configuration {peak}"
        rows += [
            _row(label, kind, found[kind], printed[kind], SIGN if kind == LEAST else reason)
            for kind in KINDS
        ]
        # what is left of the sum without the largest, of the paper's numbers too
        mine, theirs = (
            (count * float(x[MEAN]) - float(x[LARGEST])) / (count - 1) for x in (found, printed)
        )
        rows.append(_row(label, "mean of the others", mine, f"{theirs:.2f}", UNKNOWN))
    calm = error[: 2 * count // 3].max()
    return table(
        "Table V: 6-RFS, errors of the motor angles with 5 modes, poses of the continuous model",
        HEADER,
        rows,
        JUDGED + f"As in the paper, errors peak near a singularity: at configuration {worst} of "
        f"50, against at most {calm:.3g} mdeg over the first two thirds. 'The others' are all but "
        "the largest; of the paper's, by its mean and largest. Near the singularity the inverse "
        "problem has two solutions that are near; each configuration starts from the one with the "
        "same motor angles.",
    )


def _rows(
    label: str, printed: Mapping[int, tuple[str, ...]], error: Callable[[int], Array]
) -> list[Row]:
    """By number of modes or elements, for which the label has room."""
    return [
        _row(label.format(n), kind, x, text, RESOLVED if kind == LEAST else "the models differ")
        for n, texts in printed.items()
        for (kind, x), text in zip(three(error(n)).items(), texts, strict=True)
    ]


def _row(label: str, kind: str, found: float, printed: str, otherwise: str) -> Row:
    off = published.away(found, printed)
    return label, kind, found, printed, f"{off:.1%}", verdict(off, otherwise, below=TOLERANCE)


def pin_table(study: RobotStudy) -> Table:
    """The pin at the ends and in the middle of the path, by both models."""
    by_modes = study.path(*FINE_MODES).frame(study.case.frame)[0]
    rows = []
    for k, known in published.PIN.items():
        for name, at in (("continuous", study.true[0][k]), (f"{FINE_MODES[0]} modes", by_modes[k])):
            gap = float(np.max(np.abs(at[:2] - known)))
            rows.append(
                (f"t = {k}, {name}", f"({at[0]:.8f}, {at[1]:.8f})",
                 f"({known[0]:.8f}, {known[1]:.8f})", f"{gap:.1e}",
                 verdict(gap, "the solutions differ", below=PIN_TOLERANCE))
            )  # fmt: skip
    return table(
        "RFRFR: where the pin is on the printed path",
        ("step and model", "here [m]", "independent solution [m]", "difference [m]", "verdict"),
        rows,
        f"Steps of {STEPS}. The paper prints no position: known is another solution of its "
        "problem.",
    )


def convergence_table(studies: list[tuple[RobotStudy, tuple[int, ...]]]) -> Table:
    """The largest error over the 51 configurations by number of modes."""
    rows: list[Row] = []
    for study, modes in studies:
        errors = [float(study.error(n).max()) for n in modes]
        last = verdict(
            errors[-1],
            f"{modes[-1]} modes, the most of this run, leave {errors[-1]:.0e} m",
            f"below {SPECTRAL_ERROR:g} m",
            below=SPECTRAL_ERROR,
        )
        for k, (n, error) in enumerate(zip(modes, errors, strict=True)):
            fall = f"{errors[k - 1] / error:.3g} over {n - modes[k - 1]} more" if k else ""
            judged = last if n == modes[-1] else ""
            rows.append((published.NAMES[study.case.name], str(n), f"{error:.2e}", fall, judged))
    return table(
        "Convergence of the modes to the continuous model, largest error of the end's position",
        ("robot", "modes", "error [m]", "falls by a factor of", "verdict"),
        rows,
        "The two models share neither equations nor unknowns; the error falls faster than any "
        "power, until what is left is the integration along the legs.",
    )
