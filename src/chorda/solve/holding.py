"""Coordinates that are held, frames that are put somewhere, and the joints that are driven for it.

The forward problem of a robot holds its motors; the inverse one puts its platform somewhere and
asks where the motors are. What is driven has whatever effort that takes: its balance is left out,
and a held coordinate or a placed axis comes in for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import casadi as ca
import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric, unknown
from chorda.mechanics.posing import posing
from chorda.solve.held import Case

AXES = "xyz"
Places = Mapping[str, Mapping[str, float]]


def holding(
    system: System,
    case: Case,
    held: Mapping[str, float] | None,
    places: Places | None,
    driven: Sequence[str] | None,
    p: Array,
) -> tuple[Case, tuple[str, ...]]:
    """The case with what is held and placed, and the names of what is driven."""
    held, places = held or {}, places or {}
    wanted = tuple(held) if driven is None else tuple(driven)
    count = len(held) + sum(len(axes) for axes in places.values())
    if len(wanted) != count:
        raise InputError(
            f"driven: {count} values are held or placed, expected as many coordinates that are "
            f"driven for it, got {len(wanted)} ({', '.join(wanted) or 'none'})"
        )
    if not count:
        return case, ()
    rows = {name.removesuffix(".rate"): k for k, (name, _) in enumerate(system.velocities)}
    names = tuple(name for name in system.coordinate_names if name in rows)
    for what, chosen in (("hold", held), ("driven", wanted)):
        for name in chosen:
            if name not in names:
                raise InputError(unknown(what, str(name), names))
            if rows[name] not in case.free:
                raise InputError(f"{what}.{name}: is given already; leave it out")
    q = case.start.copy()
    for name, value in held.items():
        q[system.coordinate_names.index(name)] = _number(f"hold.{name}", value)
    free = np.setdiff1d(case.free, [rows[name] for name in held])
    placed = _placing(system, places, p) if places else None
    exchanged = None
    if placed is not None or set(wanted) != set(held):
        exchanged = np.array(sorted(rows[name] for name in wanted))
    return replace(case, free=free, start=q, driven=exchanged, placed=placed), wanted


def _number(where: str, value: float) -> float:
    number = numeric(where, value)
    if number.ndim or not np.isfinite(number):
        raise InputError(f"{where}: expected a finite number, got {value!r:.60}")
    return float(number)


def _placing(system: System, places: Places, p: Array) -> Callable[[Array], tuple[Array, Array]]:
    """q -> how far frames are from where they shall be, and its derivative by v."""
    picks, targets = [], []
    for k, (frame, axes) in enumerate(places.items()):
        for axis, value in axes.items():
            if axis not in AXES:
                raise InputError(f"place.{frame}: '{axis}' is no axis; expected x, y or z")
            picks.append((9 + AXES.index(axis), k))
            targets.append(_number(f"place.{frame}.{axis}", value))
    rows, poses = posing(system, tuple(places))
    n = poses.size1_in(0)

    def make() -> ca.Function:
        found = poses(system.q[:n], system.p[rows])
        at = ca.vertcat(*[found[i, k] for i, k in picks])
        return system.function("placing", "q p", at, ca.jacobian(at, system.q) @ system.N)

    function = system.once(("placing", tuple(places), tuple(picks)), make)

    def placed(q: Array) -> tuple[Array, Array]:
        at, slope = (x.full() for x in function(q, p))
        return at.ravel() - targets, slope

    return placed
