"""Forces where shapes touch, as arrows."""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from chorda.describe.contact_checks import fixed_to
from chorda.mechanics import Array, System
from chorda.mechanics.contacts.touch_records import TouchForce
from chorda.numerics.pacing import by_columns
from chorda.view.drawing import Drawing
from chorda.view.style import ROLES
from chorda.view.symbols import arrow
from chorda.view.tension_look import tension_scale

LONGEST = 0.22  # an arrow over the robot's size
WIDTH = 0.055  # of an arrow's shaft over the longest arrow


@dataclass(frozen=True, eq=False)
class Pushes:
    """Forces on the robot (n, m, 3) [N], where both shapes of a pair move on the second, and the
    points (n, m, 3) [m] where they act; a force is zero where nothing touches."""

    points: Array
    forces: Array


def contact_pushes(system: System, q: Array, v: Array, parameters: Array) -> Pushes | None:
    """At configurations q (n, nq) and velocities v (n, nv); none: the robot has no contacts."""
    if not system.touches or not len(q):
        return None

    shapes, joints = {x.name: x for x in system.robot.shapes}, system.robot.joints

    def on_the_robot(x: TouchForce) -> Any:
        force = x.pressing * x.normal + x.friction
        return -force if fixed_to(shapes[x.second].frame, joints) == "world" else force

    def make() -> Any:
        points = ca.vertcat(*[x.point for x in system.touches])
        forces = ca.vertcat(*[on_the_robot(x) for x in system.touches])
        return system.function("pushes", "q v p", ca.densify(points), ca.densify(forces))

    function = system.once("pushes", make)
    found = by_columns(function, q.T, v.T, parameters[:, None])
    points, forces = (x.T.reshape(len(q), -1, 3) for x in found)
    return Pushes(points, np.where(np.isfinite(forces), forces, 0.0))


class ContactArrows:
    """One arrow for each point that touches; `show` moves them. The longest one is written down."""

    def __init__(self, ax: Axes, drawing: Drawing, pushes: Pushes) -> None:
        self.drawing, self.pushes = drawing, pushes
        sizes = np.linalg.norm(pushes.forces, axis=2)
        self.largest = float(tension_scale(sizes).vmax or 1.0)  # [N] as long as arrows get
        self.artist = PolyCollection(
            [], fc=ROLES.force, ec="white", lw=0.6, zorder=6.5, gid="contact forces"
        )
        ax.add_collection(self.artist, autolim=False)
        self.artist.set(clip_on=False, in_layout=False)
        if np.any(sizes > 0):
            more = " or more" if sizes.max() > self.largest * 1.001 else ""
            text = f"contact force, longest arrow {self.largest:.3g} N{more}"
            look: dict[str, Any] = {"color": ROLES.force, "fontsize": 8, "va": "top", "zorder": 7}
            ax.annotate(text, (0.02, 0.99), xycoords="axes fraction", **look)

    def show(self, k: int) -> None:
        """Move to the k-th time."""
        points, forces = self.pushes.points[k], self.pushes.forces[k]
        size = np.linalg.norm(forces, axis=1)
        longest = LONGEST * self.drawing.size
        touching = size > 0
        length = longest * np.minimum(size / self.largest, 1.0)
        ways = forces[touching] * (length / np.where(touching, size, 1.0))[touching, None]
        feet = self.drawing.project(points[touching])
        tips = feet + self.drawing.project(ways)
        self.artist.set_verts(
            [arrow(a, b, WIDTH * longest) for a, b in zip(feet, tips, strict=True)]
        )
