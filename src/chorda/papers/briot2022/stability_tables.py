"""Stability: what the paper observes, and where it is lost over the number of modes."""

from collections.abc import Mapping

import numpy as np

from chorda.continuous import conjugate_points
from chorda.papers.briot2022.published import AXIS, CONJUGATE_POINTS, NAMES, PRINTED_MODES
from chorda.papers.briot2022.stability_study import CONSTANT, LOCKED, StabilityPath
from chorda.papers.verdicts import same, table, verdict
from chorda.results import Table

STEP_PAST = 1e-5  # of the path parameter, past a change of stability
BASE_SHARE = 1e-3  # of a leg's length: a conjugate point that comes in is nearer to its base
CHANGE_TOLERANCE = 1e-3  # of the path parameter: changes by modes and by conjugate points
ERROR_LIMIT, ERROR_RATIO = 1e-5, 1e-2  # [m] and over the first: errors with the most modes
Row = tuple[str, ...]


def observations(paths: list[StabilityPath], modes: Mapping[str, int]) -> Table:
    """The paper's statements on figures 7, 8, 13 and 14."""
    rows = [row for path in paths for row in _observed(path, modes[path.case.name])]
    rows += [row for path in paths if path.case.name == "rfrfr" for row in _on_axis(path)]
    return table(
        "Figures 7, 8, 13, 14: stability by modes and by conjugate points, motors locked",
        ("statement", "here", "paper", "verdict"),
        rows,
        "The curves of figure 7 are those of locked motors. Eqs. 54-59 as they stand let the "
        "motors turn under constant torque, which loses stability elsewhere: see the next table.",
    )


def _observed(path: StabilityPath, modes: int) -> list[Row]:
    name, limits, found = NAMES[path.case.name], path.limits[LOCKED], path.zeros(modes)
    negative = path.by_modes(modes).stability[LOCKED].negative
    total, equal = len(path.t), int(np.sum(negative == path.counts[: len(negative)]))
    seen = list(dict.fromkeys(path.counts.tolist()))
    wanted = list(range(CONJUGATE_POINTS[path.case.name] + 1))
    bases = [
        min(conjugate_points(path.at(limit + STEP_PAST)).positions, default=1.0) for limit in limits
    ]
    gap = max((abs(a - b) for a, b in zip(found, limits, strict=False)), default=1.0)
    length = float(np.linalg.norm(np.subtract(*path.case.route)))
    return [
        (f"{name}: conjugate points from X1 to the end of the path", ", ".join(map(str, seen)),
         ", ".join(map(str, wanted)), same(seen, wanted, "another number comes in")),
        *((f"{name}: share of the legs where conjugate point {k + 1} comes in", f"{at:.1g}", "0",
           verdict(at, "it comes in elsewhere", below=BASE_SHARE)) for k, at in enumerate(bases)),
        (f"{name}: points where {modes} modes have as many negative eigenvalues as there are "
         "conjugate points", f"{equal} of {total}", "all",
         same(equal, total, "the modes are too few near a change of stability")),
        (f"{name}: an eigenvalue ({modes} modes) is zero where a conjugate point comes in, within",
         f"{1e3 * gap * length:.2g} mm", "0",
         verdict(gap if len(found) == len(limits) else np.inf,
                 f"{modes} modes do not resolve it: see the next table", below=CHANGE_TOLERANCE)),
    ]  # fmt: skip


def _on_axis(path: StabilityPath) -> list[Row]:
    """The two smallest eigenvalues with 5 modes: do they fit on the axis of figure 7?"""
    rows: list[Row] = []
    for kind, otherwise in (
        (LOCKED, "it is not on it"),
        (CONSTANT, "figure 7 is of the other Hessian"),
    ):
        values = path.by_modes(PRINTED_MODES).stability[kind].eigenvalues[:, :2]
        least, largest = float(values.min()), float(values.max())
        outside = max(AXIS[0] - least, largest - AXIS[1])
        rows.append(
            (f"RFRFR: two smallest eigenvalues with {PRINTED_MODES} modes, {kind}",
             f"{least:.4f} to {largest:.4f} J", f"axis {AXIS[0]:g} to {AXIS[1]:g}",
             verdict(outside, otherwise, below=0))
        )  # fmt: skip
    return rows


def change_table(paths: list[tuple[StabilityPath, tuple[int, ...]]]) -> Table:
    """Where stability is lost over the number of modes, against the continuous model."""
    rows: list[Row] = []
    for path, modes in paths:
        for one in path.changes(modes):
            rows.append((one.label, "continuous", f"{one.true:.8f}", "", ""))
            rows += [(one.label, f"{n} modes", "none", "", "") for n in one.missing]
            for (n, y), error in zip(one.found, one.errors, strict=True):
                rows.append((one.label, f"{n} modes", f"{y:.8f}", f"{error:.1e}", ""))
            first, last = (one.errors[0], one.errors[-1]) if one.found else (np.inf, np.inf)
            otherwise = f"{modes[-1]} modes, the most of this run, leave {last:.0e} m"
            bound = min(ERROR_LIMIT, ERROR_RATIO * first)
            judged = verdict(last, otherwise, f"to {last:.0e} m", below=bound)
            rows[-1] = (*rows[-1][:-1], judged)
    return table(
        "Where stability is lost: the change of stability over the number of modes",
        ("path", "model", "y [m]", "from continuous [m]", "verdict"),
        rows,
        "Reproduced: the change converges to the continuous model's, where the determinant of "
        "its fields at the bases changes its sign (X2, X4: motors locked), or the stiffness at the "
        "motors is singular (constant torque). The paper shows these changes in figures only.",
    )
