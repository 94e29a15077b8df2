"""What pictures and tables tell of rods: their tips, and strains by name."""

from chorda.describe import STRAINS, Rod
from chorda.mechanics import System


def tips_of(system: System) -> list[str]:
    """Frames of the rods' tips."""
    return [f"{x.name}.tip" for x in system.robot.joints if isinstance(x, Rod)]


def strains_of(system: System) -> dict[str, str]:
    """By name of a coordinate that is a mode of a rod's strain: that strain, such as bend_y."""
    found = {}
    rods = {x.name for x in system.robot.joints if isinstance(x, Rod)}
    for name in system.coordinate_names:
        rod, _, mode = name.rpartition(".")
        if rod in rods and (strain := mode.rstrip("0123456789")) in STRAINS:
            found[name] = strain
    return found
