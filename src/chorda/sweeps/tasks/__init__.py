"""What can be computed at a point. A task is a record of settings, a solver and its outputs."""

from typing import Annotated

from pydantic import Field

from chorda.sweeps.tasks import motion, resting, steadiness, step_sizes
from chorda.sweeps.tasks.task import Output, Task

Compute = Annotated[
    motion.Simulate | resting.Equilibrium | steadiness.Stability | step_sizes.StepLimits,
    Field(discriminator="kind"),
]
TASKS: dict[str, Task] = {
    "simulate": motion.TASK,
    "equilibrium": resting.TASK,
    "stability": steadiness.TASK,
    "step-limits": step_sizes.TASK,
}

__all__ = ["TASKS", "Compute", "Output", "Task"]
