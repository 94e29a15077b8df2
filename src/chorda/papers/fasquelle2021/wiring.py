"""The four wiring cases as paths of one joint, against the paper's formulas."""

import casadi as ca
import numpy as np

from chorda.catalogue.fasquelle import RADIUS
from chorda.catalogue.necks import B, L
from chorda.describe import Point, Pulley, Robot, Tendon, TensionActuator, XJoint
from chorda.mechanics import assemble
from chorda.papers.fasquelle2021.published import lengths
from chorda.papers.report import Table, row, verdict

EQUATIONS = {"1": "19, with -r alpha/2 of 18", "2": "20", "3": "25", "4": "30"}
RANGE = 2.5  # [rad] to both sides
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


def wiring_table() -> Table:
    """Moment arms and lengths of the general paths beside the paper's formulas."""
    system = assemble(one_joint())
    alpha = ca.SX.sym("alpha")
    formulas = lengths(alpha, L, B, RADIUS)
    arms = ca.Function("arms", [alpha], [-ca.gradient(x, alpha) for x in formulas.values()])
    long = ca.Function("long", [alpha], list(formulas.values()))
    length = next(o.expression for o in system.outputs if o.name == "length")
    ours = system.function("ours", "q p", system.tendons.Z, length)
    grid = np.linspace(-RANGE, RANGE, 1001)
    n, p = len(grid), system.parameter_values
    Z, own = (x.full() for x in ours.map(n)(grid[None], np.repeat(p[:, None], n, 1)))
    Z = Z.reshape(n, 4).T
    middle = n // 2
    rows = []
    for k, case in enumerate(formulas):
        arm = float(np.max(np.abs(Z[k] - np.ravel(arms.map(n)(grid[None])[k].full()))))
        paper = np.ravel(long.map(n)(grid[None])[k].full())
        gap = own[k] - paper
        apart = float(np.max(np.abs(gap - gap[middle])))
        holds = arm < TOLERANCE and apart < TOLERANCE
        rows.append(
            row(f"case {case}", EQUATIONS[case], arm, apart, verdict(holds, "the path is another"))
        )
    return Table(
        "Section 4: moment arms and lengths of the four wiring cases",
        ("case", "equations", "arm: largest gap [m]", "length: largest gap [m]", "verdict"),
        tuple(rows),
        "General paths around pulleys against the paper's formulas, alpha from -2.5 to 2.5 rad; "
        "lengths up to a constant (eqs. 24-25 and the caption of figure 4 differ by r pi).",
    )
