"""What actuators can command at a configuration: how tensions change when one of them is turned or
pulls.

The joints stay, free pulleys find their balance. A tendon with an actuator of its own may have any
tension. Two on one actuator change together: oppositely wound, one gains what the other loses (an
endless tendon); wound alike, both gain, in the ratio of their stiffnesses. What is tied changes
only where a free pulley hands it on.
"""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
import numpy.typing as npt

from chorda.describe import TensionActuator
from chorda.mechanics import Array, System
from chorda.mechanics.tensioning import static_tensions

NOTHING = 1e-9
STIFF = 1e6  # of the stiffest tendon: what does not stretch


@dataclass(frozen=True)
class Commands:
    """changes (tendons, actuators): of the tensions by each actuator, the largest 1; resting:
    tension of
    each tendon at the configuration, NaN where it follows from the balance [N]."""

    actuators: tuple[str, ...]
    changes: Array
    resting: Array

    @property
    def passive(self) -> npt.NDArray[np.bool_]:
        """Tendons whose tension no actuator changes."""
        return np.asarray(np.all(np.abs(self.changes) <= NOTHING, axis=1), bool)

    def coupling(self, A: Array, idle: Array) -> Array:
        """Rows G with G t = 0 for all tensions that actuators and pretension can give together.

        A (joints, tendons), idle (pulleys, tendons): moment arms. Tensions that make no torque are
        a matter of pretension: they are set when the tendons are mounted, not by the actuators.
        """
        from scipy.linalg import null_space

        m = len(self.passive)
        still = np.eye(m)[self.passive]
        arms = np.vstack([_unit_rows(np.vstack([A, idle])), still])
        preload = null_space(arms, rcond=NOTHING)
        told = np.vstack([self.changes.T, preload.T, still, _unit_rows(idle)])
        return np.asarray(null_space(told, rcond=NOTHING).T, float)


def _unit_rows(rows: Array) -> Array:
    """Rows of length 1, those of nothing left out: moment arms may be small."""
    size = np.linalg.norm(rows, axis=1)
    keep = size > NOTHING * np.max(size, initial=0.0)
    return np.asarray(rows[keep] / size[keep, None], float)


def commands(system: System, q: Array, p: Array, idle: Array) -> Commands:
    """idle (pulleys, tendons): moment arms on the pulleys that turn freely."""
    tendons, actuators = system.robot.tendons, system.robot.actuators
    pulled = {d.name for d in actuators if isinstance(d, TensionActuator)}
    pull = static_tensions(system, q, p)
    k = _stiffness(system, q, p, pull)
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
    changes[np.abs(changes) < NOTHING] = 0.0
    known = np.nan_to_num(pull)
    resting = known - hand_on @ (idle @ known)
    one_sided = np.array([getattr(t.law, "one_sided", False) for t in tendons], bool)
    resting = np.where(one_sided, np.maximum(resting, 0.0), resting)
    return Commands(
        tuple(d.name for d in actuators), changes, np.where(np.isfinite(pull), resting, np.nan)
    )


def _stiffness(system: System, q: Array, p: Array, pull: Array) -> Array:
    """Of each tendon under its tension, in units of the softest."""

    def make() -> Any:
        compliance = ca.diag(ca.jacobian(system.tendons.stretch, system.tendons.pulls))
        return system.function("compliance", "pulls q p", ca.densify(compliance))

    under = np.maximum(np.nan_to_num(pull), 1.0)
    compliance = np.array(system.once("compliance", make)(under, q, p), float).ravel()
    elastic = np.array(system.tendons.elastic, bool)
    k = np.ones(len(compliance))
    k[elastic] = 1 / compliance[elastic]
    softest = float(np.min(k[elastic])) if elastic.any() else 1.0
    stiffest = float(np.max(k[elastic])) if elastic.any() else 1 / STIFF
    k[~elastic] = STIFF * stiffest
    return k / softest
