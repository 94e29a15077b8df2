"""What to draw of a robot: points that move with its frames, and the lines between them."""

from collections.abc import Callable

import casadi as ca

from chorda.describe import Prismatic, Robot, Spring
from chorda.mechanics.forces import Ends, between
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.paths import Cable
from chorda.mechanics.records import Line, Picture
from chorda.mechanics.tree import Tree

Draw = Callable[[str, str, list[tuple[int, Expr]]], None]


def picture(robot: Robot, tree: Tree, ends: Ends, pins: Ends, cables: list[Cable]) -> Picture:
    """World positions (3 x n) and the lines through them."""
    places: list[Expr] = []
    lines: list[Line] = []
    held = [x for cable in cables for x in cable.points] + [
        x for pair in pins.values() for x in pair
    ]

    def draw(kind: str, name: str, points: list[tuple[int, Expr]]) -> None:
        first = len(places)
        places.extend(tree.pose(node).at(point) for node, point in points)
        lines.append(Line(kind, name, tuple(range(first, len(places)))))

    for joint, model in zip(robot.joints, tree.joints, strict=True):
        for kind, corners in model.lines:
            draw(
                kind, joint.name, [(tree.index[f"{joint.name}.{frame}"], x) for frame, x in corners]
            )
        # a slide without a body in a closed robot only counts where a platform is
        counts = isinstance(joint, Prismatic) and joint.body is None and bool(pins)
        if not model.lines and not counts:
            _draw_link(joint.name, tree, held, draw)
    for item in between(robot):
        draw("spring" if isinstance(item, Spring) else "damper", item.name, list(ends[item.name]))
    for cable in cables:
        _draw_cable(cable, tree, places, lines)
    return Picture(ca.densify(ca.horzcat(SX(3, 0), *places)), tuple(lines))


def _draw_cable(cable: Cable, tree: Tree, places: list[Expr], lines: list[Line]) -> None:
    """A tendon through its eyelets and along the rims of its pulleys, and those pulleys."""
    rows, eyelets = list[int](), list[int]()
    for k, (node, point) in enumerate(cable.points):
        here = tree.pose(node).at(point)
        wrap = cable.wraps.get(k)
        if wrap is None:
            eyelets.append(len(places))
        else:
            center = len(places)
            places.extend((here, *wrap.rim))
            lines.append(
                Line("pulley", wrap.label, tuple(range(center + 1, len(places))), (center,))
            )
        first = len(places)
        places.extend([here] if wrap is None else wrap.arc)
        rows += range(first, len(places))
    rows += range(len(places), len(places) + len(cable.inside))
    places.extend(tree.pose(node).at(point) for node, point in cable.inside)
    lines.append(Line("tendon", cable.name, tuple(rows), tuple(eyelets)))


def _draw_link(name: str, tree: Tree, held: list[tuple[int, Expr]], draw: Draw) -> None:
    """A link from its joint to whatever stands on it, to points that are held, and to its centre.

    held: where tendons and closures take hold, by frame.
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
    for end in ends:
        draw("link", name, [(node, SX(3, 1)), (node, end)])
