"""Where cameras are: all of the robot is seen, at first and as it moves away."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chorda.mechanics import Array
from chorda.view.scene import Scene

FIELD = 0.6  # [rad] from the lower to the upper edge: little perspective
MARGIN = 1.12
WIDER_MARGIN = 1.5  # where the robot went out of the picture: it may go on
NEAREST_DEPTH, FARTHEST_DEPTH = 0.01, 100.0  # of what is drawn, over the distance of the camera


def first_look(scenes: Sequence[Scene], aspect: float = 1.0) -> tuple[Array, Array]:
    """Position of the camera and the point it looks at (3) [m]; aspect: width over height."""
    drawing = scenes[0].drawing
    seen = np.concatenate([x.seen for x in scenes])
    return look_at(seen, drawing.axes, drawing.size, aspect)


def look_at(
    seen: Array, axes: Array, size: float, aspect: float, margin: float = MARGIN
) -> tuple[Array, Array]:
    """The same of points (k, 3) [m]; axes: to the right, up and towards the viewer."""
    page = seen @ axes.T
    middle = (page.min(axis=0) + page.max(axis=0)) / 2
    right, up, near = (page - middle).T
    half = np.tan(FIELD / 2)
    room = np.maximum(np.abs(right) / min(aspect, 1.0), np.abs(up)) * margin / half
    distance = float(np.max(near + room, initial=0.0)) or size / half
    return (middle + np.array([0.0, 0.0, distance])) @ axes, middle @ axes


def place_cameras(
    server: Any, scenes: Sequence[Scene], wanted: Callable[[], dict[str, Any] | None]
) -> None:
    """Of all pages that are opened: where a state wants them, or at the first look."""
    up = scenes[0].drawing.up
    position, middle = first_look(scenes)
    first = server.initial_camera
    first.position, first.look_at, first.up, first.fov = position, middle, up, FIELD

    def place(client: Any) -> None:
        camera = client.camera
        position, middle = first_look(scenes, _aspect(camera))
        camera.up_direction, camera.fov = up, FIELD
        home = {"position": position, "look_at": middle}
        home |= {x: np.asarray(v, float) for x, v in (wanted() or {}).items()}
        _put(camera, home["position"], home["look_at"])

    server.on_client_connect(place)


def fit(camera: Any, seen: Array, size: float, margin: float = MARGIN) -> None:
    """Show all of these points (k, 3) [m], from the side where the camera is."""
    axes = _axes(camera)
    position, middle = look_at(seen, axes, size, _aspect(camera), margin)
    _put(camera, position, middle)


def is_outside(camera: Any, seen: Array) -> bool:
    """Whether some of the points (k, 3) [m] are not in the camera's picture."""
    right, up, near = ((seen - np.asarray(camera.position)) @ _axes(camera).T).T
    half = np.tan(float(camera.fov) / 2)
    depth = -near
    wide = np.abs(right) > half * _aspect(camera) * depth
    return bool(np.any(wide | (np.abs(up) > half * depth) | (depth <= 0)))


def _axes(camera: Any) -> Array:
    """To the right, up and towards the camera from what it looks at."""
    near = np.asarray(camera.position, float) - np.asarray(camera.look_at, float)
    near = near / (float(np.linalg.norm(near)) or 1.0)
    right = np.cross(np.asarray(camera.up_direction, float), near)
    if not np.linalg.norm(right):  # it looks straight down
        right = np.cross(np.eye(3)[np.argmin(np.abs(near))], near)
    right = right / np.linalg.norm(right)
    return np.array([right, np.cross(near, right), near])


def _aspect(camera: Any) -> float:
    return float(camera.aspect) if camera.image_height else 1.0


def _put(camera: Any, position: Array, look_at: Array) -> None:
    distance = float(np.linalg.norm(position - look_at))
    camera.near, camera.far = NEAREST_DEPTH * distance, FARTHEST_DEPTH * distance
    camera.position, camera.look_at = position, look_at
