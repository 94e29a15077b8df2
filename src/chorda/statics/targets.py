"""Rows of targets along a path: from where a robot is to where it shall be."""

from collections.abc import Sequence

import numpy as np

from chorda.checks import refuse_idle, whole_number
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.mechanics.posing import frame_poses
from chorda.mechanics.prescription import AXES, ROTATION, Prescription
from chorda.statics.prescribe import parts
from chorda.statics.problem import Problem

POINTS, MAX_POINTS = 50, 1_000_000  # of a path


def actual(problem: Problem, x: Array) -> Array:
    """The row of targets that a state fulfils."""
    system, given = problem.system, problem.prescription
    q, _, tau = problem.parts(x)
    at = dict(zip(system.coordinate_names, q, strict=True))
    _, p = problem.inputs_and_parameters(tau)
    R, origins = frame_poses(system, given.frames, q[None], p)
    index = {frame: k for k, frame in enumerate(given.frames)}
    return np.array(
        [
            *(at[name] for name in given.held),
            *tau[len(given.actuated) :],
            *(origins[0, index[frame], AXES.index(axis)] for frame, axis in given.positions),
            *(x for frame in given.rotations for x in R[0, index[frame]].T.ravel()),
        ]
    )


def row(values: Sequence[Array]) -> Array:
    """Values of one configuration as a row of targets; rotations column by column."""
    found = [x.T.ravel() if x.ndim == 2 else np.atleast_1d(x) for x in values]
    return np.concatenate(found) if found else np.zeros(0)


def single(given: Prescription, values: Sequence[Array]) -> Array:
    """The row of values that must not be series."""
    refuse_series(given, values)
    return row(values)


def refuse_series(given: Prescription, values: Sequence[Array]) -> None:
    """One value for each part of a prescription is expected."""
    for name, x in zip(parts(given), values, strict=True):
        if x.ndim not in (0, 2):
            raise InputError(
                f"{name}: expected one value, got {len(x)}; chorda.follow goes along many"
            )


def between(given: Prescription, start: Array, end: Array, parameters: Array) -> Array:
    """Rows on the way from one to the other: straight, and rotations about one axis."""
    from scipy.spatial.transform import Rotation  # not at each import of Chorda

    parameters = np.asarray(parameters, float)
    rows = start + parameters[:, None] * (end - start)
    first = given.targets - 9 * len(given.rotations)
    for k in range(first, given.targets, 9):
        a, b = (x[k : k + 9].reshape(3, 3).T for x in (start, end))
        turn = Rotation.from_matrix(b @ a.T).as_rotvec()
        R = Rotation.from_rotvec(parameters[:, None] * turn).as_matrix() @ a
        rows[:, k : k + 9] = R.transpose(0, 2, 1).reshape(-1, 9)
    return rows


def turns(given: Prescription, start: Array, end: Array) -> Array:
    """How rotations go from one row of targets to another, for many: (n, rotations, 19), an angle a
    and matrices B, C with R = R0 + sin(s a) B + (1 - cos(s a)) C; see compile/rests.c."""
    from scipy.spatial.transform import Rotation

    count, first = len(given.rotations), given.targets - 9 * len(given.rotations)
    found = np.zeros((len(start), count, 19))
    for k in range(count):
        at = slice(first + 9 * k, first + 9 * k + 9)
        a, b = (x[:, at].reshape(-1, 3, 3).transpose(0, 2, 1) for x in (start, end))
        turn = Rotation.from_matrix(b @ a.transpose(0, 2, 1)).as_rotvec()
        angle = np.linalg.norm(turn, axis=1)
        x, y, z = (turn / np.where(angle > 0, angle, 1.0)[:, None]).T
        K = np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]]).transpose(2, 0, 1)
        found[:, k, 0] = angle
        for first_entry, matrix in ((1, K @ a), (10, K @ (K @ a))):
            entries = matrix.transpose(0, 2, 1).reshape(-1, 9)
            found[:, k, first_entry : first_entry + 9] = entries
    return found


def along(given: Prescription, values: Sequence[Array], start: Array, points: int | None) -> Array:
    """Rows of targets (n, targets): of series where any is given, else straight to the values.

    values: one or a series for each of the prescription's parts.
    """
    lengths = series(given, values)
    if not lengths:
        points = POINTS if points is None else whole_number("points", points, 1, MAX_POINTS)
        return between(given, start, row(values), np.linspace(0, 1, points + 1))
    why = f"with a series, as {next(iter(lengths))} has"
    refuse_idle({"points": points}, why, "give one number each to go to")
    return rows(given, values)


def series(given: Prescription, values: Sequence[Array]) -> dict[str, int]:
    """Lengths of those values that are series, by name."""
    return {
        name: len(x)
        for name, x in zip(parts(given), values, strict=True)
        if x.ndim == (3 if name.endswith(f".{ROTATION}") else 1)
    }


def rows(given: Prescription, values: Sequence[Array]) -> Array:
    """Rows of targets from series, beside which single values are shared; one row without any."""
    lengths = series(given, values)
    n = next(iter(lengths.values()), 1)
    for name, length in lengths.items():
        if length != n:
            raise InputError(f"{name}: expected as many values as the others, {n}, got {length}")
    columns = []
    for x in values:
        if x.ndim >= 2:
            matrices = np.broadcast_to(x, (n, 3, 3))
            columns.append(matrices.transpose(0, 2, 1).reshape(n, 9))
        else:
            columns.append(np.broadcast_to(x, (n,))[:, None])
    return np.hstack([np.zeros((n, 0)), *columns])
