"""Tendons in series: pulleys that only pass tensions on, and the lines that tendons make so."""

from typing import Any

import numpy as np

from chorda.describe import MeshFile, Pulley, Robot, WrenchActuator
from chorda.mechanics import Array

RANK_TOLERANCE = 1e-9  # of the largest singular value


def free_pulleys(robot: Robot) -> tuple[str, ...]:
    """Joints that do nothing but pass tensions on from one tendon to the next.

    Nothing stands on them or is fastened to them, no shape either, but drums of two tendons or
    more, of which one at least has no actuator; they are not sprung, and their mass is balanced
    about their axis.
    """
    carrying = {joint.parent.partition(".")[0] for joint in robot.joints}
    fastened: list[Any] = [*robot.springs, *robot.dampers, *robot.closures]
    for item in fastened:
        carrying |= {end.frame.partition(".")[0] for end in (item.start, item.end)}
    pushed: list[Any] = [x for x in robot.actuators if isinstance(x, WrenchActuator)]
    carrying |= {x.at.frame.partition(".")[0] for x in (*robot.loads, *pushed)}
    touching = [x for x in robot.shapes if not isinstance(x, MeshFile)]
    carrying |= {x.frame.partition(".")[0] for x in touching}
    carrying |= {t.carrier for t in robot.tendons if t.carrier is not None}
    found = []
    for joint in robot.joints:
        if joint.kind != "revolute" or joint.name in carrying or joint.stiffness:
            continue
        on = [(t, k) for t in robot.tendons for k, x in enumerate(t.path) if x.frame == joint.name]
        drums = all(isinstance(t.path[k], Pulley) and k in (0, len(t.path) - 1) for t, k in on)
        center = np.zeros(3) if joint.body is None else np.array(joint.body.center)
        offset = np.linalg.norm(np.cross(joint.axis, center))
        tied = any(t.actuator is None for t, _ in on)
        if drums and len(on) > 1 and tied and offset < 1e-9:
            found.append(joint.name)
    return tuple(found)


def rank_of(matrix: Array) -> int:
    """Of a matrix whose entries may be small, as moment arms are."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(values > RANK_TOLERANCE * np.max(values, initial=0.0)))


def lines_over(idle: Array, actuated: list[bool]) -> tuple[list[int], Array]:
    """Tendons whose tension can be chosen, actuated ones first, and what it makes of all.

    The balance of the pulleys, idle @ t = 0, gives the others: columns are eliminated from those
    that no actuator pulls.
    """
    m = idle.shape[1]
    if not len(idle):
        return list(range(m)), np.eye(m)
    order = [i for i in range(m) if not actuated[i]] + [i for i in range(m) if actuated[i]]
    given: list[int] = []
    for i in order:  # columns that are independent of those before
        if rank_of(idle[:, [*given, i]]) > len(given):
            given.append(i)
    chosen = [i for i in range(m) if i not in given]
    ties = np.zeros((m, len(chosen)))
    ties[chosen, range(len(chosen))] = 1.0
    ties[given] = np.linalg.lstsq(idle[:, given], -idle[:, chosen], rcond=None)[0]
    ties[np.abs(ties) < RANK_TOLERANCE] = 0.0
    return chosen, ties
