"""How a motion ended, and what to try where it could not go on."""

import numpy as np

from chorda.compile import Exit
from chorda.describe.path_checks import element_text
from chorda.dynamics.cvodes import Cvodes
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.linearize import feedback, linearize
from chorda.dynamics.schemes import Scheme
from chorda.dynamics.schemes.stepper import no_memory
from chorda.dynamics.stable_step import Limit, limit
from chorda.dynamics.time_loop import Motion
from chorda.dynamics.touching_advice import impact_advice, newton_advice, touching_there
from chorda.mechanics import Array, System
from chorda.plurals import many
from chorda.results import Code, Status
from chorda.results.status import OF_EXIT
from chorda.statics import winding_limits as winding
from chorda.statics.loop_checks import NEARLY_SINGULAR, singular

TOUCHING = 1e-6  # [m] of clearance: solvers stop a little before there is none
UNBLOCK = (
    "Limit the joints' ranges or the inputs, or move the pulley; check initial values and "
    "parameters if it happens at the start."
)
GIVE_STOP = (
    "If something stops the joint there, describe it beside the range: "
    "'stop: {stiffness: ..., damping: ...}'."
)
SHORT_STEP = 1e-5  # [s] below, rounding in closures, divided by the step, hides convergence


def brief(motion: Motion, steps: int, h: float) -> Status:
    """How far a motion came, without a search for the reason."""
    t = motion.done * h
    where = f"at step {motion.done + 1} (t = {t + h:g} s)"
    if motion.past is not None:
        return motion.past.status(where)
    if motion.interrupted:
        return Status(
            Code.INTERRUPTED,
            f"Interrupted at t = {t:g} s, after {motion.done} of {many(steps, 'step')}; what was "
            "computed is kept.",
        )
    if motion.exit == Exit.DONE:
        return Status(Code.COMPLETED, f"Completed {many(steps, 'step')} to t = {t:g} s.")
    left = "left its ranges" if motion.exit == Exit.OUT_OF_BOUNDS else "could not go on"
    return Status(OF_EXIT[motion.exit], f"The motion {left} {where}.")


def explained(loop: SchemeLoop | Cvodes, motion: Motion, steps: int, h: float, p: Array) -> Status:
    """How a motion ended; where it failed, why, and what to try."""
    if motion.exit == Exit.DONE or motion.interrupted or motion.past is not None:
        status, shared = brief(motion, steps, h), loop.system.constraints.not_unique
        remark = f" Forces of {', '.join(shared)} are not unique: the least ones are given."
        message = status.message + (remark if shared else "") + _asked_to_push(loop.system, motion)
        return Status(status.code, message)
    system, last, after = loop.system, motion.last[0], motion.refused
    where = f"at step {motion.done + 1} (t = {(motion.done + 1) * h:g} s)"
    if (blocked := _blocked_path(system, last, after, h, p)) is not None:
        return Status(Code.IMPOSSIBLE_PATH, f"{blocked} {where}. {UNBLOCK}")
    unknown = after is None or not np.all(np.isfinite(after))
    if unknown and (turned := winding.near(system, last, h, p)) is not None:
        return turned.status(where)
    held = last[: system.nq], motion.last[1], p
    if names := singular(system, *held, NEARLY_SINGULAR):
        return Status(
            Code.DIVERGED,
            f"The loops came to a singular configuration {where}: nothing holds "
            f"{', '.join(names)} of the closures there, they can move in several ways, and their "
            "forces have no bound. Keep the motion away from it, by ranges or inputs.",
        )
    touching = touching_there(system, last, motion.last[1], h, p)
    if motion.exit == Exit.NOT_CONVERGED:
        other = "larger" if system.nc and h < SHORT_STEP else "smaller"
        return Status(
            Code.NOT_CONVERGED,
            f"Newton's method did not converge {where}. Try a {other} step than {h:g} s, a looser "
            "tolerance, or 'implicit-euler', which solves one linear system a step."
            f"{newton_advice(system, touching)}",
        )
    if motion.exit == Exit.STEP_UNDERFLOW:
        return Status(
            Code.STEP_TOO_SMALL,
            f"The step size went to zero {where}: the motion is too stiff or not smooth there. "
            "Try an implicit scheme ('implicit-euler', 'rosenbrock', 'cvodes').",
        )
    if loop.law is not None and np.isnan(motion.tried).any():
        return Status(
            Code.INFEASIBLE,
            "The controller found no tensions above the minimum, and below the maximum where one "
            f"is given, that give the wanted forces {where}. Try lower gains, a slower reference, "
            "wider limits, or other tendon arrangements.",
        )
    code, what = _what_happened(system, after)
    if isinstance(loop, Cvodes):
        if loop.reason:
            what = f"CVODES gave up ({loop.reason})"
            advice = "The motion is too violent or not smooth there: try a looser tolerance or a "
            advice += "fixed-step implicit scheme."
        else:
            advice = "Check inputs, gains and loads."
        return Status(code, f"{what} {where}. {advice}{_stopless(code)}")
    found = _tightest_limit(loop, motion, h, p)
    if found is not None and found.step < h:
        code = Code.DIVERGED  # whichever bound it crossed first
    impact = impact_advice(system, touching)
    advice = _advice(loop.scheme, found, h, motion.done == 0, impact)
    return Status(code, f"{what} {where}. {advice}{_stopless(code)}")


def _stopless(code: Code) -> str:
    """What to describe where a joint that left its range has a stop there."""
    return f" {GIVE_STOP}" if code == Code.OUT_OF_RANGE else ""


def _asked_to_push(system: System, motion: Motion) -> str:
    """A sentence on tendons of which a control law asked for less than no tension."""
    tendons, pulled = system.robot.tendons, [x.name for x in system.inputs if x.kind == "tension"]
    names = [item.name for item in system.inputs]
    lowest = {
        t.name: float(motion.U[:, names.index(t.actuator)].min())
        for t in tendons
        if t.actuator in pulled and t.law.one_sided
    }
    asked = ", ".join(f"{name} ({low:.4g} N)" for name, low in lowest.items() if low < 0)
    return f" Asked for less than 0 N, and slack then: {asked}." if asked else ""


def _advice(scheme: Scheme, found: Limit | None, h: float, at_start: bool, impact: str) -> str:
    if found is None:
        return "Try a smaller step, or check inputs and parameters."
    if found.step < h:
        allowed = f"up to {found.step * 1e3:.3g} ms" if found.step else "at no step"
        return (
            f"Here {scheme.title} is stable only {allowed} and the step was {h * 1e3:.3g} ms; the "
            f"mode that limits it: {found.mode}. Try "
            + (f"step={float(f'{0.9 * found.step:.1e}'):g}, or " if found.step else "")
            + "an implicit scheme such as 'implicit-euler'."
        )
    advice = (
        f"The step of {h * 1e3:.3g} ms is within the stability limit of {scheme.title} at the "
        "start and at the last good state"
    )
    if impact:
        return f"{advice}. {impact}"
    advice += ", so the motion itself goes there: check inputs, gains and loads."
    if at_start and scheme.iterates and scheme.memory is not no_memory:
        advice += " If inputs jump at the start, let them grow over some steps, or take bdf2."
    return advice


def _blocked_path(
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
            at = winding.configuration_text(system, configuration)
            return (
                f"Tendon '{tendon.name}' can no longer run from "
                f"{element_text(tendon, pair.first)} to {element_text(tendon, pair.second)}: "
                f"they came too near to each other ({at})"
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
            low, high = c.admissible
            if not low <= value <= high:
                return Code.OUT_OF_RANGE, (
                    f"{name} = {value:.3g} {c.unit} left its range {low:.3g} to {high:.3g}"
                )
    worst = int(np.argmax(np.abs(after[: len(names)])))
    return Code.DIVERGED, f"{names[worst]} = {after[worst]:.3g} is beyond any bound"


def _tightest_limit(loop: SchemeLoop, motion: Motion, h: float, p: Array) -> Limit | None:
    """The smaller stable step of those at the start and at the last good state, with the
    controller's gains where there is one."""
    system, law, found = loop.system, loop.law, []
    looks = [(motion.last[0], motion.tried)]
    if motion.done:
        looks.insert(0, (motion.X[0], motion.U[0]))
    for x, u in looks:
        q, still = x[: system.nq], np.zeros(system.nv)
        try:
            lin = linearize(system, q, still, u, p)
            gains = None if law is None else feedback(system, law, q, still, p)
            found.append(limit(loop.scheme, lin, gains, used=h))
        except (np.linalg.LinAlgError, RuntimeError, ValueError):
            continue
    return min(found, key=lambda x: x.step, default=None)
