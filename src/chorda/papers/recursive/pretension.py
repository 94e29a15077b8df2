"""How stiff example 2 is at its tip, by pretension: loads across the link, at rest and in motion.

Both cables taut, the torque at the joint is 2 k r_3 (r_3 + r_1 K_p) times the angle, whatever the
pretension; with one slack it is half of that per angle [Recursive, eqs. 31-33].
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array
from chorda.papers.recursive import parts
from chorda.papers.recursive.example2 import DURATION, GAINS, RADIUS, STIFFNESS, Case, OneJoint
from chorda.papers.recursive.published import PRETENSIONS
from chorda.papers.studies import once

GRID = np.linspace(*PRETENSIONS, 25)  # [N]
SMALL_LOAD, LARGE_LOAD = 0.01, 1.0  # [N] across the link at its tip
PERIOD = 2 * np.pi  # [s] of the wanted motion


@dataclass(frozen=True)
class TipStiffness:
    """Of the controlled robot: load over deflection at the tip [N/m]."""

    example: OneJoint

    @property
    def length(self) -> float:
        """Of the link [m]."""
        return parts.length(self.example.link)

    @property
    def taut(self) -> float:
        """In closed form, both cables taut."""
        r = self.example.drum_radius
        joint = 2 * STIFFNESS * r * (r + RADIUS * GAINS[0])
        return joint / self.length**2

    def slack_load(self, pretension: float) -> float:
        """Load at rest at which a cable gets slack, in closed form [N]."""
        return 2 * self.example.drum_radius * pretension / self.length

    def at_rest(self, pretension: float, load: float) -> float:
        """From the angle that the robot comes to rest at."""
        angle = self.example.angle(Case(True, pretension, amplitude=0.0, load=load))[-1]
        return float(load / (self.length * angle))

    def in_motion(self, pretension: float) -> float:
        """From the mean angle, over the last period, that a constant small load adds."""
        example = self.example
        pushed, free = (example.angle(Case(True, pretension, load=x)) for x in (SMALL_LOAD, 0.0))
        late = example.run(Case(True, pretension)).time > DURATION - PERIOD
        return float(SMALL_LOAD / (self.length * np.mean((pushed - free)[late])))

    @once
    def curves(self) -> dict[str, Array]:
        """By pretension of the grid: what is measured in three ways."""
        return {
            f"at rest, {SMALL_LOAD:g} N": self._over(lambda T: self.at_rest(T, SMALL_LOAD)),
            f"at rest, {LARGE_LOAD:g} N": self._over(lambda T: self.at_rest(T, LARGE_LOAD)),
            f"in motion, {SMALL_LOAD:g} N": self._over(self.in_motion),
        }

    def _over(self, measure: Callable[[float], float]) -> Array:
        return np.array([measure(float(T)) for T in GRID])
