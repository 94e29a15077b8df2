"""How points along rods move with the velocities of the joints, from the slices that hold them."""

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.called import called
from chorda.mechanics.contacts.carriers import Carried
from chorda.mechanics.contacts.pushed_bodies import At, Bodies, RodSlice
from chorda.mechanics.frames import SX, Expr


@dataclass(frozen=True, eq=False)
class Arm:
    """Of a point, or a force there, against what holds it: how much of it, and how far away."""

    share: Expr
    arm: Expr


Arms = tuple[tuple[Arm, ...], tuple[Arm, ...]]  # of the first of two shapes, of the second one


@dataclass(frozen=True, eq=False)
class _Lever:
    share: Expr
    arm: Expr
    turn: Expr  # (3 x nv)
    shift: Expr


def fed_rod(at: At) -> int:
    """The joint that a slice of a rod belongs to."""
    assert isinstance(at, RodSlice)
    return at.joint


def velocities(
    name: str,
    sides: Sequence[tuple[Carried, Carried]],
    arms: Sequence[Arms],
    root: int,
    bodies: Bodies,
    material: bool = False,
) -> list[Expr]:
    """Of points of the second shape against the first, per velocity (3 x nv): of their own, or of
    the material that passes there; name: of the function that is called."""
    cases = [_levers(x, y, root, bodies, material) for x, y in zip(sides, arms, strict=True)]
    return [J for (J,) in called(name, cases, _turned)]


def _levers(
    sides: tuple[Carried, Carried], arms: Arms, root: int, bodies: Bodies, material: bool
) -> tuple[_Lever, ...]:
    found, nv = list[_Lever](), bodies.skeleton.v.numel()
    for x, own, way in zip(sides, arms, (-1, 1), strict=True):
        for at, point in zip(x.held, own, strict=False):  # balls are held by the first slice alone
            if not material:
                moving = bodies.moving(at, root)
                turn, shift = moving.turn, moving.shift
            elif (passing := bodies.passing(at, root)) is not None:
                turn, shift = SX(3, nv), SX(3, nv)
                feed = bodies.feed(fed_rod(at))
                turn[:, feed], shift[:, feed] = passing
            else:
                continue
            found.append(_Lever(way * point.share, point.arm, turn, shift))
    return tuple(found)


def _turned(levers: tuple[_Lever, ...]) -> tuple[Expr]:
    each = (x.share * (x.shift - ca.skew(x.arm) @ x.turn) for x in levers)
    return (ca.sparsify(sum(each, SX(*levers[0].turn.shape))),)
