"""Last stages: the generalized force F, also as a function of the tensions; M a = F + J^T lam by
inverse dynamics; and the energies."""

from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.approximate_tangent import approximate_tangent
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.inverse_dynamics import gravity_energy, inverse_dynamics, kinetic_energy
from chorda.mechanics.passive_forces import PassiveForces
from chorda.mechanics.records import Dynamics
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tendon_forces import Tendons


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
    skeleton: Skeleton, drive: Drivetrain, passive: PassiveForces, tendons: Tendons
) -> Forces:
    v, none = drive.v, SX(*drive.v.shape)
    bias = _required(skeleton, v, none, skeleton.gravity)
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


def equations_of_motion(
    skeleton: Skeleton,
    drive: Drivetrain,
    passive: PassiveForces,
    tendons: Tendons,
    forces: Forces,
) -> Dynamics:
    motors, v, a = drive.motors, drive.v, drive.a
    nv = v.numel()
    inertial = _required(skeleton, SX(nv, 1), a, SX(3, 1))
    M = ca.substitute(ca.jacobian(inertial, a), a, SX.zeros(nv))  # zeros of rods' scans vanish
    M_motors = sum((x.J.T @ x.inertia @ x.J for x in motors), SX(nv, nv))
    residual = _required(skeleton, v, a, skeleton.gravity) + M_motors @ a + forces.bias_motors
    kinetic = sum((x.inertia * x.rate**2 / 2 for x in motors), SX(1, 1))
    return Dynamics(
        N=drive.N,
        M=ca.tril2symm(ca.tril(M + M_motors)),
        F=forces.F,
        F_pulled=forces.F_pulled,
        slack_force=ca.substitute(passive.force - forces.bias, v, SX.zeros(nv)),
        dry=forces.dry,
        jumping=sum((x.dry_force for x in motors if x.jumps), SX(nv, 1)),
        residual=residual - forces.applied,
        kinetic=kinetic_energy(skeleton.tree, skeleton.by_joint(v)) + kinetic,
        potential=gravity_energy(skeleton.tree, skeleton.gravity) + passive.energy + tendons.energy,
        approximate_tangent=approximate_tangent(skeleton, drive, passive, tendons),
    )


def _required(skeleton: Skeleton, v: Expr, a: Expr, gravity: Expr) -> Expr:
    """Forces that a motion of the bodies requires; the rows of motors are zero."""
    by_joint = skeleton.by_joint
    joints = inverse_dynamics(skeleton.tree, by_joint(v), by_joint(a), gravity)
    return ca.vertcat(joints, SX(v.numel() - joints.numel(), 1))
