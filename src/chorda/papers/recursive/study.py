"""Example 2 of Recursive: one joint between two cables, with and without the operator O+."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import casadi as ca
import numpy as np

from chorda.catalogue import load
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.results import Run

RADIUS = 0.02  # of the actuators [m], as in the catalogue's robot
GAINS = (20.0, 0.5)  # K_p, K_v of eqs. 32-33; assumed: not printed
PRETENSIONS = (0.5, 3.5)  # [N], printed
STIFFNESSES = (1e3, 3e3, 1e4, 3e4, 1e5, 3e5)  # [N/m]
DURATION, STEP = 12.0, 5e-4  # [s]
NEWTON_STEPS = 4  # two cables: at most one change of slack each
ASSUMED = (
    "The paper prints no number but the pretensions of 0.5 and 3.5 N. Assumed here: a bar of 2 kg "
    "and 0.4 m on a drum of 50 mm, cables of 2000 N/m and 10 N s/m, actuators of 20 mm, K_p = 20, "
    "K_v = 0.5, a start on the wanted motion sin(t). The actuators' rates, which eq. 31 has in the "
    "cables' damping, contain the joint's acceleration (eqs. 32-33): the control solves for it."
)


@dataclass(frozen=True)
class Case:
    """rectified: with O+; pretension [N]; stiffness [N/m], None: the catalogue's."""

    rectified: bool
    pretension: float
    stiffness: float | None = None


@cache
def system(rectified: bool) -> System:
    robot = load("recursive-2")
    tendons = tuple(
        t.model_copy(update={"law": t.law.model_copy(update={"one_sided": rectified})})
        for t in robot.tendons
    )
    return assemble(robot.model_copy(update={"tendons": tendons}))


@cache
def control(rectified: bool) -> Any:
    """Eqs. 32-33: both actuators turn by the same angle; inputs are radius times angle.

    The angles' rates depend on the joint's acceleration, and that through the cables' damping on
    the rates: Newton's method on M a = F, which is linear between slack and taut.
    """
    made = system(rectified)
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q", made.nq), ca.SX.sym("v", made.nv)
    a, p = ca.SX.sym("a"), ca.SX.sym("p", made.p.numel())
    angle = GAINS[0] * (ca.sin(t) - q) + GAINS[1] * (ca.cos(t) - v)
    rate = GAINS[0] * (ca.cos(t) - v) - GAINS[1] * (ca.sin(t) + a)
    inputs = RADIUS * ca.vertcat(angle, angle, rate, rate)
    missing = made.residual(q, v, a, inputs, p)
    better = ca.Function("better", [a, t, q, v, p], [a - missing / ca.jacobian(missing, a)])
    found = ca.SX(0)
    for _ in range(NEWTON_STEPS):
        found = better(found, t, q, v, p)
    law = ca.Function("pd", [t, q, v, p], [ca.substitute(inputs, a, found)])
    return made.once("recursive-pd", lambda: law)


@cache
def run(case: Case) -> Run:
    made = system(case.rectified)
    changes = {"*.pretension": case.pretension}
    if case.stiffness is not None:
        changes["*.stiffness"] = case.stiffness
    return simulate(
        made,
        duration=DURATION,
        step=STEP,
        scheme="implicit-euler-converged" if (case.stiffness or 0) > 1e4 else "rk4",
        control=control(case.rectified),
        parameters=changes,
        initial={"link3.rate": 1.0},
        progress=False,
        strict=True,
    )


def tension(case: Case) -> Array:
    """(n, 2) [N]."""
    return run(case).outputs["tension"]


def slack_share(case: Case) -> float:
    """Part of the time in which a cable is slack."""
    return float(np.mean(np.any(tension(case) <= 0, axis=1)))


def differences(stiffnesses: Sequence[float] = STIFFNESSES) -> Array:
    """Largest difference of the joint's angle with and without O+ [rad], by stiffness."""
    pairs = [
        [run(Case(rectified, PRETENSIONS[0], k)).position[:, 0] for rectified in (True, False)]
        for k in stiffnesses
    ]
    return np.array([np.max(np.abs(a - b)) for a, b in pairs])
