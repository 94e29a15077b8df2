"""A robot's drawing: its points at every time, the lines between them, and their projection."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from chorda.describe import Joint, JointMotion
from chorda.mechanics import Array, Line, System
from chorda.mechanics.posing import frame_poses
from chorda.view.bores import BoreTube, kept_fixed, make_bores
from chorda.view.camera import FLATNESS, plane_axes, plane_normal, spatial_axes, upward
from chorda.view.shape_outlines import Solid, farthest, make_solids

NOT_A_BODY = ("spring", "damper", "tendon", "pulley", "disk")
BORE_REACH = 8  # times the robot's size, how far a bore around it is shown
OUTLIER_RATIO = 5  # times the usual distance from the origin: a diverging motion's last steps


@dataclass(frozen=True, eq=False)
class Drawing:
    """A robot's motion as lines through points.

    points (n, m, 3) [m] at n times; axes has the rows right, up, towards the viewer.
    """

    system: System
    parameters: Array
    lines: tuple[Line, ...]
    points: Array
    planar: bool
    fixed: Array  # (m) which points never move
    axes: Array
    solids: tuple[Solid, ...] = ()
    bores: tuple[BoreTube, ...] = ()

    def project(self, world: Array) -> Array:
        """World positions (..., 3) on the page (..., 2) [m]; no perspective."""
        return np.asarray(world @ self.axes[:2].T)

    def lines_of(self, *kinds: str) -> list[Line]:
        return [line for line in self.lines if line.kind in kinds]

    @cached_property
    def bodies(self) -> list[Line]:
        """Lines that are bars, links and rods."""
        return [line for line in self.lines if line.kind not in NOT_A_BODY]

    @property
    def up(self) -> Array:
        """Unit vector against gravity; of a robot that lies on a table, up on the page."""
        up = upward(self.system, self.axes[2] if self.planar else None)
        return self.axes[1] if self.planar and abs(up @ self.axes[2]) > 1 - FLATNESS else up

    @property
    def in_xy_plane(self) -> bool:
        """Whether it is drawn in the x-y plane, where axes need no names."""
        return self.planar and bool(self.axes[2, 2] == 1)

    @cached_property
    def projected(self) -> Array:
        """Points on the page (n, m, 2)."""
        return self.project(self.points)

    @cached_property
    def moving(self) -> tuple[Solid, ...]:
        """Shapes that the robot carries, without half spaces."""
        return tuple(x for x in self.solids if not x.fixed and x.kind != "plane")

    @cached_property
    def obstacles(self) -> tuple[Solid, ...]:
        """Shapes that stand still, without half spaces."""
        return tuple(x for x in self.solids if x.fixed and x.kind != "plane")

    @cached_property
    def planes(self) -> tuple[Solid, ...]:
        """Half spaces, whether they move or not."""
        return tuple(x for x in self.solids if x.kind == "plane")

    @cached_property
    def _tracked(self) -> Array:
        """Points, and centres of shapes that move (n, m, 3)."""
        return np.concatenate([self.points, *(x.center[:, None] for x in self.moving)], axis=1)

    @cached_property
    def extents(self) -> Array:
        """Points, and how far shapes that move reach on the page and upwards (n, m, 3)."""
        ways = np.vstack([self.axes, -self.axes, self.up, -self.up])
        reach = [farthest(x, ways) for x in self.moving]
        reach += [x.farthest(ways) for x in self.bores if not x.fixed]
        return np.concatenate([self.points, *reach], axis=1)

    def beside(self, ways: Array) -> list[Array]:
        """Points (m, 3) [m] of what stands still that are farthest along unit vectors (m, 3), as
        far as a picture of the robot shows it."""
        own = self.extents[self.framed].reshape(-1, 3)
        low, high = (own.min(axis=0), own.max(axis=0)) if len(own) else (np.zeros(3), np.zeros(3))
        near, far = self.size, BORE_REACH * self.size
        solids = [np.clip(farthest(x, ways)[0], low - near, high + near) for x in self.obstacles]
        bores = [x.farthest(ways)[0] for x in self.bores if x.fixed]
        return solids + [np.clip(x, low - far, high + far) for x in bores]

    @cached_property
    def framed(self) -> Array:
        """Which times the picture must show: all but the last steps of a diverging motion."""
        far = np.max(np.linalg.norm(self._tracked, axis=2), axis=1, initial=0.0)
        good = np.isfinite(far)
        return good & (far <= OUTLIER_RATIO * np.median(far[good])) if good.any() else good

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """Lower left and upper right corner of everything on the page [m]."""
        shown = self.extents[self.framed].reshape(-1, 3)
        if not len(shown):
            return np.full(2, -1.0), np.full(2, 1.0)
        if not self.planar:
            shown = np.vstack([shown, self.on_floor(shown)])
        page = self.project(shown)
        return page.min(axis=0), page.max(axis=0)

    @cached_property
    def size(self) -> float:
        """Extent of one configuration [m]: the scale of symbols."""
        frames = self.project(self.extents[self.framed])
        return (float(np.max(np.ptp(frames, axis=1))) or 0.1) if frames.size else 1.0

    @cached_property
    def bases(self) -> dict[Joint, Array]:
        """Positions (3) [m] of joints that stand on the world; free ones stand nowhere."""
        values = dict(zip(self.system.parameter_names, self.parameters, strict=True))
        return {
            joint: np.array(
                [
                    values.get(f"{joint.name}.position.{k}", x)
                    for k, x in zip("xyz", joint.standing.position, strict=True)
                ]
            )
            for joint in self.system.robot.joints
            if joint.parent == "world" and joint.kind != "free"
        }

    @cached_property
    def tip(self) -> Array | None:
        """The robot's end on the page (n, 2)."""
        return None if self.tip_rows is None else self.project(self.end)

    @cached_property
    def tip_rows(self) -> tuple[int, ...] | None:
        """Points whose middle is the robot's end: the last bar, the last link's far end.

        Of a free body it is the origin. A stage of pulleys, which has no extent, and what a
        prescribed motion moves are no ends of a robot that has others.
        """
        robot = self.system.robot
        free = {j.name for j in robot.joints if j.kind == "free"}
        prescribed = {x.joint for x in robot.actuators if isinstance(x, JointMotion)}
        every = [line for line in self.bodies if line.kind != "mount"]
        large = [x for x in every if x.name in free or self.length(x) > FLATNESS * self.size]
        bodies = [x for x in large if x.name not in prescribed] or large or every
        if not bodies:
            return None
        own = [line for line in bodies if line.name == bodies[-1].name]
        if own[-1].kind == "bar":
            return own[-1].points
        if own[0].name in free:
            return (own[0].points[0],)
        return (max(own, key=self.length).points[-1],)

    @property
    def end(self) -> Array:
        """The robot's end in the world (n, 3) [m]; the origin where it has none."""
        if self.tip_rows is None:
            return np.zeros((len(self.points), 3))
        return np.asarray(self.points[:, list(self.tip_rows)].mean(axis=1))

    def moved(self, q: Array, parameters: Array) -> "Drawing":
        """The same robot, seen as before, at other configurations q (n, nq)."""
        near = self.system.rest[None]
        solids = make_solids(self.system, q, near, parameters)
        kept = zip(solids, self.solids, strict=True)
        return replace(
            self,
            points=world_points(self.system, q, parameters),
            solids=tuple(replace(new, fixed=old.fixed) for new, old in kept),
            bores=kept_fixed(make_bores(self.system, q, near, parameters), self.bores),
        )

    def length(self, line: Line) -> float:
        """Distance between the ends of a line in the first configuration [m]."""
        first = self.points[0]
        return float(np.linalg.norm(first[line.points[-1]] - first[line.points[0]]))

    @cached_property
    def floor_height(self) -> float:
        """Along `up` [m]: that of a floor which is near, or the lowest point of the motion."""
        heights = (self.extents[self.framed] @ self.up).ravel().tolist()
        lowest = min([*heights, *(float(b @ self.up) for b in self.bases.values())], default=0.0)
        reach = lowest - self.size
        feet = [float(farthest(x, -self.up[None])[0, 0] @ self.up) for x in self.obstacles]
        feet += [float(x.farthest(-self.up[None])[0, 0] @ self.up) for x in self.bores if x.fixed]
        level = [h for x in self.planes if (h := self.level(x)) is not None and h >= reach]
        return max(level) if level else min([lowest, *(x for x in feet if x >= reach)])

    def level(self, plane: Solid) -> float | None:
        """Height [m] along `up` of a half space that is a floor; none: it is none."""
        upright = plane.fixed and plane.edges[0, 0] @ self.up > 1 - FLATNESS
        return float(plane.center[0] @ self.up) if upright else None

    def on_floor(self, world: Array) -> Array:
        """World positions (..., 3), moved straight down to the floor."""
        return np.asarray(world - (world @ self.up - self.floor_height)[..., None] * self.up)


def make_drawing(system: System, q: Array, parameters: Array) -> Drawing:
    """The drawing of configurations q (n, nq) with parameters (np), or (n, np) for each."""
    first = np.atleast_2d(parameters)[0]
    rng = np.random.default_rng(1)
    others = system.rest + rng.uniform(-0.3, 0.3, (4, system.nq))
    lines = drawn_lines(system)
    near = np.vstack([system.rest, others])
    samples = world_points(system, near, first)
    fixed = np.ptp(samples, axis=0).max(axis=1, initial=0.0) < FLATNESS
    normal = plane_normal(system, samples, lines)
    points = world_points(system, q, parameters)
    if normal is not None:
        axes = plane_axes(system, normal)
    else:
        axes = spatial_axes(points, upward(system, None))
    solids = make_solids(system, q, near, parameters)
    bores = make_bores(system, q, near, parameters)
    return Drawing(system, first, lines, points, normal is not None, fixed, axes, solids, bores)


def world_points(system: System, q: Array, parameters: Array) -> Array:
    """World positions (n, m, 3) [m] of what `drawn_lines` connects, at configurations q (n, nq).

    parameters: (np), or (n, np) for each configuration.
    """
    n, m = len(q), system.drawing.size2_out(0)
    if not m or not n:
        return np.zeros((n, m, 3))
    rows = np.broadcast_to(parameters, (n, parameters.shape[-1]))
    flat = system.drawing(q.T, rows.T).full()
    own = np.asarray(flat.reshape(3, n, m).transpose(1, 2, 0))
    entries = _sheath_entries(system)
    R, p = frame_poses(system, [frame for frame, _ in entries.values()], q, rows[0])
    local = np.array([x for _, x in entries.values()]).reshape(-1, 3)
    return np.concatenate([own, p + np.einsum("nkij,kj->nki", R, local)], axis=1)


def drawn_lines(system: System) -> tuple[Line, ...]:
    """The system's lines; a tendon that starts in a sheath is drawn from where it enters."""
    count = system.drawing.size2_out(0)
    row = {name: count + k for k, name in enumerate(_sheath_entries(system))}
    return tuple(
        replace(x, points=(row[x.name], *x.points)) if x.kind == "tendon" and x.name in row else x
        for x in system.picture.lines
    )


def _sheath_entries(system: System) -> dict[str, tuple[str, Array]]:
    """By tendon: the frame of the rod's base at which it enters a sheath, and where in it."""
    return {
        t.name: (f"{t.sheaths[0].rod}.base", np.array([0.0, *t.sheaths[0].offset(0.0)]))
        for t in system.robot.tendons
        if t.sheaths and not t.path and t.sheaths[0].start == 0
    }
