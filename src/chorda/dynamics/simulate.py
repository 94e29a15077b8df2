"""simulate: the motion of a system."""

import time as clock
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import Job
from chorda.control.law import Controller
from chorda.dynamics import failures as explain
from chorda.dynamics import reference
from chorda.dynamics.kernels import kernel, starter
from chorda.dynamics.motion import Motion
from chorda.dynamics.schemes import REFERENCE, Scheme, find, usual
from chorda.dynamics.signals import Signal, sampled
from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric
from chorda.numerics.progress import Progress, interrupts
from chorda.results import Code, Run, Status
from chorda.results.provenance import provenance
from chorda.statics import winding_limits as winding
from chorda.statics.initial import Initial, check, closed, initial_state

Control = Controller | Callable[..., Any] | None
NEWTON_STEPS = 25  # iterations at the most
SPEED = 1e7  # [rad/s or m/s] a velocity beyond this is a divergence
MOST_STEPS = 100_000_000
CHUNK_SECONDS = 0.2  # of compiled code between two looks at the progress bar and Ctrl-C


def simulate(
    system: System,
    *,
    duration: float,
    step: float,
    scheme: str | None = None,
    inputs: Signal = None,
    control: Control = None,
    initial: Initial = None,
    parameters: Mapping[str, float] | None = None,
    every: int = 1,
    tolerance: float | None = None,
    progress: bool | None = None,
    strict: bool = False,
) -> Run:
    """Integrate the equations of motion.

    scheme: the linearised implicit Euler where none is given, BDF2 for robots with rods.
    duration, step [s]; with an adaptive scheme (rk45, cvodes) the step is the output interval and
    `tolerance` the local error (1e-8); for schemes that iterate it is Newton's tolerance (1e-10).
    inputs: constant, rows over time, function of time, or a mapping by name; linear in between.
    control: a Controller, a CasADi function (t, q, v) -> u, both compiled into the step, or any
    Python callable (t, q, v) -> u; its output is held over the step (and a rate that it does not
    return is zero). initial: see
    `chorda.statics.initial`. every: keep each n-th step. strict: raise unless it completes.

    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> system = assemble(load("neck-1"))
    >>> simulate(system, duration=0.1, step=1e-3, initial={"x1": 0.1}).status.code
    'completed'
    """
    check(system)
    scheme = usual(system) if scheme is None else scheme
    steps, time = time_grid(duration, step, every)
    step, every = float(step), int(every)
    p = system.parameters(parameters)
    q, v = initial_state(system, initial, p)
    task = _Task(system, scheme, time, step, p, tolerance_of(tolerance, scheme), control)
    signal = task.signal(inputs)
    u, u_rate = task.first_inputs(signal)
    q, v = closed(system, initial, q, v, u, u_rate, p)
    winding.refuse(system, initial, q, p)
    begin = clock.perf_counter()
    with Progress(steps, progress, f"{system.robot.name}, {scheme}") as bar:
        if scheme == REFERENCE:
            law = None if control is None else task.controlled
            done = reference.integrate(system, law, q, v, time, signal, p, task.tolerance, bar)
        else:
            done = task.run(q, v, signal, steps, bar)
    kept = slice(None, None, every)
    seconds = clock.perf_counter() - begin
    run = Run(
        system=system,
        time=done.time[kept],
        position=done.X[kept, : system.nq],
        velocity=done.X[kept, system.nq : system.nq + system.nv],
        input=done.U[kept],
        parameters=p,
        status=done.status,
        provenance=provenance(
            system, scheme=scheme, step=step, duration=duration, parameters=dict(parameters or {})
        ),
        counts={**done.counts, "seconds": seconds},
    )
    if strict:
        run.status.raise_unless_ok()
    return run


class _Task:
    """One call of `simulate`: everything that does not change along the motion."""

    def __init__(
        self,
        system: System,
        scheme: str,
        time: Array,
        h: float,
        p: Array,
        tolerance: float,
        control: Control,
    ) -> None:
        self.system, self.time, self.h, self.p = system, time, h, p
        self.tolerance, self.control = tolerance, control
        self.scheme: Scheme | None = None if scheme == REFERENCE else find(scheme)
        self.law, self.python = law_of(system, control)

    def signal(self, inputs: Signal) -> Array:
        if self.control is not None and inputs is not None:
            raise InputError("inputs: give either inputs or control, not both")
        if isinstance(self.control, Controller):
            rows = np.atleast_2d(np.asarray(self.control.signal(self.system, self.time), float))
            return np.ascontiguousarray(rows)
        if self.law is not None:
            return np.zeros((1, 0))
        return sampled(self.system, inputs, self.time)

    def first_inputs(self, signal: Array) -> tuple[Array, Array]:
        """Inputs and their rates at the start, before any controller has seen it."""
        none = np.zeros(self.system.nu)
        if self.control is not None:
            return none, none
        return signal[0], (signal[1] - signal[0]) / self.h if len(signal) > 1 else none

    def run(self, q: Array, v: Array, signal: Array, steps: int, bar: Progress) -> Motion:
        system, scheme = self.system, self.scheme
        assert scheme is not None
        loop = kernel(system, scheme, self.law, signal.shape[1])
        u0 = self._first_input(q, v, signal)
        x = starter(system, scheme)(q, v, u0, self.p, self.h).full().ravel()
        X = np.empty((steps + 1, len(x)))
        U = np.zeros((steps + 1, system.nu))
        X[0] = x
        job = Job(self.h, x, self.p, *bounds(system, len(x)), self.tolerance, NEWTON_STEPS)
        info = job.info
        done, code, past = 0, Code.COMPLETED, None
        chunk = 1 if self.python else 64
        with interrupts() as seen:
            try:
                while done < steps and not info[0] and past is None:
                    n = min(chunk, steps - done)
                    piece = self._piece(signal, done, n, x)
                    begin = clock.perf_counter()
                    after, used = X[done + 1 : done + 1 + n], U[done : done + n]
                    ran = loop.run(job, n, done * self.h, piece, after, used)
                    past = winding.beyond(system, X[done : done + ran + 1], self.h, self.p)
                    done += ran if past is None else past.row - 1
                    bar.update(done)
                    if seen:
                        raise KeyboardInterrupt
                    if not self.python:
                        spent = clock.perf_counter() - begin
                        chunk = int(
                            min(max(chunk * CHUNK_SECONDS / max(spent, 1e-6), 64), 1e6, chunk * 20)
                        )
            except KeyboardInterrupt:
                code = Code.INTERRUPTED
            except RuntimeError:  # CasADi's word for a second Ctrl-C while it evaluates
                if not seen:
                    raise
                code = Code.INTERRUPTED
        refused = X[done + 1] if info[0] == 1 and done < steps else None
        calm = [(X[k], U[min(k, steps - 1)]) for k in dict.fromkeys((0, done))]
        if past is None:
            status = self._status(code, info, done, steps, calm, refused)
        else:
            status = past.status(f"at step {done + 1} (t = {(done + 1) * self.h:g} s)")
        U[done] = self._last_input(signal, done, U)
        counts = {
            "steps": done,
            "iterations": info[1],
            "matrices": info[5],
            "rejected": info[2],
            "operations": loop.operations,
        }
        return Motion(self.time[: done + 1], X[: done + 1], U[: done + 1], status, counts)

    def controlled(self, t: float, q: Array, v: Array, w: Array) -> Array:
        """What the controller gives at a state."""
        if self.python is not None:
            return _called(self.system, self.python, t, q, v)
        return np.asarray(self.law(t, q, v, w, self.p).full().ravel())

    def _first_input(self, q: Array, v: Array, signal: Array) -> Array:
        return signal[0] if self.control is None else self.controlled(0.0, q, v, signal[0])

    def _last_input(self, signal: Array, done: int, U: Array) -> Array:
        if self.control is not None:
            return U[max(done - 1, 0)]
        return signal[min(done, len(signal) - 1)]

    def _piece(self, signal: Array, done: int, n: int, x: Array) -> Array:
        """The rows of the signal for the next n steps."""
        if self.python is not None:
            nq, nv = self.system.nq, self.system.nv
            return _called(self.system, self.python, done * self.h, x[:nq], x[nq : nq + nv])[
                None, :
            ]
        return signal[done : done + n + 1] if len(signal) > 1 else signal

    def _status(
        self,
        code: Code,
        info: Array,
        done: int,
        steps: int,
        calm: list[tuple[Array, Array]],
        refused: Array | None,
    ) -> Status:
        t = done * self.h
        if code == Code.INTERRUPTED:
            return Status(
                code,
                f"Interrupted at t = {t:g} s, after {done} of {steps} steps; what was computed "
                "is kept.",
            )
        if not info[0]:
            return Status(Code.COMPLETED, f"Completed {steps} steps to t = {t:g} s.")
        assert self.scheme is not None
        return explain.failure(
            self.system, self.scheme, int(info[0]), done, self.h, calm, self.p, refused, self.law
        )


def bounds(system: System, nx: int) -> tuple[Array, Array]:
    """What a state may be; beyond it a motion has diverged or left its ranges."""
    low, high = np.full(nx, -np.inf), np.full(nx, np.inf)
    nq, nv = system.nq, system.nv
    low[:nq] = [max(c.low, -SPEED) for c in system.coordinates]
    high[:nq] = [min(c.high, SPEED) for c in system.coordinates]
    low[nq : nq + nv], high[nq : nq + nv] = -SPEED, SPEED
    return low, high


def law_of(system: System, control: Control) -> tuple[Any, Callable[..., Any] | None]:
    """(law to compile, Python callable): at most one of the two."""
    if control is None:
        return None, None
    if isinstance(control, ca.Function):
        q, v, w = ca.SX.sym("q", system.nq), ca.SX.sym("v", system.nv), ca.SX(0, 1)
        t, p = ca.SX.sym("t"), ca.SX.sym("p", system.p.numel())
        if control.n_in() not in (3, 4):
            raise InputError(
                "control: expected a function of (t, q, v) or (t, q, v, p), "
                f"got {control.n_in()} arguments"
            )
        try:
            u = control(*[t, q, v, p][: control.n_in()])
        except RuntimeError:
            raise InputError(
                f"control: expected arguments of sizes 1, {system.nq}, {system.nv}, got "
                f"{', '.join(str(control.size1_in(i)) for i in range(control.n_in()))}"
            ) from None
        still = ca.SX.zeros(_missing(system, u.numel()))
        return ca.Function("law", [t, q, v, w, p], [ca.vertcat(u, still)]), None
    if isinstance(control, Controller):
        return control.law(system), None
    if callable(control):
        return None, control
    raise InputError(f"control: expected a controller or a function of (t, q, v), got {control!r}")


def _called(system: System, control: Callable[..., Any], t: float, q: Array, v: Array) -> Array:
    u = numeric("control", control(t, q.copy(), v.copy())).ravel()
    if not np.all(np.isfinite(u)):
        raise InputError(f"control: returned NaN or infinity at t = {t:g} s")
    return np.concatenate([u, np.zeros(_missing(system, len(u)))])


def _missing(system: System, count: int) -> int:
    """How many rates a control leaves out; they are zero, as its output is held over the step."""
    if count not in (len(system.given), system.nu):
        raise InputError(
            f"control: expected {len(system.given)} inputs ({', '.join(system.given)}), got {count}"
        )
    return system.nu - count


def time_grid(duration: float, step: float, every: int) -> tuple[int, Array]:
    for name, value in (("duration", duration), ("step", step)):
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not (number and np.isfinite(value) and value > 0):
            raise InputError(f"{name}: expected a positive number of seconds, got {value!r}")
    if step > duration:
        raise InputError(
            f"step: {step:g} s is longer than the duration {duration:g} s; make it smaller"
        )
    if not (isinstance(every, Integral) and every >= 1):
        raise InputError(f"every: expected a whole number of steps, at least 1, got {every!r}")
    steps = round(duration / step)
    if steps > MOST_STEPS:
        raise InputError(
            f"step: {step:g} s makes {steps:.3g} steps, more than the {MOST_STEPS:g} that are "
            "kept in memory; make it larger, or run on from the Run of a shorter duration"
        )
    return steps, np.asarray(step * np.arange(steps + 1), float)


def tolerance_of(tolerance: float | None, scheme: str) -> float:
    if tolerance is None:
        return 1e-8 if scheme == REFERENCE or find(scheme).adaptive else 1e-10
    if not (isinstance(tolerance, Real) and 0 < tolerance < 1):
        raise InputError(f"tolerance: expected a number between 0 and 1, got {tolerance!r}")
    return tolerance
