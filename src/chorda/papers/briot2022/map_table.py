"""The limits of figures 6 and 12: how wide the paper's red is, and what no unit changes."""

import numpy as np

from chorda.mechanics import assemble
from chorda.papers.briot2022.basis_table import BASES
from chorda.papers.briot2022.published import FIGURES, NAMES, PRINTED_MODES, SINGULAR
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, RobotStudy
from chorda.papers.briot2022.robots import BULGE, in_basis
from chorda.papers.briot2022.sheets import stiffness_shares
from chorda.papers.briot2022.stability_study import CONSTANT, LOCKED, StabilityPath
from chorda.papers.comparison import Comparison, Row, not_determined, own_check
from chorda.papers.tolerance import above, below, unit
from chorda.results import Equilibrium
from chorda.statics import equilibrium, stability
from chorda.statics.branch import state_of
from chorda.statics.problem import Problem

SPREAD_LIMIT = 1e-8  # relative: numbers that do not depend on the basis
LEAST_SPREAD = 1.5  # times, at least: those that do
SIDE_STEP = 1e-4  # of the path parameter: on either side of X2
SCALES = "the units and the scales of the coordinates that its Hessian is over"


def limits_table(paths: list[StabilityPath]) -> Comparison:
    """The paper's criterion, which depends on units, beside one that does not."""
    rows = [row for path in paths for row in _widths(path)]
    rows += _invariance(paths[0].study)
    return Comparison(
        "Figures 6 and 12: red where the Hessian is nearly singular",
        rows,
        "Widths are along the path, with 5 modes, strains over Legendre polynomials in 1/m, angles "
        "in rad and positions in m. A share is an eigenvalue of the Hessian over the elastic "
        "energy of the same move: 1 without forces, 0 where stability is lost.",
        columns=("at",),
    )


def _widths(path: StabilityPath) -> list[Row]:
    """How wide the strip is in which the inverse condition number is below the paper's limit."""
    name, limit = path.case.name, SINGULAR[path.case.name]
    length = float(np.linalg.norm(np.subtract(*path.case.route)))
    rows = []
    for kind, how in ((LOCKED, "motors locked"), (CONSTANT, "eqs. 54-59 as published")):
        zero = path.zeros(PRINTED_MODES, kind)[0]
        slope = _condition(path, zero + SIDE_STEP, kind) / SIDE_STEP
        rows.append(
            not_determined(
                f"{NAMES[name]}, {how}: width of the strip below {limit:g}",
                f"red in figure {FIGURES[name]}", 2 * limit / slope * length, SCALES,
                shown=unit("mm", 1e3), beside=(f"y = {path.case.point(zero)[1]:.3f} m",),
            )
        )  # fmt: skip
    return rows


def _condition(path: StabilityPath, t: float, kind: str) -> float:
    """The inverse condition number of the Hessian at a point of the path."""
    steps = path.by_modes(PRINTED_MODES)
    near = steps.at(int(np.argmin(np.abs(path.t - t))))
    values = np.abs(stability(path.study.posed(path.case.target(t), near))[kind].eigenvalues)
    return float(values.min() / values.max())


def _invariance(study: RobotStudy) -> list[Row]:
    """At X1 of the RFRFR, in three bases of the same strains."""
    shares, conditions = [], []
    for basis in BASES:
        found = _at_start(study, basis)
        problem = Problem(found.system, found.prescription, found.u, found.parameters)
        x = state_of(problem, found)
        shares.append(float(stiffness_shares(problem, x[None], found.target[None])[0, 0]))
        sizes = np.abs(found.eigenvalues)
        conditions.append(float(sizes.min() / sizes.max()))
    spread = max(shares) / min(shares)
    return [
        own_check("RFRFR: smallest share in three bases, largest over least, less 1", spread - 1,
                  below(SPREAD_LIMIT), expected=0.0, shown=unit("", digits=".1e"),
                  beside=("X1",)),
        own_check("RFRFR: inverse condition number in three bases, largest over least",
                  max(conditions) / min(conditions), above(LEAST_SPREAD), expected="not 1",
                  beside=("X1",)),
    ]  # fmt: skip


def _at_start(study: RobotStudy, basis: str) -> Equilibrium:
    """The beginning of the path on which stability is lost, with 5 modes."""
    robot = study.system(PRINTED_MODES, CATALOGUE_INTERVALS).robot
    system = assemble(in_basis(robot, basis))
    case = study.case
    first = equilibrium(system, hold=case.angles(0), initial=BULGE, strict=True)
    return equilibrium(
        system, poses=case.target(0), actuated=case.motors, initial=first, strict=True
    )
