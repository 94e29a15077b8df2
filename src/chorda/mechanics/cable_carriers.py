"""Tendons with a carrier: the link in which all elements of their path are fixed.

The free cable then never changes, and the length follows the drums at the ends alone:
l = l0 +- r_i theta_i +- r_j theta_j, theta being turns against the carrier [Recursive, eq. 18].
Counted like that, drums may turn as often as they like.
"""

from dataclasses import replace

import casadi as ca
import numpy as np

from chorda.describe import Pulley, Tendon
from chorda.describe.path_checks import element_text
from chorda.errors import InputError
from chorda.mechanics.cables import Cable
from chorda.mechanics.configuration_survey import NO_MOTION, Survey
from chorda.mechanics.frames import SX, vector
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tree import Tree
from chorda.mechanics.winding_count import turn_against


def carried(tendon: Tendon, cable: Cable, skeleton: Skeleton, look: Survey) -> Cable:
    """The cable with its length over the drums' turns; refused where the carrier does not carry."""
    if tendon.carrier is None:
        return cable
    tree = skeleton.tree
    _check_carried(skeleton.robot.name, tendon, cable, tree, look)
    length, wraps = cable.reference, dict(cable.wraps)
    guided = cable.guided
    lengths = [] if guided is None else [skeleton.at_reference(x) for x in guided.lengths]
    for k in (0, len(tendon.path) - 1):
        drum = tendon.path[k]
        if not isinstance(drum, Pulley):
            continue
        node, carrier = cable.points[k][0], tree.index[tendon.carrier]
        turn = turn_against(tree, node, carrier, vector(*drum.normal), look)
        if turn is None:
            return cable
        grows = 1 if (drum.side == "right") == (k == 0) else -1
        radius = skeleton.par.symbols[skeleton.par.names.index(f"{cable.name}.path{k}.radius")]
        wound = skeleton.at_reference(wraps[k].angle)
        length += grows * radius * turn
        if lengths:
            lengths[0 if k == 0 else -1] += grows * radius * turn
        wraps[k] = replace(wraps[k], angle=wound + grows * turn)
    if guided is not None:
        turns = (replace(x, turn=skeleton.at_reference(x.turn)) for x in guided.guides)
        guided = replace(guided, guides=tuple(turns), lengths=tuple(lengths))
    return replace(cable, length=length, wraps=wraps, windings=(), guided=guided)


def _check_carried(robot: str, tendon: Tendon, cable: Cable, tree: Tree, look: Survey) -> None:
    """Centres and axes of all elements must be fixed in the carrier."""
    assert tendon.carrier is not None
    carrier, last = tree.index[tendon.carrier], len(tendon.path) - 1
    for k, (node, center) in enumerate(cable.points):
        root = tree.common(node, carrier)
        own, base = tree.pose(node, root), tree.pose(carrier, root)
        described = tendon.path[k]
        axis = vector(*described.normal) if isinstance(described, Pulley) else SX(3, 1)
        seen = look(ca.horzcat(base.R.T @ (own.at(center) - base.p), base.R.T @ own.R @ axis))
        moves, tilts = (
            float(np.linalg.norm(x - x[0], axis=1).max()) for x in (seen[:, 0], seen[:, 1])
        )
        if max(moves, tilts) < NO_MOTION:
            continue
        what = (
            f"its centre moves there by {moves:.3g} m"
            if moves > NO_MOTION
            else f"its axis tilts there by {np.degrees(tilts):.3g} degrees"
        )
        raise InputError(
            f"{robot}: tendon '{tendon.name}' skips its carrier '{tendon.carrier}' on its way from "
            f"{element_text(tendon, 0)} to {element_text(tendon, last)}: element {k} is not fixed "
            f"in it, {what} "
            "while the robot moves; put its centre on the axis of the joint that carries it, lead "
            "the tendon over an intermediate pulley there, or name the link that carries both"
        )
