"""Forces of contacts on the links, for the recursion: as the System has them, point by point."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import Robot
from chorda.describe.contact_checks import refuse_contacts
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.tendons.links import Configuration, Tree, Wrenches


@dataclass(frozen=True)
class ContactPush:
    """Between two frames by name; of each sample the force on the second and its place (n, 3)."""

    first: str
    second: str
    force: Array
    place: Array


def contact_pushes(of: System | Robot, q: Array, v: Array, p: Array | None) -> list[ContactPush]:
    """Of all points where declared shapes touch, in world axes; q, v: rows, with the joints first,
    or all coordinates; p: parameters, by default those of the description."""
    if isinstance(of, Robot):
        refuse_contacts(of.contacts, "newton_euler of a Robot", "give chorda.assemble(robot)")
        return []
    system, touches = of, of.touches
    if not touches:
        return []
    Q, V = _whole(system, q, system.rest), _whole(system, v, np.zeros(system.nv))

    def make() -> Any:
        each = [ca.horzcat(x.point, x.pressing * x.normal + x.friction) for x in touches]
        return system.function("touch_forces", "q v u p", ca.densify(ca.horzcat(*each)))

    u, values = np.zeros((system.nu, 1)), system.parameter_values if p is None else np.asarray(p)
    found = system.once("touch-forces", make)(Q.T, V.T, u, values[:, None]).full()
    rows = found.reshape(3, len(Q), 2 * len(touches)).transpose(2, 1, 0)
    frames = {x.name: x.frame for x in system.robot.shapes}
    return [
        ContactPush(frames[x.first], frames[x.second], rows[2 * k + 1], rows[2 * k])
        for k, x in enumerate(touches)
    ]


def push_contacts(
    tree: Tree, at: Configuration, pushes: Sequence[ContactPush], outside: Wrenches
) -> None:
    """Adds the forces to what acts on the links."""
    for x in pushes:
        outside.push(at, tree.index[x.first], -x.force, x.place)
        outside.push(at, tree.index[x.second], x.force, x.place)


def _whole(system: System, rows: Array, others: Array) -> Array:
    """Rows of all coordinates; those of motors make no difference."""
    if rows.shape[1] == len(others):
        return rows
    labels = tuple(f"{x.label}.bristle" for x in system.touches)
    if bent := [x for x in system.coordinate_names if x.startswith(labels)]:
        raise InputError(
            f"q: bristles of contacts have deflections ({', '.join(bent)}); give all coordinates"
        )
    whole = np.repeat(others[None], len(rows), 0)
    whole[:, : rows.shape[1]] = rows
    return whole
