"""finite_differences: an assembly of rods at rest by elements of constant strain.

Every node is an unknown. Positions advance by explicit Euler steps and the energy of the elements
is made stationary [Briot2022, Mod. 3]: of first order.
"""

from collections.abc import Mapping, Sequence

from chorda.continuous.assembly.given import Places
from chorda.continuous.assembly.results import AssemblyEquilibrium
from chorda.continuous.assembly.shooting import Start, settled
from chorda.continuous.assembly.stepping import euler
from chorda.describe import Robot


def finite_differences(
    robot: Robot,
    *,
    elements: int,
    hold: Mapping[str, float] | None = None,
    place: Places | None = None,
    actuated: Sequence[str] | None = None,
    initial: Start = None,
    tolerance: float = 1e-10,
    strict: bool = False,
) -> AssemblyEquilibrium:
    """As `shooting`, with as many elements along each rod.

    Briot2022 does not print its finite differences; of two readings this one was kept because of
    its Table II, which comes out within 3 %. Moments by explicit Euler steps as well, the other
    one, give twice the mean errors printed there.
    """
    return settled(robot, hold, place, actuated, initial, euler, elements, tolerance, strict)
