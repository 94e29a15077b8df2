"""The four wiring cases as paths of one joint, against the paper's formulas."""

import casadi as ca
import numpy as np

from chorda.catalogue.necks import B, L
from chorda.describe import Point, Pulley, Robot, Tendon, TensionActuator, XJoint
from chorda.mechanics import assemble
from chorda.papers.fasquelle2021.published import RADIUS, lengths
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.verdicts import table, verdict
from chorda.results import Table

EQUATIONS = {"1": "19, with -r alpha/2 of 18", "2": "20", "3": "25", "4": "30"}
ANGLE_RANGE = 2.5  # [rad] to both sides
TOLERANCE = 1e-12  # [m]


def one_joint(radius: float = RADIUS) -> Robot:
    """An X-joint with a cable for each of the four cases [Fasquelle2021, fig. 2]."""

    def pulley(frame: str, point: str, side: str) -> Pulley:
        return Pulley(frame=f"x.{frame}", point=point, radius=radius, side=side, leave=False)

    paths: dict[str, tuple[Point | Pulley, ...]] = {
        "1": (pulley("base", "left", "right"), Point(frame="x.top", point="left")),
        "2": (pulley("base", "right", "left"), Point(frame="x.top", point="right")),
        "3": (pulley("base", "left", "right"), pulley("top", "left", "right")),
        "4": (
            pulley("base", "right", "left"),
            pulley("top", "left", "right"),
            pulley("top", "right", "left"),
        ),
    }
    return Robot(
        name="four-cases",
        joints=(
            XJoint(name="x", diagonal_length=L, bar_length=B, diagonal_mass=0.064, bar_mass=0.032),
        ),
        actuators=tuple(TensionActuator(name=f"pull{case}") for case in paths),
        tendons=tuple(
            Tendon(name=f"case{case}", path=path, actuator=f"pull{case}")
            for case, path in paths.items()
        ),
    )


def wiring_table(_: Study) -> Table:
    """Moment arms and lengths of the general paths beside the paper's formulas."""
    system = assemble(one_joint())
    alpha = ca.SX.sym("alpha")
    formulas = lengths(alpha, L, B, RADIUS)
    paths = ca.vertcat(*formulas.values())
    paper = ca.Function("paper", [alpha], [-ca.jacobian(paths, alpha), paths])
    length = next(o.expression for o in system.outputs if o.name == "length")
    ours = system.function("ours", "q p", system.tendons.Z.T, length)
    grid = np.linspace(-ANGLE_RANGE, ANGLE_RANGE, 1001)
    n, p = len(grid), system.parameter_values
    arms, gaps = (
        a.full() - b.full()
        for a, b in zip(
            ours.map(n)(grid[None], np.repeat(p[:, None], n, 1)),
            paper.map(n)(grid[None]),
            strict=True,
        )
    )
    rows = []
    for case, arm, gap in zip(formulas, arms, gaps, strict=True):
        off, apart = float(np.abs(arm).max()), float(np.abs(gap - gap[n // 2]).max())
        same_path = verdict(max(off, apart), "the path is another", below=TOLERANCE)
        rows.append((f"case {case}", EQUATIONS[case], off, apart, same_path))
    return table(
        "Section 4: moment arms and lengths of the four wiring cases",
        ("case", "equations", "arm: largest gap [m]", "length: largest gap [m]", "verdict"),
        rows,
        "General paths around pulleys against the paper's formulas, alpha from -2.5 to 2.5 rad; "
        "lengths up to a constant (eqs. 24-25 and the caption of figure 4 differ by r pi).",
    )
