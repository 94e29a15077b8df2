"""Stability: what the paper observes, counts beside each other, where an eigenvalue crosses."""

from collections.abc import Mapping

import numpy as np

from chorda.continuous import conjugate_points
from chorda.papers.briot2022.crossed import crossed_by
from chorda.papers.briot2022.published import AXIS, NAMES, PRINTED_MODES
from chorda.papers.briot2022.walks import CONSTANT, LOCKED, Walk
from chorda.papers.report import Table, verdict

ADDED = {"rfrfr": 2, "6-rfs": 1}  # conjugate points at the end of the way, as the paper has it
JUST = 1e-5  # of the way, beyond a crossing
AT_BASE = 1e-3  # of a leg's length: a conjugate point that comes in is nearer to its base
NEAR = 1e-3  # of the way: crossings by modes and by conjugate points
LITTLE, FALL = 1e-5, 1e-2  # [m] and over the first: errors of crossings with the most modes
Cells = tuple[str, ...]


def observations(walks: list[Walk], modes: Mapping[str, int]) -> Table:
    """The paper's statements on figures 7, 8, 13 and 14."""
    rows = [row for walk in walks for row in _observed(walk, modes[walk.subject.name])]
    rows += [row for walk in walks if walk.subject.name == "rfrfr" for row in _on_axis(walk)]
    return Table(
        "Figures 7, 8, 13, 14: stability by modes and by conjugate points, motors locked",
        ("statement", "here", "paper", "verdict"),
        tuple(rows),
        "The curves of figure 7 are those of locked motors. Eqs. 54-59 as they stand let the "
        "motors turn under constant torque, which loses stability elsewhere: see the next table.",
    )


def _observed(walk: Walk, modes: int) -> list[Cells]:
    name, limits = NAMES[walk.subject.name], walk.limits[LOCKED]
    negative = walk.by_modes(modes).stability[LOCKED].negative
    total, same = len(walk.share), int(np.sum(negative == walk.counts[: len(negative)]))
    seen = list(dict.fromkeys(walk.counts.tolist()))
    wanted = list(range(ADDED[walk.subject.name] + 1))
    rows: list[Cells] = [
        (
            f"{name}: conjugate points from X1 to the end of the way",
            ", ".join(map(str, seen)),
            ", ".join(map(str, wanted)),
            verdict(seen == wanted, "another number comes in"),
        )
    ]
    for k, limit in enumerate(limits):
        place = min(conjugate_points(walk.at(limit + JUST)).positions, default=1.0)
        rows.append(
            (
                f"{name}: share of the legs where conjugate point {k + 1} comes in",
                f"{place:.1g}",
                "0",
                verdict(place < AT_BASE, "it comes in elsewhere"),
            )
        )
    rows.append(
        (
            f"{name}: points where {modes} modes have as many negative eigenvalues as there are "
            "conjugate points",
            f"{same} of {total}",
            "all",
            verdict(same == total, "the modes are too few near a crossing"),
        )
    )
    found = walk.crossings(modes)
    gap = max((abs(a - b) for a, b in zip(found, limits, strict=False)), default=1.0)
    rows.append(
        (
            f"{name}: an eigenvalue ({modes} modes) is zero where a conjugate point comes in, "
            "within",
            f"{1e3 * gap * length(walk):.2g} mm",
            "0",
            verdict(
                len(found) == len(limits) and gap < NEAR,
                f"{modes} modes do not resolve it: see the next table",
            ),
        )
    )
    return rows


def _on_axis(walk: Walk) -> list[Cells]:
    """The two smallest eigenvalues with 5 modes: do they fit on the axis of figure 7?"""
    rows: list[Cells] = []
    for kind, fits in ((LOCKED, True), (CONSTANT, False)):
        values = walk.by_modes(PRINTED_MODES).stability[kind].eigenvalues[:, :2]
        least, largest = float(values.min()), float(values.max())
        inside = AXIS[0] < least and largest < AXIS[1]
        rows.append(
            (
                f"RFRFR: two smallest eigenvalues with {PRINTED_MODES} modes, {kind}",
                f"{least:.4f} to {largest:.4f} J",
                f"axis {AXIS[0]:g} to {AXIS[1]:g}",
                verdict(
                    inside, "figure 7 is of the other Hessian" if not fits else "it is not on it"
                ),
            )
        )
    return rows


def length(walk: Walk) -> float:
    """Of the way [m]."""
    a, b = np.array(walk.subject.walk)
    return float(np.linalg.norm(b - a))


def crossing_table(walks: list[tuple[Walk, tuple[int, ...]]]) -> Table:
    """Where stability is lost over the number of modes, against the continuous model."""
    rows: list[Cells] = []
    for walk, modes in walks:
        for one in crossed_by(walk, modes):
            rows.append((one.label, "continuous", f"{one.true:.8f}", "", ""))
            rows += [(one.label, f"{n} modes", "none", "", "") for n in one.missing]
            for (n, y), error in zip(one.found, one.errors, strict=True):
                rows.append((one.label, f"{n} modes", f"{y:.8f}", f"{error:.1e}", ""))
            first, last = (one.errors[0], one.errors[-1]) if one.found else (np.inf, np.inf)
            text = verdict(
                last < LITTLE and last < FALL * first,
                f"{modes[-1]} modes, the most of this run, leave {last:.0e} m",
                f"to {last:.0e} m",
            )
            rows[-1] = (*rows[-1][:-1], text)
    return Table(
        "Where stability is lost: the crossing over the number of modes",
        ("way", "model", "y [m]", "from continuous [m]", "verdict"),
        tuple(rows),
        "Reproduced: the crossing converges to the continuous model's, where the determinant of "
        "its fields at the bases changes its sign (X2, X4: motors locked), or the stiffness at the "
        "motors is singular (constant torque). The paper shows crossings in figures only.",
    )
