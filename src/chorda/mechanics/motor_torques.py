"""The torque that acts on a rotor: that of the input, through a winding, within the limits.

Without a winding the input is the torque. It is cut off at the torque at rest, T: the smaller of
max_torque and torque_constant max_current. With a no-load speed w0 what is left in the direction
of motion falls along the torque-speed line, T (1 - w / w0), to zero at w0 and beyond; against the
motion it stays T.

With a winding the input is a voltage u, cut off at max_voltage. The current (u - k w) / R is cut
off at max_current, and where its torque would be beyond max_torque: the drive lowers the voltage
to R i + k w. With an inductance the current follows that one, i: L z_dot = R i - R z, which is
u - k w - R z where nothing is cut off, and never goes beyond what i does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from chorda.describe import JointMotor, Motor
from chorda.mechanics.first_order import FirstOrderState, state
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters

LARGE_CURRENT = 1.0  # [A]


@dataclass(frozen=True, eq=False)
class MotorTorque:
    """acting: on the rotor [N m]; current [A], where it is known; margins: by the field of each
    limit, what is left of it, below zero where it cuts something off; state: the current, where
    it has an inductance."""

    acting: Expr
    current: Expr | None
    margins: Mapping[str, Expr]
    state: FirstOrderState | None = None


def motor_torque(
    motor: Motor | JointMotor, asked: Expr, rate: Expr, par: Parameters
) -> MotorTorque:
    """asked: the input, a torque [N m] or a voltage [V]."""
    if motor.winding is not None:
        return _wound(motor, asked, rate, par)
    limits = {}
    k = _parameter(motor, "torque_constant", "N m/A", par)
    if (most := _parameter(motor, "max_torque", "N m", par)) is not None:
        limits["max_torque"] = most
    if (most := _parameter(motor, "max_current", "A", par)) is not None:
        assert k is not None
        limits["max_current"] = k * most
    margins = {name: most - ca.fabs(asked) for name, most in limits.items()}
    acting = asked
    if limits:
        bound = least(*limits.values())
        low, high = -bound, bound
        if (no_load := _parameter(motor, "max_speed", "rad/s", par)) is not None:
            ahead, back = (ca.fmax(1 + way * rate / no_load, 0) for way in (-1, 1))
            low, high = -bound * ca.fmin(back, 1), bound * ca.fmin(ahead, 1)
            margins["max_speed"] = least(bound * ahead - asked, bound * back + asked)
        acting = clipped(asked, low, high)
    return MotorTorque(acting, None if k is None else acting / k, margins)


def _wound(motor: Motor | JointMotor, voltage: Expr, rate: Expr, par: Parameters) -> MotorTorque:
    winding = motor.winding
    assert winding is not None
    name = f"{motor.name}.winding"
    R = par.scalar(f"{name}.resistance", winding.resistance, "ohm", positive=True)
    k = par.scalar(f"{name}.torque_constant", winding.torque_constant, "N m/A", positive=True)
    back = k
    if winding.back_emf_constant is not None:
        unit = "V s/rad"
        back = par.scalar(
            f"{name}.back_emf_constant", winding.back_emf_constant, unit, positive=True
        )
    margins = {}
    if winding.max_voltage is not None:
        most = par.scalar(f"{name}.max_voltage", winding.max_voltage, "V", positive=True)
        margins["max_voltage"] = most - ca.fabs(voltage)
        voltage = clipped(voltage, -most, most)
    current = (voltage - back * rate) / R
    limits = {}
    if (most := _parameter(motor, "max_torque", "N m", par)) is not None:
        limits["max_torque"] = most / k
    if (most := _parameter(motor, "max_current", "A", par)) is not None:
        limits["max_current"] = most
    margins |= {limit: most - ca.fabs(current) for limit, most in limits.items()}
    if limits:
        bound = least(*limits.values())
        current = clipped(current, -bound, bound)
    if winding.inductance is None:
        return MotorTorque(k * current, current, margins)
    L = par.scalar(f"{name}.inductance", winding.inductance, "H", positive=True)
    z = SX.sym(f"{motor.name}.current")
    lag = state(z.name(), "A", z, R / L * current, R / L, LARGE_CURRENT, rest=current)
    return MotorTorque(k * z, z, margins, lag)


def _parameter(motor: Motor | JointMotor, field: str, unit: str, par: Parameters) -> Expr | None:
    value = getattr(motor, field)
    if value is None:
        return None
    return par.scalar(f"{motor.name}.{field}", value, unit, positive=True)


def clipped(x: Expr, low: Any, high: Any) -> Expr:
    """x between two limits; on a limit its slope is 1, where that of fmin would be a half."""
    return SX(ca.if_else(x > high, high, ca.if_else(x < low, low, x)))


def least(*values: Expr) -> Expr:
    found = values[0]
    for x in values[1:]:
        found = ca.fmin(found, x)
    return found
