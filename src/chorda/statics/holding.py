"""Coordinates that are held, frames that are put somewhere, and the joints that are actuated for
it.

The forward problem of a robot holds its motors; the inverse one puts its platform somewhere and
asks where the motors are. What is actuated has whatever effort that takes: its balance is left out,
and a held coordinate or a placed axis comes in for it.
"""

from collections.abc import Callable
from dataclasses import replace

import casadi as ca
import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.balance import statics
from chorda.statics.descent import Evaluate
from chorda.statics.held import Case
from chorda.statics.prescribed import Layout, actuatable
from chorda.statics.target_poses import placed


def holding(system: System, case: Case, layout: Layout, target: Array, p: Array) -> Case:
    """The case with what is held, placed and actuated."""
    if not layout.actuated:
        return case
    rows = actuatable(system)
    for what, chosen in (("hold", layout.held), ("actuated", layout.moved)):
        for name in chosen:
            if rows[name] not in case.free:
                raise InputError(f"{what}.{name}: is given already; leave it out")
    q, n = case.start.copy(), len(layout.held)
    for name, value in zip(layout.held, target, strict=False):
        q[system.coordinate_names.index(name)] = value
    free = np.setdiff1d(case.free, [rows[name] for name in layout.held])
    push = np.zeros(system.nv)
    for name, value in zip(layout.efforts, target[n:], strict=False):
        if name not in layout.settings:
            push[rows[name]] = value
    exchanged = None
    if set(layout.moved) != set(layout.held):
        exchanged = np.array(sorted(rows[name] for name in layout.moved))
    gaps = _placing(system, layout, target, p) if layout.frames else None
    evaluate = _pushed(case.evaluate, push) if layout.efforts else case.evaluate
    return replace(case, free=free, start=q, actuated=exchanged, placed=gaps, evaluate=evaluate)


def _pushed(evaluate: Evaluate, push: Array) -> Evaluate:
    """With constant efforts."""

    def pushed(q: Array, lam: Array) -> tuple[Array, Array, Array, Array]:
        F, K, psi, J = evaluate(q, lam)
        return F + push, K, psi, J

    return pushed


def _placing(
    system: System, layout: Layout, target: Array, p: Array
) -> Callable[[Array], tuple[Array, Array]]:
    """q -> how far frames are from where they shall be, and its derivative by v."""
    function = statics(system, layout.frames)
    lam, u = np.zeros(system.nc), np.zeros(system.nu)

    def gaps(q: Array) -> tuple[Array, Array]:
        X, V = function(q, lam, u, p)[4:]
        off, slopes = placed(layout, X, V, ca.DM(target))
        return ca.vertcat(*off).full().ravel(), ca.vertcat(*slopes).full()

    return gaps
