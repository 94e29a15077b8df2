"""Paths of tendons: the length along them.

A path is a sequence of elements; here each is a point fixed in a frame (attachment or eyelet) and
two neighbours contribute their distance. Other elements (pulleys, sheaths) add their own lengths
in `path_length`; nothing downstream sees more than l(q).
"""

from dataclasses import dataclass
from itertools import pairwise

import casadi as ca

from chorda.describe import Tendon
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import Tree, locate


@dataclass(frozen=True)
class Cord:
    """A tendon in symbols."""

    name: str
    length: Expr  # along the path, lead included [m]
    reference: Expr  # length at the reference posture [m]
    points: tuple[tuple[int, Expr], ...]
    segments: tuple[tuple[int, int], ...]  # frames at both ends of each segment


def path_length(tendon: Tendon, tree: Tree, par: Parameters, q: Expr, rest: Expr) -> Cord:
    """The cord of a tendon; its length depends only on the joints that the path crosses."""
    points = tuple(
        locate(tree, point, f"{tendon.name}.path{k}", par) for k, point in enumerate(tendon.path)
    )
    lead = par.scalar(f"{tendon.name}.lead", tendon.lead, "m") if tendon.lead else SX(0)
    pairs = list(pairwise(points))
    length = lead + sum((tree.distance(a, b) for a, b in pairs), SX(0))
    reference = ca.substitute(length, q, rest)
    return Cord(tendon.name, length, reference, points, tuple((a[0], b[0]) for a, b in pairs))
