"""Dry friction: a torque or force that opposes a rate, smooth or with a jump."""

from typing import Any

import casadi as ca

from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters


def dry_friction(name: str, law: Any, rate: Expr, par: Parameters) -> Expr:
    """Of a described law (`DryFriction`, `SlidingFriction`), at a rate.

    With Stribeck's effect it falls from the breakaway torque to the one that stays:
    c + (b - c) exp(-(rate / r)^2), times the step [Armstrong1994].
    """
    unit, effort = law.UNITS
    level = par.scalar(f"{name}.dry_{law.LEVEL}", law.level, effort)
    if law.kind == "sign":
        step = ca.sign(rate)
    else:
        slope = par.scalar(f"{name}.dry_slope", law.slope, f"s/{unit}", positive=True)
        arctan = law.kind == "arctan"
        step = 2 / ca.pi * ca.atan(slope * rate) if arctan else ca.tanh(slope * rate)
    if law.breakaway is not None:
        most = par.scalar(f"{name}.dry_breakaway", law.breakaway, effort)
        falls = par.scalar(
            f"{name}.dry_stribeck_rate", law.stribeck_rate, f"{unit}/s", positive=True
        )
        level += (most - level) * ca.exp(-((rate / falls) ** 2))
    return SX(level * step)
