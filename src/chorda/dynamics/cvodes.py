"""The reference: CVODES, an adaptive stiff integrator of high order, through CasADi."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import Kernel, Settings
from chorda.compile.interpreted import Interpreted
from chorda.dynamics.kernels import control_function
from chorda.dynamics.schemes import acceleration
from chorda.mechanics import Array, System


class _Interval:
    """CVODES over one output interval, called as driver.c calls `after`; NaN where it gives up."""

    def __init__(self, system: System, h: float, tolerance: float) -> None:
        self._solver = _solver(system, h, tolerance)
        self.reason = ""  # for which it gave up

    def __call__(self, x: Array, h: float, u0: Array, u1: Array, p: Array) -> Any:
        try:
            return self._solver(x0=x, p=np.concatenate([u0, u1, p]))["xf"]
        except RuntimeError as error:
            self.reason = str(error).strip().split("\n")[-1]
            return np.full(len(x), np.nan)


@dataclass(frozen=True, eq=False)
class Cvodes:
    """A loop (see time_loop.py) whose step h [s] is an output interval."""

    system: System
    h: float
    tolerance: float
    law: Any = None
    nw: int = 0
    scheme = None

    @cached_property
    def interval(self) -> _Interval:
        return _Interval(self.system, self.h, self.tolerance)

    @cached_property
    def kernel(self) -> Kernel:
        s = self.system
        made: dict[str, Any] = {"after": self.interval}
        if self.law is not None:
            made["control"] = control_function(s, self.law, 0, self.nw)
        settings = Settings(s.nq + s.nv, s.nu, self.nw, control=self.law is not None)
        return Interpreted(settings, made)

    def start(self, h: float, q: Array, v: Array, u: Array, p: Array) -> Array:
        return np.concatenate([q, v])

    def constants(self, p: Array) -> Array:
        return p


def _solver(system: System, h: float, tolerance: float) -> Any:
    x = ca.SX.sym("x", system.nq + system.nv)
    u0, u1 = ca.SX.sym("u0", system.nu), ca.SX.sym("u1", system.nu)
    p, t = ca.SX.sym("p", system.p.numel()), ca.SX.sym("t")
    q, v = x[: system.nq], x[system.nq :]
    u_rate = (u1 - u0) / h
    a = acceleration(system, q, v, u0 + t * u_rate, p, u_rate)
    rate = ca.vertcat(system.kinematics(q) @ v, a)
    problem = {"x": x, "t": t, "p": ca.vertcat(u0, u1, p), "ode": rate}
    options = {"reltol": tolerance, "abstol": tolerance, "max_num_steps": 200000}
    options["show_eval_warnings"] = False  # where there is no path, NaN makes it try shorter steps
    return ca.integrator("reference", "cvodes", problem, 0.0, h, options)
