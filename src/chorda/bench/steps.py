"""The time of one step: a kernel run over many, without Python in the loop."""

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from unittest.mock import patch

import numpy as np

from chorda.bench import chain, peers
from chorda.bench.groups import Group, at_least, at_most, step_table, us
from chorda.bench.mujoco_neck import torques
from chorda.compile import Job
from chorda.compile.compiler import NONE
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import SCHEMES, find
from chorda.errors import SolveError
from chorda.mechanics import System, assemble
from chorda.numerics.timing import best_in_turns
from chorda.results import Table

OURS, SCHEME = "Chorda implicit-euler", "implicit-euler"
EXPLICIT_STEP, IMPLICIT_STEP = 2e-4, 2e-3  # [s] explicit schemes bear 0.5 ms with these tendons


class Stepping:
    """Steps of one scheme from rest under constant inputs, a neck's torques if none are given.

    A call runs them and returns seconds per step: per internal step for adaptive schemes.
    """

    def __init__(
        self,
        system: System,
        scheme: str,
        steps: int,
        inputs: Sequence[float] | None = None,
        step: float | None = None,
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


def neck_group(system: System, steps: int, repeats: int) -> Group:
    """neck-3: compiled against interpreted against MuJoCo, in turns."""
    ours = Stepping(system, SCHEME, steps)
    with _without_compiler():
        interpreted = Stepping(system, SCHEME, steps)
    both: dict[str, Callable[[], float]] = {OURS: ours, f"{OURS}, interpreted": interpreted}
    best = best_in_turns(both | peers.neck_steps(steps), repeats)
    data = {
        "seconds_per_step": best,
        "operations": ours.kernel.operations,
        "compiled": ours.kernel.compiled,
    }
    note = peers.INSTALL
    if peers.installed():
        alike = peers.likeness(system)
        data["mujoco"] = asdict(alike)
        note = (
            f"MuJoCo {alike.version}: {alike.velocities} velocities, {alike.loops} loops; distance "
            f"of the bars' centres at rest {alike.mid_bar_distance * 1e3:.4f} mm (closed form "
            f"{alike.expected_distance * 1e3:.4f} mm), gap in the loops {alike.closure_error:.1e} m"
            f". Moved alike with dry friction off, joint angles up to {alike.largest_angle:.2f} "
            f"rad differ by {alike.angle_difference:.1e} rad. MuJoCo runs at "
            f"{peers.MUJOCO_STEP * 1e3:g} ms, Chorda at {ours.step * 1e3:g} ms, where these "
            "integrators of MuJoCo diverge; the ratio is per step, not per second of motion."
        )
    return Group(
        step_table("One step of neck-3 with elastic tendons and motors", best, note),
        (
            at_most("neck-3, one implicit-euler step", 3.0, best[OURS] * 1e6, "us"),
            at_least("MuJoCo's implicit step over ours", 5.0, _lead(best), "times"),
        ),
        data,
    )


@contextmanager
def _without_compiler() -> Iterator[None]:
    """Kernels made inside run in CasADi's virtual machine, without a message about it."""
    quiet = patch.object(logging.getLogger("chorda"), "disabled", True)
    with quiet, patch.dict(os.environ, CHORDA_COMPILER=NONE):
        yield


def chain_group(steps: int, repeats: int) -> Group:
    """Seven joints, eight one-sided tendons and their motors, in turns with MuJoCo."""
    ours = Stepping(assemble(chain.robot()), SCHEME, steps, inputs=chain.PULL)
    best = best_in_turns({OURS: ours, **peers.chain_steps(steps)}, repeats)
    note = (
        "MuJoCo has the tendons as fixed ones with the same moment arms, Chorda lays them over "
        f"the pulleys. MuJoCo runs at {chain.MUJOCO_STEP * 1e3:g} ms, Chorda at "
        f"{ours.step * 1e3:g} ms; the ratio is per step."
    )
    title = "One step of a planar chain: 7 revolute joints, 8 one-sided tendons, 8 motors"
    return Group(
        step_table(title, best, note if peers.installed() else peers.INSTALL),
        (
            at_most("chain of 7, one implicit-euler step", 15.0, best[OURS] * 1e6, "us"),
            at_least("MuJoCo's implicit step over ours, chain", 1.0, _lead(best), "times"),
        ),
        {"chain_seconds_per_step": best},
    )


def _lead(best: Mapping[str, float]) -> float | None:
    """How much longer MuJoCo's implicit step takes."""
    theirs = best.get("MuJoCo implicit")
    return None if theirs is None else theirs / best[OURS]


def scheme_group(system: System, steps: int, repeats: int) -> Group:
    """Every scheme on the same neck, in turns."""
    loops = {name: Stepping(system, name, steps) for name in SCHEMES}
    best = best_in_turns(loops, repeats)
    table = Table(
        "Every scheme on neck-3, elastic tendons",
        ("scheme", "step", "time a step", "Newton iterations", "operations"),
        tuple(
            (
                name,
                f"{loop.step * 1e3:g} ms",
                us(best[name]),
                f"{loop.iterations:.1f}" if loop.scheme.iterates else "-",
                str(loop.kernel.operations),
            )
            for name, loop in loops.items()
        ),
        "rk45 chooses its own steps: the step is its output interval, the time that of one its "
        "own.",
    )
    data = {name: {"seconds": best[name], "step": x.step} for name, x in loops.items()}
    return Group(table, data={"schemes": data})
