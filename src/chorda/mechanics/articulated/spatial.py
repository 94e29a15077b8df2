"""Spatial vectors about the world's origin, in world axes: an angular part and a linear one."""

from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.frames import SX, Expr


def spin_of(a: Expr) -> Expr:
    """The matrix of a x; zeros stay structural."""
    return ca.sparsify(SX(ca.skew(a)))


def crossed(a: Expr, B: Expr) -> Expr:
    """a x each column of B."""
    return spin_of(a) @ B if a.nnz() and B.nnz() else SX(*B.shape)


def added(a: Expr, b: Expr) -> Expr:
    """a + b of the same size; nothing is done for one that is zero."""
    if not b.nnz():
        return a
    return a + b if a.nnz() else b


@dataclass(frozen=True)
class Spatial:
    """Columns of twists, accelerations (angular, linear) or wrenches (moment, force)."""

    angular: Expr  # 3 x k
    linear: Expr  # 3 x k

    def __add__(self, other: "Spatial") -> "Spatial":
        return Spatial(added(self.angular, other.angular), added(self.linear, other.linear))

    def __sub__(self, other: "Spatial") -> "Spatial":
        return Spatial(self.angular - other.angular, self.linear - other.linear)

    def scaled(self, x: Expr) -> "Spatial":
        return Spatial(x * self.angular, x * self.linear)

    def on(self, other: "Spatial") -> "Spatial":
        """self x other, of twists: how `other` changes in a frame that moves by self."""
        return Spatial(
            crossed(self.angular, other.angular),
            added(crossed(self.angular, other.linear), crossed(self.linear, other.angular)),
        )

    def dot(self, wrench: "Spatial") -> Expr:
        """self^T wrench: work."""
        return self.angular.T @ wrench.angular + self.linear.T @ wrench.linear

    @property
    def column(self) -> Expr:
        return ca.vertcat(self.angular, self.linear)


def turning(motion: Spatial, by: Spatial) -> Spatial:
    """Each column of `motion` x `by`, where `by` is one column."""
    return Spatial(SX(*by.angular.shape), SX(*by.linear.shape)) - by.on(motion)


def carried_along(motion: Spatial, wrench: Spatial) -> Spatial:
    """The wrench, one column, as each column of `motion` carries it along: motion x* wrench."""
    return Spatial(
        -crossed(wrench.angular, motion.angular) - crossed(wrench.linear, motion.linear),
        -crossed(wrench.linear, motion.angular),
    )
