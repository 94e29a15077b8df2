"""Motors: friction, and how a drum's angle pays a tendon out."""

import casadi as ca

from chorda.describe import Motor
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters


def pay_out(motor: Motor, par: Parameters) -> Expr:
    """B = drum radius / gear ratio: metres of tendon per radian of motor [Testard2023, eq. 1]."""
    radius = par.scalar(f"{motor.name}.drum_radius", motor.drum_radius, "m")
    ratio = par.scalar(f"{motor.name}.gear_ratio", motor.gear_ratio, "-")
    return radius / ratio


def frictions(motor: Motor, rate: Expr, par: Parameters) -> tuple[Expr, Expr]:
    """Torques (viscous, dry) that oppose the rotor's rate; dry as in [Testard2023, sec. 2]."""
    viscous = dry = SX(0)
    if motor.friction is not None:
        viscous = par.scalar(f"{motor.name}.friction", motor.friction, "N m s/rad") * rate
    if motor.dry_friction is not None:
        torque = par.scalar(f"{motor.name}.dry_torque", motor.dry_friction.torque, "N m")
        if motor.dry_friction.kind == "sign":
            dry = torque * ca.sign(rate)
        else:
            slope = par.scalar(f"{motor.name}.dry_slope", motor.dry_friction.slope, "s/rad")
            dry = 2 / ca.pi * torque * ca.atan(slope * rate)
    return viscous, dry
