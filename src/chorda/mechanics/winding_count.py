"""How far things have turned since the reference configuration, counted over coordinates.

An angle that is read off the geometry is known within half a turn. A sum of coordinates has no such
limit: how far a cable has turned about a pulley is the small angle by which it turns in a frame
that goes with it, less the pulley's turn against that frame.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.mechanics.configuration_survey import NO_MOTION, Survey
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.joints import Coordinate
from chorda.mechanics.tree import Tree

HALF_TURN_MARGIN = 0.75 * math.pi  # an angle that is never seen above it stays within half a turn
# [rad] there is no length beyond: solvers must not step over half a turn
WINDING_LIMIT = math.pi - 0.02


@dataclass(frozen=True)
class View:
    """The cable's turn about a pulley, as seen from a frame that turns along with it."""

    angle: Expr  # in that frame since the reference configuration, within half a turn [rad]
    count: Expr  # turn of that frame against the pulley, without limit [rad]
    moves: bool  # whether the angle depends on the configuration


def widest(view: View, look: Survey, coordinates: Sequence[Coordinate]) -> float:
    """The largest angle that is seen [rad]; half a turn where a slide without range is in it."""
    slides = [k for k, c in enumerate(coordinates) if c.unit == "m" and math.isinf(c.high - c.low)]
    if slides and ca.depends_on(view.angle, look.q[slides]):
        return math.pi
    seen = np.abs(look(view.angle))
    return float(np.max(seen, initial=0.0, where=np.isfinite(seen)))


def choose(
    views: Iterator[View], look: Survey, coordinates: Sequence[Coordinate]
) -> tuple[View, bool]:
    """The view in which the angle stays smallest, and whether it may reach half a turn.

    The pulley's own view, the first, is kept where it is enough, unless another needs no angle.
    """
    known: list[View] = []
    for view in views:
        if not view.moves:
            return view, False
        known.append(view)
    sizes = [widest(known[0], look, coordinates)]
    if sizes[0] > HALF_TURN_MARGIN:
        sizes += [widest(view, look, coordinates) for view in known[1:]]
    best = int(np.argmin(np.round(sizes, 6)))
    return known[best], sizes[best] > HALF_TURN_MARGIN


def turn_against(tree: Tree, node: int, frame: int, axis: Expr, look: Survey) -> Expr | None:
    """How far a node has turned about its axis against another frame [rad].

    None where that is no sum of coordinates (on a diagonal of an X-joint, say), or where the axis
    tilts in that frame.
    """
    key = node, frame, str(axis)
    if key not in look.turns:
        look.turns[key] = _turn_against(tree, node, frame, axis, look)
    return look.turns[key]


def _turn_against(tree: Tree, node: int, frame: int, axis: Expr, look: Survey) -> Expr | None:
    if np.ptp(look(tree.seen(node, frame).R @ axis), axis=0).max() > NO_MOTION:
        return None
    root = tree.common(node, frame)
    normal = tree.pose(node, root).R @ axis
    weights: dict[int, Expr] = {}  # by joint, of its velocities
    held: list[tuple[Expr, Expr]] = []  # cosines and angles of joints that are held
    for end, sign in ((node, 1), (frame, -1)):
        for at in tree.ancestry(end):
            if at == root:
                break
            own = tree.nodes[at]
            if own.carried is not None and (held_turn := tree.joints[own.joint].held_turn):
                about, angle = held_turn
                held.append((sign * (normal.T @ tree.pose(own.parent, root).R @ about), angle))
            if own.carried is not None and own.carried.angular.numel():
                spin = tree.pose(own.parent, root).R @ own.carried.angular
                weights[own.joint] = weights.get(own.joint, 0) + sign * (normal.T @ spin)
    turn, rest = SX(1, 1), SX(look.configurations[0])
    for cosine, angle in held:
        seen = look(cosine).ravel()
        whole = float(np.round(seen[0]))
        if np.max(np.abs(seen - whole)) > NO_MOTION:
            return None
        turn += whole * angle
    for joint, weight in weights.items():
        rows = look(weight.T)[:, 0, :]
        if np.ptp(rows, axis=0).max() > NO_MOTION:
            return None
        model = tree.joints[joint]
        whole = np.round(rows[0])
        counts = np.where(np.abs(rows[0] - whole) < NO_MOTION, whole, rows[0])
        if not counts.any():
            continue
        if model.quaternion:
            return None
        turn += ca.dot(SX(counts), model.q - ca.substitute(model.q, look.q, rest))
    return turn
