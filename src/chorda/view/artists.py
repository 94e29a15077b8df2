"""The robot's artists on a pair of axes: made once, then moved from picture to picture."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D

from chorda.describe import Rod
from chorda.mechanics import Array, Line
from chorda.view.curves import smooth
from chorda.view.drawing import Drawing
from chorda.view.obstacles import (
    bore_mouths,
    bore_outlines,
    faces,
    half_space,
    outlines,
    shades,
)
from chorda.view.style import ROLES, colors
from chorda.view.symbols import around, dashpot, zigzag
from chorda.view.tension_look import (
    one_sided,
    tension_colors,
    tension_scale,
    tension_styles,
)

CROWD, THINNEST_TENDON = 8, 0.7  # tendons that have room, and [points] where there are more
TRAIL: dict[str, Any] = {"color": ROLES.trail, "lw": 1.4, "alpha": 0.8}


@dataclass(frozen=True)
class Widths:
    """Line widths [points] that suit the size of the robot on the page."""

    bar: float
    tendon: float
    spring: float
    pivot: float
    rod: float = 3.2
    metre: float = 1.0  # points on the page


def line_widths(ax: Axes, drawing: Drawing, widest: float) -> Widths:
    """For these axes, whose limits are set; widest: of bars and rods [points]."""
    window = ax.get_window_extent()
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    pixels = min(window.width / (right - left), window.height / (high - low))
    points_per_metre = pixels * 72 / ax.figure.dpi
    lengths = [drawing.length(x) for x in drawing.bodies if x.kind != "rod"]
    lengths = [x for x in lengths if x > 0]
    thickest = max(
        (diameter(x) for x in drawing.system.robot.joints if isinstance(x, Rod)), default=0.0
    )
    usual = float(np.median(lengths)) if lengths else 0.1
    rod = float(np.clip(thickest * points_per_metre, 3.2, 9.0))
    bar = float(np.clip(0.085 * usual * points_per_metre, 2.4, 9.0))
    bar = bar if lengths or not thickest else 1.6 * rod
    tendon = float(np.clip(0.34 * bar, 1.4, 2.6))
    crowd = len(drawing.lines_of("tendon")) / CROWD
    tendon = max(tendon / max(crowd, 1.0) ** 0.5, THINNEST_TENDON)
    pivot, spring = 0.62 * bar, max(0.5 * tendon, 0.9)
    return Widths(min(bar, widest), tendon, spring, pivot, min(rod, widest), points_per_metre)


def diameter(rod: Rod) -> float:
    """Of the section, its larger side [m]."""
    section = rod.section
    return max(section.width, section.height) if section.kind == "rectangle" else 2 * section.radius


def trail_lines(names: Iterable[str] | None = ("the tip",)) -> dict[str, Line2D]:
    """A line for the path of each of what is named, which is also the legend's entry."""
    names = tuple(names or ())
    shades = (ROLES.trail,) if len(names) == 1 else colors(len(names))
    return {
        name: Line2D([], [], zorder=2.5, label=f"path of {name}", **TRAIL | {"color": shade})
        for name, shade in zip(names, shades, strict=True)
    }


class RobotArtists:
    """Artists of one robot. `show` moves them; the caller draws.

    Widths of lines suit the axes, whose limits are set; widest: of bars and rods [points]. tension
    [N]: all that will be shown, for one scale of colours. trails: paths on the page (n, 2), by
    what they are of, that are drawn as far as the robot is.
    """

    def __init__(
        self,
        ax: Axes,
        drawing: Drawing,
        *,
        widest: float = np.inf,
        tension: Array | None = None,
        trails: Mapping[str, Array] | None = None,
    ) -> None:
        widths = line_widths(ax, drawing, widest)
        self.drawing = drawing
        self.norm = tension_scale(np.zeros(0) if tension is None else tension)
        self.only_pull = one_sided(drawing.system)
        self._curved = _curved(drawing)
        self._plates = list(solid_bodies(drawing).values())
        self._spring_width = _spring_width(drawing)
        self._make_bars(widths)
        fine = to_rgba(ROLES.bar, 0.85)
        self._thickness = 0.5 * widths.bar / widths.metre  # of solid bodies, on each side
        self.plates = PolyCollection(
            [], fc=to_rgba(ROLES.plate, 0.72), ec=fine, lw=0.9, zorder=2.1, gid="bodies"
        )
        self._make_shapes(ax)
        self.trails = {line: (trails or {})[name] for name, line in trail_lines(trails).items()}
        self.springs = LineCollection(
            [], colors=ROLES.spring, linewidths=widths.spring, joinstyle="round", zorder=3
        )
        # seen from the side a disk is a line
        self.disks = PolyCollection(
            [],
            fc=to_rgba(ROLES.plate, 0.6),
            ec=fine,
            lw=2.0 if drawing.planar else 0.8,
            joinstyle="round",
            zorder=3.5,
            gid="disks",
        )
        self.pulleys = PolyCollection(
            [], fc="white", ec=ROLES.bar, lw=0.5 * widths.tendon, zorder=4.5, gid="pulleys"
        )
        self.tendons = LineCollection(
            [], colors=ROLES.tendon, linewidths=widths.tendon, zorder=5, gid="tendons"
        )
        self.sliders = _marks("s", 3.2 * widths.pivot, ROLES.bar, 4.2)
        self.dots = _marks("o", 2.2 * widths.pivot, ROLES.bar, 4.2)
        self.eyelets = _marks("o", 1.5 * widths.tendon, "white", 6)
        self.pivots = _marks("o", widths.pivot, "white", 6)
        self._rows = {
            self.sliders: _joint_rows(drawing, "prismatic"),
            self.dots: [
                x.points[0] for x in drawing.lines_of("link", "mount") if not drawing.length(x)
            ],
            self.eyelets: _eyelet_rows(drawing, self._curved),
            self.pivots: _pivot_rows(drawing),
        }
        self.artists: list[Artist] = [self.plates, self.springs, self.disks, self.bars]
        self.artists += [self.shapes, self.shape_faces]
        self.artists += [self.pulleys, self.tendons, *self._rows]
        if not drawing.planar:
            self.artists += [self.shadow, self.shape_shades]
        self.artists += self.trails
        self.artists.sort(key=lambda artist: artist.get_zorder())
        for artist in self.artists:
            ax.add_artist(artist)
            artist.set_clip_on(False)
            artist.set_in_layout(False)  # the view is fixed; nothing they do may move the axes

    def _make_bars(self, widths: Widths) -> None:
        """Bars, links and rods, each over a white line: it passes visibly over those before it.

        Links that only hold a tendon are thin, and left out where their body is a solid.
        """
        arms, solid = arms_of(self.drawing), solid_bodies(self.drawing)
        self.drawn_bars = bodies = [
            x for x in self.drawing.bodies if not (x in arms and x.name in solid)
        ]
        thick = [
            widths.rod if x.kind == "rod" else widths.bar * (0.45 if x in arms else 1.0)
            for x in bodies
        ]
        # in its plane a rod passes over nothing but its disks, seen from the side
        halo = [
            0.0 if x.kind == "rod" and self.drawing.planar else min(2.0, 0.6 * w)
            for x, w in zip(bodies, thick, strict=True)
        ]
        self.bars = LineCollection(
            [],
            colors=["white", ROLES.bar] * len(bodies),
            linewidths=[w for x, more in zip(thick, halo, strict=True) for w in (x + more, x)],
            capstyle="round",
            zorder=4,
        )
        self.shadow = LineCollection(
            [], colors=ROLES.shadow, linewidths=thick, capstyle="round", zorder=1.5
        )

    def _make_shapes(self, ax: Axes) -> None:
        """Shapes that the robot carries: so clear that tendons stay visible behind them."""
        self._corners = [np.array(x) for x in zip(ax.get_xlim(), ax.get_ylim(), strict=True)]
        rim = to_rgba(ROLES.bar, 0.6)
        self.shapes = PolyCollection(
            [], fc=to_rgba(ROLES.bar, 0.16), ec=rim, lw=0.9, zorder=2.2, gid="shapes"
        )
        self.shape_faces = PolyCollection([], fc="none", ec=rim, lw=0.7, zorder=2.3)
        self.shape_shades = PolyCollection([], fc=ROLES.shadow, ec="none", zorder=1.4)

    def _show_shapes(self, k: int) -> None:
        drawing = self.drawing
        planes = [x for x in drawing.planes if not x.fixed]
        regions = [half_space(drawing, x, k, *self._corners)[0] for x in planes]
        solid = outlines(drawing, drawing.moving, k) + [x for x in regions if len(x)]
        self.shapes.set_verts(solid + bore_outlines(drawing, False, k))
        rims = faces(drawing, drawing.moving, k) + bore_mouths(drawing, False, k)
        self.shape_faces.set_verts(rims)
        if not drawing.planar:
            self.shape_shades.set_verts(shades(drawing, drawing.moving, k))

    def show(self, k: int, tension: Array | None = None) -> None:
        """Move to the k-th configuration, with the tendons' tensions [N] in order."""
        drawing = self.drawing
        at, world = drawing.projected[k], drawing.points[k]
        self._show_shapes(k)
        bars = [self._path(x, world) for x in self.drawn_bars]
        self.bars.set_segments([part for bar in bars for part in (_inner(bar), bar)])
        self.plates.set_verts([around(at[rows], self._thickness) for rows in self._plates])
        springs = drawing.lines_of("spring", "damper")
        self.springs.set_segments([self._spring(x, at) for x in springs])
        self.pulleys.set_verts([at[list(x.points)] for x in drawing.lines_of("pulley")])
        self.disks.set_verts([at[list(x.points)] for x in drawing.lines_of("disk")])
        self.tendons.set_segments([self._path(x, world) for x in drawing.lines_of("tendon")])
        for marks, rows in self._rows.items():
            marks.set_data(*at[rows].T)
        if not drawing.planar:
            below = drawing.on_floor(world)
            self.shadow.set_segments([self._path(x, below) for x in self.drawn_bars])
        for line, path in self.trails.items():
            line.set_data(*path[: k + 1].T)
        if tension is not None and drawing.lines_of("tendon"):
            shades = tension_colors(tension, self.norm, self.only_pull)
            self.tendons.set_color([tuple(x) for x in shades])
            self.tendons.set_linestyle(tension_styles(tension, self.only_pull))

    def _path(self, line: Line, world: Array) -> Array:
        """A line on the page, smooth where it is a curve."""
        points = world[list(line.points)]
        return self.drawing.project(smooth(points) if line in self._curved else points)

    def _spring(self, line: Line, at: Array) -> Array:
        draw = zigzag if line.kind == "spring" else dashpot
        return draw(at[line.points[0]], at[line.points[-1]], self._spring_width)


def _marks(shape: str, size: float, fill: str, order: float) -> Line2D:
    """Marks of one size [points], with a rim in the colour of bars."""
    rim = {"mfc": fill, "mec": ROLES.bar, "mew": 0.29 * size}
    return Line2D([], [], ls="", marker=shape, ms=size, zorder=order, **rim)  # type: ignore[arg-type]


def _curved(drawing: Drawing) -> set[Line]:
    """Lines to draw smooth: rods, and tendons that run in sheaths all along."""
    inside = {t.name for t in drawing.system.robot.tendons if t.sheaths and not t.path}
    tendons = [x for x in drawing.lines_of("tendon") if x.name in inside]
    return {*drawing.lines_of("rod"), *tendons}


def arms_of(drawing: Drawing) -> list[Line]:
    """Links that only hold a tendon or a pulley: they end there, the body goes on elsewhere."""
    first = drawing.points[0]
    held = first[[row for x in drawing.lines_of("tendon", "pulley") for row in x.marks]]
    gap = 1e-9 * (1 + drawing.size)
    return [
        x
        for x in drawing.lines_of("link")
        if np.any(np.linalg.norm(held - first[x.points[-1]], axis=1) < gap)
    ]


def solid_bodies(drawing: Drawing) -> dict[str, list[int]]:
    """By joint: points of links that spread to several positions. They are one body, drawn as the
    outline of the smallest convex solid around them."""
    spread: dict[str, list[int]] = {}
    for line in drawing.lines_of("link"):
        spread.setdefault(line.name, []).extend(line.points)
    return {name: rows for name, rows in spread.items() if len(rows) > 4}


def _joint_rows(drawing: Drawing, kind: str) -> list[int]:
    """Rows of the origins of links on joints of one kind."""
    names = {joint.name for joint in drawing.system.robot.joints if joint.kind == kind}
    return [x.points[0] for x in drawing.lines_of("link") if x.name in names]


def _dot_rows(drawing: Drawing) -> list[int]:
    """Rows of bodies without extent."""
    return [x.points[0] for x in drawing.lines_of("link", "mount") if not drawing.length(x)]


def _pivot_rows(drawing: Drawing) -> list[int]:
    """Rows of points where bodies turn against each other."""
    ends = [row for x in drawing.lines_of("bar") for row in (x.points[0], x.points[-1])]
    return ends + _joint_rows(drawing, "revolute")


def _eyelet_rows(drawing: Drawing, curved: set[Line]) -> list[int]:
    """Rows of points that tendons pass or are attached to."""
    tendons = drawing.lines_of("tendon")
    rows = {row for x in tendons for row in x.marks}
    return sorted(rows | {x.points[-1] for x in tendons if x in curved})


def _inner(bar: Array) -> Array:
    """The part of a bar away from its ends, where others are joined to it."""
    if len(bar) != 2:
        return bar[2:-2] if len(bar) > 6 else bar
    a, b = bar
    return np.array([a + 0.2 * (b - a), b + 0.2 * (a - b)])


def _spring_width(drawing: Drawing) -> float:
    at, springs = drawing.projected[0], drawing.lines_of("spring", "damper")
    lengths = [float(np.linalg.norm(at[x.points[-1]] - at[x.points[0]])) for x in springs]
    return min(0.16 * float(np.median(lengths)), 0.06 * drawing.size) if lengths else 0.0
