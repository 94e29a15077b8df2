"""Last stage: M a = F + J^T lam by inverse dynamics, and the energies."""

import casadi as ca

from chorda.mechanics.approximate_tangent import approximate_tangent
from chorda.mechanics.articulated.articulated_steps import articulated_steps
from chorda.mechanics.articulated.linearized_tree import moving_tree
from chorda.mechanics.first_order import rates
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.inverse_dynamics import gravity_energy, kinetic_energy
from chorda.mechanics.mechanism import Mechanism
from chorda.mechanics.records import Dynamics

FEW_VELOCITIES = 6  # of joints: up to there, M by differentiation costs less


def equations_of_motion(m: Mechanism) -> Dynamics:
    skeleton, motors, v, a = m.skeleton, m.train.motors, m.train.v, m.train.a
    nv = v.numel()
    M_motors = sum((x.J.T @ x.inertia @ x.J for x in motors), SX(nv, nv))
    residual = m.required(v, a, skeleton.gravity) + M_motors @ a + m.bias_motors
    kinetic = sum((x.inertia * x.rate**2 / 2 for x in motors), SX(1, 1))
    stored = m.passive.energy + m.tendons.energy
    gravity = gravity_energy(skeleton.tree, skeleton.gravity)
    source, decay = rates(m.train.states)
    moved = m.train.q.numel() - source.numel()
    z = m.train.q[moved:, :]
    return Dynamics(
        N=m.train.N,
        M=ca.tril2symm(ca.tril(_inertia(m) + M_motors)),
        F=m.F,
        F_resting=m.F_resting,
        F_pulled=m.F_pulled,
        slack_force=_unactuated(m),
        dry=m.dry,
        jumping=m.jumping,
        residual=residual - m.applied,
        kinetic=kinetic_energy(skeleton.tree, skeleton.by_joint(v)) + kinetic,
        potential=gravity + stored,
        applied=m.applied,
        stored=stored,
        approximate_tangent=approximate_tangent(m),
        articulated=articulated_steps(m),
        q_dot=m.train.N @ v + ca.vertcat(SX(moved, 1), source - decay * z),
        source=source,
        decay=decay,
        states=m.train.states,
    )


def _unactuated(m: Mechanism) -> Expr:
    """Forces on the joints at rest, without tensions and inputs."""
    symbols = ca.vertcat(m.train.v, m.train.u)
    return ca.substitute(m.passive.force - m.bias, symbols, SX.zeros(symbols.numel()))


def _inertia(m: Mechanism) -> Expr:
    """M of the bodies: that of composite bodies, unless few share their terms with F."""
    tree, nv, a = m.skeleton.tree, m.train.v.numel(), m.train.a
    few = m.skeleton.v.numel() <= FEW_VELOCITIES
    if few or any(joint.soft is not None for joint in tree.joints):
        inertial = m.required(SX(nv, 1), a, SX(3, 1))
        return ca.substitute(ca.jacobian(inertial, a), a, SX.zeros(nv))  # zeros of scans vanish
    still = m.skeleton.by_joint(SX(nv, 1))
    sizes = [joint.v.numel() for joint in tree.joints]
    M = moving_tree(tree, still, still, SX(3, 1), ()).inertia(sizes)
    motors = nv - sum(sizes)
    return ca.diagcat(M, SX(motors, motors))
