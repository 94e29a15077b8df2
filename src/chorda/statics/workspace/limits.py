"""Limits of a workspace: ranges of joints, of efforts and tensions, of strain and stress."""

from collections.abc import Mapping
from typing import Any

from chorda.mechanics import System
from chorda.mechanics.prescription import Prescription
from chorda.statics.ranges import joint_ranges, quantities, read_limits

ONE_SIDED = ("strain", "stress")


def all_limits(
    system: System, given: Prescription, rods: tuple[str, ...], limits: Mapping[str, Any] | None
) -> dict[str, tuple[float, float]]:
    """(low, high) by name: of joints as described, and as given."""
    strains = [*ONE_SIDED * bool(rods), *(f"{rod}.{what}" for rod in rods for what in ONE_SIDED)]
    known = (*quantities(system, given), *strains)
    return joint_ranges(system) | read_limits(limits, known, strains)
