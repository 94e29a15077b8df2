"""What hangs on a frame, as one body: its inertia, the wrench it requires, and how that changes.

A motion of the frame changes the wrench f = I a + v x* I v of everything below it by

    df = sigma x* f + I zeta + 2 B eta

where sigma is the displacement, and eta and zeta are the changes of twist and acceleration that
are left once everything has been displaced [Singh2022]. 2 B acts on the angular part of eta alone.
Forces that keep their direction in space do not turn with sigma: `stays` takes that back.
"""

from dataclasses import dataclass, replace

import casadi as ca

from chorda.mechanics.articulated.spatial import Spatial, added, crossed, spin_of
from chorda.mechanics.frames import SX, Expr, Pose
from chorda.mechanics.joints.joint_model import Inertia


@dataclass(frozen=True)
class Composite:
    """About the world's origin, in world axes."""

    mass: Expr
    moment: Expr  # mass times centre
    inertia: Expr  # 3 x 3
    B: Expr  # 3 x 3: moment for each angular eta
    momentum: Expr  # linear
    wrench: Spatial
    stays: Expr  # 6 x 3: wrench for each angular sigma

    def __add__(self, other: "Composite") -> "Composite":
        names = ("mass", "moment", "inertia", "B", "momentum", "stays")
        both = {name: added(getattr(self, name), getattr(other, name)) for name in names}
        return Composite(**both, wrench=self.wrench + other.wrench)

    def changed(self, sigma: Spatial, eta: Expr, zeta: Spatial) -> Spatial:
        """I zeta + 2 B eta + what stays, without sigma x* f."""
        own = self.accelerated(zeta)
        turned = Spatial(self.B @ eta, -2 * crossed(self.momentum, eta))
        kept = self.stays @ sigma.angular
        return own + turned + Spatial(kept[:3, :], kept[3:, :])

    def accelerated(self, zeta: Spatial) -> Spatial:
        """I zeta."""
        return Spatial(
            self.inertia @ zeta.angular + crossed(self.moment, zeta.linear),
            self.mass * zeta.linear - crossed(self.moment, zeta.angular),
        )

    def rows(self, S: Spatial) -> Expr:
        """S^T times the matrix of `changed`, over (zeta, angular eta, angular sigma)."""
        h = spin_of(self.moment)
        m = spin_of(self.momentum)
        return ca.horzcat(
            S.angular.T @ self.inertia - S.linear.T @ h,
            S.angular.T @ h + self.mass * S.linear.T,
            S.angular.T @ self.B - 2 * (S.linear.T @ m),
            S.column.T @ self.stays,
        )


def nothing() -> Composite:
    zero = SX(3, 1)
    return Composite(SX(1, 1), zero, SX(3, 3), SX(3, 3), zero, Spatial(zero, zero), SX(6, 3))


def moving_body(pose: Pose, body: Inertia, twist: Spatial, acceleration: Spatial) -> Composite:
    """A rigid body: Newton and Euler, and its Coriolis matrix."""
    c, m = pose.at(body.center), body.mass
    W = _symmetric(pose.R @ body.matrix @ pose.R.T)
    arm = spin_of(c)
    here = replace(nothing(), mass=m, moment=m * c, inertia=W - m * _symmetric(arm @ arm))
    if not (twist.column.nnz() or acceleration.column.nnz()):
        return here
    turned = spin_of(twist.angular) @ W
    w = twist.angular
    u = twist.linear + crossed(w, c)
    force = m * (acceleration.linear + crossed(acceleration.angular, c) + crossed(w, u))
    L = W @ w
    moment = W @ acceleration.angular + crossed(w, L) + crossed(c, force)
    speed = spin_of(u)
    return replace(
        here,
        B=turned + turned.T - spin_of(L) - 2 * m * (arm @ speed),
        momentum=m * u,
        wrench=Spatial(moment, force),
    )


def load(point: Expr, force: Expr, moment: Expr, follows: bool) -> Composite:
    """A force at a point and a moment, both in world axes."""
    arm = spin_of(point)
    stays = SX(6, 3)
    if not follows:
        f, m = (spin_of(x) for x in (force, moment))
        stays = -ca.vertcat(arm @ f + m, f)
    return Composite(
        *(SX(1, 1), SX(3, 1), SX(3, 3), SX(3, 3), SX(3, 1)),
        wrench=Spatial(-(moment + arm @ force), -force),
        stays=ca.sparsify(stays),
    )


def _symmetric(A: Expr) -> Expr:
    """A symmetric matrix, whose upper entries are those below."""
    return ca.sparsify(ca.tril2symm(ca.tril(A)))
