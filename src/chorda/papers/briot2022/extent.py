"""How much is computed: all of it, or a short version."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Extent:
    """elements of Table II; steps of Tables III and VI, and how often they are run; points on the
    ways on which stability is lost; modes whose errors are told (planar, spatial) and whose
    crossings are (down, across); judged: modes whose negative eigenvalues are counted; cells of
    the maps [m]."""

    elements: tuple[int, ...]
    steps: tuple[int, ...]
    repeats: int
    points: int
    planar: tuple[int, ...]
    spatial: tuple[int, ...]
    down: tuple[int, ...]
    across: tuple[int, ...]
    judged: Mapping[str, int]
    cells: tuple[float, float]


FULL = Extent(
    elements=(50, 100, 500, 1000),
    steps=(50, 30, 15, 10, 5),
    repeats=10,  # as in the paper
    points=50,
    planar=(3, 4, 5, 6, 8, 10, 12, 14),
    spatial=(3, 4, 5, 6, 8, 10, 12),
    down=(3, 4, 5, 6, 8, 10, 12, 14, 20),
    across=(3, 4, 5, 6, 8),
    judged={"rfrfr": 8, "6-rfs": 8},
    cells=(0.02, 0.02),
)
QUICK = Extent(
    elements=(50, 100),
    steps=(10, 5),
    repeats=3,
    points=12,
    planar=(3, 4, 5, 8, 14),
    spatial=(3, 4, 5),
    down=(5, 8, 14),
    across=(3, 4, 5),
    judged={"rfrfr": 8, "6-rfs": 5},
    cells=(0.02, 0.04),
)


def extent(quick: bool) -> Extent:
    return QUICK if quick else FULL
