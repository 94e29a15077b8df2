"""The stage: where the points of a robot are, from where they are seen, and what they stand on."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chorda.describe import Joint
from chorda.mechanics import Array, System

AZIMUTH, ELEVATION = -58.0, 18.0  # [degrees] where the viewer of a spatial robot stands
STILL = 1e-9  # [m] a point that moves less is fixed


@dataclass(frozen=True, eq=False)
class Stage:
    """A robot's motion as pictures.

    points (n, m, 3) [m] at n times; axes has the rows right, up, towards the viewer.
    """

    system: System
    parameters: Array
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
        return _skyward(self.system, self.planar)

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
        """Extent of one posture [m]: the scale of symbols."""
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
        bodies = [line for line in self.system.lines if line.kind not in NOT_A_BODY]
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


NOT_A_BODY = ("spring", "damper", "tendon", "pulley")


def build_stage(system: System, q: Array, parameters: Array) -> Stage:
    """The stage for postures q (n, nq)."""
    rng = np.random.default_rng(1)
    some = system.rest + rng.uniform(-0.3, 0.3, (4, system.nq))
    probes = world_points(system, np.vstack([system.rest, some]), parameters)
    planar = bool(np.all(np.abs(probes[..., 2]) < STILL))
    fixed = np.ptp(probes, axis=0).max(axis=1, initial=0.0) < STILL
    axes = np.eye(3) if planar else _camera(_skyward(system, planar))
    return Stage(system, parameters, world_points(system, q, parameters), planar, fixed, axes)


def world_points(system: System, q: Array, parameters: Array) -> Array:
    """World positions (n, m, 3) [m] of what `system.lines` connects, at postures q (n, nq)."""
    n, m = len(q), system.points.shape[1]
    if not m or not n:
        return np.zeros((n, m, 3))
    P = np.repeat(parameters[:, None], n, 1)
    flat = system.drawing(q.T, P).full()
    return np.asarray(flat.reshape(3, n, m).transpose(1, 2, 0))


def _skyward(system: System, planar: bool) -> Array:
    g = np.array(system.robot.gravity)
    if np.any(g):
        return -g / np.linalg.norm(g)
    return np.array([0.0, 1.0, 0.0]) if planar else np.array([0.0, 0.0, 1.0])


def _camera(up: Array) -> Array:
    """Rows right, up, towards the viewer, who stands at AZIMUTH and ELEVATION."""
    ahead = np.eye(3)[int(np.argmin(np.abs(up) > 0.9))]
    ahead = ahead - up * (up @ ahead)
    ahead /= np.linalg.norm(ahead)
    aside = np.cross(up, ahead)
    az, el = np.radians([AZIMUTH, ELEVATION])
    viewer = np.cos(el) * (np.cos(az) * ahead + np.sin(az) * aside) + np.sin(el) * up
    right = np.cross(up, viewer)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(viewer, right), viewer])
