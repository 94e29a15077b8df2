"""Closures that no robot can have: within one body, across a hinge, or joining what is joined."""

from collections.abc import Sequence

from chorda.describe.elements import Closure
from chorda.describe.geometry import Point
from chorda.describe.joints import Fixed, Joint, Prismatic, Revolute
from chorda.describe.rods import Rod

Located = tuple[str, object]  # a frame, and a point in it


def check_closures(closures: Sequence[Closure], joints: Sequence[Joint]) -> None:
    """Every closure must add equations that the tree and the closures before it do not have."""
    bodies = _bodies(joints)
    hinged = {
        frozenset(_body(bodies, frame) for frame in (joint.parent, joint.name)): joint
        for joint in joints
        if isinstance(joint, Revolute | Prismatic)
    }
    joined: dict[frozenset[str], str] = {}  # by bodies: the closure between them
    group: dict[Located, set[Located]] = {}  # points that closures hold together
    for i, closure in enumerate(closures):
        where = f"closures.{i}"
        start, end = (_body(bodies, p.frame) for p in (closure.start, closure.end))
        if start == end:
            raise ValueError(
                f"{where}.end.frame: expected a frame that moves against '{closure.start.frame}', "
                f"got '{closure.end.frame}', which is fixed to it; a closure joins two bodies"
            )
        pair, frames = frozenset((start, end)), (closure.start.frame, closure.end.frame)
        joins = f"{where}: '{closure.name}' joins '{frames[0]}' and '{frames[1]}'"
        if (joint := hinged.get(pair)) is not None:  # it leaves one degree of freedom
            raise ValueError(
                f"{joins}, which the {joint.kind} joint '{joint.name}' already joins; to lock that "
                "joint, make it of kind fixed, else close the loop elsewhere"
            )
        if pair in joined:
            raise ValueError(
                f"{joins}, which '{joined[pair]}' already joins; two closures between the same "
                "bodies say some things twice: take one, of kind revolute for a common axis or "
                "fixed for no motion"
            )
        joined[pair] = closure.name
        a, b = (_located(p) for p in (closure.start, closure.end))
        left, right = (group.setdefault(x, {x}) for x in (a, b))
        if left is right:
            raise ValueError(
                f"{where}: '{closure.name}' joins a point of '{closure.start.frame}' to one of "
                f"'{closure.end.frame}', which the closures before it already hold together by way "
                "of others; leave it out"
            )
        left |= right
        for point in right:
            group[point] = left


def _bodies(joints: Sequence[Joint]) -> dict[str, str]:
    """Frames that are fixed in another, by name, and that other."""
    fixed = {}
    for joint in joints:
        if isinstance(joint, Fixed):
            fixed[joint.name] = joint.parent
        elif isinstance(joint, Rod):
            fixed[f"{joint.name}.base"] = joint.parent
            ends = {0.0: joint.parent, joint.length: f"{joint.name}.tip"}
            fixed |= {f"{joint.name}.{x.name}": ends[x.at] for x in joint.marks if x.at in ends}
        elif joint.kind == "x":
            fixed[f"{joint.name}.base"] = joint.parent
        elif getattr(joint, "link", None) is not None:
            fixed[f"{joint.name}.tip"] = joint.name
    return fixed


def _body(fixed: dict[str, str], frame: str) -> str:
    while frame in fixed:
        frame = fixed[frame]
    return frame


def _located(point: Point) -> Located:
    return point.frame, (0.0, 0.0, 0.0) if point.point == "origin" else point.point
