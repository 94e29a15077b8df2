"""What carries a shape: where it is, and how a point of it moves, seen from a frame of the tree."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import casadi as ca

from chorda.describe import Rod
from chorda.describe import shapes as described
from chorda.describe.bent_lines import bent_line
from chorda.mechanics.contacts.placed_shapes import (
    PlacedBore,
    PlacedBox,
    PlacedCapsule,
    PlacedCylinder,
    PlacedPlane,
    PlacedSphere,
    Shape,
)
from chorda.mechanics.contacts.pushed_bodies import At, Bodies, RodSlice
from chorda.mechanics.frames import SX, Expr, Pose, rotation, vector
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.grid import along_tube
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tree import Tree


@dataclass(frozen=True, eq=False)
class Carried:
    """A shape, or one of the capsules or spheres along a rod.

    label: of the part of a rod, empty for a whole shape; node: the frame that it belongs to; place:
    the shape seen from a frame (root) that carries it; held: what it moves with, two slices for a
    capsule along a rod; shared: the sphere that a capsule has in common with the one before it,
    where both would press.
    """

    label: str
    node: int
    place: Callable[[int], Shape]
    held: tuple[At, ...]
    shared: "Carried | None" = None


@dataclass(frozen=True, eq=False)
class CarriedShape:
    """What a shape is made of; along a rod, capsules between slices, or spheres on them."""

    parts: tuple[Carried, ...]
    spheres: tuple[Carried, ...] = ()

    def beside(self, other: str) -> tuple[Carried, ...]:
        """Its parts that touch a shape of another kind: a chain of capsules is nearest to a plane,
        or to a wall around it, where capsules meet."""
        return self.spheres if self.spheres and other in ("plane", "bore") else self.parts


def carried_shapes(skeleton: Skeleton, bodies: Bodies) -> dict[str, CarriedShape]:
    """By name of the shape."""
    made = {}
    for shape in skeleton.robot.shapes:
        if isinstance(shape, described.RodTube):
            made[shape.name] = _tube(skeleton, bodies, shape)
        else:
            made[shape.name] = CarriedShape((_fixed(skeleton, shape),))
    return made


def _fixed(skeleton: Skeleton, shape: described.Shape) -> Carried:
    """A shape that is fixed in a frame."""
    tree, par = skeleton.tree, skeleton.par
    node = tree.index[shape.frame]
    local = _symbols(shape, tree, par)

    return Carried("", node, lambda root: _moved(local, tree.pose(node, root)), (node,))


def _symbols(shape: described.Shape, tree: Tree, par: Parameters) -> Shape:
    """A shape in its own frame; its numbers are parameters."""
    assert not isinstance(shape, described.RodTube)
    name = shape.name

    def at(field: str) -> Expr:
        point = getattr(shape, field)
        if not isinstance(point, str):
            return par.vector(f"{name}.{field}", point, "m")
        return SX(3, 1) if point == "origin" else tree.anchors[shape.frame, point]

    if isinstance(shape, described.Plane):
        return PlacedPlane(at("point"), vector(*shape.normal))
    if isinstance(shape, described.Box):
        axes = "xyz"
        size = [
            par.scalar(f"{name}.size.{axis}", x, "m", positive=True)
            for axis, x in zip(axes, shape.size, strict=True)
        ]
        rounding = par.scalar(f"{name}.rounding", shape.rounding, "m")
        turn = rotation(shape.axis, shape.angle) if shape.angle else SX.eye(3)
        half = ca.vertcat(*size) / 2 - rounding
        return PlacedBox(at("center"), turn, half, rounding)
    if isinstance(shape, described.MeshFile):  # the cube of its units: it has no parameters
        by_name = isinstance(shape.position, str)
        origin = at("position") if by_name else vector(*shape.position)
        turn = rotation(shape.axis, shape.angle) if shape.angle else SX.eye(3)
        return PlacedBox(origin, turn, shape.scale * SX.ones(3, 1), SX(0))
    radius = par.scalar(f"{name}.radius", shape.radius, "m", positive=True)
    if isinstance(shape, described.Bore):
        pieces = tuple(bent_line(shape.points, shape.bend_radius))
        return PlacedBore(pieces, Pose(SX.eye(3), SX(3, 1)), radius)
    if isinstance(shape, described.Sphere):
        return PlacedSphere(at("center"), radius)
    start, end = at("start"), at("end")
    if isinstance(shape, described.Capsule):
        return PlacedCapsule(start, end, radius, ca.sumsqr(ca.sparsify(end - start)))
    length = ca.sqrt(ca.sumsqr(end - start))
    axis = ca.sparsify(end - start) / length
    return PlacedCylinder((start + end) / 2, axis, length / 2, radius)


def _moved(shape: Shape, pose: Pose) -> Shape:
    """A shape seen from another frame."""
    if isinstance(shape, PlacedSphere):
        return PlacedSphere(pose.at(shape.centre), shape.radius)
    if isinstance(shape, PlacedCapsule):
        start, end = pose.at(shape.start), pose.at(shape.end)
        return PlacedCapsule(start, end, shape.radius, shape.square)
    if isinstance(shape, PlacedPlane):
        return PlacedPlane(pose.at(shape.point), pose.R @ shape.normal)
    if isinstance(shape, PlacedBox):
        return PlacedBox(pose.at(shape.centre), pose.R @ shape.R, shape.half, shape.rounding)
    if isinstance(shape, PlacedBore):
        return PlacedBore(shape.pieces, pose @ shape.pose, shape.radius)
    axis = pose.R @ shape.axis
    return PlacedCylinder(pose.at(shape.centre), axis, shape.half_length, shape.radius)


def _tube(skeleton: Skeleton, bodies: Bodies, shape: described.RodTube) -> CarriedShape:
    """The capsules along a rod, and the spheres where they meet."""
    rod = skeleton.robot.named(shape.rod)
    number = [x.name for x in skeleton.robot.joints].index(shape.rod)
    name = f"{shape.name}.radius"
    radius = skeleton.par.scalar(name, tube_radius(shape, rod), "m", positive=True)
    base, grid = bodies.base(number), bodies.soft(number).scans.slices.grid

    def sphere(label: int, k: int) -> Carried:
        def place(root: int) -> Shape:
            return PlacedSphere(bodies.pose(RodSlice(number, k), root).p, radius)

        return Carried(f"{label}", base, place, (RodSlice(number, k),))

    def capsule(label: int, a: int, b: int) -> Carried:
        def place(root: int) -> Shape:
            start, end = (bodies.pose(RodSlice(number, k), root).p for k in (a, b))
            return PlacedCapsule(start, end, radius)

        shared = sphere(label, a) if label > 1 else None
        return Carried(f"{label}", base, place, (RodSlice(number, a), RodSlice(number, b)), shared)

    slices = along_tube(grid, *shape.span(rod.length))
    capsules = (capsule(i + 1, a, b) for i, (a, b) in enumerate(pairwise(slices)))
    return CarriedShape(tuple(capsules), tuple(sphere(i, k) for i, k in enumerate(slices)))


def tube_radius(shape: described.RodTube, rod: Rod) -> float:
    """As given, or that of the section at the base [m]."""
    if shape.radius is not None:
        return shape.radius
    section = rod.section
    return section.height / 2 if section.kind == "rectangle" else section.radius
