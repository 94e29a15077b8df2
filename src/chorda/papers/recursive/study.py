"""Example 2 of Recursive: one joint between two cables, with and without the operator O+."""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.catalogue import load
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.papers.recursive.published import PRETENSIONS
from chorda.papers.studies import once
from chorda.results import Run

RADIUS = 0.02  # of the actuators [m], as in the catalogue's robot
GAINS = (20.0, 0.5)  # K_p, K_v of eqs. 32-33; assumed: not printed
STIFFNESSES = (1e3, 3e3, 1e4, 3e4, 1e5, 3e5)  # [N/m]
IMPLICIT_FROM = 1e4  # [N/m] above which an implicit scheme is used
DURATION, STEP = 12.0, 5e-4  # [s]
NEWTON_STEPS = 4  # two cables: at most one change of slack each


@dataclass(frozen=True)
class Case:
    """rectified: with O+; pretension [N]; stiffness [N/m], None: the catalogue's."""

    rectified: bool
    pretension: float
    stiffness: float | None = None


class Study:
    """The robot and its motions."""

    @once
    def system(self, rectified: bool) -> System:
        robot = load("recursive-2")
        tendons = tuple(
            t.model_copy(update={"law": t.law.model_copy(update={"one_sided": rectified})})
            for t in robot.tendons
        )
        return assemble(robot.model_copy(update={"tendons": tendons}))

    @once
    def control(self, rectified: bool) -> Any:
        """Eqs. 32-33: both actuators turn by the same angle; inputs are radius times angle.

        The angles' rates depend on the joint's acceleration, and that through the cables' damping
        on the rates: Newton's method on M a = F, which is linear between slack and taut.
        """
        system = self.system(rectified)
        t, q, v = ca.SX.sym("t"), ca.SX.sym("q", system.nq), ca.SX.sym("v", system.nv)
        a, p = ca.SX.sym("a"), ca.SX.sym("p", system.p.numel())
        angle = GAINS[0] * (ca.sin(t) - q) + GAINS[1] * (ca.cos(t) - v)
        rate = GAINS[0] * (ca.cos(t) - v) - GAINS[1] * (ca.sin(t) + a)
        inputs = RADIUS * ca.vertcat(angle, angle, rate, rate)
        missing = system.residual(q, v, a, inputs, p)
        better = ca.Function("better", [a, t, q, v, p], [a - missing / ca.jacobian(missing, a)])
        found = ca.SX(0)
        for _ in range(NEWTON_STEPS):
            found = better(found, t, q, v, p)
        law = ca.Function("pd", [t, q, v, p], [ca.substitute(inputs, a, found)])
        return system.once("recursive-pd", lambda: law)

    @once
    def run(self, case: Case) -> Run:
        changes = {"*.pretension": case.pretension}
        if case.stiffness is not None:
            changes["*.stiffness"] = case.stiffness
        return simulate(
            self.system(case.rectified),
            duration=DURATION,
            step=STEP,
            scheme="implicit-euler-converged" if (case.stiffness or 0) > IMPLICIT_FROM else "rk4",
            control=self.control(case.rectified),
            parameters=changes,
            initial={"link3.rate": 1.0},
            progress=False,
            strict=True,
        )

    def tension(self, case: Case) -> Array:
        """(n, 2) [N]."""
        return self.run(case).outputs["tension"]

    def slack_share(self, case: Case) -> float:
        """Part of the time in which a cable is slack."""
        return float(np.mean(np.any(self.tension(case) <= 0, axis=1)))

    def differences(self) -> Array:
        """Largest difference of the joint's angle with and without O+ [rad], by stiffness."""

        def angle(rectified: bool, stiffness: float) -> Array:
            return self.run(Case(rectified, PRETENSIONS[0], stiffness)).position[:, 0]

        return np.array([np.abs(angle(True, k) - angle(False, k)).max() for k in STIFFNESSES])
