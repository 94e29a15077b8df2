"""What is exported: a system, a scheme, a step and a start; and a few of its steps to compare."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chorda.checks import number
from chorda.compile import Settings
from chorda.dynamics.actuation import Actuation
from chorda.dynamics.arguments import tolerance_of
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import REFERENCE, Scheme, find, usual
from chorda.dynamics.signals import Signal, pulling, sampled
from chorda.dynamics.time_loop import advance, bounds, started
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.results.observe import observed
from chorda.statics.closing import closed
from chorda.statics.initial import initial_state

STEPS = 10  # over which an export is compared
PUSH = 0.1  # of a large velocity, at the start of that comparison
SWING = {  # of inputs there
    "motor": 1e-3,
    "tension": 0.5,
    "winch": 1e-4,
    "rate": 0.0,
    "effort": 1e-3,
    "joint-motor": 1e-3,
    "motion": 1e-5,
    "wrench": 1e-2,
}


@dataclass(frozen=True)
class Number:
    """One number of q, v, u, p or y; the value of an output y is NaN."""

    symbol: str
    index: int  # in the state, the inputs, the parameters or the outputs
    name: str
    unit: str
    value: float


@dataclass(frozen=True)
class DiscreteModel:
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
        """Of Newton's method, or of an adaptive scheme: that of simulate."""
        return tolerance_of(None, self.scheme.name)

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

    @cached_property
    def numbers(self) -> dict[str, list[Number]]:
        """Everything that has a name, by symbol."""
        s = self.system
        outputs = [(f"{o.name}.{label}", o.unit) for o in s.outputs for label in o.labels]
        named: dict[str, tuple[Any, Any]] = {
            "q": ([(c.name, c.unit) for c in s.coordinates], self.q),
            "v": (s.velocities, self.v),
            "u": ([(i.name, i.unit) for i in s.inputs], self.u),
            "p": (zip(s.parameter_names, s.parameter_table.units, strict=True), self.p),
            "y": (outputs, [math.nan] * len(outputs)),
        }
        return {
            symbol: [
                Number(symbol, k + s.nq * (symbol == "v"), name, unit, float(value))
                for k, ((name, unit), value) in enumerate(zip(names, values, strict=True))
            ]
            for symbol, (names, values) in named.items()
        }


def discrete_model(
    system: System,
    scheme: str | None,
    step: float,
    inputs: Signal = None,
    initial: Any = None,
    parameters: Any = None,
    rho_inf: float | None = None,
) -> DiscreteModel:
    """What is to be exported, checked."""
    name = usual(system) if scheme is None else scheme
    if name == REFERENCE:
        raise InputError(
            f"scheme: '{REFERENCE}' is a program of its own and cannot be exported; take rk45, "
            "which chooses its steps too, or bdf2"
        )
    number("step", step, above=0, unit="seconds")
    p = system.parameters(parameters)
    q, v = initial_state(system, initial, p)
    u = pulling(system, sampled(system, inputs, np.zeros(1), q))[0]
    q, v = closed(system, initial, q, v, u, np.zeros(system.nu), p)
    return DiscreteModel(system, find(name, rho_inf), float(step), p, q, v, u)


@dataclass(frozen=True)
class ReferenceSteps:
    """Steps as the library makes them: states (n + 1, nx), inputs (n + 1, nu), outputs there."""

    states: Array
    inputs: Array
    outputs: Array


def reference_steps(model: DiscreteModel) -> ReferenceSteps:
    """A few steps from the start, with velocities of its own and inputs that move by a little."""
    system, h, n = model.system, model.step, STEPS
    swing = np.array([SWING[i.kind] for i in system.inputs])
    shape = np.sin(np.arange(n + 1)[:, None] + np.arange(system.nu))
    U = np.ascontiguousarray(model.u + swing * shape)
    job = started(model.loop, model.q, _pushed(model), U[0], model.p, h, model.tolerance)
    found = advance(model.loop, job, n, Actuation(system, U))
    if found.done < 1:
        raise InputError(
            f"step: {system.robot.name} does not get through one step of {h:g} s by "
            f"{model.scheme.name} from this start; make it smaller, or take another scheme "
            "(chorda simulate says more)"
        )
    X, U = found.X, found.U
    nq, nv = system.nq, system.nv
    seen = observed(system, X[:, :nq], X[:, nq : nq + nv], U, model.p)
    columns = [seen[o.name] for o in system.outputs]
    return ReferenceSteps(X, U, np.hstack([np.zeros((len(X), 0)), *columns]))


def _pushed(model: DiscreteModel) -> Array:
    """Velocities that move everything and keep loops closed."""
    system = model.system
    v = model.v + PUSH * system.scales * np.sin(1 + np.arange(system.nv))
    if system.nc:
        J = system.closing(model.q, model.u, model.p)[1].full()
        v = v - np.linalg.lstsq(J, J @ (v - model.v), rcond=1e-10)[0]
    return np.asarray(v, float)
