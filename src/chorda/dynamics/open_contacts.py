"""The linearised system with contacts that press which are open at its configuration: a motion may
meet them, and stiff ones limit its steps."""

from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import Contact
from chorda.dynamics.linearize import Linear
from chorda.mechanics import Array, System

WEIGHT = 9.81  # [N/kg] each presses with the weight of what it stops
NAMED = 4  # of more the number is said
UNMOVED = 1e-12  # [1/kg] mobility of a gap that nothing closes


@dataclass(frozen=True, eq=False)
class Slopes:
    """-dN/dgap and -dN/drate along the normal [N/m, N s/m], and of friction across it."""

    stiffness: float
    damping: float
    across: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Pressing:
    """The system in which they press; names of the pairs that are open, and of those among them
    that have no normal there, as on the line of a bore, and do not press here either."""

    linear: Linear
    open: tuple[str, ...] = ()
    without_normal: tuple[str, ...] = ()


def pressing(system: System, lin: Linear, q: Array, p: Array) -> Pressing:
    """With all pairs of shapes pressing that do not touch at q."""
    if not system.touches:
        return Pressing(lin)
    gaps, normal, whole = (x.full() for x in _rates(system)(q, p))
    touching = {x.pair for x, gap in zip(system.touches, gaps[:, 0], strict=True) if gap < 0}
    contacts = {x.name: x for x in system.robot.contacts}
    values = dict(zip(system.parameter_names, p.tolist(), strict=True))
    K, D, decay = lin.K.copy(), lin.D.copy(), lin.decay.copy()
    apart, lost = dict[str, None](), dict[str, None]()
    for i, touch in enumerate(system.touches):
        if touch.pair in touching:
            continue
        apart[touch.pair] = None
        n, J = normal[i], whole[3 * i : 3 * i + 3]
        mobility = float(n @ lin.accelerations(n[:, None])[:, 0])
        if mobility < UNMOVED:
            lost[touch.pair] = None
            continue
        slopes = _slopes(contacts[touch.label.partition(".")[0]], values, WEIGHT / mobility)
        along, across = np.outer(n, n), J.T @ J - np.outer(n, n)
        K -= slopes.stiffness * along + slopes.across[0] * across
        D -= slopes.damping * along + slopes.across[1] * across
        decay[[x.startswith(f"{touch.label}.bristle.") for x in lin.states]] = 0.0
    return Pressing(replace(lin, K=K, D=D, decay=decay), tuple(apart), tuple(lost))


def listed(names: tuple[str, ...]) -> str:
    """
    >>> listed(("a", "b", "c", "d", "e", "f"))
    'a, b, c, d and 2 more'
    """
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _slopes(contact: Contact, values: dict[str, float], N: float) -> Slopes:
    """Of a contact that presses with a force N."""
    name, n = contact.name, contact.exponent
    k = values[f"{name}.stiffness"]
    stiffness = n * k * (N / k) ** ((n - 1) / n)
    damping = values.get(f"{name}.dissipation", 0.0) * N
    friction, across = contact.resolved_friction, (0.0, 0.0)
    if friction is not None:
        most = values[f"{name}.friction.coefficient"] * N
        if friction.kind == "smooth":
            across = 0.0, most / values[f"{name}.friction.slip_speed"]
        else:
            spring = most / values[f"{name}.friction.deflection"]
            across = spring, spring * values.get(f"{name}.friction.relaxation", 0.0)
    return Slopes(stiffness, damping, across)


def _rates(system: System) -> Any:
    """(q, p) -> gaps, their rates per velocity, and those of the points that meet (3 rows each)."""

    def make() -> Any:
        normal = ca.jacobian(system.touch_gap, system.q) @ system.dynamics.N
        wide = [ca.horzcat(x.J, ca.SX(3, system.nv - x.J.shape[1])) for x in system.touches]
        results = (system.touch_gap, normal, ca.vertcat(*wide))
        return system.function("open_contacts", "q p", *map(ca.densify, results))

    return system.once("open-contacts", make)
