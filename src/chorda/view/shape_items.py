"""What there is to export of a robot's shape, each under a name of its own."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from chorda.describe import Rod
from chorda.mechanics import Array, Line
from chorda.view.drawing import Drawing

EXPORTED_KINDS = ("rod", "disk", "tendon", "bar", "link", "mount")


@dataclass(frozen=True, eq=False)
class Item:
    """A rod's centre line, a tendon, a disk (its centre, then its rim), or a bar: (n, k, 3) [m]."""

    name: str
    kind: str
    points: Array
    line: Line


def items(drawing: Drawing) -> Iterator[Item]:
    """All of them, in the order of the robot's lines."""
    robot = drawing.system.robot
    disks = {x.name: iter(x.disks) for x in robot.joints if isinstance(x, Rod)}
    used: dict[str, int] = {}
    for line in drawing.lines_of(*EXPORTED_KINDS):
        if len(line.points) < 2:
            continue
        at = drawing.points[:, list(line.points)]
        name = line.name
        if line.kind == "disk":
            name = f"{line.name}.{next(disks[line.name]).name}"
            rim = at[:, :-1]  # the last closes it
            at = np.concatenate([rim.mean(axis=1, keepdims=True), rim], axis=1)
        used[name] = used.get(name, 0) + 1
        yield Item(name if used[name] == 1 else f"{name}-{used[name]}", line.kind, at, line)
