"""The robot's artists on a pair of axes: made once, then moved from picture to picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import Normalize, to_rgba
from matplotlib.lines import Line2D

from chorda.mechanics import Array
from chorda.mechanics.system import Line
from chorda.view.curves import smooth
from chorda.view.shapes import dashpot, outline, zigzag
from chorda.view.stage import NOT_A_BODY, Stage
from chorda.view.style import ROLES, TENSION

DASHES = (0, (2.2, 1.6))
TRAIL: dict[str, Any] = {"color": ROLES.trail, "lw": 1.4, "alpha": 0.8}
SOLID: tuple[int, Any] = (0, None)


@dataclass(frozen=True)
class Widths:
    """Line widths [points] that suit the size of the robot on the page."""

    bar: float
    tendon: float
    spring: float
    pivot: float
    rod: float = 3.2

    @classmethod
    def fitting(
        cls, lengths: Sequence[float], points_per_metre: float, rod: float = 0.0
    ) -> "Widths":
        """For bars of these lengths and rods of this diameter [m]."""
        usual = float(np.median(lengths)) if len(lengths) else 0.1
        bar = float(np.clip(0.085 * usual * points_per_metre, 2.4, 9.0))
        across = float(np.clip(rod * points_per_metre, 3.2, 9.0))
        bar = bar if len(lengths) or not rod else 1.6 * across
        tendon = float(np.clip(0.34 * bar, 1.4, 2.6))
        return cls(bar, tendon, max(0.5 * tendon, 0.9), 0.62 * bar, across)


class Actors:
    """Artists of one robot. `show` moves them; the caller draws."""

    def __init__(
        self, ax: Axes, stage: Stage, widths: Widths, norm: Normalize | None, *, trail: bool = False
    ) -> None:
        self.stage, self.norm = stage, norm
        lines = stage.lines
        self._bodies = [x for x in lines if x.kind not in NOT_A_BODY]
        self._springs = [x for x in lines if x.kind in ("spring", "damper")]
        self._tendons = [x for x in lines if x.kind == "tendon"]
        self._pulleys = [x for x in lines if x.kind == "pulley"]
        self._disks = [x for x in lines if x.kind == "disk"]
        self._curved = _curved(stage)
        self._arms = _arms(stage, self._bodies, [*self._tendons, *self._pulleys])
        self._plates = _plates(self._bodies)
        self._pivots = _pivots(stage, self._bodies)
        self._slides = _rows_of(stage, self._bodies, "prismatic")
        self._dots = _dots(stage, self._bodies)
        self._spring_width = _spring_width(stage, self._springs)

        thick = [
            widths.rod if x.kind == "rod" else widths.bar * (0.45 if x in self._arms else 1.0)
            for x in self._bodies
        ]
        # in its plane a rod passes over nothing but its disks, seen from the side
        flat = {x for x in self._bodies if x.kind == "rod" and stage.planar}
        halo = [
            0.0 if x in flat else min(2.0, 0.6 * w)
            for x, w in zip(self._bodies, thick, strict=True)
        ]
        self.shadow = LineCollection(
            [], colors=ROLES.shadow, linewidths=thick, capstyle="round", zorder=1.5
        )
        self.plates = PolyCollection(
            [], facecolors=ROLES.plate, edgecolors=ROLES.plate, linewidths=1, alpha=0.55, zorder=2
        )
        self.trail = Line2D([], [], zorder=2.5, **TRAIL)
        # seen from the side a disk is a line
        self.disks = PolyCollection(
            [],
            facecolors=to_rgba(ROLES.plate, 0.6),
            edgecolors=to_rgba(ROLES.bar, 0.85),
            linewidths=2.0 if stage.planar else 0.8,
            joinstyle="round",
            zorder=3.5,
            gid="disks",
        )
        self.springs = LineCollection(
            [], colors=ROLES.spring, linewidths=widths.spring, joinstyle="round", zorder=3
        )
        # each bar has a white one under it: it passes visibly over those before it
        self.bars = LineCollection(
            [],
            colors=[c for _ in thick for c in ("white", ROLES.bar)],
            linewidths=[w for x, more in zip(thick, halo, strict=True) for w in (x + more, x)],
            capstyle="round",
            zorder=4,
        )
        self.pulleys = PolyCollection(
            [],
            facecolors="white",
            edgecolors=ROLES.bar,
            linewidths=0.5 * widths.tendon,
            zorder=4.5,
            gid="pulleys",
        )
        self.tendons = LineCollection(
            [], colors=ROLES.tendon, linewidths=widths.tendon, zorder=5, gid="tendons"
        )
        self.sliders = _marks("s", 3.2 * widths.pivot, ROLES.bar, 4.2)
        self.dots = _marks("o", 2.2 * widths.pivot, ROLES.bar, 4.2)
        self.eyelets = _marks("o", 1.5 * widths.tendon, "white", 6)
        self.pivots = _marks("o", widths.pivot, "white", 6)
        self.artists: list[Artist] = [self.plates, self.springs, self.bars, self.pulleys]
        self.artists.append(self.disks)
        self.artists += [self.tendons, self.sliders, self.dots, self.eyelets, self.pivots]
        if not stage.planar:
            self.artists.insert(0, self.shadow)
        if trail and stage.tip is not None:
            self.artists.append(self.trail)
        self.artists.sort(key=lambda artist: artist.get_zorder())
        for artist in self.artists:
            ax.add_artist(artist)
            artist.set_clip_on(False)
            artist.set_in_layout(False)  # the view is fixed; nothing they do may move the axes

    def show(self, k: int, tension: Array | None = None) -> None:
        """Move to the k-th configuration, with the tendons' tensions [N] in order."""
        at, world = self.stage.seen[k], self.stage.points[k]
        bars = [self._way(x, world) for x in self._bodies]
        self.bars.set_segments([part for bar in bars for part in (_inner(bar), bar)])
        self.sliders.set_data(*at[self._slides].T)
        self.dots.set_data(*at[self._dots].T)
        self.plates.set_verts([outline(at[rows]) for rows in self._plates])
        self.springs.set_segments([self._spring(x, at) for x in self._springs])
        self.pulleys.set_verts([at[list(x.points)] for x in self._pulleys])
        self.disks.set_verts([at[list(x.points)] for x in self._disks])
        self.tendons.set_segments([self._way(x, world) for x in self._tendons])
        self.pivots.set_data(*at[self._pivots].T)
        rows = {row for x in self._tendons for row in x.marks}
        rows |= {x.points[-1] for x in self._tendons if x in self._curved}
        self.eyelets.set_data(*at[sorted(rows)].T)
        if not self.stage.planar:
            below = self.stage.dropped(world)
            self.shadow.set_segments([self._way(x, below) for x in self._bodies])
        if self.stage.tip is not None:
            self.trail.set_data(*self.stage.tip[: k + 1].T)
        if tension is not None and self._tendons:
            self._tint(tension)

    def _way(self, line: Line, world: Array) -> Array:
        """A line on the screen, smooth where it is a curve."""
        points = world[list(line.points)]
        return self.stage.screen(smooth(points) if line in self._curved else points)

    def _tint(self, tension: Array) -> None:
        assert self.norm is not None
        taut = tension > 0  # NaN is not taut
        shades = TENSION(self.norm(np.where(taut, tension, 0.0)))
        shades[~taut] = to_rgba(ROLES.slack)
        self.tendons.set_color([tuple(row) for row in shades])
        self.tendons.set_linestyle([SOLID if t else DASHES for t in taut])

    def _spring(self, line: Line, at: Array) -> Array:
        draw = zigzag if line.kind == "spring" else dashpot
        return draw(at[line.points[0]], at[line.points[-1]], self._spring_width)


def _marks(shape: str, size: float, fill: str, order: float) -> Line2D:
    """Marks of one size [points], with a rim in the colour of bars."""
    rim = {"mfc": fill, "mec": ROLES.bar, "mew": 0.29 * size}
    return Line2D([], [], ls="", marker=shape, ms=size, zorder=order, **rim)  # type: ignore[arg-type]


def _curved(stage: Stage) -> set[Line]:
    """Lines to draw smooth: rods, and tendons that run in sheaths all the way."""
    inside = {t.name for t in stage.system.robot.tendons if t.sheaths and not t.path}
    return {x for x in stage.lines if x.kind == "rod" or (x.kind == "tendon" and x.name in inside)}


def _arms(stage: Stage, bodies: list[Line], tendons: list[Line]) -> list[Line]:
    """Links that only hold a tendon or a pulley: they end there, the body goes on elsewhere."""
    first = stage.points[0]
    held = first[[row for x in tendons for row in x.marks]]
    links = [x for x in bodies if x.kind == "link"]
    ends = {x: first[x.points[-1]] for x in links}
    return [
        x
        for x in links
        if len(held) and np.min(np.linalg.norm(held - ends[x], axis=1)) < 1e-9 * (1 + stage.size)
    ]


def _plates(bodies: list[Line]) -> list[list[int]]:
    """Points of links that spread to several places: a plate shows that they are one body."""
    spread: dict[str, list[int]] = {}
    for line in bodies:
        if line.kind == "link":
            spread.setdefault(line.name, []).extend(line.points)
    return [rows for rows in spread.values() if len(rows) > 4]


def _pivots(stage: Stage, bodies: list[Line]) -> list[int]:
    """Rows of points where bodies turn against each other."""
    ends = [r for x in bodies for r in (x.points[0], x.points[-1]) if x.kind == "bar"]
    return ends + _rows_of(stage, bodies, "revolute")


def _rows_of(stage: Stage, bodies: list[Line], kind: str) -> list[int]:
    """Rows of the origins of links on joints of one kind."""
    names = {joint.name for joint in stage.system.robot.joints if joint.kind == kind}
    return [x.points[0] for x in bodies if x.kind == "link" and x.name in names]


def _dots(stage: Stage, bodies: list[Line]) -> list[int]:
    """Rows of links without length, which would not be seen."""
    first = stage.points[0]
    return [
        x.points[0]
        for x in bodies
        if x.kind == "link" and not np.any(first[x.points[-1]] - first[x.points[0]])
    ]


def _inner(bar: Array) -> Array:
    """The part of a bar away from its ends, where others are joined to it."""
    if len(bar) != 2:
        return bar[2:-2] if len(bar) > 6 else bar
    a, b = bar
    return np.array([a + 0.2 * (b - a), b + 0.2 * (a - b)])


def _spring_width(stage: Stage, springs: list[Line]) -> float:
    lengths = [
        float(np.linalg.norm(stage.seen[0][x.points[-1]] - stage.seen[0][x.points[0]]))
        for x in springs
    ]
    return min(0.16 * float(np.median(lengths)), 0.06 * stage.size) if lengths else 0.0
