"""A robot in three dimensions: curves and bodies, and the anchors in the world that carry them.

Pages and the viewer draw the same parts; only the anchors move. A curve is a tube through its
anchors. A body has four: its origin, and the ends of its axes, in units of which its corners are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.colors import to_rgba

from chorda.describe import Rod
from chorda.mechanics import Array, Line
from chorda.view.artists import diameter
from chorda.view.bores import OPACITY
from chorda.view.coils import Link
from chorda.view.configurations import Configurations
from chorda.view.contact_arrows import LONGEST, Pushes
from chorda.view.curves import smoothing
from chorda.view.drawing import Drawing, make_drawing
from chorda.view.meshes import Mesh, disk
from chorda.view.obstacles import near_robot
from chorda.view.rod_sections import rod_sides
from chorda.view.shape_outlines import Solid
from chorda.view.shape_surfaces import solid_axes, surface
from chorda.view.style import ROLES

BAR_RATIO = 0.035  # a bar's radius over the usual length of bars and links
THICKEST, THINNEST = 0.02, 0.002  # of a tube's radius over the robot's size
TENDON_RATIO = 0.3  # a tendon's radius over that of bars or rods
PULLEY_RATIO, DISK_RATIO = 0.4, 0.12  # thickness over radius
PULLEY_THICKEST = 0.03  # over the robot's size
FARTHEST_FORCE = 100.0  # over the robot's size, where a force may act
ARROW_RATIO, HEAD_RATIO, HEAD_LENGTH = 0.008, 2.6, 0.3  # shaft over size, head over shaft, length
BASE_RATIO = 0.018  # half the side of a block at a base over the robot's size
RIM = np.linspace(0, 2 * np.pi, 37)[:-1]
Place = Callable[[Configurations, Drawing], Array]  # where anchors are (n, k, 3) [m]


@dataclass(frozen=True, eq=False)
class Curve:
    """A tube through `count` anchors from `first` on.

    radii (count) [m]; tendon: its number, -1 if it is none. Of a rectangular section `sides` is the
    first of as many anchors in the middle of one side, and radii are half its height.
    """

    name: str
    kind: str
    first: int
    count: int
    radii: Array
    color: str
    tendon: int = -1
    sides: int = -1


@dataclass(frozen=True, eq=False)
class Body:
    """A surface that moves as a whole; its mesh is in units of its axes."""

    kind: str
    first: int
    mesh: Mesh


@dataclass(frozen=True, eq=False)
class Scene:
    """Parts of a robot, and where their anchors come from; tip: the anchor of the robot's end.

    frames: names, each with an origin and three axes from `axes` on. largest [N]: the force of the
    longest arrow.
    """

    drawing: Drawing
    curves: tuple[Curve, ...]
    bodies: tuple[Body, ...]
    places: tuple[Place, ...]
    tip: int
    frames: tuple[str, ...]
    axes: int
    largest: float

    @property
    def count(self) -> int:
        """How many anchors there are."""
        return self.axes + 4 * len(self.frames)

    @property
    def seen(self) -> Array:
        """Points (k, 3) [m] that a picture of all configurations must show."""
        drawing = self.drawing
        ways = np.vstack([np.eye(3), -np.eye(3)])
        own = drawing.extents[drawing.framed].reshape(-1, 3)
        bases = np.array(list(drawing.bases.values())).reshape(-1, 3)
        own = np.concatenate([own, bases])
        if not len(own):
            return np.zeros((1, 3))
        return np.concatenate([own, *drawing.beside(ways)])

    def anchors(self, c: Configurations, frames: bool = True) -> Array:
        """Positions (n, m, 3) [m] of all anchors, or of all but those of frames."""
        drawing = self.drawing.moved(c.q, c.parameters)
        places = self.places if frames else self.places[:-1]
        return np.concatenate([place(c, drawing) for place in places], axis=1)


def make_scene(c: Configurations, largest: float | None = None) -> Scene:
    """The parts of a robot that is shown in these configurations; largest [N]: the force of the
    longest arrow, by default the largest that there is."""
    drawing = make_drawing(c.system, c.q, c.parameters)
    largest = largest_force(c) or 1.0 if largest is None else largest
    made = _Made(drawing)
    made.rods(c)
    for line in drawing.lines_of("bar", "link"):
        if drawing.length(line):
            made.tube(line, made.bar, ROLES.bar)
    for line in drawing.lines_of("spring", "damper"):
        made.spring(line)
    names = [t.name for t in c.system.robot.tendons]
    inside = {t.name for t in c.system.robot.tendons if t.sheaths and not t.path}
    for line in drawing.lines_of("tendon"):
        curved = line.name in inside
        made.tube(line, made.tendon, ROLES.tendon, curved, tendon=names.index(line.name))
    made.wheels(drawing.lines_of("pulley", "disk"))
    for k in range(len(drawing.solids)):
        made.solid(k)
    for k in range(len(drawing.bores)):
        made.bore(k)
    for at in drawing.bases.values():
        made.base(at)
    if c.pushes is not None:
        made.arrows(c.pushes.points.shape[1], largest)
    tip = made.put(lambda _, d: d.end[:, None], 1)
    frames = tuple(x for x in c.system.robot.frames() if x != "world")
    axes = made.put(_triads(frames, 0.06 * drawing.size), 4 * len(frames))
    parts = tuple(made.curves), tuple(made.bodies), tuple(made.places)
    return Scene(drawing, *parts, tip, frames, axes, largest)


def largest_force(c: Configurations) -> float:
    """Of all contacts, loads and inputs [N]; 0: there is none."""
    if c.pushes is None:
        return 0.0
    return float(np.linalg.norm(c.pushes.forces, axis=2).max(initial=0.0))


class _Made:
    """Parts so far, and how many anchors they have."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing, self.count = drawing, 0
        self.curves: list[Curve] = []
        self.bodies: list[Body] = []
        self.places: list[Place] = []
        lengths = [drawing.length(x) for x in drawing.lines_of("bar", "link")]
        usual = float(np.median([x for x in lengths if x > 0] or [0.0]))
        thin, thick = THINNEST * drawing.size, THICKEST * drawing.size
        rods = [x for x in drawing.system.robot.joints if isinstance(x, Rod)]
        thinnest = min((diameter(x) / 2 for x in rods), default=thick)
        self.bar = float(np.clip(BAR_RATIO * usual if usual else thinnest, thin, thick))
        self.tendon = max(TENDON_RATIO * min(self.bar, thinnest), 0.7 * thin)
        self.thin = thin

    def put(self, place: Place, count: int) -> int:
        first, self.count = self.count, self.count + count
        self.places.append(place)
        return first

    def tube(
        self,
        line: Line,
        radius: float,
        color: str,
        curved: bool = False,
        tendon: int = -1,
    ) -> None:
        rows = list(line.points)
        W = smoothing(self.drawing.points[0, rows]) if curved else None

        def place(_: Configurations, drawing: Drawing) -> Array:
            points = drawing.points[:, rows]
            return points if W is None else np.asarray(W @ points)

        count = len(rows) if W is None else len(W)
        first = self.put(place, count)
        radii = np.full(count, radius)
        self.curves.append(Curve(line.name, line.kind, first, count, radii, color, tendon))

    def rods(self, c: Configurations) -> None:
        """Tubes of their section; one too thin to be seen is drawn a little thicker."""
        rods = {x.name: x for x in c.system.robot.joints if isinstance(x, Rod)}
        for line in self.drawing.lines_of("rod"):
            rod = rods[line.name]
            self.tube(line, self.thin, ROLES.bar, curved=True)
            made = self.curves[-1]
            count = made.count
            taper = np.linspace(1.0, 1.0 if rod.taper is None else rod.taper, count)
            made = replace(made, radii=np.maximum(diameter(rod) / 2 * taper, self.thin))
            if rod.section.kind == "rectangle":
                width, height = rod.section.width / 2, rod.section.height / 2
                sides = self.put(_beside(self.places[-1], rod.name, width * taper), count)
                made = replace(made, radii=np.maximum(height * taper, self.thin), sides=sides)
            self.curves[-1] = made

    def spring(self, line: Line) -> None:
        ends = [line.points[0], line.points[-1]]
        width = min(0.06 * self.drawing.size, 0.16 * self.drawing.length(line) or np.inf)
        shape = Link(line.kind == "spring")
        first = self.put(lambda _, d: shape.placed(d.points[:, ends], width), shape.count)
        radii = shape.radii(width, 0.5 * self.thin + 0.09 * width)
        self.curves.append(Curve(line.name, line.kind, first, shape.count, radii, ROLES.spring))

    def wheels(self, lines: Sequence[Line]) -> None:
        """Pulleys and disks by their rims, in units of their radii."""
        rims = [x.points if x.kind == "pulley" else x.points[:-1] for x in lines]
        rows = np.array([[x[0], x[len(x) // 4], x[len(x) // 2]] for x in rims], int).reshape(-1, 3)

        def place(_: Configurations, drawing: Drawing) -> Array:
            start, quarter, half = (drawing.points[:, x] for x in rows.T)
            center = (start + half) / 2
            a, b = start - center, quarter - center
            radius = np.maximum(np.linalg.norm(a, axis=2, keepdims=True), 1e-12)
            ends = center, center + a, center + b, center + np.cross(a, b) / radius
            return np.stack(ends, axis=2).reshape(len(center), -1, 3)

        first = self.put(place, 4 * len(lines))
        circle = np.stack([np.cos(RIM), np.sin(RIM), 0 * RIM], axis=-1)
        for k, line in enumerate(lines):
            start, _, half = self.drawing.points[0, rows[k]]
            radius = float(np.linalg.norm(half - start)) / 2 or 1.0
            pulley = line.kind == "pulley"
            ratio = PULLEY_RATIO if pulley else DISK_RATIO
            thickness = min(ratio, PULLEY_THICKEST * self.drawing.size / radius)
            color = to_rgba(ROLES.frame if pulley else ROLES.ground)
            mesh = disk(line.name, circle, thickness, color)
            self.bodies.append(Body(line.kind, first + 4 * k, mesh))

    def solid(self, k: int) -> None:
        """A shape that touches; half spaces are patches near the robot."""
        first, size = self.drawing.solids[k], self.drawing.size
        first = near_robot(self.drawing, first) if first.kind == "plane" else first
        shade = to_rgba(ROLES.plate) if first.fixed else to_rgba(ROLES.bar, 0.4)
        mesh = surface(first, size, shade)
        center, axes = first.center[0], solid_axes(first.edges[:1])[0]
        local = replace(
            mesh,
            corners=(mesh.corners - center) @ axes.T / size,
            normals=mesh.normals @ axes.T,
        )

        def place(_: Configurations, drawing: Drawing) -> Array:
            moved: Solid = drawing.solids[k]
            origin = np.broadcast_to(center, moved.center.shape) if moved.fixed else moved.center
            ends = origin[:, None] + size * solid_axes(moved.edges)
            return np.concatenate([origin[:, None], ends], axis=1)

        self.bodies.append(Body("shape", self.put(place, 4), local))

    def bore(self, k: int) -> None:
        """The inside of a tube, which can be seen through."""
        size = self.drawing.size
        mesh = self.drawing.bores[k].mesh(to_rgba(ROLES.bore, OPACITY))
        local = replace(mesh, corners=mesh.corners / size)

        def place(_: Configurations, drawing: Drawing) -> Array:
            moved = drawing.bores[k]
            ends = moved.origin[:, None] + size * moved.R.transpose(0, 2, 1)
            return np.concatenate([moved.origin[:, None], ends], axis=1)

        self.bodies.append(Body("bore", self.put(place, 4), local))

    def base(self, at: Array) -> None:
        """A block under a joint that stands on the world."""
        size = self.drawing.size
        half = BASE_RATIO * size
        edges = half * np.eye(3)
        block = Solid("base", "box", True, at[None], edges[None], np.zeros(1))
        mesh = surface(block, half, to_rgba(ROLES.ground))
        local = replace(mesh, corners=(mesh.corners - at) / size)
        ends = np.concatenate([at[None], at + size * np.eye(3)])
        first = self.put(lambda c, _: np.broadcast_to(ends, (len(c), 4, 3)), 4)
        self.bodies.append(Body("base", first, local))

    def arrows(self, count: int, largest: float) -> None:
        """Four anchors each: the foot, the neck twice, and the point."""
        longest, shaft = LONGEST * self.drawing.size, ARROW_RATIO * self.drawing.size
        far = FARTHEST_FORCE * self.drawing.size

        def place(c: Configurations, drawing: Drawing) -> Array:
            pushes, end = c.pushes, drawing.end[:, None]
            assert pushes is not None
            # shapes in line touch nowhere: such a point would stretch the page to where it is
            lost = ~(np.linalg.norm(pushes.points - end, axis=2, keepdims=True) < far)
            near = replace(pushes, points=np.where(lost, end, pushes.points))
            return arrow_points(near, longest, largest)

        first = self.put(place, 4 * count)
        radii = shaft * np.array([1.0, 1.0, HEAD_RATIO, 0.0])
        for k in range(count):
            self.curves.append(Curve(f"force {k}", "force", first + 4 * k, 4, radii, ROLES.force))


def _beside(centre: Place, rod: str, widths: Array) -> Place:
    return lambda c, drawing: rod_sides(rod, c, centre(c, drawing), widths)


def arrow_points(pushes: Pushes, longest: float, largest: float) -> Array:
    """Anchors (n, 4 m, 3) of m arrows; one without a force is a point."""
    size = np.linalg.norm(pushes.forces, axis=2, keepdims=True)
    length = longest * np.minimum(size / largest, 1.0)
    way = pushes.forces * (length / np.where(size > 0, size, 1.0))
    neck = pushes.points + (1 - HEAD_LENGTH) * way
    each = np.stack([pushes.points, neck, neck, pushes.points + way], axis=2)
    return np.asarray(each.reshape(len(each), -1, 3))


def _triads(names: tuple[str, ...], length: float) -> Place:
    def place(c: Configurations, drawing: Drawing) -> Array:
        R, p = c.frames(names)
        ends = p[:, :, None] + length * R.transpose(0, 1, 3, 2)
        return np.concatenate([p[:, :, None], ends], axis=2).reshape(len(c), -1, 3)

    return place
