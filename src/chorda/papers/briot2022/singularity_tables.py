"""The kinemato-static model and its singularities: what is printed on them, and checks."""

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.mechanics import Array
from chorda.papers.briot2022.published import BRANCH, LEGS, LOCKED_MOTORS, NAMES, NEAREST
from chorda.papers.briot2022.robot_study import STEPS
from chorda.papers.briot2022.singularity_study import (
    MODES,
    TYPE_1,
    TYPE_2,
    SingularityPath,
    counted_jacobian,
)
from chorda.papers.briot2022.stability_study import StabilityPath
from chorda.papers.briot2022.tables import MDEG
from chorda.papers.comparison import Comparison, Row, own_check
from chorda.papers.tolerance import at_most, below, count, equal, unit
from chorda.results import Table
from chorda.statics import Kinematostatics, equilibrium, kinematostatics

MIDDLE = 24  # the configuration whose derivatives are checked
DIFFERENCE = 1e-3  # [rad] of a motor, for finite differences
AGREEMENT, DIFFERENCES = 1e-8, 1e-4  # relative: of linear solutions, of finite differences
FAR_SHARE = 0.1  # of the peak, at most: errors far from singularities
AT_LIMIT = 1e-3  # of the distance at X1, at most: at a limit of stability
SCIENTIFIC = unit("", digits=".1e")
MOTOR_6 = 5


def kinematostatics_table(paths: list[SingularityPath]) -> Comparison:
    """The forward and the inverse kinemato-static problem, each by two ways."""
    rows = [row for path in paths for row in _linear_rows(path)]
    return Comparison(
        f"Section V: the kinemato-static model at configuration {MIDDLE}, {MODES} modes",
        rows,
        "The paper prints no number of it. Forward and inverse are solved by the matrices of eqs. "
        "52 and 53; the Jacobian of the frame by the motors is from the balance over free moves.",
        paper="expected",
    )


def _linear_rows(path: SingularityPath) -> list[Row]:
    near, name = path.near(MIDDLE), NAMES[path.case.name]
    J, n = counted_jacobian(near), len(near.motors)
    forward, inverse = _solutions(near)
    full, C = near.jacobian.values, near.compliance.values
    gaps = {
        "frame by motors, eq. 52 against the Jacobian": (_off(forward, J), AGREEMENT),
        "motors by frame, eq. 53 with the load given against the inverse Jacobian": (
            _off(inverse @ J, np.eye(n)), AGREEMENT),
        "frame by motors against differences of the forward problem": (
            _off(_differences(path), full), DIFFERENCES),
        "motor efforts by wrench against minus the transposed Jacobian": (
            _off(near.transmission.values, -full.T), AGREEMENT),
        "compliance against its transpose": (_off(C, C.T), AGREEMENT),
    }  # fmt: skip
    return [
        own_check(f"{name}: {what}", gap, below(limit), expected=0.0, shown=SCIENTIFIC)
        for what, (gap, limit) in gaps.items()
    ]


def _solutions(near: Kinematostatics) -> tuple[Array, Array]:
    """What counts of the frame by the motors [eq. 52], and the motors by that [eq. 53]."""
    eq, n, scale = near.equations, len(near.motors), near.equilibrium.system.scales
    names = [x for x in near.jacobian.rows if x not in near.still]
    rows = [names.index(x) for x in near.counted]
    motors = [list(near.equilibrium.system.coordinate_names).index(x) for x in near.motors]
    unit_scale = scale[motors]
    forward = -np.linalg.solve(eq.forward, eq.by_motors)[rows] / unit_scale
    # as many numbers of the frame are given as there are motors; the wrench along the others is 0
    others = [k for k in range(eq.by_frame.shape[1]) if k not in rows]
    matrix = np.hstack([eq.by_motors, eq.by_others, eq.by_efforts, eq.by_frame[:, others]])
    inverse = -np.linalg.solve(matrix, eq.by_frame[:, rows])[:n] * unit_scale[:, None]
    return forward, inverse


def _differences(path: SingularityPath) -> Array:
    """Turns and shifts of the frame by each motor."""
    near, frame = path.near(MIDDLE).equilibrium, path.case.frame
    hold, columns = path.case.angles(MIDDLE / STEPS), []
    for motor in path.case.motors:
        ends = [
            equilibrium(near.system, hold=hold | {motor: hold[motor] + side * DIFFERENCE},
                        initial=near, strict=True).frame(frame)
            for side in (-1, 1)
        ]  # fmt: skip
        (p0, R0), (p1, R1) = ends
        turn = Rotation.from_matrix(R1 @ R0.T).as_rotvec()
        columns.append(np.concatenate([turn, p1 - p0]) / (2 * DIFFERENCE))
    return np.array(columns).T


def _off(found: Array, wanted: Array) -> float:
    """The largest difference over the largest entry."""
    return float(np.max(np.abs(found - wanted)) / np.max(np.abs(wanted)))


def singularity_table(path: SingularityPath, stability: list[StabilityPath]) -> Comparison:
    """What the paper says of singularities."""
    rows = [*_peak_rows(path), *(row for x in stability for row in _limit_rows(x))]
    return Comparison(
        "Singularities: behind Table V, and at the limits of stability", rows,
        "Near is taken as: within one of the 51 configurations. A singularity of type 1 is where "
        "the determinant of the platform's motion by the motors changes its sign, in whatever "
        "units.",
        columns=("measured",),
    )  # fmt: skip


def _peak_rows(path: SingularityPath) -> list[Row]:
    """'A peak for the 6th motor, which is due to the presence of a singularity near.'"""
    error = MDEG * path.study.inverse_error(MODES)
    peak = int(np.argmax(error[:, MOTOR_6]))
    distance, helped = path.distances(TYPE_1), (LEGS, NEAREST)
    singular_point = path.singular_point
    away = abs(singular_point.step - peak) if singular_point else np.nan
    moved = 1e3 * _apart(path, peak) if singular_point else np.nan
    name, least = f"6-RFS, configuration {peak}", path.steps[int(np.argmin(distance))]
    far = [k for k, x in zip(path.steps, distance, strict=True) if x > np.median(distance)]
    share = float(error[far].max() / error.max())
    toward = next(iter(_direction(path.near(peak))))
    text = f"{moved:.2g} mm of the platform's path" if singular_point else "none"
    return [
        Row(f"{name}, of the peak: steps to a singularity of type 1", "near", away, at_most(1.0),
            helped_by=helped, beside=(text,)),
        Row(f"{name}: it is the nearest to type 1 of those compared; configuration", peak, least,
            equal(peak), shown=count, helped_by=helped,
            beside=(f"distance {distance.min():.1e}, median {np.median(distance):.1e}",)),
        Row(f"{name}: motor that moves most there while the platform stands still", 6,
            float(path.case.motors.index(toward) + 1), equal(6), shown=count, helped_by=helped,
            beside=(toward,)),
        Row("6-RFS: largest error where type 1 is farther than the median, over the peak",
            "considerably better", share, below(FAR_SHARE), helped_by=helped,
            beside=(f"{error[far].max():.3g} of {error.max():.3g} mdeg",)),
    ]  # fmt: skip


def _direction(near: Kinematostatics) -> dict[str, float]:
    return next(x.direction for x in near.singularities if x.name == TYPE_1)


def _apart(path: SingularityPath, step: int) -> float:
    """[m] of the frame between a configuration and the singular point."""
    assert path.singular_point
    ends = (path.singular_point.found, path.near(step).equilibrium)
    a, b = (x.frame(path.case.frame)[0] for x in ends)
    return float(np.linalg.norm(a - b))


def _limit_rows(path: StabilityPath) -> list[Row]:
    """Where an eigenvalue of the Hessian is zero, the forward problem is singular."""
    name, helped = NAMES[path.case.name], BRANCH if path.case.name == "rfrfr" else LEGS
    first = _type_2(path, 0.0)
    rows = []
    for k, t in enumerate(path.zeros(MODES)):
        rows.append(
            Row(f"{name}, X{2 * k + 2} with {MODES} modes: distance of type 2 over that at X1",
                "on the singularity", _type_2(path, t) / first, below(AT_LIMIT),
                shown=SCIENTIFIC, helped_by=(helped, LOCKED_MOTORS), beside=(f"{first:.1e} at X1",))
        )  # fmt: skip
    return rows


def _type_2(path: StabilityPath, t: float) -> float:
    steps = path.by_modes(MODES)
    near = steps.at(int(np.argmin(np.abs(path.t - t))))
    found = path.study.posed(path.case.target(t), near)
    kinds = kinematostatics(found, path.case.frame).singularities
    return next(x.distance for x in kinds if x.name == TYPE_2)


def distances_table(path: SingularityPath) -> Table:
    """How far each kind of singularity is along the printed path."""
    error = MDEG * path.study.inverse_error(MODES)
    columns = [path.distances(kind) for kind in path.kinds]
    rows = [
        (str(step), *(f"{column[k]:.1e}" for column in columns), f"{error[step].max():.3g} mdeg")
        for k, step in enumerate(path.steps)
    ]
    kinds = path.near(path.steps[0]).singularities
    return Table(
        "6-RFS: distances from singularities along the printed path",
        ("configuration", *path.kinds, "largest error of Table V"),
        tuple(rows),
        "Inverse condition numbers over natural scales, 0 at the singularity. "
        + "; ".join(f"{x.name}: {x.meaning}" for x in kinds) + ".",
    )  # fmt: skip
