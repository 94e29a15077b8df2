"""Modes against the continuous model: how fast the error falls, and where the pin truly is."""

import numpy as np

from chorda.papers.briot2022.crossed import crossed_by
from chorda.papers.briot2022.published import NAMES, PIN
from chorda.papers.briot2022.study import STEPS, Study
from chorda.papers.briot2022.walks import Walk
from chorda.papers.report import Table, verdict

MANY = 20, 60  # modes and intervals with which places are told
TOLD = 1e-8  # [m] digits of what is known
SPECTRAL = 1e-9  # [m] that the error falls to
Curves = dict[str, tuple[list[int], list[float]]]  # by name: modes, errors [m]


def pin_table(study: Study) -> Table:
    """The pin at the ends and in the middle of the path, by both models."""
    path = study.path(*MANY).frame(study.subject.end)[0]
    rows = []
    for k, known in PIN.items():
        for name, found in (("continuous", study.true[0][k]), (f"{MANY[0]} modes", path[k])):
            gap = float(np.max(np.abs(found[:2] - known)))
            rows.append(
                (
                    f"t = {k}, {name}",
                    f"({found[0]:.8f}, {found[1]:.8f})",
                    f"({known[0]:.8f}, {known[1]:.8f})",
                    f"{gap:.1e}",
                    verdict(gap < TOLD, "the solutions differ"),
                )
            )
    return Table(
        "RFRFR: where the pin is on the printed path",
        ("step and model", "here [m]", "independent solution [m]", "difference [m]", "verdict"),
        tuple(rows),
        f"Steps of {STEPS}. The paper prints no place: known is another solution of its problem.",
    )


def error_curves(studies: list[tuple[Study, tuple[int, ...]]]) -> Curves:
    """The largest error on the printed path over the number of modes."""
    return {
        NAMES[study.subject.name]: (list(modes), [float(study.error(n).max()) for n in modes])
        for study, modes in studies
    }


def crossing_curves(walks: list[tuple[Walk, tuple[int, ...]]]) -> Curves:
    """The error of y where stability is lost over the number of modes."""
    return {
        f"{crossed.label}": ([n for n, _ in crossed.found], crossed.errors)
        for walk, modes in walks
        for crossed in crossed_by(walk, modes)
    }


def convergence_table(studies: list[tuple[Study, tuple[int, ...]]]) -> Table:
    """The largest error over the 51 configurations by number of modes."""
    rows = []
    for study, modes in studies:
        errors = [float(study.error(n).max()) for n in modes]
        last = None
        for n, error in zip(modes, errors, strict=True):
            fall = "" if last is None else f"{last[1] / error:.3g} over {n - last[0]} more"
            rows.append((NAMES[study.subject.name], str(n), f"{error:.2e}", fall, ""))
            last = n, error
        text = verdict(
            errors[-1] < SPECTRAL,
            f"{modes[-1]} modes, the most of this run, leave {errors[-1]:.0e} m",
            f"below {SPECTRAL:g} m",
        )
        rows[-1] = (*rows[-1][:-1], text)
    return Table(
        "Convergence of the modes to the continuous model, largest error of the end's position",
        ("robot", "modes", "error [m]", "falls by a factor of", "verdict"),
        tuple(rows),
        "The two models share neither equations nor unknowns; the error falls faster than any "
        "power, until what is left is the integration along the legs.",
    )
