"""The reference: CVODES, an adaptive stiff integrator of high order, through CasADi."""

from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import Kernel, Settings
from chorda.compile.interpreted import Interpreted
from chorda.dynamics.kernels import control_function
from chorda.dynamics.schemes import acceleration
from chorda.mechanics import Array, System


class Cvodes:
    """A loop (see time_loop.py) whose step h [s] is an output interval."""

    scheme = None

    def __init__(
        self, system: System, h: float, tolerance: float, law: Any = None, nw: int = 0
    ) -> None:
        self.system, self.law = system, law
        self.reason = ""  # for which it gave up
        self._solver = _solver(system, h, tolerance)
        made: dict[str, Any] = {"after": self._interval}
        if law is not None:
            made["control"] = control_function(system, law, 0, nw)
        settings = Settings(system.nq + system.nv, system.nu, nw, control=law is not None)
        self.kernel: Kernel = Interpreted(settings, made)

    def _interval(self, x: Array, h: float, u0: Array, u1: Array, p: Array) -> Any:
        """Over one output interval, called as driver.c calls `after`; NaN where it gives up."""
        try:
            return self._solver(x0=x, p=np.concatenate([u0, u1, p]))["xf"]
        except RuntimeError as error:
            self.reason = str(error).strip().split("\n")[-1]
            return np.full(len(x), np.nan)

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
    u = u0 + t * u_rate
    a = acceleration(system, q, v, u, p, u_rate)
    x_dot = ca.vertcat(system.moving(q, v, u, p), a)
    problem = {"x": x, "t": t, "p": ca.vertcat(u0, u1, p), "ode": x_dot}
    options = {"reltol": tolerance, "abstol": tolerance, "max_num_steps": 200000}
    options["show_eval_warnings"] = False  # where there is no path, NaN makes it try shorter steps
    return ca.integrator("reference", "cvodes", problem, 0.0, h, options)
