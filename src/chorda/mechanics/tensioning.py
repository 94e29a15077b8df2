"""How far actuators wind their tendons for given tensions, and the tensions that they have then.

Configurations q are one (nq), or columns (nq, n) of many, and p likewise.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import Robot, Tendon, TensionActuator
from chorda.errors import InputError
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.system import Array, System
from chorda.numerics.pacing import Watch, by_columns


def gain(system: System, motor: str, p: Any) -> Any:
    """Length that a motor pays out per angle [m/rad]: its drum's radius over its gear ratio.

    This is B of [Testard2023, eq. 1]. p: parameters, in numbers or symbols.
    """
    names = system.parameter_names
    drum, gear = (p[names.index(f"{motor}.{x}")] for x in ("drum_radius", "gear_ratio"))
    return drum / gear


def refuse_pushing(tendon: Tendon, tension: Any, what: str) -> None:
    """A one-sided tendon cannot have a negative tension; NaN stands for none that is given."""
    least = float(np.min(tension, initial=np.inf))
    if least < 0 and tendon.law.one_sided:
        raise InputError(
            f"{what}: tendon '{tendon.name}' pulls and cannot push: expected 0 N or more, got "
            f"{least:g} N; give a tension of 0 or more, or say in its law that it may push "
            "(one_sided: false)"
        )


def refuse_pushing_inputs(robot: Robot, inputs: Mapping[str, Any], what: str = "inputs") -> None:
    """The same for values, or series of them, of the actuators' inputs by name."""
    pulled = {x.name for x in robot.actuators if isinstance(x, TensionActuator)}
    for tendon in robot.tendons:
        if tendon.actuator in pulled and tendon.actuator in inputs:
            refuse_pushing(tendon, inputs[tendon.actuator], f"{what}.{tendon.actuator}")


def static_tensions(system: System, q: Array, p: Array) -> Array:
    """Tension of each tendon that stretches, at rest without inputs; NaN of the others [N]."""
    tension = _at_columns(tensioner(system), q, p)
    return np.asarray(tension if q.ndim > 1 else tension.ravel())


def tensioner(system: System) -> Any:
    """(q, p) -> what `static_tensions` gives."""

    def make() -> Any:
        tension = _still(system, system.tendons.resting.tension)
        none = ca.DM([0.0 if stretches else np.nan for stretches in system.tendons.elastic])
        return system.function("tensions", "q p", ca.densify(tension + none))

    return system.once("static-tensions", make)


def winder(system: System) -> Any:
    """(pulls, q, p) -> q with the motors turned until elastic tendons have these static tensions.

    A tension of NaN is not asked for. Of tendons on one motor, the last one counts.
    """

    def make() -> Any:
        cables = system.tendons.cables
        length = _still(system, ca.vertcat(*[cable.length for cable in cables]))
        rest = ca.vertcat(*[cable.reference for cable in cables])
        paid = length - rest - system.tendons.resting.stretch
        q, pulls, names = SX(system.q), system.tendons.pulls, system.coordinate_names
        for i, tendon in enumerate(system.robot.tendons):
            if tendon.actuator in names:
                row = names.index(tendon.actuator)
                angle = tendon.winding * paid[i] / gain(system, tendon.actuator, system.p)
                q[row] = ca.if_else(pulls[i] > -SX.inf(), angle, q[row])  # a NaN is not
        return system.function("winder", "pulls q p", ca.densify(q))

    return system.once("winder", make)


def wound(
    system: System,
    q: Array,
    tension: Array,
    p: Array,
    asked: Sequence[bool] | Array | None = None,
    watch: Watch | None = None,
) -> Array:
    """q with the motors turned until the elastic tendons have these static tensions.

    asked: for which tendons; all that are not NaN if not given. watch: see `numerics.pacing`.
    """
    pulls = tension if asked is None else np.where(asked, tension, np.nan)
    found = _at_columns(winder(system), pulls, q, p, watch=watch)
    return np.asarray(found if q.ndim > 1 else found.ravel())


def _at_columns(function: Any, *arguments: Array, watch: Watch | None = None) -> Array:
    """Of one column or of many."""
    columns = (x[:, None] if x.ndim == 1 else x for x in arguments)
    return by_columns(function, *columns, watch=watch)[0]


def _still(system: System, expression: Expr) -> Expr:
    """An expression without motion and inputs."""
    absent = [system.v, system.u]
    return ca.substitute([expression], absent, [SX.zeros(x.shape) for x in absent])[0]
