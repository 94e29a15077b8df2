"""Where stability is lost over the number of modes, against the continuous model."""

from dataclasses import dataclass

from chorda.papers.briot2022.published import NAMES
from chorda.papers.briot2022.walks import CONSTANT, LOCKED, Walk


@dataclass(frozen=True)
class Crossed:
    """true: y [m] by the continuous model. found: modes and y; those without are missing."""

    label: str
    true: float
    found: tuple[tuple[int, float], ...]
    missing: tuple[int, ...]

    @property
    def errors(self) -> list[float]:
        return [abs(y - self.true) for _, y in self.found]


def crossed_by(walk: Walk, modes: tuple[int, ...]) -> list[Crossed]:
    """Every crossing that the continuous model has on the way."""

    def y(share: float) -> float:
        return walk.subject.on_walk(share)[1]

    made = []
    for kind in (LOCKED, CONSTANT):
        for k, limit in enumerate(walk.limits[kind]):
            each = {n: walk.crossings(n, kind) for n in modes}
            name = f"X{2 * k + 2}" if kind == LOCKED else f"constant torque {k + 1}"
            made.append(
                Crossed(
                    f"{NAMES[walk.subject.name]}, {name}",
                    y(limit),
                    tuple((n, y(x[k])) for n, x in each.items() if len(x) > k),
                    tuple(n for n, x in each.items() if len(x) <= k),
                )
            )
    return made
