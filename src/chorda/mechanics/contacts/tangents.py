"""What is across a normal: a vector, or in a plane one number, which makes derivatives short."""

from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.frames import SX, Expr, cross


@dataclass(frozen=True, eq=False)
class Tangents:
    """Parts of vectors across a unit vector n: all of them (3), or of those that stay in a plane
    with n the one along t = e x n, for the axis e (number 0 to 2) that the plane is across."""

    n: Expr
    axis: int | None = None

    @property
    def t(self) -> Expr:
        """Along the plane, across n."""
        assert self.axis is not None
        i, j = (self.axis + 1) % 3, (self.axis + 2) % 3
        along = SX(3, 1)
        along[i], along[j] = -self.n[j], self.n[i]
        return ca.sparsify(along)

    def part(self, x: Expr) -> Expr:
        """Of a vector."""
        if self.axis is not None:
            return ca.dot(self.t, x)
        return ca.sparsify(x - self.n * ca.dot(self.n, x)) if x.nnz() else SX(3, 1)

    def vector(self, part: Expr) -> Expr:
        """The vector (3) that a part stands for."""
        return part if self.axis is None else ca.sparsify(self.t * part)

    def turned(self, part: Expr) -> Expr:
        """n x vector(part); t is then turned to the axis."""
        if self.axis is None:
            return ca.sparsify(cross(self.n, part))
        along = SX(3, 1)
        along[self.axis] = part
        return along

    def slip(self, velocity: Expr, spin: Expr, beyond: Expr) -> Expr:
        """The part of the velocity at the point that lies beyond another against the normal, of a
        body that turns with this spin."""
        if self.axis is not None:
            return self.part(velocity) - beyond * spin[self.axis]
        return ca.sparsify(self.part(velocity) - beyond * cross(spin, self.n))


def tangents(normal: Expr, velocity: Expr, spin: Expr | None = None) -> Tangents:
    """Those of a normal, for a point with such a velocity on what turns with such a spin."""
    turned = set() if spin is None else {k for k in range(3) if spin[k].nnz()}
    still = [k for k in range(3) if not (normal[k].nnz() or velocity[k].nnz() or turned - {k})]
    return Tangents(normal, still[0] if len(still) == 1 else None)
