"""finite_differences: an assembly of rods at rest by elements of constant strain.

Every node is an unknown. Positions advance by explicit Euler steps and the energy of the elements
is made stationary [Briot2022, Mod. 3]: of first order.
"""

from collections.abc import Mapping, Sequence

from chorda.describe import Robot
from chorda.solve.assemblies.given import Places
from chorda.solve.assemblies.results import AssemblyEquilibrium
from chorda.solve.assemblies.shooting import Start, settled
from chorda.solve.assemblies.stepping import euler


def finite_differences(
    robot: Robot,
    *,
    elements: int,
    hold: Mapping[str, float] | None = None,
    place: Places | None = None,
    driven: Sequence[str] | None = None,
    initial: Start = None,
    tolerance: float = 1e-10,
    strict: bool = False,
) -> AssemblyEquilibrium:
    """As `shooting`, with as many elements along each rod.

    Briot2022 does not print its finite differences; of two readings this one was kept because of
    its Table II, which comes out within 3 %. Moments by explicit Euler steps as well, the other
    one, give twice the mean errors printed there.
    """
    return settled(robot, hold, place, driven, initial, euler, elements, tolerance, strict)
