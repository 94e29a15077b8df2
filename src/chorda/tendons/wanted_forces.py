"""Configurations in which contacts press with wanted forces, near one that is given."""

from collections.abc import Mapping

import casadi as ca
import numpy as np

from chorda.checks import check_names, numeric
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.contacts.contact_laws import NormalLaw
from chorda.mechanics.contacts.touch_records import TouchForce
from chorda.mechanics.frames import SX
from chorda.mechanics.stop_forces import LEAST_SMOOTHING
from chorda.numerics.newton import newton

EXACT = 1e-13  # [m]
LONGEST_MOVE = 0.3  # over the scales, in an iteration
DEEPEST = 1.0  # [m]


def pressed(system: System, q: Array, p: Array, wanted: Mapping[str, float]) -> Array:
    """The configuration near q in which contacts press with wanted normal forces [N] at rest.

    Coordinates move as little as possible, over their scales; closures stay shut.
    """
    check_names("normal_forces", wanted, [x.label for x in system.touches])
    at = {x.label: k for k, x in enumerate(system.touches)}
    gaps = np.array([-_depth(system, system.touches[at[n]], n, x, p) for n, x in wanted.items()])
    rows, still, u = [at[name] for name in wanted], np.zeros(system.nv), np.zeros(system.nu)
    slopes = system.once(
        "gap-slopes",
        lambda: system.function(
            "slopes", "q u p", ca.densify(ca.jacobian(system.touch_gap, system.q))
        ),
    )
    scale = np.asarray(system.scales)

    def residual(x: Array) -> Array:
        found = system.touch_gaps(x, still, u, p).full().ravel()[rows] - gaps
        return np.concatenate([found, system.closing(x, u, p)[0].full().ravel()])

    def evaluate(x: Array) -> tuple[Array, Array]:
        by_move = slopes(x, u, p).full()[rows] @ system.kinematics(x).full()
        J = np.vstack([by_move, system.closing(x, u, p)[1].full()])
        return residual(x), J * scale

    def moved(x: Array, d: Array) -> Array:
        return np.asarray(x + system.kinematics(x).full() @ (scale * d))

    found = newton(evaluate, q, tolerance=EXACT, moved=moved, longest=LONGEST_MOVE)
    if not found.converged:
        listed = ", ".join(f"{name} with {x:g} N" for name, x in wanted.items())
        raise InputError(
            f"normal_forces: no configuration near the given one was found in which {listed} "
            "presses; give one where these shapes nearly touch"
        )
    return found.x


def _depth(system: System, touch: TouchForce, name: str, force: float, p: Array) -> float:
    """How deep shapes overlap that press with a force at rest [m]."""
    from scipy.optimize import brentq

    number = numeric(f"normal_forces.{name}", force)
    if number.ndim or not 0 < number < np.inf:
        raise InputError(
            f"normal_forces.{name}: expected one force of more than 0 N, got {force!r:.60}; shapes "
            "only push each other"
        )
    contact = next(x for x in system.robot.contacts if touch.label.split(".")[0] == x.name)
    values = dict(zip(system.parameter_names, p.tolist(), strict=True))
    smoothing = contact.smoothing
    if smoothing is not None:
        smoothing = max(values[f"{contact.name}.smoothing"], LEAST_SMOOTHING)
    stiffness = SX(values[f"{contact.name}.stiffness"])
    law = NormalLaw(stiffness, contact.exponent, None, None if smoothing is None else SX(smoothing))
    x = SX.sym("x")
    stored = ca.Function("stored", [x], [law.stored(-x)])
    if float(stored(DEEPEST)) < number:
        raise InputError(
            f"normal_forces.{name}: expected less than the {float(stored(DEEPEST)):.3g} N of "
            f"shapes that overlap by {DEEPEST:g} m, got {force:g} N"
        )

    def missing(depth: float) -> float:
        return float(stored(depth)) - force

    return float(brentq(missing, 0.0, DEEPEST, xtol=1e-15, rtol=1e-14))
