"""The time of one step: a kernel run over many, without Python in the loop."""

import logging
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from chorda.bench.mujoco_neck import PULL_LEFT, PULL_RIGHT
from chorda.compile import Job
from chorda.compile.compiler import NONE
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import find
from chorda.errors import SolveError
from chorda.mechanics import System

EXPLICIT_STEP, IMPLICIT_STEP = 2e-4, 2e-3  # [s] explicit schemes bear 0.5 ms with these tendons


def torques(joints: int) -> list[float]:
    """Motor torques of the speed measurement [N m], the same as for MuJoCo."""
    return [PULL_RIGHT] * joints + [PULL_LEFT]


class Stepping:
    """Steps of one scheme from rest under constant inputs, a neck's torques if none are given.

    A call runs them and returns seconds per step: per internal step for adaptive schemes.
    """

    def __init__(
        self,
        system: System,
        scheme: str,
        steps: int,
        step: float | None = None,
        inputs: Sequence[float] | None = None,
    ) -> None:
        self.scheme = find(scheme)
        loop = SchemeLoop(system, self.scheme)
        self.kernel = loop.kernel
        self.steps = steps if self.kernel.compiled else max(steps // 20, 1)
        large = self.scheme.implicit or self.scheme.adaptive
        self.step = step or (IMPLICIT_STEP if large else EXPLICIT_STEP)
        self._u = np.array([torques(system.nu - 1) if inputs is None else inputs])
        self._p = system.parameters()
        at = system.rest, np.zeros(system.nv), self._u[0], self._p
        self._start = loop.start(self.step, *at).ravel()
        nx = len(self._start)
        self._bounds = np.full(nx, -1e7), np.full(nx, 1e7)
        self._X, self._U = np.zeros((self.steps, nx)), np.zeros((self.steps, system.nu))
        self._tolerance = 1e-8 if self.scheme.adaptive else 1e-10
        self.iterations = 0.0  # Newton iterations a step, or internal steps an interval

    def __call__(self) -> float:
        job = Job(self.step, self._start.copy(), self._p, *self._bounds, self._tolerance)
        begin = time.perf_counter()
        done = self.kernel.run(job, self.steps, 0.0, self._u, self._X, self._U)
        spent = time.perf_counter() - begin
        if done != self.steps:
            raise SolveError(f"bench: {self.scheme.name} stopped after {done} steps")
        self.iterations = float(job.info[1]) / done
        return spent / (float(job.info[1] + job.info[2]) if self.scheme.adaptive else done)


@contextmanager
def without_compiler() -> Iterator[None]:
    """Kernels made inside run in CasADi's virtual machine."""
    before, log = os.environ.get("CHORDA_COMPILER"), logging.getLogger("chorda")
    os.environ["CHORDA_COMPILER"] = NONE
    shown, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = shown
        if before is None:
            del os.environ["CHORDA_COMPILER"]
        else:
            os.environ["CHORDA_COMPILER"] = before
