"""stability: a configuration at rest, and both verdicts on it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from chorda.mechanics import System
from chorda.results import Equilibrium as Rest
from chorda.results import Status
from chorda.results.spectra import KINDS
from chorda.statics import Stability as Verdicts
from chorda.statics import stability
from chorda.sweeps.tasks import resting
from chorda.sweeps.tasks.task import Dimension, Output, Task


class Stability(resting.AtRest):
    """A configuration at rest and its stability, motors locked and at constant efforts."""

    kind: Literal["stability"] = "stability"


@dataclass(frozen=True, eq=False)
class Judged:
    """An equilibrium with its verdicts, where there is one."""

    rest: Rest
    verdicts: Verdicts | None

    @property
    def status(self) -> Status:
        return self.rest.status


def solve(system: System, settings: Mapping[str, Any], parameters: Mapping[str, float]) -> Judged:
    rest = resting.solve(system, settings, parameters)
    return Judged(rest, stability(rest) if rest.status.ok else None)


def outputs(system: System, record: Stability) -> Sequence[Output]:
    motors = Dimension("motors", tuple(str(kind) for kind in KINDS))

    def each(read: Callable[[Any], float]) -> Callable[[Judged], Any]:
        return lambda x: [read(v) for v in x.verdicts.kinds.values()] if x.verdicts else np.nan

    made = [
        Output("margin", each(lambda v: v.margin), (motors,), "-", "smallest eigenvalue / largest"),
        Output("negative", each(lambda v: v.negative), (motors,), "-", "negative eigenvalues"),
        Output(
            "square",
            each(lambda v: v.square),
            (motors,),
            "1/s^2",
            "of the critical mode's angular frequency; negative where it falls",
        ),
        Output("stable", each(lambda v: v.stable), (motors,), "-", "1 where stable, else 0"),
    ]
    return made + [_of_rest(x) for x in resting.outputs(system, record) if x.name != "stable"]


def _of_rest(output: Output) -> Output:
    def inside(read: Any) -> Any:
        return (lambda found: read(found.rest)) if callable(read) else read

    dimensions = tuple(Dimension(d.name, inside(d.labels), d.unit) for d in output.dimensions)
    return Output(
        output.name, inside(output.read), dimensions, output.unit, output.meaning, output.partial
    )


TASK = Task(solve, outputs, ("stable", "margin", "negative", "square", "position"))
