"""What the tables and figures of Recursive share."""

from functools import cached_property

from chorda.papers.recursive.belts import BeltArm
from chorda.papers.recursive.example1 import TwoJoints
from chorda.papers.recursive.example2 import OneJoint
from chorda.papers.recursive.free_bodies import FreeBodies
from chorda.papers.recursive.pretension import TipStiffness
from chorda.papers.recursive.printed_motion import PrintedMotion


class Study:
    """Both examples and the belts; motions are computed when they are first asked for."""

    def __init__(self) -> None:
        self.example1, self.example2, self.belts = TwoJoints(), OneJoint(), BeltArm()
        self.tip = TipStiffness(self.example2)
        self.bodies = FreeBodies(self.example1)

    @cached_property
    def printed(self) -> PrintedMotion:
        """Eqs. 27-30 with every term as the paper's text has it."""
        return PrintedMotion(self.example1, as_printed=True)

    @cached_property
    def derived(self) -> PrintedMotion:
        """Eqs. 27-30 with those terms put right that differ."""
        return PrintedMotion(self.example1, as_printed=False)
