"""Frames in SE(3) whose zeros stay structural: planar robots compile to planar code."""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

SX = ca.SX
Expr = Any  # a CasADi expression; the bindings carry no types


def vector(*components: Expr) -> Expr:
    """A column whose plain zeros are structural."""
    return ca.sparsify(SX(ca.vertcat(*[SX(c) for c in components])))


def cross(a: Expr, b: Expr) -> Expr:
    """a x b; zeros stay structural."""
    return ca.cross(a, b)


def skew_part(A: Expr) -> Expr:
    """The vector of (A - A^T) / 2; of a rotation: its axis times the sine of its angle."""
    return ca.vertcat(A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]) / 2


def rotation(axis: tuple[float, float, float], angle: Expr) -> Expr:
    """Rotation matrix about a constant unit axis (Rodrigues)."""
    n = np.array(axis, float)
    S = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    outer = np.outer(n, n)
    c, s = ca.cos(SX(angle)), ca.sin(SX(angle))
    # cos on the plane across the axis, 1 along it: exact structural zeros for main axes
    return ca.sparsify(SX(outer)) + c * ca.sparsify(SX(np.eye(3) - outer)) + s * ca.sparsify(SX(S))


def quaternion_matrix(e: Expr) -> Expr:
    """Rotation matrix of a quaternion (w, x, y, z), scaled to unit length."""
    w, x, y, z = ca.vertsplit(e)
    s = 2 / ca.sumsqr(e)
    return ca.vertcat(
        ca.horzcat(1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)),
        ca.horzcat(s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)),
        ca.horzcat(s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)),
    )


@dataclass(frozen=True)
class Pose:
    """A frame seen from another: rotation R (3 x 3) and origin p (3) [m]."""

    R: Expr
    p: Expr

    def __matmul__(self, other: "Pose") -> "Pose":
        return Pose(self.R @ other.R, self.p + self.R @ other.p)

    def at(self, points: Expr) -> Expr:
        """One point or many (3 x n), from this frame to the other."""
        n = points.shape[1]
        return (self.p if n == 1 else ca.repmat(self.p, 1, n)) + self.R @ points


def work_of_wrench(pose: Pose, point: Expr, force: Expr, moment: Expr, q: Expr) -> Expr:
    """Work per change of q of a force at a point and a moment on a frame, all in one frame's axes.

    dR counts a moment twice, hence the half.
    """
    turned = ca.densify(ca.skew(moment) @ pose.R / 2)
    work = ca.jtimes(point, q, force, True)
    return work + ca.jtimes(ca.vec(ca.densify(pose.R)), q, ca.vec(turned), True)


def identity() -> Pose:
    return Pose(SX.eye(3), SX(3, 1))
