"""How much is computed: of a whole or of a quick reproduction."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """elements of Table II; steps of Tables III and VI, and how often they are run; points on the
    paths on which stability is lost; modes whose errors are shown (planar, spatial) and whose
    changes of stability are (down, across); counted: modes whose negative eigenvalues are counted;
    cells of the maps [m]."""

    elements: tuple[int, ...]
    steps: tuple[int, ...]
    repeats: int
    points: int
    planar: tuple[int, ...]
    spatial: tuple[int, ...]
    down: tuple[int, ...]
    across: tuple[int, ...]
    counted: Mapping[str, int]
    cells: tuple[float, float]


WHOLE = Settings(
    elements=(50, 100, 500, 1000),
    steps=(50, 30, 15, 10, 5),
    repeats=10,  # as in the paper
    points=50,
    planar=(3, 4, 5, 6, 8, 10, 12, 14),
    spatial=(3, 4, 5, 6, 8, 10, 12),
    down=(3, 4, 5, 6, 8, 10, 12, 14, 20),
    across=(3, 4, 5, 6, 8),
    counted={"rfrfr": 8, "6-rfs": 8},
    cells=(0.02, 0.02),
)
QUICK = Settings(
    elements=(50, 100),
    steps=(10, 5),
    repeats=3,
    points=12,
    planar=(3, 4, 5, 8, 14),
    spatial=(3, 4, 5),
    down=(5, 8, 14),
    across=(3, 4, 5),
    counted={"rfrfr": 8, "6-rfs": 5},
    cells=(0.02, 0.04),
)
