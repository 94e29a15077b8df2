"""The reference: CVODES, an adaptive stiff integrator of high order, through CasADi."""

from typing import Any

import casadi as ca
import numpy as np

from chorda.dynamics.failures import UNBLOCK, blocked_path
from chorda.dynamics.motion import Motion
from chorda.dynamics.schemes import acceleration
from chorda.mechanics import Array, System
from chorda.numerics.progress import Progress, interrupts
from chorda.results import Code, Status
from chorda.statics import winding_limits as winding

PIECES = 20


def integrate(
    system: System,
    law: Any,
    q: Array,
    v: Array,
    time: Array,
    signal: Array,
    p: Array,
    tolerance: float,
    bar: Progress,
) -> Motion:
    """The motion at the given times; inputs run linearly in between, control is held."""
    x = np.concatenate([q, v])
    X, U = np.empty((len(time), len(x))), np.zeros((len(time), system.nu))
    X[0] = x
    solver = _solver(system, float(time[1] - time[0]), tolerance)
    done, status = 0, Status(Code.COMPLETED, f"Completed to t = {time[-1]:g} s.")
    with interrupts() as seen:
        try:
            for k in range(len(time) - 1):
                u0 = signal[k] if len(signal) > 1 else signal[0]
                u1 = signal[k + 1] if len(signal) > 1 else signal[0]
                if law is not None:
                    u0 = u1 = law(float(time[k]), x[: system.nq], x[system.nq :], u0)
                U[k] = u0
                x = solver(x0=x, p=np.concatenate([u0, u1, p]))["xf"].full().ravel()
                if seen:
                    raise KeyboardInterrupt
                if not np.all(np.isfinite(x)):
                    raise RuntimeError("the state is no longer finite")
                if (left := _left_range(system, x, float(time[k + 1]))) is not None:
                    status = left
                    break
                X[k + 1] = x
                if past := winding.beyond(system, X[k : k + 2], float(time[1] - time[0]), p):
                    status = past.status(f"before t = {time[k + 1]:g} s")
                    break
                done = k + 1
                bar.update(done)
        except KeyboardInterrupt:
            status = _interrupted(time[done])
        except RuntimeError as error:
            status = _interrupted(time[done]) if seen else _stopped(system, time, done, X, p, error)
    U[done] = U[max(done - 1, 0)] if law is not None else signal[min(done, len(signal) - 1)]
    kept = slice(0, done + 1)
    return Motion(time[kept], X[kept], U[kept], status, {"steps": done})


def _left_range(system: System, x: Array, t: float) -> Status | None:
    for c, value in zip(system.coordinates, x, strict=False):
        if not c.low <= value <= c.high:
            return Status(
                Code.OUT_OF_RANGE,
                f"{c.name} = {value:.3g} {c.unit} left its range {c.low:.3g} to {c.high:.3g} "
                f"before t = {t:g} s: check inputs, gains and loads.",
            )
    return None


def _interrupted(t: float) -> Status:
    return Status(Code.INTERRUPTED, f"Interrupted at t = {t:g} s; what was computed is kept.")


def _stopped(
    system: System, time: Array, done: int, X: Array, p: Array, error: RuntimeError
) -> Status:
    t, last = time[done], str(error).strip().split("\n")[-1]
    if (blocked := blocked_path(system, X[done], None, float(time[1] - time[0]), p)) is not None:
        return Status(Code.IMPOSSIBLE_PATH, f"{blocked} after t = {t:g} s. {UNBLOCK}")
    if (turned := winding.near(system, X[done], float(time[1] - time[0]), p)) is not None:
        return turned.status(f"after t = {t:g} s")
    return Status(
        Code.DIVERGED,
        f"CVODES stopped at t = {t:g} s ({last}). The motion is too violent or not "
        "smooth there: try a looser tolerance or a fixed-step implicit scheme.",
    )


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
