"""From where a robot is seen: a planar one in its plane, a spatial one from the side and above."""

import numpy as np

from chorda.mechanics import Array, Line, System

AZIMUTH, ELEVATION = -58.0, 18.0  # [degrees] of the viewer of a spatial robot
SIDE_VIEW_RATIO = 1.3  # times as wide from the side as from the front: then from the side
FLATNESS = 1e-9  # [m] what lies nearer to a plane lies in it


def upward(system: System, normal: Array | None) -> Array:
    """Unit vector against gravity; without gravity y in the x-y plane, else z."""
    g = np.array(system.robot.gravity)
    if np.any(g):
        return -g / np.linalg.norm(g)
    return np.eye(3)[1 if normal is not None and normal[2] else 2]


def horizontal(up: Array) -> tuple[Array, Array]:
    """Two level directions along the world's axes."""
    ahead = np.eye(3)[int(np.argmin(np.abs(up) > 0.9))]
    ahead = ahead - up * (up @ ahead)
    ahead /= np.linalg.norm(ahead)
    return ahead, np.cross(up, ahead)


def plane_normal(system: System, samples: Array, lines: tuple[Line, ...]) -> Array | None:
    """The world's axis along which no point of the samples (n, m, 3) lies; none: it is spatial.

    The rims of disks do not count: they are seen from the side.
    """
    rims = {row for x in lines if x.kind == "disk" for row in x.points}
    others = np.abs(samples[:, [k for k in range(samples.shape[1]) if k not in rims]])
    for axis in (2, 1, 0):
        if np.all(others[..., axis] < FLATNESS) and (axis == 2 or system.robot.gravity[axis] == 0):
            return np.eye(3)[axis]
    return None


def plane_axes(system: System, normal: Array) -> Array:
    """Rows right, up, towards the viewer, for a robot in a plane; up is against gravity."""
    if normal[2]:
        return np.eye(3)
    up = upward(system, normal)
    return np.array([np.cross(up, normal), up, normal])


def spatial_axes(points: Array, up: Array) -> Array:
    """Rows right, up, towards a viewer who does not look along a robot that reaches to one side."""
    front, side = _axes_at(AZIMUTH, up), _axes_at(AZIMUTH + 90, up)
    finite = points[np.isfinite(points).all(axis=(1, 2))].reshape(-1, 3)
    if not len(finite):
        return front
    widths = [float(np.ptp(finite @ axes[0])) for axes in (front, side)]
    return side if widths[1] > SIDE_VIEW_RATIO * widths[0] else front


def _axes_at(azimuth: float, up: Array) -> Array:
    ahead, aside = horizontal(up)
    az, el = np.radians([azimuth, ELEVATION])
    viewer = np.cos(el) * (np.cos(az) * ahead + np.sin(az) * aside) + np.sin(el) * up
    right = np.cross(up, viewer)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(viewer, right), viewer])
