"""step-limits: the largest stable step of every scheme at a configuration."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from chorda.describe.quantity import Record
from chorda.dynamics import StepLimits as Limits
from chorda.dynamics import step_limits
from chorda.dynamics.schemes import SCHEMES
from chorda.errors import InputError
from chorda.mechanics import System, unknown
from chorda.statics import equilibrium
from chorda.sweeps.tasks.task import Dimension, Failed, Numbers, Output, Start, Task


class StepLimits(Record):
    """The largest stable step of every scheme at each point."""

    kind: Literal["step-limits"] = "step-limits"
    tensions: Numbers = Field(
        None, description="at the equilibrium under these tensions [N]; none: at the start"
    )
    initial: Start = Field(
        default_factory=dict, description="the configuration, or the solver's start"
    )
    schemes: tuple[str, ...] = Field((), description="which; none: all")
    keep: tuple[str, ...] = Field((), description="names of outputs; none: the usual ones")


def solve(
    system: System, settings: Mapping[str, Any], parameters: Mapping[str, float]
) -> Limits | Failed:
    configuration: Any = settings["initial"] or None
    if settings["tensions"] is not None:
        configuration = equilibrium(
            system, tensions=settings["tensions"], initial=configuration, parameters=parameters
        )
        if not configuration.status.ok:
            return Failed(configuration.status)
    schemes = list(settings["schemes"]) or None
    return step_limits(system, initial=configuration, parameters=parameters, schemes=schemes)


def outputs(system: System, record: StepLimits) -> Sequence[Output]:
    for name in record.schemes:
        if name not in SCHEMES:
            raise InputError(unknown("compute.schemes", name, tuple(SCHEMES)))
    scheme = Dimension("scheme", record.schemes or tuple(SCHEMES))
    return [
        Output(
            "limit",
            lambda x: [found.step for found in x.limits.values()],
            (scheme,),
            "s",
            "largest stable step; inf: none, 0: unstable at any",
        ),
        Output("step", lambda x: x.step, (), "s", "suggested step"),
        Output(
            "fastest",
            lambda x: x.modes[0].frequency if x.modes else np.nan,
            (),
            "Hz",
            "frequency of the fastest vibration or decay",
        ),
    ]


TASK = Task(solve, outputs, ("limit", "step", "fastest"))
