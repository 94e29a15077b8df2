"""What gives a system its inputs over time: a signal, a law in symbols, or a Python function."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from chorda.checks import numeric
from chorda.control.controller import Controller, ControlLimits, padded
from chorda.dynamics.signals import Signal, pulling, sampled
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.results.events import Watched

Control = Controller | Callable[..., Any] | None


@dataclass(frozen=True, eq=False)
class Actuation:
    """signal (times or 1, nw): inputs, or what the law is fed with; beside a Python function the
    inputs that it leaves out, or none.

    law: (t, q, v, w, p) -> u, which is compiled into the step. python: (t, q, v) -> u, called
    before each step. At most one of the two is there; what they give is held over the step.
    limits: those that the law stays within.
    """

    system: System
    signal: Array
    law: Any = None
    python: Callable[..., Any] | None = None
    limits: ControlLimits | None = None

    @property
    def controlled(self) -> bool:
        return self.law is not None or self.python is not None

    def before(self, h: float, q: Array, v: Array, p: Array) -> tuple[Array, Array]:
        """Inputs and their rates at the start (q, v), whose closures may be open: a controller is
        asked only where it prescribes motions of joints."""
        none = np.zeros(self.system.nu)
        if self.controlled:
            return (self.first(q, v, p), none) if leading(self.system) else (none, none)
        return self.signal[0], first_rates(self.system, self.signal, h)

    def first(self, q: Array, v: Array, p: Array) -> Array:
        """Inputs of the first step."""
        if self.law is not None:
            return np.asarray(self.law(0.0, q, v, self.signal[0], p).full().ravel())
        return self.rows(0, 1, 0.0, np.concatenate([q, v]))[0]

    def rows(self, k: int, n: int, t: float, x: Array) -> Array:
        """What the kernel is given for n steps from the k-th on, at time t and state x."""
        if self.python is None:
            return self.signal[k : k + n + 1] if len(self.signal) > 1 else self.signal
        nq, nv = self.system.nq, self.system.nv
        u = numeric("control", self.python(t, x[:nq].copy(), x[nq : nq + nv].copy())).ravel()
        if not np.all(np.isfinite(u)):
            raise InputError(f"control: returned NaN or infinity at t = {t:g} s")
        u = np.concatenate([u, np.zeros(_missing(self.system, len(u)))])
        if self.signal.shape[1]:
            u += self.signal[min(k, len(self.signal) - 1)]
        return u[None]

    def after(self, k: int, used: Array) -> Array:
        """Inputs at the end of k steps, in the last of which these were used."""
        return used if self.controlled else self.signal[min(k, len(self.signal) - 1)]

    def led(self, U: Array) -> Array:
        """The inputs that the states at rows of inputs follow: a controller's are held over the
        step after."""
        return np.vstack([U[:1], U[:-1]]) if self.controlled else U

    def control_limits(self, count: int, every: int) -> tuple[tuple[Watched, Array], ...]:
        """What is left of the law's limits, with its signal at each every-th of the times."""
        if self.limits is None:
            return ()
        left = self.limits.left
        rows = self.signal[::every][:count, : left.size1_in(3)]  # forces on frames stand behind
        signal = np.broadcast_to(rows, (count, rows.shape[1])) if len(rows) == 1 else rows
        kind = ca.SX if left.is_a("SXFunction") else ca.MX
        q, v, w, p = (kind.sym("x", left.size1_in(k)) for k in (1, 2, 3, 4))
        watched = ca.Function("left", [q, v, w, p], [left(0, q, v, w, p)])
        names = self.limits.names
        return ((Watched.limits(names, (self.limits.word,) * len(names), watched), signal),)


def actuate(
    system: System, inputs: Signal, control: Control, time: Array, q: Array | None = None
) -> Actuation:
    """The inputs that the user gave, or a controller, over the times of the steps; q: where the
    motion begins."""
    if control is None:
        return Actuation(system, pulling(system, sampled(system, inputs, time, q)))
    pushes = _pushes(system, inputs, time)
    if isinstance(control, ca.Function):
        return _pushed(system, _law(system, control), np.zeros((1, 0)), pushes)
    if isinstance(control, Controller):
        law = control.law(system)
        rows = np.atleast_2d(np.asarray(control.signal(system, time), float))
        limits = control.limits(system) if hasattr(control, "limits") else None
        return replace(_pushed(system, law, rows, pushes), limits=limits)
    if callable(control):
        return Actuation(system, pushes, python=control)
    raise InputError(f"control: expected a controller or a function of (t, q, v), got {control!r}")


def first_rates(system: System, signal: Array, h: float) -> Array:
    """Rates of a signal (times, inputs) or (times, inputs, members) at its start."""
    u = signal
    if len(u) == 1:
        return 0.0 * u[0]
    rate = (u[1] - u[0]) / h
    if len(u) > 2:  # of second order, as the rates of led joints are those of the motion
        leads = leading(system)
        rate[leads] = (-3 * u[0] + 4 * u[1] - u[2])[leads] / (2 * h)
    return rate


def leading(system: System) -> list[int]:
    """Which inputs are motions of joints."""
    return [i for i, item in enumerate(system.inputs) if item.kind == "motion"]


def _pushes(system: System, inputs: Signal, time: Array) -> Array:
    """Forces on frames beside a controller, as rows of all inputs; without columns if none."""
    if inputs is None:
        return np.zeros((1, 0))
    forces = [i.name for i in system.inputs if i.kind == "wrench"]
    if not isinstance(inputs, Mapping) or not set(inputs) <= set(forces):
        known = f"; beside control expected {', '.join(forces)} by name" if forces else ""
        raise InputError(f"inputs: give either inputs or control, not both{known}")
    return sampled(system, {**dict.fromkeys(system.commanded, 0.0), **inputs}, time)


def _pushed(system: System, law: Any, signal: Array, pushes: Array) -> Actuation:
    """A law whose inputs are added to those that are given beside it."""
    if not pushes.shape[1]:
        return Actuation(system, np.ascontiguousarray(signal), law)
    kind, nw = (ca.SX if law.is_a("SXFunction") else ca.MX), signal.shape[1]
    sizes = {"t": 1, "q": system.nq, "v": system.nv, "w": nw + system.nu, "p": system.p.numel()}
    t, q, v, w, p = (kind.sym(name, size) for name, size in sizes.items())
    u = padded(system, law(t, q, v, w[:nw], p)) + w[nw:]
    n = max(len(signal), len(pushes))
    rows = np.hstack([np.broadcast_to(x, (n, x.shape[1])) for x in (signal, pushes)])
    return Actuation(system, rows, ca.Function("law", [t, q, v, w, p], [u]))


def _law(system: System, control: ca.Function) -> Any:
    """A CasADi function of (t, q, v) or (t, q, v, p) as a law."""
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
    return ca.Function("law", [t, q, v, w, p], [ca.vertcat(u, still)])


def _missing(system: System, count: int) -> int:
    """How many inputs a control leaves out: forces on frames, and rates, which are zero, as its
    output is held over the step."""
    commanded = system.commanded or system.given
    if count not in (len(system.commanded), len(system.given), system.nu):
        raise InputError(
            f"control: expected {len(commanded)} inputs ({', '.join(commanded)}), got {count}"
        )
    return system.nu - count
