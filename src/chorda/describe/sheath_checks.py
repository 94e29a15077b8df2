"""Sheaths that no robot can have: beyond the rod, outside a disk, or with a gap between two."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from chorda.describe.joints import Fixed, Joint
from chorda.describe.rods import Rod, Sheath
from chorda.describe.tendons_and_actuators import Tendon

GAP_TOLERANCE = 1e-9  # [m] how far apart two sheaths may be where one goes over into the next


def check_sheaths(tendons: Iterable[Tendon], joints: Sequence[Joint]) -> None:
    rods = {joint.name: joint for joint in joints if isinstance(joint, Rod)}
    for i, tendon in enumerate(tendons):
        for k, sheath in enumerate(tendon.sheaths):
            where = f"tendons.{i}.sheaths.{k}"
            if sheath.rod not in rods:
                raise ValueError(
                    f"{where}.rod: '{sheath.rod}' is no rod of this robot; "
                    f"expected one of {', '.join(rods) or '(there are no rods)'}"
                )
            _check_place(where, sheath, rods[sheath.rod])
        for k, (a, b) in enumerate(pairwise(tendon.sheaths)):
            _check_meeting(f"tendons.{i}.sheaths.{k + 1}", a, b, rods, joints)


def _check_place(where: str, sheath: Sheath, rod: Rod) -> None:
    """It lies along the rod, and within the disks on its way."""
    end = rod.length if sheath.end is None else sheath.end
    if end > rod.length:
        raise ValueError(
            f"{where}.end: {end:g} m is beyond the end of '{rod.name}', which is {rod.length:g} m "
            "long; leave it out for the tip"
        )
    if sheath.start >= end:
        raise ValueError(
            f"{where}.start: {sheath.start:g} m is not before its end at {end:g} m; "
            "a sheath runs from the base towards the tip"
        )
    for disk in rod.disks:
        off = math.hypot(*sheath.offset(disk.at / rod.length))
        if sheath.start <= disk.at <= end and off > disk.radius:
            raise ValueError(
                f"{where}: at {disk.at:g} m along '{rod.name}' it lies {off:g} m from the rod, "
                f"outside its disk '{disk.name}' of radius {disk.radius:g} m; make the disk larger "
                "or the offset smaller"
            )


def _check_meeting(
    where: str, a: Sheath, b: Sheath, rods: dict[str, Rod], joints: Sequence[Joint]
) -> None:
    """The second rod stands on the tip of the first, with nothing that moves between them."""
    by_name = {joint.name: joint for joint in joints}
    parent = by_name[b.rod].parent
    straight = parent == f"{a.rod}.tip"
    while not straight and isinstance(below := by_name.get(parent.partition(".")[0]), Fixed):
        parent = below.parent
        if parent == f"{a.rod}.tip":
            return  # a rigid piece between them: a constant length, wherever it lies
    reaches = a.end is None or a.end == rods[a.rod].length
    if not straight or not reaches or b.start > 0:
        raise ValueError(
            f"{where}: expected to start at the base of a rod that stands on the tip of "
            f"'{a.rod}', where the sheath before it ends; got '{b.rod}' on "
            f"'{by_name[b.rod].parent}', from {b.start:g} m"
        )
    end, start = a.offset(1.0), b.offset(0.0)
    gap = math.hypot(end[0] - start[0], end[1] - start[1])
    if gap > GAP_TOLERANCE and rods[b.rod].placement.angle == 0:
        raise ValueError(
            f"{where}: it starts {gap:g} m beside the end of the sheath before it, at "
            f"({start[0]:g}, {start[1]:g}) instead of ({end[0]:g}, {end[1]:g}); make them meet"
        )
