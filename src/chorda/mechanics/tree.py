"""The tree of frames: who is carried by whom, and where points are."""

from collections.abc import Callable
from dataclasses import dataclass, field

import casadi as ca
import numpy as np

from chorda.describe import DenavitHartenberg, Joint, Placement, Point, Robot, Rod
from chorda.mechanics.frames import SX, Expr, Pose, identity, rotation
from chorda.mechanics.joints import KINDS, Carried, JointModel, rod
from chorda.mechanics.parameters import Parameters

ROUNDING = 1e-15  # of cosines and sines
Located = tuple[int, Expr]  # a point: its frame and its coordinates there [m]


COINCIDENCE = 1e-10  # [m] distance of points that coincide


@dataclass(frozen=True)
class Node:
    """A frame of the tree; `carried` is None for frames fixed in their parent."""

    name: str
    parent: int  # -1 for the world
    pose: Pose  # in the parent's frame
    joint: int = -1
    carried: Carried | None = None


@dataclass(frozen=True)
class Tree:
    """All frames in order (a parent before its children) and the joints that move them."""

    nodes: tuple[Node, ...]
    joints: tuple[JointModel, ...]
    index: dict[str, int]
    anchors: dict[tuple[str, str], Expr]
    _poses: dict[tuple[int, int], Pose] = field(default_factory=dict, repr=False)
    _seen: dict[tuple[int, int], Pose] = field(default_factory=dict, repr=False)

    def ancestry(self, node: int) -> list[int]:
        chain = [node]
        while chain[-1] != 0:
            chain.append(self.nodes[chain[-1]].parent)
        return chain

    def pose(self, node: int, seen_from: int = 0) -> Pose:
        """Pose of a frame in one of its ancestors' frames."""
        key = (node, seen_from)
        if key not in self._poses:
            if node == seen_from:
                self._poses[key] = identity()
            else:
                own = self.nodes[node]
                above = self.pose(own.parent, seen_from)
                self._poses[key] = own.pose if own.parent == seen_from else above @ own.pose
        return self._poses[key]

    def seen(self, node: int, frame: int) -> Pose:
        """Pose of a frame in any other."""
        if (node, frame) not in self._seen:
            root = self.common(node, frame)
            own, base = self.pose(node, root), self.pose(frame, root)
            turn = base.R.T
            self._seen[node, frame] = Pose(turn @ own.R, ca.sparsify(turn @ (own.p - base.p)))
        return self._seen[node, frame]

    def between(self, a: int, b: int) -> list[int]:
        """Frames from a to b by way of the one that carries both, those that are fixed apart."""
        root = self.common(a, b)
        way = [x[: x.index(root)] for x in (self.ancestry(a), self.ancestry(b))]
        moving = [x for x in (*way[0], *way[1]) if x != a and self.nodes[x].carried is not None]
        return list(dict.fromkeys((a, root, *moving)))

    def common(self, a: int, b: int) -> int:
        """The nearest frame that carries both: lengths seen from there depend on nothing below."""
        others = set(self.ancestry(b))
        return next(node for node in self.ancestry(a) if node in others)

    def distance(self, a: Located, b: Located) -> Expr:
        """Distance between two points [m]; its derivatives are zero where they coincide."""
        return ca.sqrt(self.squared_distance(a, b) + COINCIDENCE**2)

    def squared_distance(self, a: Located, b: Located) -> Expr:
        root = self.common(a[0], b[0])
        way = ca.sparsify(self.pose(b[0], root).at(b[1]) - self.pose(a[0], root).at(a[1]))
        return ca.sumsqr(way)


def plant(
    robot: Robot, par: Parameters, exchange: Callable[[JointModel], JointModel] | None = None
) -> Tree:
    """The tree of a robot; `exchange` gives another model for each of its rods."""
    nodes = [Node("world", -1, identity())]
    index = {"world": 0}
    anchors: dict[tuple[str, str], Expr] = {}
    joints: list[JointModel] = []
    for number, joint in enumerate(robot.joints):
        model = _model(robot, joint, par)
        if exchange is not None and model.soft is not None:
            model = exchange(model)
        joints.append(model)
        base = index[joint.parent]
        placed = _placed(joint.name, joint.placement, par)
        if placed is not None:
            nodes.append(Node(f"{joint.name}.base", base, placed))
            base = len(nodes) - 1
        index.setdefault(f"{joint.name}.base", base)
        for carried in model.carried:
            full = f"{joint.name}.{carried.name}" if carried.name else joint.name
            nodes.append(Node(full, base, carried.pose, number, carried))
            index[full] = len(nodes) - 1
        if (link := getattr(joint, "link", None)) is not None:
            tip = f"{joint.name}.tip"
            nodes.append(Node(tip, index[joint.name], _tip(joint.name, link, par)))
            index[tip] = len(nodes) - 1
        for (frame, anchor), point in model.anchors.items():
            anchors[f"{joint.name}.{frame}", anchor] = point
    return Tree(tuple(nodes), tuple(joints), index, anchors)


def _model(robot: Robot, joint: Joint, par: Parameters) -> JointModel:
    if not isinstance(joint, Rod):
        return KINDS[joint.kind](joint, par)
    name = joint.name
    along = robot.sheaths_in(name), robot.loads_along(name), robot.tubes_of(name)
    return rod.build(joint, par, *along)


def locate(tree: Tree, point: Point, name: str, par: Parameters) -> Located:
    """A described point in its frame."""
    node = tree.index[point.frame]
    if not isinstance(point.point, str):
        return node, par.vector(name, point.point, "m")
    if point.point == "origin":
        return node, SX(3, 1)
    return node, tree.anchors[point.frame, point.point]


def _placed(name: str, placement: Placement, par: Parameters) -> Pose | None:
    if placement == Placement():
        return None
    R = rotation(placement.axis, placement.angle) if placement.angle else SX.eye(3)
    return Pose(R, par.vector(f"{name}.position", placement.position, "m"))


def _tip(name: str, link: DenavitHartenberg, par: Parameters) -> Pose:
    """Far end of a link, Rz(theta) Tz(d) Tx(a) Rx(alpha) [Recursive, eq. 1]."""
    d, a = (
        SX(1, 1) if value == 0 else par.scalar(f"{name}.link.{key}", value, "m", signed=True)
        for key, value in (("d", link.d), ("a", link.a))
    )
    turn = _turn(rotation((0, 0, 1), link.theta))
    along = turn @ ca.vertcat(a, SX(2, 1))
    return Pose(
        turn @ _turn(rotation((1, 0, 0), link.alpha)), ca.sparsify(along + ca.vertcat(SX(2, 1), d))
    )


def _turn(R: Expr) -> Expr:
    """A constant rotation; what rounding leaves at right angles is a structural zero."""
    values = ca.evalf(ca.densify(R)).full()
    return ca.sparsify(SX(ca.DM(np.where(np.abs(values) < ROUNDING, 0.0, values))))
