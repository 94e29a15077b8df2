"""The stage: where the points of a robot are, from where they are seen, and what they stand on."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from chorda.describe import Joint
from chorda.mechanics import Array, Line, System
from chorda.mechanics.posing import frame_poses

AZIMUTH, ELEVATION = -58.0, 18.0  # [degrees] where the viewer of a spatial robot stands
FORESHORTENED = 1.3  # times as wide from the side as from the front: then from the side
STILL = 1e-9  # [m] a point that moves less is fixed


@dataclass(frozen=True, eq=False)
class Stage:
    """A robot's motion as pictures.

    points (n, m, 3) [m] at n times, lines through them; axes has the rows right, up, towards the
    viewer.
    """

    system: System
    parameters: Array
    lines: tuple[Line, ...]
    points: Array
    planar: bool
    fixed: Array  # (m) which points never move
    axes: Array

    def screen(self, world: Array) -> Array:
        """World positions (..., 3) as they are seen (..., 2) [m]; no perspective."""
        return np.asarray(world @ self.axes[:2].T)

    @property
    def skyward(self) -> Array:
        """Unit vector against gravity."""
        return _skyward(self.system, self.axes[2] if self.planar else None)

    @property
    def upright(self) -> bool:
        """Whether it is drawn in the x-y plane, where axes need no names."""
        return self.planar and bool(self.axes[2, 2] == 1)

    @cached_property
    def seen(self) -> Array:
        """Points on the screen (n, m, 2)."""
        return self.screen(self.points)

    @cached_property
    def usual(self) -> Array:
        """Which times to fit the picture to: all, but for the last leaps of a diverging motion."""
        far = np.max(np.linalg.norm(self.points, axis=2), axis=1, initial=0.0)
        good = np.isfinite(far)
        return good & (far <= 5 * np.median(far[good])) if good.any() else good

    @cached_property
    def box(self) -> tuple[Array, Array]:
        """Lower left and upper right corner of everything on the screen [m]."""
        seen = self.seen[self.usual].reshape(-1, 2)
        if not len(seen):
            return np.full(2, -1.0), np.full(2, 1.0)
        low, high = seen.min(axis=0), seen.max(axis=0)
        if not self.planar:
            floor = self.screen(self.dropped(self.points[self.usual]).reshape(-1, 3))
            low, high = np.minimum(low, floor.min(axis=0)), np.maximum(high, floor.max(axis=0))
        return low, high

    @cached_property
    def size(self) -> float:
        """Extent of one configuration [m]: the scale of symbols."""
        frames = self.seen[self.usual]
        if not frames.size:
            return 1.0
        return float(np.max(np.ptp(frames, axis=1))) or 0.1

    @cached_property
    def bases(self) -> dict[Joint, Array]:
        """Where joints that stand on the world are placed (3) [m]; free ones stand nowhere."""
        values = dict(zip(self.system.parameter_names, self.parameters, strict=True))
        return {
            joint: np.array(
                [
                    values.get(f"{joint.name}.position.{k}", x)
                    for k, x in zip("xyz", joint.placement.position, strict=True)
                ]
            )
            for joint in self.system.robot.joints
            if joint.parent == "world" and joint.kind != "free"
        }

    @cached_property
    def tip(self) -> Array | None:
        """The robot's end on the screen (n, 2): the last bar's middle, the last link's far end.

        Of a free body it is the origin.
        """
        bodies = [line for line in self.lines if line.kind not in NOT_A_BODY]
        if not bodies:
            return None
        own = [line for line in bodies if line.name == bodies[-1].name]
        if own[-1].kind == "bar":
            return np.asarray(self.seen[:, list(own[-1].points)].mean(axis=1))
        if any(j.name == own[0].name and j.kind == "free" for j in self.system.robot.joints):
            return self.seen[:, own[0].points[0]]
        first = self.points[0]
        reach = [np.linalg.norm(first[x.points[-1]] - first[x.points[0]]) for x in own]
        return self.seen[:, own[int(np.argmax(reach))].points[-1]]

    @cached_property
    def level(self) -> float:
        """Height of the floor along `skyward` [m]: the lowest point of the motion."""
        heights = (self.points[self.usual] @ self.skyward).ravel().tolist()
        return min([*heights, *(float(b @ self.skyward) for b in self.bases.values())], default=0.0)

    def dropped(self, world: Array) -> Array:
        """World positions (..., 3) let fall to the floor."""
        up = self.skyward
        return np.asarray(world - (world @ up - self.level)[..., None] * up)


NOT_A_BODY = ("spring", "damper", "tendon", "pulley", "disk")


def build_stage(system: System, q: Array, parameters: Array) -> Stage:
    """The stage for configurations q (n, nq)."""
    rng = np.random.default_rng(1)
    some = system.rest + rng.uniform(-0.3, 0.3, (4, system.nq))
    lines = drawn_lines(system)
    probes = world_points(system, np.vstack([system.rest, some]), parameters)
    fixed = np.ptp(probes, axis=0).max(axis=1, initial=0.0) < STILL
    normal = _normal(system, probes, lines)
    points = world_points(system, q, parameters)
    axes = _plane(system, normal) if normal is not None else _beside(points, _skyward(system, None))
    return Stage(system, parameters, lines, points, normal is not None, fixed, axes)


def world_points(system: System, q: Array, parameters: Array) -> Array:
    """World positions (n, m, 3) [m] of what `drawn_lines` connects, at configurations q (n, nq)."""
    n, m = len(q), system.picture.points.shape[1]
    if not m or not n:
        return np.zeros((n, m, 3))
    P = np.repeat(parameters[:, None], n, 1)
    flat = system.drawing(q.T, P).full()
    own = np.asarray(flat.reshape(3, n, m).transpose(1, 2, 0))
    entries = _entries(system)
    R, p = frame_poses(system, [frame for frame, _ in entries.values()], q, parameters)
    local = np.array([x for _, x in entries.values()]).reshape(-1, 3)
    return np.concatenate([own, p + np.einsum("nkij,kj->nki", R, local)], axis=1)


def drawn_lines(system: System) -> tuple[Line, ...]:
    """The system's lines; a tendon that starts in a sheath is drawn from where it enters."""
    row = {name: system.picture.points.shape[1] + k for k, name in enumerate(_entries(system))}
    return tuple(
        replace(x, points=(row[x.name], *x.points)) if x.kind == "tendon" and x.name in row else x
        for x in system.picture.lines
    )


def _entries(system: System) -> dict[str, tuple[str, Array]]:
    """By tendon: the frame of the rod's base at which it enters a sheath, and where in it."""
    return {
        t.name: (f"{t.sheaths[0].rod}.base", np.array([0.0, *t.sheaths[0].offset(0.0)]))
        for t in system.robot.tendons
        if t.sheaths and not t.path and t.sheaths[0].start == 0
    }


def _normal(system: System, probes: Array, lines: tuple[Line, ...]) -> Array | None:
    """The world's axis along which nothing ever lies; disks are seen from the side there."""
    g = system.robot.gravity
    rims = {row for x in lines if x.kind == "disk" for row in x.points}
    flat = np.abs(probes[:, [k for k in range(probes.shape[1]) if k not in rims]])
    for axis in (2, 1, 0):
        if np.all(flat[..., axis] < STILL) and (axis == 2 or g[axis] == 0):
            return np.eye(3)[axis]
    return None


def _skyward(system: System, normal: Array | None) -> Array:
    """Unit vector against gravity; without it y in the x-y plane, else z."""
    g = np.array(system.robot.gravity)
    if np.any(g):
        return -g / np.linalg.norm(g)
    return np.eye(3)[1 if normal is not None and normal[2] else 2]


def _plane(system: System, normal: Array) -> Array:
    """Rows right, up, towards the viewer, for a robot in a plane; up is against gravity."""
    if normal[2]:
        return np.eye(3)
    up = _skyward(system, normal)
    return np.array([np.cross(up, normal), up, normal])


def _beside(points: Array, up: Array) -> Array:
    """A camera that does not look along a robot that reaches far to one side."""
    front, side = _camera(up, AZIMUTH), _camera(up, AZIMUTH + 90)
    seen = points[np.isfinite(points).all(axis=(1, 2))].reshape(-1, 3)
    if not len(seen):
        return front
    wide = [float(np.ptp(seen @ axes[0])) for axes in (front, side)]
    return side if wide[1] > FORESHORTENED * wide[0] else front


def _camera(up: Array, azimuth: float) -> Array:
    """Rows right, up, towards the viewer, who stands at `azimuth` and ELEVATION [degrees]."""
    ahead = np.eye(3)[int(np.argmin(np.abs(up) > 0.9))]
    ahead = ahead - up * (up @ ahead)
    ahead /= np.linalg.norm(ahead)
    aside = np.cross(up, ahead)
    az, el = np.radians([azimuth, ELEVATION])
    viewer = np.cos(el) * (np.cos(az) * ahead + np.sin(az) * aside) + np.sin(el) * up
    right = np.cross(up, viewer)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(viewer, right), viewer])
