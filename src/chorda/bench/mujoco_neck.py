"""A MuJoCo model of the tendon-driven bird neck: an independent peer for speed and accuracy.

The neck is a planar stack of X-joints (anti-parallelograms) in the x-y plane, y up. Joint j
stands on the bar with ends ``L{j-1}`` (left) and ``R{j-1}`` (right) and carries the bar with ends
``L{j}`` and ``R{j}``; its two crossed diagonals run L{j-1}-R{j} and R{j-1}-L{j}. A MuJoCo body
tree cannot hold a closed loop, so per joint three pivots are hinges (``a``: foot of the diagonal
to the right, ``b``: foot of the diagonal to the left, ``d``: right end of the upper bar) and the
fourth, at the left end of the upper bar, is a ``connect`` equality between two sites.

All quantities are in SI units. MuJoCo itself is imported only when a function needs it.
"""

from __future__ import annotations

import importlib
import math
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
MOTOR_INERTIA = 1e-5  # kg m^2, of each rotor, about its axis
TENDON_STIFFNESS, TENDON_DAMPING = 1e5, 100.0  # N/m in tension and compression, N s/m
PULL_RIGHT, PULL_LEFT = -0.016, -0.02  # N m, motor torques of the speed measurement


def torques(joints: int) -> list[float]:
    """Motor torques of the speed measurement [N m]: the right ones from the bottom, the left."""
    return [PULL_RIGHT] * joints + [PULL_LEFT]


def _mujoco() -> Any:
    return importlib.import_module("mujoco")


def _text(*values: float) -> str:
    return " ".join(repr(float(value)) for value in values)


def _slender_bar(body: ET.Element, mass: float, length: float, centre: Sequence[float]) -> None:
    """Give a body the inertia of a uniform bar (kg, m) along ``centre``, or x if that is 0."""
    across = mass * length**2 / 12
    angle = math.atan2(centre[1], centre[0])
    # The moment about the bar's own axis plays no part in planar motion; MuJoCo wants it > 0.
    ET.SubElement(
        body,
        "inertial",
        mass=_text(mass),
        pos=_text(*centre, 0),
        euler=_text(0, 0, angle),
        diaginertia=_text(1e-3 * across, across, across),
    )


def _link(parent: ET.Element, name: str, x: float, y: float, pivot_x: float = 0) -> ET.Element:
    """Add a body at (x, y) m with a hinge about z, at ``pivot_x`` m along its own x axis."""
    body = ET.SubElement(parent, "body", name=name, pos=_text(x, y, 0))
    hinge = {"name": name, "type": "hinge", "axis": "0 0 1", "pos": _text(pivot_x, 0, 0)}
    ET.SubElement(body, "joint", hinge, damping=_text(PIVOT_DAMPING))
    return body


def _bar_ends(body: ET.Element, index: int) -> None:
    for name, x in (("L", -BAR / 2), ("R", BAR / 2)):
        ET.SubElement(body, "site", name=f"{name}{index}", pos=_text(x, 0, 0))


def _x_joint(base: ET.Element, index: int) -> ET.Element:
    """Put X-joint ``index`` on the bar body ``base``; return the body of its upper bar."""
    to_right = _link(base, f"a{index}", -BAR / 2, 0)
    _slender_bar(to_right, DIAGONAL_MASS, DIAGONAL, (BAR / 2, REST_HEIGHT / 2))
    to_left = _link(base, f"b{index}", BAR / 2, 0)
    _slender_bar(to_left, DIAGONAL_MASS, DIAGONAL, (-BAR / 2, REST_HEIGHT / 2))
    ET.SubElement(to_left, "site", name=f"close{index}", pos=_text(-BAR, REST_HEIGHT, 0))
    upper = _link(to_right, f"d{index}", BAR / 2, REST_HEIGHT, pivot_x=BAR / 2)
    _slender_bar(upper, BAR_MASS, BAR, (0, 0))
    _bar_ends(upper, index)
    return upper


def _spatial(
    tendons: ET.Element, name: str, sites: Sequence[str], spring: dict[str, str]
) -> ET.Element:
    element = ET.SubElement(tendons, "spatial", spring, name=name)
    for site in sites:
        ET.SubElement(element, "site", site=site)
    return element


def mjcf(joints: int = 3, timestep: float = 2e-3, integrator: str = "implicit") -> str:
    """Write the neck as an MJCF document.

    Args:
        joints: number n of X-joints.
        timestep: s. With these tendons RK4 needs 1e-3 or less, Euler, implicit and
            implicitfast 5e-4 or less; at 2e-3 all but discrete diverge within half a second.
        integrator: one of Euler, RK4, implicit, implicitfast, discrete (from MuJoCo 3.13 on).

    Returns:
        The document. Its controls are the motor torques in N m, those of the n right tendons
        from the bottom, then that of the left tendon; a negative torque pulls.
    """
    root = ET.Element("mujoco", model=f"neck{joints}")
    ET.SubElement(root, "compiler", angle="radian")
    option = ET.SubElement(root, "option", timestep=_text(timestep), integrator=integrator)
    option.attrib |= {"gravity": "0 -9.81 0", "solver": "Newton", "tolerance": "1e-12"}
    # No contacts, and one island only; autoreset would hide a divergence by restarting from rest.
    ET.SubElement(option, "flag", contact="disable", island="disable", autoreset="disable")
    world = ET.SubElement(root, "worldbody")
    tendons = ET.SubElement(root, "tendon")
    equality = ET.SubElement(root, "equality")
    actuators = ET.SubElement(root, "actuator")

    _bar_ends(world, 0)
    base = world
    for j in range(1, joints + 1):
        base, stiffness = _x_joint(base, j), SPRINGS[j == joints]
        for side in "LR":
            spring = {"stiffness": _text(stiffness), "springlength": _text(SPRING_FREE_LENGTH)}
            _spatial(tendons, f"spring{side}{j}", (f"{side}{j - 1}", f"{side}{j}"), spring)
        # The pivot closed by the equality has no hinge; its rate is a sum of the three others'.
        closed = ET.SubElement(tendons, "fixed", name=f"pivot{j}", damping=_text(PIVOT_DAMPING))
        for hinge, coefficient in (("a", 1), ("b", -1), ("d", 1)):
            ET.SubElement(closed, "joint", joint=f"{hinge}{j}", coef=_text(coefficient))
        # MuJoCo's constraints are springs scaled by the constrained inertia. These are as hard as
        # it allows: impedance at its upper bound of 0.9999 whatever the violation, and critical
        # damping with the time constant at its lower bound for stability, two time steps.
        closure = {"site1": f"close{j}", "site2": f"L{j}", "solref": _text(2 * timestep, 1)}
        ET.SubElement(equality, "connect", closure, solimp="0.9999 0.9999 0.001")

    # A motor is a slide along z, where gravity does nothing, in s = DRUM * theta. Its tendon runs
    # from the slide to a fixed eye, then (a pulley of ratio 1) along the neck, so that the length
    # is MOTOR_RUN - s + l(alpha). With no dead band, a spatial tendon's spring is two-sided.
    paths: list[tuple[str, ...]] = [(f"R{j - 1}", f"R{j}") for j in range(1, joints + 1)]
    paths.append(tuple(f"L{j}" for j in range(joints + 1)))
    for i, path in enumerate(paths, start=1):
        position = _text(0.1 * i, 0, -MOTOR_RUN)
        ET.SubElement(world, "site", name=f"eye{i}", pos=_text(0.1 * i, 0, 0))
        motor = ET.SubElement(world, "body", name=f"motor{i}", pos=position)
        ET.SubElement(motor, "joint", name=f"motor{i}", type="slide", axis="0 0 1")
        mass = _text(MOTOR_INERTIA / DRUM**2)
        ET.SubElement(motor, "inertial", mass=mass, pos="0 0 0", diaginertia="1 1 1")
        ET.SubElement(motor, "site", name=f"motor{i}")
        slack = MOTOR_RUN + (len(path) - 1) * REST_HEIGHT
        elastic = {"stiffness": _text(TENDON_STIFFNESS), "damping": _text(TENDON_DAMPING)}
        elastic["springlength"] = _text(slack)
        tendon = _spatial(tendons, f"tendon{i}", (f"motor{i}", f"eye{i}"), elastic)
        ET.SubElement(tendon, "pulley", divisor="1")
        for site in path:
            ET.SubElement(tendon, "site", site=site)
        ET.SubElement(actuators, "motor", joint=f"motor{i}", gear=_text(1 / DRUM))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode")


def load(joints: int = 3, **settings: Any) -> tuple[Any, Any]:
    """Compile the neck; return its ``(MjModel, MjData)``, upright and at rest.

    ``settings`` are further arguments of :func:`mjcf`, by name.
    """
    mujoco = _mujoco()
    model = mujoco.MjModel.from_xml_string(mjcf(joints, **settings))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def _sites(data: Any, name: str, first: int, last: int) -> NDArray[np.float64]:
    """Positions (m) of the sites name{first} ... name{last}, as of the last forward pass."""
    return np.array([data.site(f"{name}{j}").xpos for j in range(first, last + 1)])


def alpha(model: Any, data: Any) -> NDArray[np.float64]:
    """Angle of each joint's upper bar relative to its lower one (rad, positive to the left)."""
    addresses = [[model.joint(f"{h}{j}").qposadr[0] for h in "ad"] for j in range(1, model.neq + 1)]
    return data.qpos[np.array(addresses)].sum(axis=1)


def closure_error(model: Any, data: Any) -> float:
    """Largest gap in the closed loops (m), as of the last forward pass."""
    gap = _sites(data, "close", 1, model.neq) - _sites(data, "L", 1, model.neq)
    return float(np.linalg.norm(gap, axis=1).max())


def mid_bar_distance(model: Any, data: Any) -> NDArray[np.float64]:
    """Distance of the centres of each joint's two bars (m), as of the last forward pass."""
    centre = (_sites(data, "L", 0, model.neq) + _sites(data, "R", 0, model.neq)) / 2
    return np.linalg.norm(np.diff(centre, axis=0), axis=1)


def trajectory(
    integrator: str, torques: Sequence[float], duration: float, timestep: float, joints: int = 3
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Let the neck move from upright rest under constant motor torques.

    Args:
        integrator: as in :func:`mjcf`.
        torques: N m, of the n right motors from the bottom, then of the left one.
        duration: s, rounded to whole time steps.
        timestep: s.
        joints: number n of X-joints.

    Returns:
        The times (s), shape (m,), and the joint angles (rad), shape (m, n), at every step;
        the angles are NaN once the integrator has diverged.
    """
    mujoco = _mujoco()
    model, data = load(joints, timestep=timestep, integrator=integrator)
    data.ctrl[:] = torques
    steps = round(duration / timestep)
    angles = np.zeros((steps + 1, joints))
    for k in range(1, steps + 1):
        mujoco.mj_step(model, data)
        angles[k] = alpha(model, data)
    return np.arange(steps + 1, dtype=np.float64) * timestep, angles
