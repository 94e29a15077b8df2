"""to_html: a page with a robot that moves and its plots, in one file that needs nothing else."""

import base64
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.colors import to_hex

from chorda.files import write_whole
from chorda.mechanics import Array
from chorda.results import Equilibrium, EquilibriumPath, Run, Workspace
from chorda.safe_text import in_html, in_json
from chorda.view.camera import horizontal
from chorda.view.configurations import (
    BEYOND,
    Configurations,
    Shown,
    between,
    configurations,
    picked,
)
from chorda.view.display_units import display_unit
from chorda.view.drawing import Drawing
from chorda.view.result_panels import panels_of, tables_of
from chorda.view.run_plot import tints
from chorda.view.run_quantities import Curves
from chorda.view.scene import Body, Curve, Scene, make_scene
from chorda.view.style import ROLES, TENSION, checked_suffix
from chorda.view.surroundings import round_length
from chorda.view.tension_look import tension_scale, without_noise

FPS = 40  # configurations a second of a motion; the page interpolates between them
FEWEST_CONFIGURATIONS, MOST_CONFIGURATIONS = 2, 1500  # configurations of a motion
ANCHOR_BYTES = 3_000_000  # of positions in a page
PLOT_POINTS = 1200  # of a curve
SHADES = 48  # of the scale of tensions
WAYS = 16  # in which points are looked for that a picture must show, in half a turn
TILES = 8  # of the floor, along the longer side
FINEST = 65535  # steps of a position in the page, over its extent
LOCKED = "stability, motors locked"  # what words of stability are about
WORD_COLORS = {
    "stable": "#0072b2",
    "neutral": "#8b929c",
    "unstable": "#d55e00",
    f"stable{BEYOND}": "#a9d2ec",
    f"unstable{BEYOND}": "#f5c6a5",
    "unknown": "#8b929c",
}


def write_motion_page(result: Shown, path: str | Path) -> Path:
    """Write a page with the robot in three dimensions, its plots, and a bar to play it by.

    The page needs nothing but its own file: it works from a disk and can be sent. Of long motions
    it has as many configurations as fit into a few megabytes.

    Parameters
    ----------
    result : Run, Equilibrium, EquilibriumPath or Workspace
        A motion, an equilibrium, a path of equilibria or a workspace.
    path : str or Path
        File to write (.html).

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        There is no configuration to show.

    See Also
    --------
    embedded : the same in a notebook.
    open_viewer : a live page.

    Examples
    --------
    >>> import chorda, tempfile
    >>> neck = chorda.assemble(chorda.load("neck-1"))
    >>> run = chorda.simulate(neck, duration=0.1, step=2e-3, initial={"x1": 0.3})
    >>> write_motion_page(run, f"{tempfile.mkdtemp()}/run.html").name
    'run.html'
    """
    path = checked_suffix(path, (".html",))
    text = motion_page(result)
    return write_whole(path, lambda part: part.write_text(text, encoding="utf-8"))


def motion_page(result: Shown) -> str:
    """Make the page of `write_motion_page` as text.

    Parameters
    ----------
    result : Run, Equilibrium, EquilibriumPath or Workspace
        What to show.

    Returns
    -------
    str
        HTML that needs nothing else.

    Raises
    ------
    InputError
        There is no configuration to show.

    See Also
    --------
    write_motion_page : into a file.

    Examples
    --------
    >>> import chorda
    >>> neck = chorda.assemble(chorda.load("neck-1"))
    >>> motion_page(chorda.equilibrium(neck, tensions=5.0))[:15]
    '<!doctype html>'
    """
    system = result.system
    title = system.robot.name + (f", {system.mode} tendons" if system.robot.tendons else "")
    page, script = (
        files("chorda.view").joinpath(name).read_text(encoding="utf-8")
        for name in ("motion_page.html", "motion_page.js")
    )
    return Template(page).substitute(
        title=in_html(title),
        lead=in_html(result.status.message),
        alarm="" if result.status.ok else ' class="alarm"',
        data=in_json(_data(result), indent=None).replace("<", "\\u003c"),
        script=script,
    )


def _data(result: Shown) -> dict[str, Any]:
    whole = configurations(result)
    scene = make_scene(whole)
    shown = _chosen(result, whole, max(scene.count, 1))
    anchors = scene.anchors(shown)
    low = anchors.min(axis=(0, 1))
    scale = np.maximum((anchors.max(axis=(0, 1)) - low) / FINEST, 1e-12)
    ordered = not isinstance(result, Workspace)
    return {
        "frames": len(shown),
        "count": anchors.shape[1],
        "anchors": _bytes(np.round((anchors - low) / scale), "<u2"),
        "low": low.tolist(),
        "scale": scale.tolist(),
        "times": _bytes(shown.at if ordered else np.arange(len(shown)), "<f4"),
        "unit": shown.unit,
        "symbol": "t" if shown.axis == "time" else shown.axis,
        "ordered": ordered,
        "start": _start(result, shown),
        "labels": _labels(result, shown),
        "words": shown.stability,
        "wordColors": WORD_COLORS,
        "locked": LOCKED,
        "tension": _tension(shown),
        "palette": [to_hex(TENSION(x)) for x in np.linspace(0, 1, SHADES)],
        "colors": {
            "slack": ROLES.slack,
            "push": ROLES.push,
            "trail": ROLES.trail,
            "grid": ROLES.grid,
        },
        "curves": [_curve(x) for x in scene.curves],
        "bodies": [_body(x) for x in scene.bodies],
        "tip": scene.tip,
        "axes": {"names": scene.frames, "first": scene.axes},
        "cloud": None if ordered else _cloud(anchors[:, scene.tip]),
        "force": scene.largest if any(x.kind == "force" for x in scene.curves) else None,
        **_camera(scene),
        **_plots(result, whole),
    }


def _chosen(result: Shown, whole: Configurations, anchors: int) -> Configurations:
    """As many configurations as the page has room for; the first and the last are among them."""
    room = max(ANCHOR_BYTES // (6 * anchors), FEWEST_CONFIGURATIONS)
    if isinstance(result, Run) and len(whole) > 1:
        duration = float(whole.at[-1] - whole.at[0])
        count = int(
            np.clip(
                np.ceil(FPS * duration) + 1, FEWEST_CONFIGURATIONS, min(MOST_CONFIGURATIONS, room)
            )
        )
        return between(whole, np.linspace(whole.at[0], whole.at[-1], count))
    if len(whole) <= room:
        return whole
    return picked(whole, np.round(np.linspace(0, len(whole) - 1, room)).astype(np.intp))


def _start(result: Shown, shown: Configurations) -> int:
    """Which configuration is seen first."""
    if not isinstance(result, Workspace):
        return 0
    return int(np.argmin(result.cells.front[shown.at.astype(int)]))


def _labels(result: Shown, shown: Configurations) -> list[str] | None:
    """What each cell of a workspace is."""
    if not isinstance(result, Workspace):
        return None
    rows = result.points(shown.at.astype(int).tolist())
    units = [display_unit(u, rows[:, k]) for k, u in enumerate(result.units)]
    return [
        ", ".join(
            f"{name} = {unit.factor * x:.4g} {unit.unit}".rstrip()
            for name, unit, x in zip(result.names, units, row, strict=True)
        )
        for row in rows
    ]


def _tension(shown: Configurations) -> dict[str, Any] | None:
    names = [t.name for t in shown.system.robot.tendons]
    if not names:
        return None
    tension = without_noise(shown.tension)
    return {
        "names": names,
        "max": float(tension_scale(tension).vmax or 1.0),
        "slack": bool(np.any(~(tension > 0)[:, [not x for x in shown.two_sided]])),
        "pushes": bool(np.any((tension < 0)[:, shown.two_sided])),
        "two_sided": shown.two_sided,
        "values": _bytes(tension, "<f4"),
    }


def _curve(curve: Curve) -> dict[str, Any]:
    fields = ("name", "kind", "first", "count", "color", "tendon", "sides")
    return {x: getattr(curve, x) for x in fields} | {"radii": curve.radii.round(7).tolist()}


def _body(body: Body) -> dict[str, Any]:
    mesh = body.mesh
    return {
        "first": body.first,
        "color": to_hex(mesh.color[:3]),
        "opacity": mesh.color[3],
        "corners": _bytes(mesh.corners, "<f4"),
        "normals": _bytes(mesh.normals, "<f4"),
        "triangles": _bytes(mesh.triangles, "<u4"),
    }


def _cloud(points: Array) -> dict[str, Any]:
    """Where the robot's end is in each configuration."""
    size = float(np.max(np.ptp(points, axis=0), initial=0.0)) or 1.0
    radius = float(np.clip(0.35 * size / max(len(points), 1) ** 0.5, 0.003 * size, 0.02 * size))
    return {"points": _bytes(points, "<f4"), "radius": radius}


def _camera(scene: Scene) -> dict[str, Any]:
    drawing, seen = scene.drawing, scene.seen
    page = seen @ drawing.axes.T
    middle = (page.min(axis=0) + page.max(axis=0)) / 2
    page = _outermost(page - middle)
    return {
        "up": drawing.up.tolist(),
        "view": drawing.axes.tolist(),
        "planar": drawing.planar,
        "size": drawing.size,
        "middle": (middle @ drawing.axes).tolist(),
        "outline": page.tolist(),
        "reach": float(np.max(np.abs(page), initial=0.0)) or drawing.size,
        "floor": [] if drawing.planar else floor_lines(drawing, seen).tolist(),
        "floorHeight": drawing.floor_height,
    }


def _outermost(page: Array) -> Array:
    """Of points to the right, up and towards the viewer, those that set the camera's distance."""
    a = np.linspace(0, 2 * np.pi, 2 * WAYS, endpoint=False)
    level = np.column_stack([np.cos(a), 0 * a, np.sin(a)])
    upright = np.column_stack([0 * a, np.cos(a), np.sin(a)])
    return page[np.unique(np.argmax(page @ np.concatenate([level, upright]).T, axis=0))]


def floor_lines(drawing: Drawing, points: Array) -> Array:
    """A grid (k, 2, 3) [m] under points, in tiles of a round length."""
    a, b = horizontal(drawing.up)
    side = np.array([points @ a, points @ b])
    low, high = side.min(axis=1), side.max(axis=1)
    more = 0.25 * max(float(np.max(high - low)), drawing.size)
    tile = round_length((float(np.max(high - low)) + 2 * more) / TILES)
    first, last = np.floor((low - more) / tile) * tile, np.ceil((high + more) / tile) * tile
    x, y = (np.arange(p, q + tile / 2, tile) for p, q in zip(first, last, strict=True))
    ground = (drawing.floor_height - 1e-3 * drawing.size) * drawing.up
    lines = [[s * a + y[0] * b, s * a + y[-1] * b] for s in x]
    lines += [[x[0] * a + s * b, x[-1] * a + s * b] for s in y]
    return np.array(lines) + ground


def _plots(result: Shown, whole: Configurations) -> dict[str, Any]:
    if isinstance(result, Equilibrium | Workspace):
        return {"panels": [], "panelTimes": "", "tables": list(tables_of(result))}
    return {
        "panels": [_panel(result, x) for x in panels_of(result)],
        "panelTimes": _bytes(_thinned(_axis(result, whole)), "<f4"),
        "tables": [],
    }


def _axis(result: Run | EquilibriumPath, whole: Configurations) -> Array:
    """What panels are drawn over."""
    return result.time if isinstance(result, Run) else whole.at


def _panel(result: Shown, panel: Curves) -> dict[str, Any]:
    unit = display_unit(panel.unit, panel.values)
    return {
        "label": unit.label(panel.what),
        "names": panel.labels,
        "colors": [to_hex(x) for x in tints(result.system, panel)],
        "curves": [_bytes(unit.factor * _thinned(x), "<f4") for x in panel.values.T],
    }


def _thinned(values: Array) -> Array:
    """At most so many of the values, the first and the last among them."""
    if len(values) <= PLOT_POINTS:
        return values
    return np.asarray(values[np.round(np.linspace(0, len(values) - 1, PLOT_POINTS)).astype(int)])


def _bytes(values: npt.ArrayLike, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()
