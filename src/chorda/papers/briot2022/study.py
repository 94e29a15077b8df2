"""Both robots, and how much is computed for a whole or for a quick reproduction."""

from dataclasses import dataclass

from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, FINE_INTERVALS, RobotStudy
from chorda.papers.briot2022.robots import PLANAR, SPATIAL
from chorda.papers.briot2022.singularity_study import SingularityPath
from chorda.papers.briot2022.stability_study import StabilityPath


@dataclass(frozen=True)
class Settings:
    """How much is computed.

    elements of Table II; steps of Tables III and VI, and how often they are run; points on the
    paths on which stability is lost; intervals along a leg of the 6-RFS; modes whose errors are
    shown (planar, spatial) and whose changes of stability are (down, across); as_published: modes
    that are solved as the paper does; singular: configurations whose distances from singularities
    are computed; cells of the maps [m].
    """

    elements: tuple[int, ...]
    steps: tuple[int, ...]
    repeats: int
    points: int
    intervals: int
    planar: tuple[int, ...]
    spatial: tuple[int, ...]
    down: tuple[int, ...]
    across: tuple[int, ...]
    as_published: tuple[int, ...]
    singular: tuple[int, ...]
    cells: tuple[float, float]


STABILITY_MODES = (3, 4, 5, 8)  # the paper's, and enough for its statements
WHOLE = Settings(
    elements=(50, 100, 500, 1000),
    steps=(50, 30, 15, 10, 5),
    repeats=10,  # as in the paper
    points=50,
    intervals=FINE_INTERVALS,
    planar=(3, 4, 5, 6, 8, 10, 12, 14),
    spatial=(3, 4, 5, 6, 8, 10, 12),
    down=(3, 4, 5, 6, 8, 10, 12, 14, 20),
    across=(3, 4, 5, 6, 8),
    as_published=(3, 4, 5),
    singular=tuple(range(51)),
    cells=(0.02, 0.02),
)
QUICK = Settings(
    elements=(50, 100),
    steps=(5,),
    repeats=1,
    points=12,
    intervals=CATALOGUE_INTERVALS,
    planar=(3, 4, 5, 8, 14),
    spatial=(3, 4, 5),
    down=(3, 4, 5, 8, 14),
    across=(3, 4, 5, 8),
    as_published=(5,),
    singular=(0, 8, 16, 24, 32, 40, 44, 46, 47, 48, 49, 50),
    cells=(0.04, 0.04),
)


class Study:
    """Both robots, and the paths on which they lose stability."""

    def __init__(self, quick: bool) -> None:
        self.settings = s = QUICK if quick else WHOLE
        self.planar, self.spatial = RobotStudy(PLANAR), RobotStudy(SPATIAL, s.intervals)
        self.down = StabilityPath(self.planar, s.points)
        self.across = StabilityPath(self.spatial, s.points)
        self.singular = [SingularityPath(x, s.singular) for x in (self.planar, self.spatial)]
        self.converging = [(self.planar, s.planar), (self.spatial, s.spatial)]
        self.changing = [(self.down, s.down), (self.across, s.across)]
