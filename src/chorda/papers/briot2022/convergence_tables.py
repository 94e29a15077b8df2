"""Where the pin is by two models, and how the modes converge: checks that no paper states."""

import numpy as np

from chorda.papers.briot2022.published import NAMES, PIN
from chorda.papers.briot2022.robot_study import STEPS, RobotStudy
from chorda.papers.comparison import Comparison, own_check
from chorda.papers.tolerance import below, unit

FINE_MODES = 20, 60  # modes and intervals with which positions are shown
PIN_TOLERANCE = 1e-8  # [m] of the known positions
SPECTRAL_ERROR = 1e-9  # [m] that the error falls to
METRES = unit("m", digits=".2e")


def pin_table(study: RobotStudy) -> Comparison:
    """The pin at the ends and in the middle of the path, by both models."""
    by_modes = study.path(*FINE_MODES).frame(study.case.frame)[0]
    rows = []
    for k, known in PIN.items():
        for name, at in (("continuous", study.true[0][k]), (f"{FINE_MODES[0]} modes", by_modes[k])):
            gap = float(np.max(np.abs(at[:2] - known)))
            rows.append(
                own_check(f"t = {k}, {name}: distance from the independent solution", gap,
                          below(PIN_TOLERANCE), expected=0.0, shown=METRES,
                          beside=(f"({at[0]:.8f}, {at[1]:.8f})", f"({known[0]}, {known[1]})"))
            )  # fmt: skip
    return Comparison(
        "RFRFR: where the pin is on the printed path",
        rows,
        f"Steps of {STEPS}. The paper prints no position: known is another solution of its "
        "problem.",
        columns=("here [m]", "independent solution [m]"),
        paper="expected",
    )


def convergence_table(studies: list[tuple[RobotStudy, tuple[int, ...]]]) -> Comparison:
    """The largest error over the 51 configurations by number of modes."""
    rows = []
    for study, modes in studies:
        name, errors = NAMES[study.case.name], [float(study.error(n).max()) for n in modes]
        for k, n in enumerate(modes[1:], start=1):
            rows.append(
                own_check(f"{name}, {n} modes: error over that of {modes[k - 1]}",
                          errors[k] / errors[k - 1], below(1.0), expected="falls",
                          beside=(METRES(errors[k]),))
            )  # fmt: skip
        if modes[-1] >= 12:
            rows.append(
                own_check(f"{name}, {modes[-1]} modes: largest error", errors[-1],
                          below(SPECTRAL_ERROR), expected=0.0, shown=METRES,
                          beside=(METRES(errors[-1]),))
            )  # fmt: skip
    return Comparison(
        "Convergence of the modes to the continuous model, largest error of the end's position",
        rows,
        "The two models share neither equations nor unknowns.",
        columns=("largest error",),
        paper="expected",
    )
