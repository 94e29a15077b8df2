"""How two shapes move against each other where they touch, and how they are pushed there."""

from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.contacts.carriers import Carried
from chorda.mechanics.contacts.distances import Touch
from chorda.mechanics.contacts.pushed_bodies import Bodies
from chorda.mechanics.contacts.tangents import Tangents, tangents
from chorda.mechanics.frames import SX, Expr


@dataclass(frozen=True, eq=False)
class Meeting:
    """Two shapes, and the frame that carries both (root), in whose axes vectors are."""

    first: Carried
    second: Carried
    root: int
    bodies: Bodies

    @property
    def along_rods(self) -> bool:
        """Whether a part of a rod is one of them."""
        return self.first.rates is not None or self.second.rates is not None


@dataclass(frozen=True, eq=False)
class Motion:
    """Of the second against the first, where they touch.

    J: of their own points, per velocity (3 x nv); slip: of their material, which passes along the
    shape of a rod that is fed; rate: of the gap [m/s]; sliding: the part of the material's velocity
    across the normal [m/s].
    """

    J: Expr
    slip: Expr
    rate: Expr
    across: Tangents
    sliding: Expr


def motion(of: Meeting, touch: Touch) -> Motion:
    """At a point where they touch."""
    return _along_rods(of, touch) if of.along_rods else _of_bodies(of, touch)


def push(of: Meeting, touch: Touch, moving: Motion, pressing: Expr, rubbing: Expr) -> Expr:
    """Adds a normal force, and friction as a part across the normal, to what pushes both bodies;
    along rods they are a generalized force at once, which is returned."""
    if of.along_rods:
        rubbed = ca.sparsify(moving.across.vector(rubbing))
        pressed = ca.sparsify(pressing * touch.normal)
        if moving.slip is moving.J:
            return moving.J.T @ ca.sparsify(pressed + rubbed)
        return moving.J.T @ pressed + moving.slip.T @ rubbed
    force = ca.sparsify(pressing * touch.normal + moving.across.vector(rubbing))
    moment = ca.sparsify(-touch.beyond * moving.across.turned(rubbing))
    for way, x in ((-1, of.first), (1, of.second)):
        of.bodies.push(x.node, of.root, touch.centre, way * force, way * moment)
    return SX(0)


def _of_bodies(of: Meeting, touch: Touch) -> Motion:
    """From the velocity at a point on the normal's line, at which gaps change alike."""
    J = velocity = spin = None
    for x, way in ((of.first, -1), (of.second, 1)):
        if x.node == of.root:
            continue
        body = of.bodies.moving(x.node, of.root)
        own = way * body.rates(touch.point), way * body.velocity(touch.centre), way * body.spin
        if J is None:
            J, velocity, spin = own
        else:
            J, velocity, spin = J + own[0], velocity + own[1], spin + own[2]
    J, velocity, spin = (ca.sparsify(SX(x)) for x in (J, velocity, spin))
    across = tangents(touch.normal, velocity, spin)
    sliding = across.slip(velocity, spin, touch.beyond)
    return Motion(J, J, ca.dot(touch.normal, velocity), across, sliding)


def _along_rods(of: Meeting, touch: Touch) -> Motion:
    """Of rods, whose slices share a point between them."""
    v, root = of.bodies.skeleton.v, of.root
    J, passing = SX(3, v.numel()), None
    for x, way in ((of.first, -1), (of.second, 1)):
        inside = touch.point + way * (touch.gap / 2 + x.radius) * touch.normal
        if x.rates is None:
            J += way * of.bodies.moving(x.node, root).rates(touch.point)
        else:
            J += way * x.rates(touch.point, inside, root)
        if x.passing is not None:
            own = way * x.passing(touch.point, inside, root)
            passing = own if passing is None else passing + own
    J = ca.sparsify(J)
    velocity = ca.sparsify(J @ v)
    rate, slip = ca.dot(touch.normal, velocity), J
    if passing is not None:
        slip = ca.sparsify(J + passing)
        velocity = ca.sparsify(slip @ v)
    across = tangents(touch.normal, velocity)
    return Motion(J, slip, rate, across, across.part(velocity))
