"""Limits of motors in numbers, and inputs that make a torque at rest.

p: parameters in the order of the system's, one column or, with the last index, many of them.
"""

from typing import Any

import numpy as np

from chorda.describe import JointMotor, Motor
from chorda.mechanics.system import Array, System

FIELDS = (".max_torque", ".max_speed", ".max_current", ".max_voltage")
NO_LIMIT = 1e30  # [N m, rad/s, A, V] instead of a limit that shall not act


def motors(system: System) -> dict[str, Motor | JointMotor]:
    """By name."""
    return {x.name: x for x in system.robot.actuators if isinstance(x, Motor | JointMotor)}


def without_limits(system: System, p: Any) -> Any:
    """Parameters, in numbers or symbols, with which no limit of a motor acts."""
    rows = [k for k, name in enumerate(system.parameter_names) if name.endswith(FIELDS)]
    if not rows:
        return p
    out = p.copy() if isinstance(p, np.ndarray) else p[:]
    out[rows] = NO_LIMIT
    return out


def input_per_torque(system: System, name: str, p: Any) -> Any:
    """Input of a motor for each newton metre at rest: 1, or volts where it has a winding."""
    motor = motors(system).get(name)
    if motor is None or motor.winding is None:
        return 1.0
    R, k = (_value(system, f"{name}.winding.{x}", p) for x in ("resistance", "torque_constant"))
    return R / k


def back_emf(system: System, name: str, p: Any) -> Any:
    """Voltage per rate of a motor's rotor [V s/rad]; 0 without a winding."""
    motor = motors(system).get(name)
    if motor is None or motor.winding is None:
        return 0.0
    own = motor.winding.back_emf_constant is not None
    field = "back_emf_constant" if own else "torque_constant"
    return _value(system, f"{name}.winding.{field}", p)


def torque_limits(system: System, p: Array) -> dict[str, float]:
    """The largest torque at rest of each motor that has one [N m], by name."""
    found = {}
    for name, motor in motors(system).items():
        limits = []
        if motor.max_torque is not None:
            limits.append(_value(system, f"{name}.max_torque", p))
        if motor.max_current is not None:
            of = name if motor.winding is None else f"{name}.winding"
            k = _value(system, f"{of}.torque_constant", p)
            limits.append(k * _value(system, f"{name}.max_current", p))
        if motor.winding is not None and motor.winding.max_voltage is not None:
            most = _value(system, f"{name}.winding.max_voltage", p)
            limits.append(most / input_per_torque(system, name, p))
        if limits:
            found[name] = float(min(limits))
    return found


def input_limits(system: System, p: Array) -> dict[str, float]:
    """The largest useful input of each motor that has one: a torque, or with a winding the largest
    voltage."""
    found = {}
    for name, most in torque_limits(system, p).items():
        motor = motors(system)[name]
        if motor.winding is None:
            found[name] = most
        elif motor.winding.max_voltage is not None:
            found[name] = float(_value(system, f"{name}.winding.max_voltage", p))
    return found


def cut_off(system: System, q: Array, v: Array, u: Array, p: Array) -> list[str]:
    """Sentences' parts on motors whose limits act at one state: 'm (max_torque)'."""
    if not system.limits:
        return []
    left = np.asarray(system.margins(q, v, u, p).full()).ravel()
    return [f"{x.name} ({x.field})" for x, m in zip(system.limits, left, strict=True) if m < 0]


def _value(system: System, name: str, p: Any) -> Any:
    return p[system.parameter_names.index(name)]
