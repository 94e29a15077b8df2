"""What contacts have to do with a motion that could not go on, as a sentence."""

import numpy as np

from chorda.mechanics import Array, System

AHEAD = 2.0  # steps within which shapes meet


def touching_there(system: System, state: Array, u: Array, h: float, p: Array) -> list[int]:
    """Points that touch at a state, or meet within the next steps at its velocities."""
    if not system.touches:
        return []
    q, v = state[: system.nq], state[system.nq : system.nq + system.nv]
    ahead = q + AHEAD * h * (system.kinematics(q).full() @ v)
    gaps = [system.touch_gaps(x, v, u, p).full().ravel() for x in (q, ahead)]
    with np.errstate(invalid="ignore"):
        return [int(i) for i in np.flatnonzero(np.min(gaps, axis=0) < 0)]


def newton_advice(system: System, touching: list[int]) -> str:
    """Where Newton's method did not converge."""
    bristles = set(system.coordinate_names)
    smooth = [
        x.label
        for x in (system.touches[i] for i in touching)
        if x.coefficient is not None
        and not any(f"{x.label}.bristle.{k}" in bristles for k in "xyz")
    ]
    if not smooth:
        return ""
    return (
        f" Smooth friction of contact {', '.join(smooth)} acts there: a larger slip_speed, or "
        "kind: bristle, converges in longer steps."
    )


def impact_advice(system: System, touching: list[int]) -> str:
    """Where a step within the limit of stability went wrong."""
    if not touching:
        return ""
    names = ", ".join(system.touches[i].label for i in touching)
    return (
        f"Contact {names} begins or acts there, which that limit does not see: try a smaller step, "
        "or 'implicit-euler'."
    )
