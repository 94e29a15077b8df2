"""Friction where two shapes touch, and the slopes of all that acts there."""

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.contacts.carriers import Carried
from chorda.mechanics.contacts.contact_laws import FrictionLaw, NormalLaw
from chorda.mechanics.contacts.distances import Touch
from chorda.mechanics.contacts.placed_shapes import (
    PlacedBore,
    PlacedBox,
    PlacedCapsule,
    PlacedCylinder,
    PlacedPlane,
    PlacedSphere,
)
from chorda.mechanics.contacts.tangents import Tangents
from chorda.mechanics.first_order import FirstOrderState, state
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.tree import Tree


@dataclass(frozen=True, eq=False)
class Rubbing:
    """force: on the second shape, a part across the normal [N]; grip: what is left before it
    slides, as a part of it; bending: of bristles in the axes that they turn with (3) [m/s]; decay:
    theirs [1/s]."""

    force: Expr
    grip: Expr
    bending: Expr
    decay: Expr


def rubbing(
    law: FrictionLaw | None,
    gap: Expr,
    N: Expr,
    across: Tangents,
    sliding: Expr,
    axes: Expr,
    z: Expr,
) -> Rubbing:
    """For a normal force N and a sliding velocity, a part across the normal; z: how bristles are
    bent, in their axes."""
    none = SX(3, 1)
    if law is None:
        return Rubbing(across.part(none), SX(1), none, SX(0))
    if not law.bristles:
        force = ca.sparsify(law.smooth(N, sliding))
        speed = ca.sqrt(ca.sumsqr(sliding) / (ca.sumsqr(sliding) + law.slip_speed**2))
        return Rubbing(force, SX(1) - speed, none, SX(0))
    bending, decay = law.bending(sliding, gap), law.decay(sliding, gap)
    bent = across.part(axes @ z)
    force = ca.sparsify(law.carried(N, sliding, bent, decay))
    left = SX(1) - ca.sqrt(ca.sumsqr(bent)) / law.deflection
    return Rubbing(force, left, axes.T @ across.vector(bending), decay)


ROUNDNESS = (PlacedPlane, PlacedBore, PlacedBox, PlacedCylinder, PlacedCapsule, PlacedSphere)


def bristle_axes(first: Carried, second: Carried, tree: Tree, root: int) -> Expr:
    """With which bristles turn: those of the shape over which the point of contact turns least,
    whichever is named first. That is what is fixed in the world, or else flatter, or else nearer to
    the world; never a rod beside something else."""

    def turning(x: Carried) -> tuple[bool, bool, int, int]:
        return bool(x.label), x.node != 0, ROUNDNESS.index(type(x.place(root))), x.node

    return tree.pose(min(first, second, key=turning).node, root).R


@dataclass(frozen=True, eq=False)
class Bristles:
    """Those of a point; kept: the axes along which they can bend."""

    label: str
    symbols: Sequence[Expr]
    kept: Sequence[int]

    @property
    def z(self) -> Expr:
        """Components that are kept; the others are structural zeros."""
        rows = [x if i in self.kept else SX(1, 1) for i, x in enumerate(self.symbols)]
        return ca.sparsify(ca.vertcat(*rows))

    def states(self, law: FrictionLaw, found: Rubbing) -> list[FirstOrderState]:
        return [
            state(
                f"{self.label}.bristle.{'xyz'[i]}",
                "m",
                self.symbols[i],
                SX(found.bending[i]),
                found.decay,
                law.scale,
            )
            for i in self.kept
        ]


def bristles(label: str, law: FrictionLaw | None, kept: Sequence[int]) -> Bristles:
    """None for a law without any."""
    if law is None or not law.bristles:
        return Bristles(label, (), ())
    return Bristles(label, [SX.sym(f"{label}.bristle.{axis}") for axis in "xyz"], kept)


def slopes(
    laws: tuple[NormalLaw, FrictionLaw | None], touch: Touch, sliding: Expr, rate: Expr, N: Expr
) -> tuple[tuple[Expr, Expr], tuple[Expr, Expr]]:
    """-d force / d shift and -d force / d velocity with the normal as it is: of the normal force,
    of friction."""
    law, rubs = laws
    gap, speed = SX.sym("gap"), SX.sym("rate")
    force = law.force(gap, speed)
    by = [ca.jacobian(force, x) for x in (gap, speed)]
    stiff, damped = (-x for x in ca.substitute(by, [gap, speed], [touch.gap, SX(rate)]))
    n = touch.normal
    K, D = SX(3, 3), SX(3, 3)
    if rubs is not None:
        plane = SX.eye(3) - n @ n.T
        if rubs.bristles:
            K = rubs.coefficient * N / rubs.deflection * plane
        else:
            size = ca.sqrt(ca.sumsqr(sliding) + rubs.slip_speed**2)
            D = rubs.coefficient * N / size * (plane - sliding @ sliding.T / size**2)
    return (stiff * (n @ n.T), damped * (n @ n.T)), (K, D)
