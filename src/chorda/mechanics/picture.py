"""What to draw of a robot: points that move with its frames, and the lines between them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import casadi as ca
import numpy as np

from chorda.describe import Prismatic, Robot, Rod, Spring
from chorda.describe.shapes import Bore, RodTube, Shape
from chorda.mechanics.cables import Cable
from chorda.mechanics.contacts.carriers import CarriedShape
from chorda.mechanics.contacts.placed_shapes import solid_column
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.records import Line
from chorda.mechanics.skeleton import Skeleton, springs_and_dampers
from chorda.mechanics.tree import Located, Tree
from chorda.mechanics.wrapping import Element

RIM_POINTS = 36  # points that draw a pulley


@dataclass(frozen=True, eq=False)
class Picture:
    """What to draw, made when first asked for."""

    skeleton: Skeleton
    cables: Sequence[Cable]
    carried: Mapping[str, CarriedShape] = field(default_factory=dict)  # shapes by name

    @property
    def points(self) -> Expr:
        """Positions in the world [m] (3 x n)."""
        return ca.densify(ca.horzcat(SX(3, 0), *self._drawn.blocks))

    @property
    def lines(self) -> tuple[Line, ...]:
        """Lines through columns of the points."""
        return tuple(self._drawn.lines)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Solids that are fixed in frames; surfaces of rods are drawn with the rods."""
        return tuple(x for x in self.skeleton.robot.shapes if not isinstance(x, RodTube | Bore))

    @property
    def solids(self) -> Expr:
        """These in the world, a column each (13 x n); see `solid_column`."""
        placed = [self.carried[x.name].parts[0].place(0) for x in self.shapes]
        return ca.densify(ca.horzcat(SX(13, 0), *[solid_column(x) for x in placed]))

    @cached_property
    def _drawn(self) -> "_Drawing":
        robot, tree, ends = self.skeleton.robot, self.skeleton.tree, self.skeleton.ends
        pins = [point for closure in robot.closures for point in ends[closure.name]]
        held = [point for cable in self.cables for point in cable.points] + pins
        made = _Drawing(tree)
        for joint, model in zip(robot.joints, tree.joints, strict=True):
            for kind, corners in model.lines:
                frames = [(tree.index[f"{joint.name}.{frame}"], x) for frame, x in corners]
                made.line(kind, joint.name, frames)
            # a slide without a body in a closed robot only counts where a platform is
            counts = isinstance(joint, Prismatic) and joint.body is None and bool(pins)
            if not model.lines and not counts:
                for link in _links(joint.name, tree, held):
                    made.line("link", joint.name, link)
        for name, ends_of in _mounts(robot, tree):
            made.line("mount", name, ends_of)
        for item in springs_and_dampers(robot):
            kind = "spring" if isinstance(item, Spring) else "damper"
            made.line(kind, item.name, ends[item.name])
        for cable in self.cables:
            made.cable(cable)
        return made


class _Drawing:
    """Points in blocks of columns, and the lines that were drawn through them."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.count = tree, 0
        self.blocks: list[Expr] = []
        self.lines: list[Line] = []

    def put(self, block: Expr) -> range:
        """Adds world positions; returns their columns."""
        first, self.count = self.count, self.count + block.shape[1]
        self.blocks.append(block)
        return range(first, self.count)

    def locate(self, points: Sequence[Located]) -> list[int]:
        return [k for node, x in points for k in self.put(self.tree.pose(node).at(x))]

    def line(self, kind: str, name: str, points: Sequence[Located]) -> None:
        self.lines.append(Line(kind, name, tuple(self.locate(points))))

    def cable(self, cable: Cable) -> None:
        """A tendon through its eyelets and along the rims of its pulleys, and those pulleys."""
        along, eyelets = list[int](), list[int]()
        for k, point in enumerate(cable.points):
            columns = self.locate([point])
            if (wrap := cable.wraps.get(k)) is None:
                eyelets += columns
            else:
                rim = tuple(self.put(self._rim(wrap.pulley)))
                self.lines.append(Line("pulley", wrap.label, rim, tuple(columns)))
                columns = list(self.put(wrap.arc))
            along += columns
        along += self.locate(cable.inside)
        self.lines.append(Line("tendon", cable.name, tuple(along), tuple(eyelets)))

    def _rim(self, pulley: Element) -> Expr:
        n = np.array(ca.DM(pulley.axis)).ravel()
        across = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
        across /= np.linalg.norm(across)
        angles = 2 * np.pi * np.arange(RIM_POINTS) / RIM_POINTS
        spokes = np.outer(across, np.cos(angles)) + np.outer(np.cross(n, across), np.sin(angles))
        around = pulley.radius * ca.sparsify(SX(ca.DM(spokes)))
        return self.tree.pose(pulley.node).at(ca.repmat(pulley.center, 1, RIM_POINTS) + around)


def _mounts(robot: Robot, tree: Tree) -> Iterator[tuple[str, list[Located]]]:
    """Lines from bars and rods to what stands beside them, and to bodies on frames of rods."""
    origin = SX(3, 1)
    for joint, model in zip(robot.joints, tree.joints, strict=True):
        base, parent = tree.index[f"{joint.name}.base"], tree.index[joint.parent]
        drawn = tree.nodes[parent].joint >= 0 and tree.joints[tree.nodes[parent].joint].lines
        if drawn and tree.nodes[base].pose.p.nnz() and base != parent:
            yield joint.name, [(parent, origin), (base, origin)]
        for frame in joint.frames if isinstance(joint, Rod) else ():
            body = next(x.body for x in model.carried if x.name == frame.name)
            if body is not None:
                name = f"{joint.name}.{frame.name}"
                yield name, [(tree.index[name], origin), (tree.index[name], body.center)]


def _links(name: str, tree: Tree, held: list[Located]) -> list[list[Located]]:
    """Lines from a joint to whatever stands on its link, to points that are held, or else to its
    centre.

    held: where tendons and closures take hold.
    """
    node = tree.index[name]
    ends: list[Expr] = [
        n.pose.p
        for n in tree.nodes
        if n.parent == node and n.pose.p.nnz() and not (n.carried and tree.joints[n.joint].soft)
    ]
    ends += [point for at, point in held if at == node]
    carried = tree.nodes[node].carried
    if carried is not None and carried.body is not None and not ends:
        ends = [carried.body.center * 2]
    return [[(node, SX(3, 1)), (node, end)] for end in ends]
