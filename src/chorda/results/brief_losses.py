"""What loses energy only while it is met: contacts, stops, and the teeth of gears with backlash.

A bounce may lie between two states that are looked at, so that it is judged by how near they are.
"""

import numpy as np

from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns

APART = 2.0  # times the most that a distance changes between two looks


def may_meet(system: System, q: Array, p: Array) -> bool:
    """Whether a motion may meet something that loses energy; q: rows along it."""
    return _met_unseen(system, p) or not all(
        np.all(np.min(x, axis=0) > APART * np.max(np.abs(np.diff(x, axis=0)), axis=0))
        for x in (_gaps(system, q, p), _to_stops(system, q, p))
    )


def _value(system: System, p: Array, name: str, missing: float = 0.0) -> float:
    names = system.parameter_names
    return float(p[names.index(name)]) if name in names else missing


def _gaps(system: System, q: Array, p: Array) -> Array:
    """Of points of contacts with dissipation or friction (n, points) [m]."""
    lossy = {
        x.name
        for x in system.robot.contacts
        for part in ("dissipation", "friction.coefficient")
        if _value(system, p, f"{x.name}.{part}") > 0
    }
    of = [k for k, x in enumerate(system.touches) if _contact(system, x.pair) in lossy]
    if not of:
        return np.zeros((len(q), 0))
    still = np.zeros((system.nv, 1)), np.zeros((system.nu, 1))
    return np.asarray(by_columns(system.touch_gaps, q.T, *still, p[:, None])[0][of].T)


def _contact(system: System, pair: str) -> str:
    """The name of the contact of a pair; of nested names, the longest."""
    names = [x.name for x in system.robot.contacts if f"{pair}.".startswith(f"{x.name}.")]
    return max(names, key=len)


def _to_stops(system: System, q: Array, p: Array) -> Array:
    """Distances to both ends of joints whose stops damp (n, ends) [rad or m]."""
    found = []
    for k, name in enumerate(system.coordinate_names):
        if _value(system, p, f"{name}.stop.damping") > 0:
            found.append(q[:, k] - _value(system, p, f"{name}.stop.low", -np.inf))
            found.append(_value(system, p, f"{name}.stop.high", np.inf) - q[:, k])
    return np.array(found).T if found else np.zeros((len(q), 0))


def _met_unseen(system: System, p: Array) -> bool:
    """Whether something damps whose distance is not looked at, as teeth do beside a gap."""
    seen = {f"{name}.stop.damping" for name in system.coordinate_names}
    ends = (".backlash.damping", ".stop.damping")
    others = (x for x in system.parameter_names if x.endswith(ends) and x not in seen)
    return any(_value(system, p, name) > 0 for name in others)
