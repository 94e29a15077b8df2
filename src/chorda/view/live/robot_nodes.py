"""A robot in the page of viser: made once, then moved from picture to picture."""

from typing import Any

import numpy as np
from matplotlib.colors import to_rgba
from scipy.spatial.transform import Rotation

from chorda.mechanics import Array
from chorda.view.configurations import Configurations
from chorda.view.live.sliders import nice
from chorda.view.live.surfaces import Surface, surfaces, tendon_segments
from chorda.view.scene import Scene, largest_force
from chorda.view.style import ROLES
from chorda.view.tension_look import tension_colors, tension_scale, without_noise

ROOM = 1.3  # of a scale over the largest so far
NEARLY = 1e-3  # by which a force may be larger than that of the longest arrow
GHOST = 0.3  # opacity of the second of two robots
BEFORE_FRAMES = 0.4  # opacity of a robot whose frames are shown


class RobotNodes:
    """Nodes of one robot under a name; a ghost is seen through.

    frames: whether its frames are shown. largest [N]: the tension of the last colour so far. places
    (k, 3) [m]: where the robot is.
    """

    def __init__(self, server: Any, scene: Scene, name: str, ghost: bool = False) -> None:
        self.server, self.scene, self.name = server, scene, name
        self.frames, self.largest = False, 0.0
        self.end, self.places = np.zeros(3), np.zeros((0, 3))
        self.unusual = False, False  # whether tendons are slack, and push
        self.beyond_arrows = False  # whether a force is larger than that of the longest arrow
        self._surfaces = surfaces(scene)
        curves = [np.arange(x.first, x.first + x.count) for x in scene.curves if x.kind != "force"]
        bodies = [np.array([x.first]) for x in scene.bodies if x.kind != "base"]
        self._rows = np.concatenate([*curves, *bodies, np.array([scene.tip])])
        self._meshes: list[tuple[Surface, Any]] = []
        self._tendons: Any = None
        self._axes: Any = None
        self._opacity = GHOST if ghost else 1.0

    def show(self, c: Configurations) -> None:
        """Move to the first of the configurations."""
        anchors = self.scene.anchors(c, self.frames)[0]
        self.end, self.places = anchors[self.scene.tip], anchors[self._rows]
        self.beyond_arrows = largest_force(c) > self.scene.largest * (1 + NEARLY)
        with self.server.atomic():
            if not self._meshes:
                self._make(anchors)
            for surface, mesh in self._meshes:
                mesh.vertices = surface.corners(anchors)
            self._show_tendons(c, anchors)
            self._show_frames(anchors)

    @property
    def meshes(self) -> list[Any]:
        """That a pointer can take hold of."""
        return [mesh for surface, mesh in self._meshes if not surface.name.startswith("base")]

    def remove(self) -> None:
        for node in (*(mesh for _, mesh in self._meshes), self._tendons, self._axes):
            if node is not None:
                node.remove()
        self._meshes, self._tendons, self._axes = [], None, None
        self.places = np.zeros((0, 3))

    def _make(self, anchors: Array) -> None:
        for x in self._surfaces:
            mesh = self.server.scene.add_mesh_simple(
                f"/{self.name}/{x.name}",
                x.corners(anchors),
                x.triangles(anchors),
                color=tuple(round(255 * k) for k in x.color[:3]),
                opacity=self._clear(x),
                side="double",
            )
            self._meshes.append((x, mesh))

    def _clear(self, x: Surface) -> float | None:
        """Opacity of a surface: frames, which lie inside, are seen through it."""
        clear = self._opacity * x.color[3] * (BEFORE_FRAMES if self.frames else 1.0)
        return None if clear == 1 else clear

    def _show_tendons(self, c: Configurations, anchors: Array) -> None:
        if not c.tension.shape[1]:
            return
        tension, two = without_noise(c.tension[0]), np.array(c.two_sided)
        if (most := float(np.nanmax(tension, initial=0.0))) > self.largest:
            self.largest = nice(ROOM * most)
        hangs = ~(tension > 0) & ~two
        colors = tension_colors(tension, tension_scale(np.array([self.largest])))
        pushes = two & (tension < 0)
        colors[pushes] = to_rgba(ROLES.push)
        self.unusual = bool(hangs.any()), bool(pushes.any())
        points, shades = tendon_segments(self.scene, anchors, tension, colors, hangs)
        if self._tendons is None:
            radius = max((x.radii[0] for x in self.scene.curves if x.tendon >= 0), default=1e-3)
            self._tendons = self.server.scene.add_line_segments(
                f"/{self.name}/tendons", points, shades, thickness=2 * float(radius)
            )
        else:
            self._tendons.points, self._tendons.colors = points, shades

    def _show_frames(self, anchors: Array) -> None:
        for x, mesh in self._meshes:
            if mesh.opacity != (clear := self._clear(x)):
                mesh.opacity = clear
        if not self.frames:
            if self._axes is not None:
                self._axes.visible = False
            return
        at = anchors[self.scene.axes :].reshape(-1, 4, 3)
        ways = at[:, 1:] - at[:, :1]
        length = float(np.linalg.norm(ways[0, 0])) or 1.0
        turns = Rotation.from_matrix((ways / length).transpose(0, 2, 1)).as_quat()[:, [3, 0, 1, 2]]
        if self._axes is None:
            self._axes = self.server.scene.add_batched_axes(
                f"/{self.name}/frames", turns, at[:, 0], axes_length=length, axes_radius=length / 16
            )
        self._axes.visible = True
        self._axes.batched_wxyzs, self._axes.batched_positions = turns, at[:, 0]
