"""Stiffness and damping for Newton's matrix of robots with rods, whose scans cost much to
differentiate."""

import casadi as ca

from chorda.mechanics.drivetrain import Drivetrain
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.passive_forces import PassiveForces
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tendon_forces import Tendons


def approximate_tangent(
    skeleton: Skeleton, drive: Drivetrain, passive: PassiveForces, tendons: Tendons
) -> tuple[Expr, Expr] | None:
    """K and D near -dF/dq N and -dF/dv; None for robots without rods.

    They are exact for springs, dampers and tendons, but leave out gravity, what the accelerations
    require, and how the arms of tendons outside rods change.
    """
    if not any(joint.soft is not None for joint in skeleton.tree.joints):
        return None
    friction = sum((x.J.T @ (x.viscous + x.dry) for x in drive.motors), SX(*drive.v.shape))
    K, D = (-ca.jacobian(passive.force - friction, x) for x in (drive.q, drive.v))
    K = K @ drive.N + _tightness(skeleton, drive, tendons)
    for i, pull in enumerate(tendons.each):
        if (spring := pull.spring) is not None:
            arm = tendons.Z[:, i] + (ca.jacobian(spring.paid, drive.q) @ drive.N).T
            K, D = (x + arm @ (spring.slope(k) * arm.T) for k, x in enumerate((K, D)))
    return K, D


def _tightness(skeleton: Skeleton, drive: Drivetrain, tendons: Tendons) -> Expr:
    """The stiffness that tensions bring to rods in whose sheaths they pull."""
    tension = {
        f"{tendon.name}.sheath{k}": pull.tension
        for tendon, pull in zip(skeleton.robot.tendons, tendons.each, strict=True)
        for k in range(len(tendon.sheaths))
    }
    blocks = [
        SX(joint.v.numel(), joint.v.numel())
        if joint.tightness is None
        else joint.tightness(tension)
        for joint in skeleton.tree.joints
    ]
    motors = drive.v.numel() - skeleton.v.numel()
    return ca.diagcat(*blocks, SX(motors, motors))
