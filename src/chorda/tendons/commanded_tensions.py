"""How tensions change at a configuration when an actuator is turned or pulls.

The joints stay, free pulleys find their balance. A tendon with an actuator of its own may have any
tension. Two on one actuator change together: oppositely wound, one gains what the other loses (an
endless tendon); wound alike, both gain, in the ratio of their stiffnesses. A tied tendon changes
only where a free pulley hands the tension on.
"""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
import numpy.typing as npt

from chorda.describe import TensionActuator
from chorda.mechanics import Array, System
from chorda.mechanics.tensioning import static_tensions

TOLERANCE = 1e-9  # of the largest entry: what is smaller is zero
INEXTENSIBLE = 1e6  # times the stiffest tendon: the stiffness of what does not stretch


@dataclass(frozen=True)
class CommandedTensions:
    """What actuators do to tensions.

    changes (tendons, actuators): of the tensions by each actuator, the largest 1. resting: tension
    of each tendon at the configuration, NaN where it follows from the balance [N].
    """

    actuators: tuple[str, ...]
    changes: Array
    resting: Array

    @property
    def passive(self) -> npt.NDArray[np.bool_]:
        """Tendons whose tension no actuator changes."""
        return np.asarray(np.all(np.abs(self.changes) <= TOLERANCE, axis=1), bool)

    def coupling(self, A: Array, idle: Array) -> Array:
        """Rows G with G t = 0 for all tensions that actuators and pretension can give together.

        A (joints, tendons), idle (pulleys, tendons): moment arms. Tensions that make no torque are
        a matter of pretension: they are set when the tendons are mounted, not by the actuators.
        """
        from scipy.linalg import null_space

        fixed = np.eye(len(self.passive))[self.passive]
        arms = np.vstack([_unit_rows(np.vstack([A, idle])), fixed])
        preload = null_space(arms, rcond=TOLERANCE)
        possible = np.vstack([self.changes.T, preload.T, fixed, _unit_rows(idle)])
        return np.asarray(null_space(possible, rcond=TOLERANCE).T, float)


def _unit_rows(rows: Array) -> Array:
    """Rows of length 1, without rows of zeros: moment arms may be small."""
    size = np.linalg.norm(rows, axis=1)
    keep = size > TOLERANCE * np.max(size, initial=0.0)
    return np.asarray(rows[keep] / size[keep, None], float)


def commanded_tensions(system: System, q: Array, p: Array, idle: Array) -> CommandedTensions:
    """idle (pulleys, tendons): moment arms on the pulleys that turn freely."""
    tendons, actuators = system.robot.tendons, system.robot.actuators
    pulled = {d.name for d in actuators if isinstance(d, TensionActuator)}
    tension = static_tensions(system, q, p)
    k = _stiffness(system, q, p, tension)
    k[[t.actuator in pulled for t in tendons]] = 0.0
    direct = np.zeros((len(tendons), len(actuators)))
    for row, tendon in enumerate(tendons):
        for column, actuator in enumerate(actuators):
            if tendon.actuator == actuator.name:
                by = 1.0 if actuator.name in pulled else k[row] * tendon.winding
                direct[row, column] = by
    # the pulleys turn by phi until idle @ t = 0, and tensions change by -k idle^T phi
    hand_on = k[:, None] * idle.T @ np.linalg.pinv(idle @ (k[:, None] * idle.T), rcond=1e-12)
    changes = direct - hand_on @ (idle @ direct)
    largest = np.max(np.abs(changes), axis=0, initial=0.0)
    changes = changes / np.where(largest > 0, largest, 1.0)
    changes[np.abs(changes) < TOLERANCE] = 0.0
    known = np.nan_to_num(tension)
    resting = known - hand_on @ (idle @ known)
    one_sided = np.array([t.law.one_sided for t in tendons], bool)
    resting = np.where(one_sided, np.maximum(resting, 0.0), resting)
    resting[~np.isfinite(tension)] = np.nan
    return CommandedTensions(tuple(d.name for d in actuators), changes, resting)


def _stiffness(system: System, q: Array, p: Array, tension: Array) -> Array:
    """Of each tendon under its tension, in units of the softest."""

    def make() -> Any:
        compliance = ca.diag(ca.jacobian(system.tendons.stretch, system.tendons.pulls))
        return system.function("compliance", "pulls q p", ca.densify(compliance))

    under = np.maximum(np.nan_to_num(tension), 1.0)
    compliance = np.array(system.once("compliance", make)(under, q, p), float).ravel()
    stretch = np.array(system.tendons.elastic, bool)
    k = np.full(len(compliance), np.nan)
    k[stretch] = 1 / compliance[stretch]
    softest = float(np.min(k[stretch], initial=np.inf)) if stretch.any() else 1.0
    k[~stretch] = INEXTENSIBLE * float(np.max(k[stretch], initial=1 / INEXTENSIBLE))
    return k / softest
