"""Where the camera is at first: all of the robot's motion is seen, whichever shape the page has."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chorda.mechanics import Array
from chorda.view.scene import Scene

FIELD = 0.6  # [rad] from the lower to the upper edge: little perspective
MARGIN = 1.12
NEAREST_DEPTH, FARTHEST_DEPTH = 0.01, 100.0  # of what is drawn, over the distance of the camera


def first_look(scenes: Sequence[Scene], aspect: float = 1.0) -> tuple[Array, Array]:
    """Position of the camera and the point it looks at (3) [m]; aspect: width over height."""
    axes = scenes[0].drawing.axes
    seen = np.concatenate([x.seen for x in scenes]) @ axes.T
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    right, up, near = (seen - middle).T
    half = np.tan(FIELD / 2)
    room = np.maximum(np.abs(right) / min(aspect, 1.0), np.abs(up)) * MARGIN / half
    distance = float(np.max(near + room, initial=0.0)) or scenes[0].drawing.size / half
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
        wide = camera.aspect if camera.image_height else 1.0
        position, middle = first_look(scenes, wide)
        distance = float(np.linalg.norm(position - middle))
        camera.up_direction, camera.fov = up, FIELD
        camera.near, camera.far = NEAREST_DEPTH * distance, FARTHEST_DEPTH * distance
        home = {"position": position, "look_at": middle}
        for name, value in (wanted() or home).items():
            setattr(camera, name, np.asarray(value, float))

    server.on_client_connect(place)
