"""States of first order beside the motion, such as the deflection of bristles or a motor's current.

    z_dot = s(q, v, u, p) - w(q, v, u, p) z,    w >= 0

They are the last coordinates of q. No velocity moves them (their rows of N are empty): at rest
bristles stay what they are, and a current, which settles, is s / w. Neither s nor w depends on any
z, so that implicit schemes have z after a step in closed form, whatever w is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.joints.joint_model import Coordinate

STATE = "state"  # the kind of their coordinates


@dataclass(frozen=True, eq=False)
class FirstOrderState:
    """One state: its coordinate, its symbol z, its source s [unit/s] and its decay w [1/s]; rest:
    what it is at rest, none where it stays what it is."""

    coordinate: Coordinate
    z: Expr
    source: Expr
    decay: Expr
    rest: Expr | None = None

    @property
    def settles(self) -> bool:
        return self.rest is not None


def state(
    name: str,
    unit: str,
    z: Expr,
    source: Expr,
    decay: Expr,
    scale: float,
    rest: Expr | None = None,
) -> FirstOrderState:
    """The state of that name; scale: a large value of it."""
    made = Coordinate(name, unit, kind=STATE, scale=scale)
    return FirstOrderState(made, z, source, decay, rest)


def settled(states: Sequence[FirstOrderState], *expressions: Expr) -> list[Expr]:
    """Expressions with the values that settling states have at rest, where rates are zero."""
    found = [x for x in states if x.settles]
    if not found:
        return list(expressions)
    z, rest = (ca.vertcat(*x) for x in ([x.z for x in found], [x.rest for x in found]))
    return list(ca.substitute(list(expressions), [z], [rest]))


def rates(states: Sequence[FirstOrderState]) -> tuple[Expr, Expr]:
    """Columns s and w of all states."""
    z = ca.vertcat(SX(0, 1), *[x.z for x in states])
    s, w = (
        ca.vertcat(SX(0, 1), *[ca.densify(getattr(x, name)) for x in states])
        for name in ("source", "decay")
    )
    assert not (z.numel() and ca.depends_on(ca.vertcat(s, w), z)), "rates that depend on a state"
    return s, w
