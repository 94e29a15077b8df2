"""stability: a configuration at rest, and whether it is stable in either way of actuation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from chorda.mechanics import System
from chorda.results import Equilibrium, Status
from chorda.statics import Stability as Found
from chorda.statics import stability
from chorda.statics.hessians import KINDS
from chorda.sweeps.tasks import equilibrium
from chorda.sweeps.tasks.task import Dimension, Output, Task


class Stability(equilibrium.AtRest):
    """A configuration at rest and its stability, motors locked and at constant efforts."""

    kind: Literal["stability"] = "stability"


@dataclass(frozen=True, eq=False)
class Judged:
    """An equilibrium and, where there is one, its stability."""

    rest: Equilibrium
    stability: Found | None

    @property
    def status(self) -> Status:
        return self.rest.status


def solve(system: System, settings: Mapping[str, Any], parameters: Mapping[str, float]) -> Judged:
    rest = equilibrium.solve(system, settings, parameters)
    return Judged(rest, stability(rest) if rest.status.ok else None)


def outputs(system: System, record: Stability) -> Sequence[Output]:
    motors = (Dimension("motors", tuple(str(kind) for kind in KINDS)),)
    frequency = "of the critical mode's angular frequency; negative where it falls"

    def each(read: Callable[[Any], float]) -> Callable[[Judged], Any]:
        return lambda x: [read(v) for v in x.stability.verdicts.values()] if x.stability else np.nan

    made = [
        Output("margin", each(lambda v: v.margin), motors, "-", "smallest eigenvalue / largest"),
        Output("negative", each(lambda v: v.negative), motors, "-", "negative eigenvalues"),
        Output("square", each(lambda v: v.square), motors, "1/s^2", frequency),
        Output("stable", each(lambda v: v.stable), motors, "-", "1 where stable, else 0"),
    ]
    of_rest = equilibrium.outputs(system, record)
    return made + [_inside(x) for x in of_rest if x.name != "stable"]


def _inside(output: Output) -> Output:
    """An output of the equilibrium as one of this task."""

    def inside(read: Any) -> Any:
        return (lambda found: read(found.rest)) if callable(read) else read

    dimensions = tuple(replace(d, labels=inside(d.labels)) for d in output.dimensions)
    return replace(output, read=inside(output.read), dimensions=dimensions)


TASK = Task(solve, outputs, ("stable", "margin", "negative", "square", "position"))
