"""Stability: what the paper observes, with its 3, 4, 5 modes and more; and where it is lost."""

from itertools import chain

import numpy as np

from chorda.continuous import conjugate_points
from chorda.papers.briot2022.published import (
    AXIS,
    BRANCH,
    CONJUGATE_POINTS,
    LEGS,
    LOCKED_MOTORS,
    NAMES,
    PRINTED_MODES,
)
from chorda.papers.briot2022.stability_study import CONSTANT, LOCKED, StabilityPath
from chorda.papers.comparison import Comparison, Row, own_check
from chorda.papers.tolerance import at_least, at_most, below, count, equal, unit
from chorda.results import Table

STEP_PAST = 1e-5  # of the path parameter, past a change of stability
BASE_SHARE = 1e-3  # of a leg's length: a conjugate point that comes in is nearer to its base
PRINTED_POINTS = 50  # on the paper's paths: how near its changes of stability are known
FALL = 0.2  # of the error of a change with the fewest modes, at most, with the most
METRES, JOULES = unit("m", digits=".8f"), unit("J", digits=".4f")
MILLIMETRES = unit("mm", 1e3)


def observations(paths: list[StabilityPath], modes: tuple[int, ...]) -> Comparison:
    """The paper's statements on figures 7, 8, 13 and 14."""
    rows = chain.from_iterable([*_conjugate(path), *_by_modes(path, modes)] for path in paths)
    axis = (_on_axis(path) for path in paths if path.case.name == "rfrfr")
    return Comparison(
        "Figures 7, 8, 13, 14: stability by modes and by conjugate points",
        [*rows, *chain.from_iterable(axis)],
        "Every time that an eigenvalue of the Hessian crosses zero, a conjugate point appears "
        f"[Briot2022, VI.A.3]: the tolerance is one step of the paper's {PRINTED_POINTS} points. "
        f"Motors are locked where nothing else is said.{_ends(paths, modes)}",
    )


def _ends(paths: list[StabilityPath], modes: tuple[int, ...]) -> str:
    """Numbers of modes with which a branch ends on the path."""
    return "".join(
        f" With {n} modes the {NAMES[path.case.name]}'s branch ends after {found} of "
        f"{len(path.t)} points."
        for path in paths
        for n in modes
        if (found := len(path.by_modes(n).q)) < len(path.t)
    )


def _helped(path: StabilityPath) -> tuple[str, ...]:
    return (BRANCH if path.case.name == "rfrfr" else LEGS, LOCKED_MOTORS)


def _conjugate(path: StabilityPath) -> list[Row]:
    """How many conjugate points there are, and where they come in."""
    name, helped = NAMES[path.case.name], _helped(path)
    rows = []
    for k in range(CONJUGATE_POINTS[path.case.name] + 1):
        at = f"X{2 * k + 1}"
        found = [len(stop.fields.positions) for stop in path.stops if stop.name == at]
        value = float(found[0]) if found else np.nan
        rows.append(
            Row(f"{name}: conjugate points at {at}", k, value, equal(k), shown=count,
                helped_by=helped)
        )  # fmt: skip
    for k, limit in enumerate(path.limits[LOCKED]):
        past = conjugate_points(path.at(limit + STEP_PAST))
        rows.append(
            Row(f"{name}: share of the legs where conjugate point {k + 1} comes in", "0",
                min(past.positions, default=1.0), below(BASE_SHARE), helped_by=helped)
        )  # fmt: skip
    return rows


def _by_modes(path: StabilityPath, modes: tuple[int, ...]) -> list[Row]:
    """Whether an eigenvalue is zero where a conjugate point comes in, and the counts agree."""
    name, helped = NAMES[path.case.name], _helped(path)
    y = [path.case.point(t)[1] for t in path.limits[LOCKED]]
    step = float(np.linalg.norm(np.subtract(*path.case.route))) / (PRINTED_POINTS - 1)
    rows = []
    for n in modes:
        zeros = [path.case.point(t)[1] for t in path.zeros(n)]
        for k, true in enumerate(y):
            gap = abs(zeros[k] - true) if len(zeros) > k else np.nan
            rows.append(
                Row(f"{name}, {n} modes: from where eigenvalue {k + 1} falls below zero to "
                    f"X{2 * k + 2}", "0",
                    gap, at_most(step), shown=MILLIMETRES, helped_by=helped,
                    why="" if np.isfinite(gap) else f"eigenvalues that do so: {len(zeros)}")
            )  # fmt: skip
        negative, total = path.by_modes(n).stability[LOCKED].negative, len(path.t)
        same = int(np.sum(negative == path.counts[: len(negative)]))
        rows.append(
            Row(f"{name}, {n} modes: points of {total} with as many negative eigenvalues as "
                "conjugate points", f"all {total}", same, equal(total), shown=count,
                helped_by=helped)
        )  # fmt: skip
    return rows


def _on_axis(path: StabilityPath) -> list[Row]:
    """The two smallest eigenvalues with 5 modes: do they fit on the axis of figure 7?"""
    rows = []
    for kind, how, helped in (
        (LOCKED, "motors locked", (BRANCH, LOCKED_MOTORS)),
        (CONSTANT, "eqs. 54-59 as published", (BRANCH,)),
    ):
        values = path.by_modes(PRINTED_MODES).stability[kind].eigenvalues[:, :2]
        label = f"RFRFR, {PRINTED_MODES} modes, {how}: {{}} of the two smallest eigenvalues"
        for what, value, limit, end in (
            ("least", values.min(), at_least(AXIS[0]), AXIS[0]),
            ("largest", values.max(), at_most(AXIS[1]), AXIS[1]),
        ):
            text = f"axis to {end:g}"
            quantity = label.format(what)
            rows.append(Row(quantity, text, float(value), limit, shown=JOULES, helped_by=helped))
    return rows


def change_values(paths: list[tuple[StabilityPath, tuple[int, ...]]]) -> Table:
    """Where stability is lost over the number of modes, beside the continuous model."""
    rows = []
    for path, modes in paths:
        for one in path.changes(modes):
            rows.append((one.label, "continuous", METRES(one.true), "-"))
            rows += [(one.label, f"{n} modes", "none", "-") for n in one.missing]
            rows += [
                (one.label, f"{n} modes", METRES(y), f"{1e3 * error:.2g} mm")
                for (n, y), error in zip(one.found, one.errors, strict=True)
            ]
    return Table(
        "Where stability is lost, by modes and by the continuous model",
        ("path", "model", "y", "from continuous"),
        tuple(rows),
        "X2, X4: motors locked; the determinant of the continuous model's fields at the bases "
        "changes its sign. Constant torque: its stiffness at the motors is singular. The paper "
        "shows the former in figures only.",
    )


def change_checks(paths: list[tuple[StabilityPath, tuple[int, ...]]]) -> Comparison:
    """Changes of stability converge to those of the continuous model."""
    rows = [
        own_check(f"{one.label}: error with {one.found[-1][0]} modes over that with "
                  f"{one.found[0][0]}", one.errors[-1] / one.errors[0], below(FALL),
                  expected="falls", beside=(f"{1e3 * one.errors[-1]:.2g} mm",))
        for path, modes in paths
        for one in path.changes(modes)
        if len(one.found) > 1
    ]  # fmt: skip
    return Comparison(
        "Where stability is lost: the modes converge to the continuous model", rows,
        columns=("error with the most",), paper="expected",
    )  # fmt: skip
