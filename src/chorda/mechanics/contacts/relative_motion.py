"""How two bodies move against each other where they touch, and how they are pushed there."""

from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.contacts.carriers import Carried
from chorda.mechanics.contacts.distances import Touch
from chorda.mechanics.contacts.pushed_bodies import Bodies
from chorda.mechanics.contacts.tangents import Tangents, tangents
from chorda.mechanics.frames import SX, Expr, cross


@dataclass(frozen=True, eq=False)
class Motion:
    """Of the second against the first, where they touch.

    J: of their own points, per velocity (3 x nv); rate: of the gap [m/s]; sliding: the part of the
    velocity across the normal [m/s].
    """

    J: Expr
    rate: Expr
    across: Tangents
    sliding: Expr


@dataclass(frozen=True, eq=False)
class Meeting:
    """Two shapes that are fixed to bodies, and the frame that carries both (root), in whose axes
    vectors are."""

    first: Carried
    second: Carried
    root: int
    bodies: Bodies

    def motion(self, touch: Touch) -> Motion:
        """From the velocity at a point on the normal's line, at which gaps change alike."""
        J = velocity = spin = None
        for x, way in ((self.first, -1), (self.second, 1)):
            if x.node == self.root:
                continue
            body = self.bodies.moving(x.node, self.root)
            own = way * body.rates(touch.point), way * body.velocity(touch.centre), way * body.spin
            if J is None:
                J, velocity, spin = own
            else:
                J, velocity, spin = J + own[0], velocity + own[1], spin + own[2]
        J, velocity, spin = (ca.sparsify(SX(x)) for x in (J, velocity, spin))
        across = tangents(touch.normal, velocity, spin)
        sliding = across.slip(velocity, spin, touch.beyond)
        return Motion(J, ca.dot(touch.normal, velocity), across, sliding)

    def push(self, touch: Touch, moving: Motion, pressing: Expr, rubbing: Expr) -> None:
        """Adds a normal force, and friction as a part across the normal, to what pushes both."""
        force = ca.sparsify(pressing * touch.normal + moving.across.vector(rubbing))
        moment = ca.sparsify(-touch.beyond * moving.across.turned(rubbing))
        for way, x in ((-1, self.first), (1, self.second)):
            if x.node == self.root:
                continue
            origin = self.bodies.moving(x.node, self.root).origin
            arm = ca.sparsify(touch.centre - origin)
            about = ca.sparsify(cross(arm, force) + moment)
            self.bodies.push(x.node, self.root, way * force, way * about)
