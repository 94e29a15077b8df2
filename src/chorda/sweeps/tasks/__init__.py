"""What can be computed at a point. A task is a record of settings, a solver and its outputs."""

from typing import Annotated

from pydantic import Field

from chorda.sweeps.tasks import equilibrium, simulate, stability, step_limits
from chorda.sweeps.tasks.task import Output, Task

Compute = Annotated[
    simulate.Simulate | equilibrium.Equilibrium | stability.Stability | step_limits.StepLimits,
    Field(discriminator="kind"),
]
TASKS: dict[str, Task] = {
    "simulate": simulate.TASK,
    "equilibrium": equilibrium.TASK,
    "stability": stability.TASK,
    "step-limits": step_limits.TASK,
}

__all__ = ["TASKS", "Compute", "Output", "Task"]
