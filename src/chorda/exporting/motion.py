"""The motion that is exported: a system, a scheme, a start; and what the library makes of it."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chorda.compile import Settings
from chorda.compile.job import MAX_ITERATIONS
from chorda.dynamics.actuation import Actuation
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import REFERENCE, Scheme, find, usual
from chorda.dynamics.signals import Signal, sampled
from chorda.dynamics.time_loop import advance, bounds, started
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.results.observe import observed
from chorda.statics.initial import closed, initial_state

CHECKED = 10  # steps that an export is compared over
PUSH = 0.1  # of a large velocity at the start
SWING = {"motor": 1e-3, "tension": 0.5, "winch": 1e-4, "rate": 0.0}  # of inputs there


@dataclass(frozen=True)
class Motion:
    """What simulate would run: q, v and u at the start, p, and the step [s]."""

    system: System
    scheme: Scheme
    step: float
    p: Array
    q: Array
    v: Array
    u: Array

    @property
    def tolerance(self) -> float:
        """Of Newton's method, or of an adaptive scheme: those of simulate."""
        return 1e-8 if self.scheme.adaptive else 1e-10

    @property
    def most(self) -> int:
        """Corrections of Newton's method in a step."""
        return MAX_ITERATIONS

    @property
    def loop(self) -> SchemeLoop:
        return SchemeLoop(self.system, self.scheme)

    @cached_property
    def settings(self) -> Settings:
        return self.loop.settings

    @property
    def bounds(self) -> tuple[Array, Array]:
        """Of the state: ranges of coordinates, and velocities of a divergence."""
        return bounds(self.system, self.settings.nx)

    def started(self, v: Array, u: Array) -> Array:
        """The state before the first step, with other velocities and inputs."""
        return self.loop.start(self.step, self.q, v, u, self.p).ravel()


def prepare(
    system: System,
    scheme: str | None,
    step: float,
    inputs: Signal = None,
    initial: Any = None,
    parameters: Any = None,
) -> Motion:
    """What is to be exported, checked."""
    name = usual(system) if scheme is None else scheme
    if name == REFERENCE:
        raise InputError(
            f"scheme: '{REFERENCE}' is a program of its own and cannot be exported; take rk45, "
            "which chooses its steps too, or bdf2"
        )
    if isinstance(step, bool) or not isinstance(step, int | float) or not 0 < step < math.inf:
        raise InputError(f"step: expected a positive number of seconds, got {step!r}")
    p = system.parameters(parameters)
    q, v = initial_state(system, initial, p)
    rows = sampled(system, inputs, np.zeros(1))
    u = rows[0]
    q, v = closed(system, initial, q, v, u, np.zeros(system.nu), p)
    return Motion(system, find(name), float(step), p, q, v, u)


@dataclass(frozen=True)
class Reference:
    """Steps as the library makes them: states (n + 1, nx), inputs (n + 1, nu), outputs there."""

    states: Array
    inputs: Array
    outputs: Array


def reference(motion: Motion) -> Reference:
    """A few steps from the start, with velocities of its own and inputs that move by a little."""
    system, h = motion.system, motion.step
    swing = np.array([SWING[i.kind] for i in system.inputs])
    shape = np.sin(np.arange(CHECKED + 1)[:, None] + np.arange(system.nu))
    U = np.ascontiguousarray(motion.u + swing * shape)
    start = motion.q, _pushed(motion), U[0], motion.p
    job = started(motion.loop, *start, h, motion.tolerance)
    found = advance(motion.loop, job, CHECKED, Actuation(system, U))
    if found.done < 1:
        raise InputError(
            f"step: {system.robot.name} does not get through one step of {h:g} s by "
            f"{motion.scheme.name} from this start; make it smaller, or take another scheme "
            "(chorda simulate says more)"
        )
    X, U = found.X, found.U
    nq, nv = system.nq, system.nv
    seen = observed(system, X[:, :nq], X[:, nq : nq + nv], U, motion.p)
    columns = [seen[o.name] for o in system.outputs]
    Y = np.hstack(columns) if columns else np.zeros((found.done + 1, 0))
    return Reference(X, U, Y)


def _pushed(motion: Motion) -> Array:
    """Velocities that move everything and keep loops shut."""
    system = motion.system
    v = motion.v + PUSH * system.scales * np.sin(1 + np.arange(system.nv))
    if system.nc:
        J = system.closing(motion.q, motion.u, motion.p)[1].full()
        v = v - np.linalg.lstsq(J, J @ (v - motion.v), rcond=1e-10)[0]
    return np.asarray(v, float)
