"""How a member ended, in a sentence: its motion once more, alone."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from chorda.compile import Exit, Job
from chorda.dynamics.actuation import Actuation
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.outcome import explained
from chorda.dynamics.sensitivities import AnyLoop
from chorda.dynamics.time_loop import advance, bounds
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.plurals import many
from chorda.results import Code, Status
from chorda.results.status import OF_EXIT


@dataclass(frozen=True, eq=False)
class MemberStatus:
    """Statuses of members; start: states (columns) before the first step, None where they stayed on
    a GPU; before: those of a rollout that goes on, with the members that had failed there."""

    loop: AnyLoop
    start: Array | None
    signal: Array
    p: Array
    steps: int
    h: float
    tolerance: float
    code: "np.typing.NDArray[np.int64]"
    before: tuple[set[int], Callable[[int], Status]] | None = None

    def __call__(self, m: int) -> Status:
        if self.start is None:
            raise InputError(
                "status: members that stayed on the device are not explained; keep='host'"
            )
        if self.before is not None and m in self.before[0]:
            return self.before[1](m)
        code, steps = Exit(int(self.code[m])), self.steps
        if code == Exit.DONE:
            done = f"Completed {many(steps, 'step')} to t = {steps * self.h:g} s."
            return Status(Code.COMPLETED, done)
        if code == Exit.INTERRUPTED:
            return Status(Code.INTERRUPTED, "Interrupted before this member came to its end.")
        found = self._alone(self.start, m)
        if found.ok:  # in single precision, or where looks at the members were far between
            why = "The member ended before its time; alone, in double precision, it does not."
            return Status(OF_EXIT[code], why)
        return found

    def _alone(self, start: Array, m: int) -> Status:
        system, law = self.loop.system, getattr(self.loop, "law", None)
        signal, p = (x[..., m if x.shape[-1] > 1 else 0].copy() for x in (self.signal, self.p))
        loop = SchemeLoop(system, self.loop.scheme, law, signal.shape[1])
        x = start[: loop.settings.nx, m].copy()
        job = Job(self.h, x, loop.constants(p), *bounds(system, len(x)), self.tolerance)
        motion = advance(loop, job, self.steps, Actuation(system, signal, law), every=self.steps)
        return explained(loop, motion, self.steps, self.h, p)
