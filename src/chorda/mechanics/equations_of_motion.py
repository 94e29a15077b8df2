"""Last stage: M a = F + J^T lam by inverse dynamics, and the energies."""

import casadi as ca

from chorda.mechanics.approximate_tangent import approximate_tangent
from chorda.mechanics.frames import SX
from chorda.mechanics.inverse_dynamics import gravity_energy, kinetic_energy
from chorda.mechanics.mechanism import Mechanism
from chorda.mechanics.records import Dynamics


def equations_of_motion(m: Mechanism) -> Dynamics:
    skeleton, motors, v, a = m.skeleton, m.train.motors, m.train.v, m.train.a
    nv = v.numel()
    inertial = m.required(SX(nv, 1), a, SX(3, 1))
    M = ca.substitute(ca.jacobian(inertial, a), a, SX.zeros(nv))  # zeros of rods' scans vanish
    M_motors = sum((x.J.T @ x.inertia @ x.J for x in motors), SX(nv, nv))
    residual = m.required(v, a, skeleton.gravity) + M_motors @ a + m.bias_motors
    kinetic = sum((x.inertia * x.rate**2 / 2 for x in motors), SX(1, 1))
    stored = m.passive.energy + m.tendons.energy
    gravity = gravity_energy(skeleton.tree, skeleton.gravity)
    return Dynamics(
        N=m.train.N,
        M=ca.tril2symm(ca.tril(M + M_motors)),
        F=m.F,
        F_pulled=m.F_pulled,
        slack_force=ca.substitute(m.passive.force - m.bias, v, SX.zeros(nv)),
        dry=m.dry,
        jumping=sum((x.dry_force for x in motors if x.jumps), SX(nv, 1)),
        residual=residual - m.applied,
        kinetic=kinetic_energy(skeleton.tree, skeleton.by_joint(v)) + kinetic,
        potential=gravity + stored,
        applied=m.applied,
        stored=stored,
        approximate_tangent=approximate_tangent(m),
    )
