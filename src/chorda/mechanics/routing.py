"""Second stage: a cable along the path of each tendon."""

from chorda.mechanics.cable_carriers import carried
from chorda.mechanics.cables import Cable, lay_cable
from chorda.mechanics.clearance import check_clearances
from chorda.mechanics.configuration_survey import all_around, nearby
from chorda.mechanics.skeleton import Skeleton


def route(skeleton: Skeleton) -> tuple[Cable, ...]:
    """The cables in the order of the tendons; paths that are impossible are refused."""
    look = all_around(skeleton)
    tendons = skeleton.robot.tendons
    cables = tuple(lay_cable(tendon, skeleton, look) for tendon in tendons)
    if skeleton.at_rest:  # the robot itself, without proxy joints, was checked before
        return cables
    look = nearby(skeleton)
    pairs = zip(tendons, cables, strict=True)
    cables = tuple(carried(tendon, cable, skeleton, look) for tendon, cable in pairs)
    check_clearances(skeleton.robot, cables, look)
    return cables
