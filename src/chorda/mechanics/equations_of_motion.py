"""Last stage: M a = F + J^T lam, by inverse dynamics, and the energies."""

import casadi as ca

from chorda.mechanics.approximate_tangent import approximate_tangent
from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.forces import Forces, required
from chorda.mechanics.frames import SX
from chorda.mechanics.inverse_dynamics import gravity_energy, kinetic_energy
from chorda.mechanics.passive_forces import PassiveForces
from chorda.mechanics.records import Dynamics
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tendon_forces import TendonForces


def equations_of_motion(
    skeleton: Skeleton,
    drive: Drivetrain,
    passive: PassiveForces,
    tendons: TendonForces,
    forces: Forces,
) -> Dynamics:
    motors, v, a = drive.motors, drive.v, drive.a
    nv = v.numel()
    inertial = required(skeleton, SX(nv, 1), a, SX(3, 1))
    M = ca.substitute(ca.jacobian(inertial, a), a, SX.zeros(nv))  # zeros of rods' loops vanish
    M_motors = sum((x.J.T @ x.inertia @ x.J for x in motors), SX(nv, nv))
    residual = required(skeleton, v, a, skeleton.gravity) + M_motors @ a + forces.bias_motors
    kinetic = sum((x.inertia * x.rate**2 / 2 for x in motors), SX(1, 1))
    return Dynamics(
        N=drive.N,
        M=ca.tril2symm(ca.tril(M + M_motors)),
        F=forces.F,
        F_pulled=forces.F_pulled,
        dry=forces.dry,
        jumping=sum((x.dry_force for x in motors if x.jumps), SX(nv, 1)),
        residual=residual - forces.applied,
        kinetic=kinetic_energy(skeleton.tree, skeleton.by_joint(v)) + kinetic,
        potential=gravity_energy(skeleton.tree, skeleton.gravity) + passive.energy + tendons.energy,
        approximate_tangent=approximate_tangent(skeleton, drive, passive, tendons),
    )
