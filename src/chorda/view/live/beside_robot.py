"""What is in the page beside the robot: a floor, and ends of all configurations."""

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb

from chorda.mechanics import Array
from chorda.results import Run, Workspace
from chorda.view.configurations import Configurations
from chorda.view.live.page_colors import line_colors, rgb
from chorda.view.motion_page import WORD_COLORS, floor_lines
from chorda.view.scene import Scene
from chorda.view.style import ROLES

MOST_ENDS = 2000  # points of the path of the end
CELL = 0.2  # a cell's radius over the distance of cells: between them the robot is seen
MARK = (38, 43, 56)
Pick = Callable[[Array, Array, Array], None]


def draw_floor(server: Any, scene: Scene) -> None:
    """A grid under a spatial robot."""
    drawing = scene.drawing
    server.scene.set_up_direction(drawing.up)
    if not drawing.planar:
        lines = floor_lines(drawing, scene.seen)
        server.scene.add_line_segments(
            "/floor", lines, rgb(ROLES.frame), thickness=0.003 * drawing.size
        )


def draw_ends(server: Any, scene: Scene, result: object, c: Configurations, pick: Pick) -> Any:
    """The path of the end in the colours of its stability, or a cloud that can be clicked.

    Returns the mark of the cell that is shown, or None.
    """
    ends = scene.drawing.end
    if isinstance(result, Run) and len(c) > MOST_ENDS:
        ends = ends[:: len(c) // MOST_ENDS]
    if isinstance(result, Workspace):
        colors = np.array([rgb(WORD_COLORS[w]) for w in c.stability], np.uint8)
        size = float(np.max(np.ptp(ends, axis=0), initial=0.0)) or scene.drawing.size
        radius = float(np.clip(CELL * size / len(ends) ** 0.5, 0.003 * size, 0.012 * size))
        server.scene.add_point_cloud(
            "/cells", ends, colors, point_size=radius, point_shape="circle", precision="float32"
        )

        def clicked(event: Any) -> None:
            pick(np.array(event.ray_origin), np.array(event.ray_direction), ends)

        server.scene.on_click()(clicked)
        return server.scene.add_icosphere("/picked cell", 1.5 * radius, MARK, subdivisions=2)
    elif len(ends) > 1:
        lines = np.stack([ends[:-1], ends[1:]], axis=1)
        words = c.stability or ("",) * len(ends)
        paint = [to_rgb(WORD_COLORS.get(w, ROLES.trail)) for w in words[: len(lines)]]
        colors = np.repeat(line_colors(paint)[:, None], 2, axis=1)
        server.scene.add_line_segments(
            "/path of the end", lines, colors, thickness=0.005 * scene.drawing.size
        )
    return None
