"""Measuring the order of a scheme: errors at the end of a motion for ever smaller steps."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import chorda
from chorda.dynamics.kernels import functions, stepper
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.evaluate import forces

STEPS = {1: 320, 2: 160, 4: 160, 5: 40}  # of the coarser of two runs, by order


@dataclass(frozen=True)
class Problem:
    """A motion from `start` over `duration`, with inputs that run linearly from u0 to u1."""

    system: Any
    start: np.ndarray
    duration: float
    u0: np.ndarray
    u1: np.ndarray
    changes: dict = field(default_factory=dict)
    steps: dict = field(default_factory=dict)  # other than STEPS, where errors are larger

    def reference(self):
        """The state at the end by SciPy's method of order 8."""
        nq = self.system.nq

        def rate(t, x):
            u = self.u0 + t / self.duration * (self.u1 - self.u0)
            M, F = forces(self.system, x[:nq], x[nq:], u, self.changes)
            p = self.system.parameters(self.changes)
            q_dot = self.system.moving(x[:nq], x[nq:], u, p).full()[:, 0]
            return np.concatenate([q_dot, np.linalg.solve(M, F)])

        span = (0, self.duration)
        found = solve_ivp(rate, span, self.start, "DOP853", rtol=1e-13, atol=1e-13)
        assert found.success
        return found.y[:, -1]

    def end(self, name, steps):
        """The state at the end by a scheme in so many equal steps."""
        if SCHEMES[name].adaptive:
            return self._fixed(name, steps)
        run = chorda.simulate(
            self.system,
            duration=self.duration,
            step=self.duration / steps,
            scheme=name,
            initial=self.start,
            inputs=np.linspace(self.u0, self.u1, steps + 1),
            parameters=self.changes,
            # a closure's rate is known to rounding / step only
            tolerance=(1e-10 if self.system.nc else 1e-13) if SCHEMES[name].iterates else None,
            strict=True,
        )
        return np.concatenate([run.position[-1], run.velocity[-1]])

    def _fixed(self, name, steps):
        """An adaptive scheme's own step, without its step size control."""
        after = functions(stepper(self.system, SCHEMES[name]))["after"]
        p, h, x = self.system.parameters(self.changes), self.duration / steps, self.start
        u = np.linspace(self.u0, self.u1, steps + 1)
        for k in range(steps):
            x = after(x, h, u[k], u[k + 1], p)[0]
        return x.full().ravel()


def observed_order(problem, exact, scheme):
    """log2 of the errors' ratio at the end between two step sizes, one half of the other."""
    n = {**STEPS, **problem.steps}[SCHEMES[scheme].order]
    coarse, fine = (np.linalg.norm(problem.end(scheme, k) - exact) for k in (n, 2 * n))
    return np.log2(coarse / fine)
