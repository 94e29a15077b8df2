"""The rod at rest: tip and tension by both formulations."""

import math
from dataclasses import dataclass

import numpy as np

from chorda.catalogue.rods import till
from chorda.continuous import rod_statics
from chorda.describe import Robot
from chorda.mechanics import assemble
from chorda.mechanics.posing import frame_poses
from chorda.papers.report import Table, verdict
from chorda.papers.till.published import CONVERGED, EULER, INEXTENSIBLE, NODES, Tip
from chorda.papers.till.study import Study
from chorda.results import Equilibrium
from chorda.statics import equilibrium

HEADER = (
    "formulation", "x [m]", "z [m]", "tension [N]", "known x, z, tension", "difference [m]",
    "verdict",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A way to the tip, what is known, within what [m]."""

    label: str
    found: Tip
    known: Tip
    within: float
    otherwise: str


def static_table(study: Study) -> Table:
    rows = [
        _continuous("euler", NODES, EULER, 1e-5),
        _continuous("rk4", 61, CONVERGED, 1e-6),
        _continuous("gauss6", 21, CONVERGED, 1e-6),
        Row("strain modes", _tip(study.rest), CONVERGED, 1e-6, "the modes are too few"),
        Row(
            "strain modes, neither stretch nor shear",
            _tip(equilibrium(assemble(inextensible()), inputs=[0.0])),
            INEXTENSIBLE,
            1e-5,
            "the modes are too few",
        ),
    ]
    return Table(
        "Static tip and tension",
        HEADER,
        tuple(_cells(row) for row in rows),
        "Known: an independent solution of the same equations, converged, and with the program's "
        "Euler march (x, tension). Euler's 200 nodes put the tip 1.5 mm off. The backbone's 6 um "
        "of compression shorten the tendon's path, which is 0.14 mm at the tip: stretch counts.",
    )


def inextensible() -> Robot:
    robot = till()
    rod = robot.joints[0]
    modes = rod.modes.model_copy(update={"stretch": 0, "shear_z": 0})  # type: ignore[union-attr]
    return robot.model_copy(update={"joints": (rod.model_copy(update={"modes": modes}),)})


def _continuous(integrator: str, nodes: int, known: Tip, within: float) -> Row:
    found = rod_statics(till(), 0.0, integrator=integrator, nodes=nodes)
    found.status.raise_unless_ok()
    tip = Tip(float(found.tip[0]), float(found.tip[2]), float(found.tension[0]))
    label = f"continuous, {integrator}, {nodes} nodes"
    return Row(label, tip, known, within, "the nodes are too few")


def _tip(found: Equilibrium) -> Tip:
    at = frame_poses(found.system, ("rod.tip",), found.q[None], found.parameters)[1][0, 0]
    return Tip(float(at[0]), float(at[2]), float(found.tension[0]))


def _cells(row: Row) -> tuple[str, ...]:
    a, b = row.found, row.known
    gap = math.hypot(a.x - b.x, 0.0 if a.z is None or b.z is None else a.z - b.z)
    pulls = math.isnan(b.tension) or abs(a.tension - b.tension) < 10 * row.within
    known = [f"{b.x:.7g}", "-" if b.z is None else f"{b.z:.7f}"]
    known.append("-" if np.isnan(b.tension) else f"{b.tension:.7g}")
    return (
        row.label,
        f"{a.x:.7f}",
        f"{a.z:.7f}",
        f"{a.tension:.6f}",
        ", ".join(known),
        f"{gap:.1e}",
        verdict(gap < row.within and pulls, row.otherwise),
    )
