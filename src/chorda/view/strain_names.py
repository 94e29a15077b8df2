"""Which coordinates are strains of rods: pictures and tables treat these apart."""

from chorda.describe import STRAINS, Rod
from chorda.mechanics import System


def strain_of(system: System) -> dict[str, str]:
    """By name of a coordinate that is a mode of a rod's strain: that strain, such as bend_y.

    >>> import chorda
    >>> strain_of(chorda.assemble(chorda.load("till")))["rod.bend_y0"]
    'bend_y'
    """
    found = {}
    rods = {x.name for x in system.robot.joints if isinstance(x, Rod)}
    for name in system.coordinate_names:
        rod, _, mode = name.rpartition(".")
        if rod in rods and (strain := mode.rstrip("0123456789")) in STRAINS:
            found[name] = strain
    return found
