"""Shapes that overlap where a motion starts, and are thrown apart, as a sentence."""

from typing import Any

import casadi as ca
import numpy as np

from chorda.compile.columns import at_columns
from chorda.mechanics import Array, System
from chorda.numerics.array_library import host, library
from chorda.results.observe import accelerations

VIOLENT = 100.0  # [m/s^2] about ten times that of gravity
DEEP = 1e-6  # [m]
MOST_LOOKED_AT = 1000  # members
NO_LEVER = 1e-6  # change of a gap by a coordinate, over its scale [m]: no motion opens it


def thrown_apart(system: System, q: Array, u: Array, p: Array) -> str:
    """Of starts that are columns: which shapes of which member overlap most; empty where none do.

    Shapes that rest on each other overlap too, and what presses them is in balance: only those
    count whose contact forces, at rest, move them apart violently, or that nothing moves apart.
    """
    if not system.touches:
        return ""
    n, xp = max(x.shape[1] for x in (q, u, p)), library(q, u, p)
    (gaps,) = at_columns(system, system.touch_gaps, q, np.zeros((system.nv, 1)), u, p)
    deepest = gaps.min(axis=0)
    deep = xp.flatnonzero(deepest < -DEEP)
    if not len(deep):
        return ""
    beyond = max(len(deep) - MOST_LOOKED_AT, 0)
    if beyond:
        deep = deep[xp.argsort(deepest[deep])[:MOST_LOOKED_AT]]
    q, u, p = (host(x[:, deep]) if x.shape[1] > 1 else host(x) for x in (q, u, p))
    q, u, p = (np.broadcast_to(x, (len(x), len(deep))) for x in (q, u, p))
    deep, gaps = host(deep), host(gaps[:, deep])
    away = _opening(system, q, u, p)
    by_contact = away - _opening(system, q, u, _without_contacts(system, p))
    stuck = (gaps < -DEEP) & (_leverage(system, q, u, p) < NO_LEVER)
    thrown = (gaps < -DEEP) & (np.minimum(away, by_contact) > VIOLENT)
    thrown = np.where(stuck | thrown, -gaps, 0.0)
    if not thrown.any():
        return ""
    row, member = np.unravel_index(int(np.argmax(thrown)), thrown.shape)
    x, count = system.touches[row], int(np.sum(thrown.max(axis=0) > 0))
    of = "" if n == 1 else f" of member {deep[member]} (and of {count - 1} others)"
    if beyond:
        of += f", of the {MOST_LOOKED_AT} whose shapes overlap most,"
    what = f"which throws them apart at {away[row, member]:.2g} m/s^2"
    if stuck[row, member]:
        what = "and no motion parts them, as where one is inside the other"
    return (
        f"At the start{of} shapes '{x.first}' and '{x.second}' of contact '{x.label}' overlap by "
        f"{thrown[row, member] * 1e3:.4g} mm, {what}: start with coordinates with which they are "
        "apart, or from an equilibrium."
    )


def _opening(system: System, q: Array, u: Array, p: Array) -> Array:
    """Accelerations of the gaps, from rest [m/s^2] (touches, members)."""

    def make() -> Any:
        rates = ca.vertcat(*[x.rate for x in system.touches])
        return system.function("opening", "q v u p", ca.densify(rates))

    a, _ = accelerations(system, q.T, np.zeros((q.shape[1], system.nv)), u.T, p)
    return np.asarray(system.once("opening", make)(q, a.T, u, p).full())


def _leverage(system: System, q: Array, u: Array, p: Array) -> Array:
    """The largest change of each gap by a velocity, over its scale [m] (touches, members)."""

    def make() -> Any:
        rates = ca.vertcat(*[x.rate for x in system.touches])
        by = ca.fabs(ca.jacobian(rates, system.v) @ ca.diag(ca.DM(system.scales)))
        by = ca.substitute(by, system.v, ca.SX.zeros(system.nv))  # rates are linear in v
        most = ca.vertcat(*[ca.mmax(ca.densify(by[k, :])) for k in range(len(system.touches))])
        return system.function("leverage", "q u p", ca.densify(most))

    return np.asarray(system.once("leverage", make)(q, u, p).full())


def _without_contacts(system: System, p: Array) -> Array:
    names, p = system.parameter_names, p.copy()
    for contact in system.robot.contacts:
        p[names.index(f"{contact.name}.stiffness")] = 0.0
    return p
