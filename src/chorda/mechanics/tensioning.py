"""Tendons at rest: what tensions they have, and how motors are wound until they have others.

All are CasADi functions, made once for a system; arrays of columns give the same for many
configurations at once.
"""

from typing import Any

import casadi as ca
import numpy as np
import numpy.typing as npt

from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.system import System


def elastic(system: System) -> npt.NDArray[np.bool_]:
    """For each tendon whether its tension follows from its elongation."""
    slopes = ca.jacobian(system.tendons.stretch, system.tendons.pulls)
    found = np.zeros(len(system.robot.tendons), bool)
    found[list(slopes.sparsity().get_triplet()[0])] = True
    return found


def static_tensions(system: System) -> Any:
    """(q, p) -> tension of each tendon at rest without inputs [N]; NaN where it is not elastic."""

    def make() -> Any:
        tension = _at_rest(system, "tension")
        for i in np.flatnonzero(~elastic(system)).tolist():
            tension[i] = SX.nan()
        return system.function("static_tensions", "q p", ca.densify(tension))

    return system.once("static-tensions", make)


def paid_out(system: System) -> Any:
    """(pulls, q, p) -> length of each tendon to pay out for these static tensions [m]."""
    return system.once(
        "paid-out", lambda: system.function("paid_out", "pulls q p", ca.densify(_paid(system)))
    )


def winder(system: System) -> Any:
    """(pulls, q, p) -> q with the motors turned until elastic tendons have these static tensions.

    A tension of NaN is not asked for. Of tendons on one motor, the last one counts.
    """

    def make() -> Any:
        q, paid, pulls = SX(system.q), _paid(system), system.tendons.pulls
        names, parameters = system.coordinate_names, system.parameter_names
        for i, tendon in enumerate(system.robot.tendons):
            if tendon.actuator not in names:
                continue
            row, parts = names.index(tendon.actuator), ("drum_radius", "gear_ratio")
            drum, gear = (system.p[parameters.index(f"{tendon.actuator}.{x}")] for x in parts)
            wound = tendon.winding * paid[i] / (drum / gear)
            q[row] = ca.if_else(pulls[i] > -SX.inf(), wound, q[row])  # a NaN is not
        return system.function("winder", "pulls q p", ca.densify(q))

    return system.once("winder", make)


def _paid(system: System) -> Expr:
    length = _at_rest(system, "length")
    (reference,) = ca.substitute([length], [system.q], [SX(system.rest)])
    return length - reference - system.tendons.stretch


def _at_rest(system: System, output: str) -> Expr:
    """An output without motion, inputs and constraint forces."""
    expression = next(o.expression for o in system.outputs if o.name == output)
    absent = [system.v, system.a, system.lam, system.u]
    return ca.substitute([expression], absent, [SX.zeros(x.shape) for x in absent])[0]
