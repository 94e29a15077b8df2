"""A MuJoCo model of the tendon-driven bird neck: an independent peer for speed and accuracy.

The neck is a planar stack of X-joints (anti-parallelograms) in the x-y plane, y up. Joint j
stands on the bar with ends ``L{j-1}`` (left) and ``R{j-1}`` (right) and carries the bar with ends
``L{j}`` and ``R{j}``; its two crossed diagonals run L{j-1}-R{j} and R{j-1}-L{j}. A MuJoCo body
tree cannot hold a closed loop, so per joint three pivots are hinges (``a``: foot of the diagonal
to the right, ``b``: foot of the diagonal to the left, ``d``: right end of the upper bar) and the
fourth, at the left end of the upper bar, is a ``connect`` equality between two sites.

All quantities are in SI units. MuJoCo itself is imported only when a function needs it.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from chorda.mechanics import Array

BAR = 0.05  # m, length b of the bars
DIAGONAL = 0.1  # m, length L of the diagonals
BAR_MASS = 0.032  # kg
DIAGONAL_MASS = 0.064  # kg
SPRING_FREE_LENGTH = 0.046  # m
PIVOT_DAMPING = 0.001  # N m s/rad, in each of the four pivots
DRUM = 0.02 / 25  # m/rad, tendon paid out per radian of the rotor
REST_HEIGHT = math.sqrt(DIAGONAL**2 - BAR**2)  # m, distance of the bars' centres at alpha = 0
MOTOR_RUN = 1.0  # m, stretch of tendon from the motor's slide to its fixed eye at theta = 0

SPRINGS = 600.0, 200.0  # N/m, both springs of a joint: of the topmost one the second
MOTOR_INERTIA = 1e-4  # kg m^2, of each rotor, about its axis
TENDON_STIFFNESS, TENDON_DAMPING = 1e5, 100.0  # N/m in tension and compression, N s/m
PULL_RIGHT, PULL_LEFT = -0.016, -0.02  # N m, motor torques of the speed measurement


def torques(joints: int) -> list[float]:
    """Motor torques of the speed measurement [N m]: the right ones from the bottom, the left."""
    return [PULL_RIGHT] * joints + [PULL_LEFT]


def _body(name: str, x: float, y: float, pivot_x: float = 0.0) -> str:
    """The start of a body at (x, y) m with a hinge about z, at ``pivot_x`` m along its x axis."""
    return (
        f'<body name="{name}" pos="{x} {y} 0"><joint name="{name}" axis="0 0 1" '
        f'pos="{pivot_x} 0 0" damping="{PIVOT_DAMPING}"/>'
    )


def _slender_bar(mass: float, length: float, x: float = 0.0, y: float = 0.0) -> str:
    """The inertia of a uniform bar (kg, m) with the centre (x, y) m, along that direction."""
    across = mass * length**2 / 12
    # The moment about the bar's own axis plays no part in planar motion; MuJoCo wants it > 0.
    return (
        f'<inertial mass="{mass}" pos="{x} {y} 0" euler="0 0 {math.atan2(y, x)}" '
        f'diaginertia="{1e-3 * across} {across} {across}"/>'
    )


def _bar_ends(index: int) -> str:
    return (
        f'<site name="L{index}" pos="{-BAR / 2} 0 0"/><site name="R{index}" pos="{BAR / 2} 0 0"/>'
    )


def _x_joint(index: int, above: str) -> str:
    """X-joint ``index``, for the bar that it stands on; its upper bar carries ``above``."""
    half, middle = BAR / 2, REST_HEIGHT / 2
    return (
        _body(f"a{index}", -half, 0.0)
        + _slender_bar(DIAGONAL_MASS, DIAGONAL, half, middle)
        + _body(f"d{index}", half, REST_HEIGHT, pivot_x=half)
        + f"{_slender_bar(BAR_MASS, BAR)}{_bar_ends(index)}{above}</body></body>"
        + _body(f"b{index}", half, 0.0)
        + _slender_bar(DIAGONAL_MASS, DIAGONAL, -half, middle)
        + f'<site name="close{index}" pos="{-BAR} {REST_HEIGHT} 0"/></body>'
    )


def _along(sites: Sequence[str]) -> str:
    return "".join(f'<site site="{site}"/>' for site in sites)


def mjcf(joints: int = 3, timestep: float = 2e-3, integrator: str = "implicit") -> str:
    """Write the neck as an MJCF document.

    Parameters
    ----------
    joints : int
        Number n of X-joints.
    timestep : float
        [s]. With these tendons RK4 needs 1e-3 or less, Euler, implicit and implicitfast 5e-4 or
        less; at 2e-3 all but discrete diverge within half a second.
    integrator : str
        One of Euler, RK4, implicit, implicitfast, discrete (from MuJoCo 3.13 on).

    Returns
    -------
    str
        The document. Its controls are the motor torques in N m, those of the n right tendons
        from the bottom, then that of the left tendon; a negative torque pulls.
    """
    neck = tendons = closures = motors = actuators = ""
    for j in range(joints, 0, -1):
        neck = _x_joint(j, neck)
        for side in "LR":
            tendons += (
                f'<spatial name="spring{side}{j}" stiffness="{SPRINGS[j == joints]}" '
                f'springlength="{SPRING_FREE_LENGTH}">{_along((f"{side}{j - 1}", f"{side}{j}"))}'
                "</spatial>"
            )
        # The pivot closed by the equality has no hinge; its rate is a sum of the three others'.
        tendons += (
            f'<fixed name="pivot{j}" damping="{PIVOT_DAMPING}"><joint joint="a{j}" coef="1"/>'
            f'<joint joint="b{j}" coef="-1"/><joint joint="d{j}" coef="1"/></fixed>'
        )
        # MuJoCo's constraints are springs scaled by the constrained inertia. These are as hard as
        # it allows: impedance at its upper bound of 0.9999 whatever the violation, and critical
        # damping with the time constant at its lower bound for stability, two time steps.
        closures += (
            f'<connect site1="close{j}" site2="L{j}" solref="{2 * timestep} 1" '
            'solimp="0.9999 0.9999 0.001"/>'
        )

    # A motor is a slide along z, where gravity does nothing, in s = DRUM * theta. Its tendon runs
    # from the slide to a fixed eye, then (a pulley of ratio 1) along the neck, so that the length
    # is MOTOR_RUN - s + l(alpha). With no dead band, a spatial tendon's spring is two-sided.
    paths = [[f"R{j - 1}", f"R{j}"] for j in range(1, joints + 1)]
    paths.append([f"L{j}" for j in range(joints + 1)])
    for i, path in enumerate(paths, start=1):
        motors += (
            f'<site name="eye{i}" pos="{0.1 * i} 0 0"/>'
            f'<body name="motor{i}" pos="{0.1 * i} 0 {-MOTOR_RUN}">'
            f'<joint name="motor{i}" type="slide" axis="0 0 1"/><inertial pos="0 0 0" '
            f'mass="{MOTOR_INERTIA / DRUM**2}" diaginertia="1 1 1"/><site name="motor{i}"/></body>'
        )
        slack = MOTOR_RUN + (len(path) - 1) * REST_HEIGHT
        tendons += (
            f'<spatial name="tendon{i}" stiffness="{TENDON_STIFFNESS}" damping="{TENDON_DAMPING}" '
            f'springlength="{slack}">{_along((f"motor{i}", f"eye{i}"))}<pulley divisor="1"/>'
            f"{_along(path)}</spatial>"
        )
        actuators += f'<motor joint="motor{i}" gear="{1 / DRUM}"/>'
    # No contacts, and one island only; autoreset would hide a divergence by restarting from rest.
    return (
        f'<mujoco model="neck{joints}"><compiler angle="radian"/><option timestep="{timestep}" '
        f'integrator="{integrator}" gravity="0 -9.81 0" solver="Newton" tolerance="1e-12">'
        '<flag contact="disable" island="disable" autoreset="disable"/></option>'
        f"<worldbody>{_bar_ends(0)}{neck}{motors}</worldbody><tendon>{tendons}</tendon>"
        f"<equality>{closures}</equality><actuator>{actuators}</actuator></mujoco>"
    )


def load(torques: Sequence[float], **settings: Any) -> tuple[Any, Any]:
    """Compile the neck; return its ``(MjModel, MjData)``, upright and at rest.

    Motors pull with constant torques (N m), those of the right tendons from the bottom, then that
    of the left one. ``settings`` are further arguments of :func:`mjcf`, by name.
    """
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf(len(torques) - 1, **settings))
    data = mujoco.MjData(model)
    data.ctrl[:] = torques
    mujoco.mj_forward(model, data)
    return model, data


def _sites(data: Any, name: str, first: int, last: int) -> Array:
    """Positions (m) of the sites name{first} ... name{last}, as of the last forward pass."""
    return np.array([data.site(f"{name}{j}").xpos for j in range(first, last + 1)])


def closure_error(model: Any, data: Any) -> float:
    """Largest gap in the closed loops (m), as of the last forward pass."""
    gap = _sites(data, "close", 1, model.neq) - _sites(data, "L", 1, model.neq)
    return float(np.linalg.norm(gap, axis=1).max())


def mid_bar_distance(model: Any, data: Any) -> Array:
    """Distance of the centres of each joint's two bars (m), as of the last forward pass."""
    centre = (_sites(data, "L", 0, model.neq) + _sites(data, "R", 0, model.neq)) / 2
    return np.asarray(np.linalg.norm(np.diff(centre, axis=0), axis=1))


def trajectory(model: Any, data: Any, duration: float) -> Array:
    """Let the neck move for some time (s), rounded to whole time steps.

    Returns
    -------
    Array
        Angles (m, n) of each joint's upper bar relative to its lower one (rad, positive to the
        left), at the start and after every step; NaN once the integrator has diverged.
    """
    import mujoco

    hinges = np.array(
        [[model.joint(f"{h}{j}").qposadr[0] for h in "ad"] for j in range(1, model.neq + 1)]
    )
    angles = np.zeros((round(duration / model.opt.timestep) + 1, model.neq))
    for row in angles[1:]:
        mujoco.mj_step(model, data)
        row[:] = data.qpos[hinges].sum(axis=1)
    return angles
