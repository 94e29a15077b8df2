"""Why a motion could not go on, and what to try."""

from typing import Any

import numpy as np

from chorda.compile import Exit
from chorda.describe.path_checks import element_text
from chorda.dynamics.linearize import feedback, linearize
from chorda.dynamics.schemes import Scheme
from chorda.dynamics.schemes.stepper import no_memory
from chorda.dynamics.stable_step import Limit, limit
from chorda.mechanics import Array, System
from chorda.results import Code, Status
from chorda.statics import winding_limits as winding

TOUCHING = 1e-6  # [m] of clearance: solvers stop a little before there is none
UNBLOCK = (
    "Limit the joints' ranges or the inputs, or move the pulley; check initial values and "
    "parameters if it happens at the start."
)
TINY = 1e-5  # [s] below, rounding in closures, divided by the step, hides convergence


def failure(
    system: System,
    scheme: Scheme,
    cause: int,
    done: int,
    h: float,
    calm: list[tuple[Array, Array]],
    p: Array,
    after: Array | None,
    law: Any,
) -> Status:
    """The status of a run that stopped in the step after `done`.

    calm: (state, inputs) at the start and at the last good step; after: the state that was
    refused, if there is one.
    """
    where = f"at step {done + 1} (t = {(done + 1) * h:g} s)"
    if (blocked := blocked_path(system, calm[-1][0], after, h, p)) is not None:
        return Status(Code.IMPOSSIBLE_PATH, f"{blocked} {where}. {UNBLOCK}")
    unknown = after is None or not np.all(np.isfinite(after))
    if unknown and (turned := winding.near(system, calm[-1][0], h, p)) is not None:
        return turned.status(where)
    if cause == Exit.NOT_CONVERGED:
        other = "larger" if system.nc and h < TINY else "smaller"
        return Status(
            Code.NOT_CONVERGED,
            f"Newton's method did not converge {where}. Try a {other} step than {h:g} s, a looser "
            "tolerance, or 'implicit-euler', which solves one linear system a step.",
        )
    if cause == Exit.STEP_UNDERFLOW:
        return Status(
            Code.STEP_TOO_SMALL,
            f"The step size went to zero {where}: the motion is too stiff or not smooth there. "
            f"Try an implicit scheme ('implicit-euler', 'rosenbrock', 'cvodes').",
        )
    if law is not None and np.isnan(calm[-1][1]).any():
        return Status(
            Code.INFEASIBLE,
            f"The controller found no tensions above the minimum that give the wanted forces "
            f"{where}. Try lower gains, a slower reference, or other tendon arrangements.",
        )
    code, what = _what_happened(system, after)
    found = min(
        (x for x in (_limit(system, scheme, *at, p, law) for at in calm) if x is not None),
        key=lambda limit: limit.step,
        default=None,
    )
    if found is None:
        advice = "Try a smaller step, or check inputs and parameters."
    elif found.step < h:
        code = Code.DIVERGED  # whichever bound it crossed first
        allowed = f"up to {found.step * 1e3:.3g} ms" if found.step else "at no step"
        advice = (
            f"Here {scheme.title} is stable only {allowed} and the step was {h * 1e3:.3g} ms; the "
            f"mode that limits it: {found.mode}. Try "
            + (f"step={_below(found.step):g}, or " if found.step else "")
            + "an implicit scheme such as 'implicit-euler'."
        )
    else:
        advice = (
            f"The step of {h * 1e3:.3g} ms is within the stability limit of {scheme.title} at the "
            "start and at the last good state, so the motion itself goes there: check inputs, "
            "gains and loads."
        )
        if done == 0 and scheme.iterates and scheme.memory is not no_memory:
            advice += " If inputs jump at the start, let them grow over some steps, or take bdf2."
    return Status(code, f"{what} {where}. {advice}")


def blocked_path(
    system: System, calm: Array, after: Array | None, h: float, p: Array
) -> str | None:
    """The tendon that no longer fits around its pulleys, at the configurations about the
    failure."""
    if not system.tendons.clearances:
        return None
    q, v = calm[: system.nq], calm[system.nq : system.nq + system.nv]
    ahead = q + h * (system.kinematics(q).full() @ v)
    for configuration in (q, ahead, *([] if after is None else [after[: system.nq]])):
        if not np.all(np.isfinite(configuration)):
            continue
        gaps = system.clearing(configuration, p).full().ravel()
        worst = int(np.argmin(gaps))
        if gaps[worst] < TOUCHING:
            pair = system.tendons.clearances[worst]
            tendon = system.robot.named(pair.tendon)
            at = ", ".join(
                f"{c.name} = {x:.3g} {c.unit}"
                for c, x in zip(system.coordinates, configuration, strict=True)
                if c.kind != "motor"
            )
            return (
                f"Tendon '{tendon.name}' can no longer run from "
                f"{element_text(tendon, pair.first)} to "
                f"{element_text(tendon, pair.second)}: they came too near to each other ({at})"
            )
    return None


def _what_happened(system: System, after: Array | None) -> tuple[Code, str]:
    names = [*system.coordinate_names, *(name for name, _ in system.velocities)]
    if after is None:
        return Code.DIVERGED, "The state left its bounds"
    for i, name in enumerate(names):
        value = after[i]
        if not np.isfinite(value):
            return Code.DIVERGED, f"{name} is no longer a finite number"
        if i < system.nq:
            c = system.coordinates[i]
            if not c.low <= value <= c.high:
                return Code.OUT_OF_RANGE, (
                    f"{name} = {value:.3g} {c.unit} left its range {c.low:.3g} to {c.high:.3g}"
                )
    worst = int(np.argmax(np.abs(after[: len(names)])))
    return Code.DIVERGED, f"{names[worst]} = {after[worst]:.3g} is beyond any bound"


def _limit(system: System, scheme: Scheme, x: Array, u: Array, p: Array, law: Any) -> Limit | None:
    """The limit at a configuration, with the controller's gains where there is one."""
    q, still = x[: system.nq], np.zeros(system.nv)
    if not np.all(np.isfinite(q)):
        return None
    try:
        lin = linearize(system, q, still, u, p)
        gains = None if law is None else feedback(system, law, q, still, p)
        return limit(scheme, lin, gains)
    except (np.linalg.LinAlgError, RuntimeError, ValueError):
        return None


def _below(step: float) -> float:
    """A round step safely below a limit."""
    return float(f"{0.9 * step:.1e}")
