"""What tables and figures of the paper share."""

import numpy as np

from chorda.papers.testard2023.loops import Loops
from chorda.papers.testard2023.motions import Case, Motions
from chorda.papers.testard2023.observed import Observed
from chorda.papers.testard2023.published import IMPLICIT, STEP
from chorda.papers.testard2023.times import Times
from chorda.results import Run


class Study:
    """Motions, linearised loops, observed limits and times; a quick one has fewer points of curves
    and repeats of times."""

    def __init__(self, quick: bool = True) -> None:
        self.motions = Motions()
        self.loops, self.observed = Loops(self.motions), Observed(self.motions)
        self.times = Times(self.motions, repeats=3 if quick else 15)
        self.inertias = np.geomspace(2e-7, 2e-3, 9 if quick else 17)  # [kg m^2]
        self.frequencies = np.geomspace(3, 30, 11 if quick else 31)  # [rad/s]

    @property
    def motion(self) -> Run:
        """Of the 3-joint neck with elastic tendons."""
        return self.motions.run(Case(3, "elastic", IMPLICIT, STEP))
