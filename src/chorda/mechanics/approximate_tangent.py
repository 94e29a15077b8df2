"""Stiffness and damping for Newton's matrix of robots with rods, whose scans cost much to
differentiate."""

import casadi as ca

from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.mechanism import Mechanism


def approximate_tangent(m: Mechanism) -> tuple[Expr, Expr] | None:
    """K and D near -dF/dq N and -dF/dv; None for robots without rods.

    They are exact for springs, dampers and tendons, but leave out gravity, loads along rods, what
    the accelerations require, and how the arms of tendons outside rods and the normals of contacts
    change.
    """
    train, tendons = m.train, m.tendons
    if not any(joint.soft is not None for joint in m.skeleton.tree.joints):
        return None
    each = (x.J.T @ (x.viscous + x.carried - x.torque) for x in train.motors)
    friction = sum(each, SX(*train.v.shape))
    own = m.passive.unloaded + m.passive.loaded + m.dry - friction
    K, D = (-ca.jacobian(own, x) for x in (train.q, train.v))
    touching = m.passive.contacts.tangent()
    K, D = K @ train.N + _tightness(m) + touching[0], D + touching[1]
    for i, pull in enumerate(tendons.each):
        if (spring := pull.spring) is not None:
            wound = (ca.jacobian(spring.paid, train.q) @ train.N).T
            arm, pulled = tendons.Z[:, i] + wound, tendons.arms[:, i] + wound
            K, D = (x + pulled @ (spring.slope(k) * arm.T) for k, x in enumerate((K, D)))
    return K, D - _rubbed(m)


def _rubbed(m: Mechanism) -> Expr:
    """How forces change with the ways in which cables slide, and these with the velocities."""
    force = SX(*m.train.v.shape)
    for x in m.tendons.each:
        if x.rubbing is not None:
            force += x.rubbing.arms * x.tension
    return ca.sparsify(ca.jacobian(force, m.train.v)) if m.tendons.rubs else SX(0)


def _tightness(m: Mechanism) -> Expr:
    """The stiffness that tensions bring to rods in whose sheaths they pull."""
    tension = {
        f"{tendon.name}.sheath{k}": pull.tension
        for tendon, pull in zip(m.skeleton.robot.tendons, m.tendons.each, strict=True)
        for k in range(len(tendon.sheaths))
    }
    blocks = [
        SX(joint.v.numel(), joint.v.numel())
        if joint.tightness is None
        else joint.tightness(tension)
        for joint in m.skeleton.tree.joints
    ]
    motors = m.train.v.numel() - m.skeleton.v.numel()
    return ca.diagcat(*blocks, SX(motors, motors))
