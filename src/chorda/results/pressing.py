"""Contacts of configurations at rest: gaps and normal forces, by the names of where they touch."""

import numpy as np

from chorda.compile.columns import at_columns
from chorda.mechanics import Array, System


def contact_values(system: System, quantity: str, q: Array, u: Array, p: Array) -> dict[str, Array]:
    """The output `gap` [m] or `normal_force` [N] of rows of configurations, NaN where those are.

    u, p: as many rows, or one for all.
    """
    found = next((x for x in system.outputs if x.name == quantity), None)
    if found is None:
        return {}
    function = system.once(
        f"at-rest-{quantity}", lambda: system.function(quantity, "q v u p", found.expression)
    )
    still = np.zeros((system.nv, 1))
    values = at_columns(system, function, q.T, still, u.T, p.T)[0]
    values = np.where(np.isnan(q).any(axis=1), np.nan, values)
    return dict(zip(found.labels, values, strict=True))


def meetings(system: System, parameter: Array, q: Array, u: Array, p: Array) -> str:
    """A sentence on shapes that touch along a path, but not where it begins."""
    gaps = contact_values(system, "gap", q, u, p)
    first: dict[str, float] = {}
    for x in system.touches:
        touching = np.flatnonzero(gaps[x.label] < 0)
        if len(touching):
            name, at = f"{x.first} and {x.second}", float(parameter[touching[0]])
            first[name] = min(at, first.get(name, at))
    new = [f"{name} touch from {at:.1%} on" for name, at in first.items() if at > parameter[0]]
    return f"{'; '.join(new)}." if new else ""
