"""step-limits: the largest stable step of every scheme at a configuration."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from chorda.checks import check_names
from chorda.dynamics import StepLimits as Limits
from chorda.dynamics import step_limits
from chorda.dynamics.schemes import SCHEMES
from chorda.mechanics import System
from chorda.results import Status
from chorda.sweeps.tasks.equilibrium import start
from chorda.sweeps.tasks.task import Dimension, Numbers, Output, Settings, Start, Task


class StepLimits(Settings):
    """The largest stable step of every scheme at each point."""

    kind: Literal["step-limits"] = "step-limits"
    tensions: Numbers = Field(
        None, description="at the equilibrium under these tensions [N]; none: at the start"
    )
    initial: Start = Field(
        default_factory=dict, description="the configuration, or the solver's start"
    )
    schemes: tuple[str, ...] = Field((), description="which; none: all")


def solve(
    system: System, settings: Mapping[str, Any], parameters: Mapping[str, float]
) -> Limits | Status:
    initial = start(system, settings, parameters)
    if isinstance(initial, Status):
        return initial
    schemes = list(settings["schemes"]) or None
    return step_limits(system, initial=initial, parameters=parameters, schemes=schemes)


def outputs(system: System, record: StepLimits) -> Sequence[Output]:
    check_names("compute.schemes", record.schemes, SCHEMES)
    schemes = (Dimension("scheme", record.schemes or tuple(SCHEMES)),)
    largest = "largest stable step; inf: none, 0: unstable at any"
    fastest = "frequency of the fastest vibration or decay"

    def frequency(found: Limits) -> float:
        return found.modes[0].frequency if found.modes else np.nan

    return [
        Output("limit", lambda x: [y.step for y in x.limits.values()], schemes, "s", largest),
        Output("step", lambda x: x.step, (), "s", "suggested step"),
        Output("fastest", frequency, (), "Hz", fastest),
    ]


TASK = Task(solve, outputs, ("limit", "step", "fastest"))
