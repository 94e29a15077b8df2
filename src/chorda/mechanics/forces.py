"""Sixth stage: the generalized force F, also as a function of the tensions."""

from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.inverse_dynamics import inverse_dynamics
from chorda.mechanics.passive_forces import PassiveForces
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tendon_forces import TendonForces


@dataclass(frozen=True, eq=False)
class Forces:
    """F = applied - bias."""

    applied: Expr  # by springs, friction, loads, tendons and actuators
    applied_pulled: Expr  # the same with the tensions as symbols
    dry: Expr  # the part of them that is dry friction
    bias: Expr  # what the motion requires without accelerations: Coriolis and gravity
    bias_motors: Expr  # the same of motors that rigid tendons tie to the joints

    @property
    def F(self) -> Expr:
        return self.applied - self.bias - self.bias_motors

    @property
    def F_pulled(self) -> Expr:
        return self.applied_pulled - self.bias - self.bias_motors


def forces(
    skeleton: Skeleton, drive: Drivetrain, passive: PassiveForces, tendons: TendonForces
) -> Forces:
    v, none = drive.v, SX(*drive.v.shape)
    bias = required(skeleton, v, none, skeleton.gravity)
    dry = sum((motor.dry_force for motor in drive.motors), none)

    def applied(tension: Expr) -> Expr:
        actuators = sum((motor.force(tension) for motor in drive.motors), none)
        return passive.force + tendons.Z @ tension + actuators + dry

    return Forces(
        applied=applied(ca.sparsify(tendons.tension)),
        applied_pulled=applied(tendons.pulls),
        dry=dry,
        bias=bias,
        bias_motors=sum((x.J.T @ (x.inertia * x.J_dot_v) for x in drive.motors), none),
    )


def required(skeleton: Skeleton, v: Expr, a: Expr, gravity: Expr) -> Expr:
    """Forces that a motion of the bodies requires; the rows of motors are zero."""
    by_joint = skeleton.by_joint
    joints = inverse_dynamics(skeleton.tree, by_joint(v), by_joint(a), gravity)
    return ca.vertcat(joints, SX(v.numel() - joints.numel(), 1))
