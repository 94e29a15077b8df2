"""Tensions along tendons that rub: one for each gap between neighbours in a path."""

from itertools import accumulate

import casadi as ca
import numpy as np

from chorda.describe import Robot
from chorda.mechanics import Array
from chorda.results import Equilibrium, Run


def gap_tensions(of: Run | Equilibrium, tension: Array) -> list[Array]:
    """Of each tendon with a path, (samples, gaps); tension: at the actuators (samples, tendons)."""
    system, found = of.system, list[Array]()
    ratios = _ratios(of)
    for i, tendon in enumerate(system.robot.tendons):
        own, gaps = tension[:, i : i + 1], max(len(tendon.path) - 1, 0)
        rubbing = system.tendons.each[i].rubbing
        if rubbing is None:
            found.append(np.repeat(own, gaps, 1))
            continue
        behind = [f"{tendon.name}.path{k}" in rubbing.labels for k in range(gaps)]
        at = list(accumulate(behind, lambda count, rubs: count + rubs, initial=0))[1:]
        found.append(own * ratios[i][:, at])
    return found


def _ratios(of: Run | Equilibrium) -> dict[int, Array]:
    """By number of a tendon that rubs: tensions along it over that at its actuator."""
    system = of.system
    moving = isinstance(of, Run)
    tendons = system.tendons if moving else system.tendons.resting
    each = {i: x.rubbing for i, x in enumerate(tendons.each) if x.rubbing is not None}
    if not each:
        return {}
    columns = [ca.densify(ca.vertcat(*x.ratios)) for x in each.values()]
    made = system.once(("ratios", moving), lambda: system.function("ratios", "q v u p", *columns))
    if isinstance(of, Run):
        rows = [of.position, of.velocity, of.input]
    else:
        rows = [of.q[None], np.zeros((1, system.nv)), of.u[None]]
    n = len(rows[0])
    p = np.repeat(of.parameters[:, None], n, 1)
    values = made.map(n)(*[x.T for x in rows], p)
    values = values if isinstance(values, tuple) else (values,)
    return {i: x.full().T for i, x in zip(each, values, strict=True)}


def one_for_all(robot: Robot, tension: Array) -> list[Array]:
    """The same tension in all gaps of a tendon."""
    return [
        np.repeat(tension[:, i : i + 1], max(len(x.path) - 1, 0), 1)
        for i, x in enumerate(robot.tendons)
    ]
