"""Motors: drum, inertia and friction, whatever their angle depends on."""

from dataclasses import dataclass

import casadi as ca

from chorda.describe import Motor
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters


@dataclass(frozen=True)
class Motion:
    """Symbols of the whole system: coordinates, velocities, accelerations, q_dot = N v."""

    q: Expr
    v: Expr
    a: Expr
    N: Expr


@dataclass(frozen=True)
class MotorTerms:
    """What a motor adds to M a + bias = force + dry, and to the kinetic energy.

    jumping is the part of dry that jumps with the rate's sign; demand the torque that is missing
    in the motor's own balance: a rigid tendon that leads the motor brings it.
    """

    M: Expr
    bias: Expr
    force: Expr
    dry: Expr
    jumping: Expr
    kinetic: Expr
    demand: Expr
    resistance: Expr  # its friction, viscous and dry


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
            arctan = motor.dry_friction.kind == "arctan"
            dry = torque * (2 / ca.pi * ca.atan(slope * rate) if arctan else ca.tanh(slope * rate))
    return viscous, dry


def motor_terms(
    motor: Motor, theta: Expr, torque: Expr, pull: Expr, motion: Motion, par: Parameters
) -> MotorTerms:
    """A motor in generalized coordinates, its angle theta(q) being a coordinate or not.

    With theta_dot = J v it adds J^T I J to M, J^T I J_dot v to the bias and J^T (torque -
    friction + pull) to the force [Testard2023, eqs. 1 and 3]; pull is the torque of its elastic
    tendons.
    """
    inertia = par.scalar(f"{motor.name}.inertia", motor.inertia, "kg m^2")
    J = ca.jacobian(theta, motion.q) @ motion.N
    rate = J @ motion.v
    J_dot_v = ca.sparsify(ca.jtimes(rate, motion.q, motion.N @ motion.v))
    viscous, dry = frictions(motor, rate, par)
    jumps = motor.dry_friction is not None and motor.dry_friction.kind == "sign"
    return MotorTerms(
        M=J.T @ inertia @ J,
        bias=J.T @ (inertia * J_dot_v),
        force=ca.sparsify(J.T @ (torque - viscous + pull)),
        dry=ca.sparsify(-J.T @ dry),
        jumping=ca.sparsify(-J.T @ dry) if jumps else SX(motion.v.numel(), 1),
        kinetic=inertia * rate**2 / 2,
        demand=inertia * (J @ motion.a + J_dot_v) - torque + viscous + dry - pull,
        resistance=J.T @ (viscous + dry),
    )
