"""Closures: equations psi(q) = 0 between two frames of the tree."""

import casadi as ca
import numpy as np

from chorda.describe import Closure, Robot
from chorda.errors import InputError
from chorda.mechanics.forces import Ends
from chorda.mechanics.frames import SX, Expr, vector
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import Tree, locate

ALIGNED = 1e-12  # cosine of an angle that is not a right one, beyond rounding


def pins(robot: Robot, tree: Tree, par: Parameters) -> Ends:
    """The two points that each closure joins."""
    return {
        closure.name: (
            locate(tree, closure.start, f"{closure.name}.start", par),
            locate(tree, closure.end, f"{closure.name}.end", par),
        )
        for closure in robot.closures
    }


def gap(closure: Closure, tree: Tree, ends: Ends) -> list[tuple[str, Expr]]:
    """The closure's equations by name, without those that hold by structure (out of a plane)."""
    (a, point_a), (b, point_b) = ends[closure.name]
    root = tree.common(a, b)
    A, B = tree.pose(a, root), tree.pose(b, root)
    equations = [
        (f"{closure.name}.{axis}", value)
        for axis, value in zip("xyz", ca.vertsplit(A.at(point_a) - B.at(point_b)), strict=True)
    ]
    if closure.kind != "spherical":
        rows = ca.vertsplit(_turned(closure, A.R.T @ B.R))
        equations += [(f"{closure.name}.r{k}", row) for k, row in enumerate(rows)]
    return [(name, ca.sparsify(value)) for name, value in equations if ca.sparsify(value).nnz()]


def _turned(closure: Closure, turn: Expr) -> Expr:
    """What the closure leaves no room for in the turn of its end frame, seen from its start."""
    axis = vector(*closure.axis)
    match closure.kind:
        case "fixed":  # all axes coincide, near where they do
            return _sine_of_turn(turn)
        case "revolute":  # two axes coincide, at any angle about them
            return _across(closure.axis).T @ turn @ axis
    assert closure.cross_axis is not None
    cosine = ca.sparsify(axis.T @ turn @ vector(*closure.cross_axis))
    if not cosine.is_constant():
        return cosine
    if abs(float(cosine)) > ALIGNED:
        raise InputError(
            f"{closure.name}.cross_axis: expected to stay perpendicular to axis "
            f"{list(closure.axis)} of '{closure.start.frame}', got {list(closure.cross_axis)} of "
            f"'{closure.end.frame}', at an angle that no joint changes, whose cosine is "
            f"{float(cosine):g}; change one of the axes"
        )
    return SX(1, 1)


def _sine_of_turn(R: Expr) -> Expr:
    """Axis of a rotation times the sine of its angle."""
    return ca.vertcat(R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]) / 2


def _across(axis: tuple[float, float, float]) -> Expr:
    """Two directions across an axis, main ones where possible, so that planar zeros survive."""
    n = np.array(axis)
    first = np.eye(3)[int(np.argmin(np.abs(n)))]
    first = first - n * (n @ first)
    first /= np.linalg.norm(first)
    return ca.horzcat(vector(*first), vector(*np.cross(n, first)))
