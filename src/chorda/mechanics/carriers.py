"""Tendons with a carrier: the link in which all elements of their path keep their places.

The free cable then never changes, and the length follows the drums at the ends alone:
l = l0 +- r_i theta_i +- r_j theta_j, theta being turns against the carrier [Recursive, eq. 18].
Counted like that, drums may turn as often as they like.
"""

from collections.abc import Sequence
from dataclasses import replace

import casadi as ca
import numpy as np

from chorda.describe import Pulley, Tendon
from chorda.describe.paths import told
from chorda.errors import InputError
from chorda.mechanics.frames import SX, Expr, vector
from chorda.mechanics.joints import Coordinate
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.paths import Cable
from chorda.mechanics.tree import Tree
from chorda.mechanics.winding_count import STILL, Survey, turn_against

POSTURES = 5  # where places are compared, besides the reference configuration


def survey(q: Expr, coordinates: Sequence[Coordinate], par: Parameters) -> Survey:
    rest = np.array([c.rest for c in coordinates])
    some = rest + np.random.default_rng(1).uniform(-1, 1, (POSTURES, len(rest)))
    some = np.clip(some, [c.low for c in coordinates], [c.high for c in coordinates])
    return Survey(q, par, np.vstack([rest, some]))


def carried(robot: str, tendon: Tendon, cable: Cable, tree: Tree, look: Survey) -> Cable:
    """The cable with its length over the drums' turns; refused where the carrier does not carry."""
    if tendon.carrier is None:
        return cable
    _check_places(robot, tendon, cable, tree, look)
    rest, length, wraps = SX(look.configurations[0]), cable.reference, dict(cable.wraps)
    for k in (0, len(tendon.path) - 1):
        drum = tendon.path[k]
        if not isinstance(drum, Pulley):
            continue
        node, carrier = cable.points[k][0], tree.index[tendon.carrier]
        turn = turn_against(tree, node, carrier, vector(*drum.normal), look)
        if turn is None:
            return cable
        grows = 1 if (drum.side == "right") == (k == 0) else -1
        radius = look.par.symbols[look.par.names.index(f"{cable.name}.path{k}.radius")]
        wound = ca.substitute(wraps[k].angle, look.q, rest)
        length += grows * radius * turn
        wraps[k] = replace(wraps[k], angle=wound + grows * turn)
    return replace(cable, length=length, wraps=wraps, windings=())


def check_endless(
    robot: str, tendons: Sequence[Tendon], ties: dict[str, Expr], look: Survey
) -> None:
    """Rigid tendons must not tie the same motion twice: nothing would tell their tensions.

    ties: what each rigid tendon that becomes a closure holds at zero.
    """
    rows = {name: look(ca.jacobian(x, look.q).T).ravel() for name, x in ties.items()}
    for tendon in (t for t in tendons if t.name in rows):
        for mate in (t for t in tendons if _same_pulleys(tendon, t)):
            row = rows[tendon.name]
            other = rows.get(mate.name, 0 * row)  # none: it leads the motor, in the row already
            if min(np.abs(row - other).max(), np.abs(row + other).max()) < STILL:
                raise InputError(
                    f"{robot}: tendons '{tendon.name}' and '{mate.name}' make an endless tendon "
                    "that does not stretch: both tie the same motion, so that their tensions are "
                    "undetermined; give it a stiffness (law kelvin-voigt), and assemble with "
                    "tendons='elastic'"
                )


def _same_pulleys(a: Tendon, b: Tendon) -> bool:
    """Two sides of one belt: the same pulleys, on opposite sides."""

    def ends(tendon: Tendon, turned: bool) -> list[tuple[object, ...]]:
        flip = {"left": "right", "right": "left"} if turned else {}
        return [
            (x.frame, x.point, x.radius, flip.get(x.side, x.side))
            for x in tendon.path
            if isinstance(x, Pulley)
        ]

    pulleys = ends(a, False)
    return a.name != b.name and len(pulleys) == 2 and pulleys == ends(b, True)


def _check_places(robot: str, tendon: Tendon, cable: Cable, tree: Tree, look: Survey) -> None:
    """Centres and axes of all elements must stay where they are in the carrier."""
    assert tendon.carrier is not None
    carrier, last = tree.index[tendon.carrier], len(tendon.path) - 1
    for k, (node, center) in enumerate(cable.points):
        root = tree.common(node, carrier)
        own, base = tree.pose(node, root), tree.pose(carrier, root)
        described = tendon.path[k]
        axis = vector(*described.normal) if isinstance(described, Pulley) else SX(3, 1)
        places = look(ca.horzcat(base.R.T @ (own.at(center) - base.p), base.R.T @ own.R @ axis))
        moves, tilts = (
            float(np.linalg.norm(x - x[0], axis=1).max()) for x in (places[:, 0], places[:, 1])
        )
        if max(moves, tilts) < STILL:
            continue
        what = (
            f"its centre moves there by {moves:.3g} m"
            if moves > STILL
            else f"its axis tilts there by {np.degrees(tilts):.3g} degrees"
        )
        raise InputError(
            f"{robot}: tendon '{tendon.name}' skips its carrier '{tendon.carrier}' on its way from "
            f"{told(tendon, 0)} to {told(tendon, last)}: element {k} is not fixed in it, {what} "
            "while the robot moves; put its centre on the axis of the joint that carries it, lead "
            "the tendon over an intermediate pulley there, or name the link that carries both"
        )
