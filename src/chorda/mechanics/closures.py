"""Closures: equations psi(q) = 0 between two frames of the tree."""

import casadi as ca
import numpy as np

from chorda.describe import Closure
from chorda.mechanics.frames import Expr, vector
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import Tree, locate


def gap(closure: Closure, tree: Tree, par: Parameters) -> list[tuple[str, Expr]]:
    """The closure's equations by name, without those that hold by structure (out of a plane)."""
    a, point_a = locate(tree, closure.start, f"{closure.name}.start", par)
    b, point_b = locate(tree, closure.end, f"{closure.name}.end", par)
    root = tree.common(a, b)
    A, B = tree.pose(a, root), tree.pose(b, root)
    equations = [
        (f"{closure.name}.{axis}", value)
        for axis, value in zip("xyz", ca.vertsplit(A.at(point_a) - B.at(point_b)), strict=True)
    ]
    if closure.kind != "spherical":
        turn = A.R.T @ B.R
        # two axes coincide at any angle about them; all axes, near where they do
        rows = (
            _sine_of_turn(turn)
            if closure.kind == "fixed"
            else _across(closure.axis).T @ turn @ vector(*closure.axis)
        )
        equations += [(f"{closure.name}.r{k}", row) for k, row in enumerate(ca.vertsplit(rows))]
    return [(name, ca.sparsify(value)) for name, value in equations if ca.sparsify(value).nnz()]


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
