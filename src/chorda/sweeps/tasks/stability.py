"""stability: a configuration at rest, and whether it is stable in either way of actuation."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

from chorda.mechanics import System
from chorda.results import Equilibrium
from chorda.results.spectra import KINDS
from chorda.statics import Stability as Found
from chorda.statics import stability
from chorda.sweeps.tasks import equilibrium
from chorda.sweeps.tasks.equilibrium import BY_MOTION, FLUTTER
from chorda.sweeps.tasks.task import Dimension, Output, Task


class Stability(equilibrium.AtRest):
    """A configuration at rest and its stability, motors locked and at constant efforts."""

    kind: Literal["stability"] = "stability"


def outputs(system: System, record: Stability) -> Sequence[Output]:
    motors = (Dimension("motors", tuple(str(kind) for kind in KINDS)),)
    frequency = "of the critical mode's angular frequency; negative where it falls"

    def each(read: Callable[[Any], float]) -> Callable[[Equilibrium], Any]:
        return lambda rest: [read(v) for v in _stability(rest).kinds.values()]

    return [
        Output("margin", each(lambda v: v.margin), motors, "-", "smallest eigenvalue / largest"),
        Output("negative", each(lambda v: v.negative), motors, "-", "negative eigenvalues"),
        Output("square", each(lambda v: v.square), motors, "1/s^2", frequency),
        Output("stable", each(lambda v: v.stable), motors, "-", "1 where stable, else 0"),
        Output("flutter", each(lambda v: v.instability == "flutter"), motors, "-", FLUTTER),
        Output("by_motion", each(lambda v: v.criterion == "motion"), motors, "-", BY_MOTION),
        *(x for x in equilibrium.outputs(system, record) if x.name not in BY_MOTORS),
    ]


@lru_cache(1)
def _stability(rest: Equilibrium) -> Found:
    """Of the last configuration, which several outputs read."""
    return stability(rest)


BY_MOTORS = ("stable", "flutter", "by_motion")  # of both ways of actuation
USUAL = ("stable", "margin", "negative", "square", "position")
TASK = Task(equilibrium.solve, outputs, USUAL)
