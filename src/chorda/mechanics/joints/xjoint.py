"""The X-joint (anti-parallelogram): one coordinate alpha, two diagonals and a top bar.

With h = alpha/2 the mid-points of base and top bar are d = sqrt(L^2 - b^2 cos^2 h) apart along the
direction turned by h [Fasquelle2021, eq. 4]. The diagonals stand at phi = h + delta and
psi = h + pi - delta against the base bar, with cos delta = b cos(h) / L, sin delta = d / L, so
phi' = 1/2 + e, psi' = 1/2 - e with e = b sin(h) / (2 d). No angle is ever computed, only its
cosine and sine.
"""

import math

import casadi as ca

from chorda.describe import XJoint
from chorda.mechanics.frames import SX, Expr, Pose, vector
from chorda.mechanics.joints.joint_model import (
    Carried,
    Coordinate,
    Inertia,
    JointModel,
    dry_pivots,
)
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.stop_forces import stop_model


def _turn(c: Expr, s: Expr) -> Expr:
    R = SX.eye(3)
    R[0, 0], R[0, 1], R[1, 0], R[1, 1] = c, -s, s, c
    return R


def _uniform_bar(mass: Expr, length: Expr) -> Inertia:
    """A slender bar along x."""
    J = mass * length**2 / 12
    matrix = SX(3, 3)
    matrix[1, 1] = matrix[2, 2] = J
    return Inertia(mass, SX(3, 1), matrix)


def build(joint: XJoint, par: Parameters) -> JointModel:
    name = joint.name
    L = par.scalar(f"{name}.diagonal_length", joint.diagonal_length, "m", positive=True)
    b = par.scalar(f"{name}.bar_length", joint.bar_length, "m", positive=True)
    m_d = par.scalar(f"{name}.diagonal_mass", joint.diagonal_mass, "kg", positive=True)
    m_b = par.scalar(f"{name}.bar_mass", joint.bar_mass, "kg", positive=True)
    friction = SX(0)
    if joint.friction is not None:
        friction = par.scalar(f"{name}.friction", joint.friction, "N m s/rad")

    stop = stop_model(joint, "rad", "N m", par)
    low, high = joint.range
    coordinate = Coordinate(
        name, "rad", low=low, high=high, stops=stop is not None, farthest=math.pi
    )

    alpha = SX.sym(name)
    c, s = ca.cos(alpha / 2), ca.sin(alpha / 2)
    d = ca.sqrt(L**2 - b**2 * c**2)
    d_prime = b**2 * s * c / (2 * d)
    e = b * s / (2 * d)
    phi_rate, psi_rate = 0.5 + e, 0.5 - e
    cos_delta, sin_delta = b * c / L, d / L
    cos_phi, sin_phi = c * cos_delta - s * sin_delta, s * cos_delta + c * sin_delta
    cos_psi, sin_psi = -c * cos_delta - s * sin_delta, c * sin_delta - s * cos_delta
    left, right = vector(-b / 2, 0, 0), vector(b / 2, 0, 0)
    z = vector(0, 0, 1)

    def diagonal(frame: str, foot: Expr, cos: Expr, sin: Expr, rate: Expr) -> Carried:
        middle = foot + L / 2 * vector(cos, sin, 0)
        linear = L / 2 * rate * vector(-sin, cos, 0)
        return Carried(frame, Pose(_turn(cos, sin), middle), z * rate, linear, _uniform_bar(m_d, L))

    top = Carried(
        "top",
        Pose(_turn(c * c - s * s, 2 * s * c), d * vector(-s, c, 0)),
        z,
        d_prime * vector(-s, c, 0) - d / 2 * vector(c, s, 0),
        _uniform_bar(m_b, b),
    )
    on_bar = {"left": left, "right": right}
    on_diagonal = {"low": vector(-L / 2, 0, 0), "high": vector(L / 2, 0, 0)}
    ends = {"base": on_bar, "left_diagonal": on_diagonal}
    ends |= {"right_diagonal": on_diagonal, "top": on_bar}
    # four pivots, two turning at phi' and two at psi' = 1 - phi' [Testard2023, sec. 2]
    pivots = ca.vertcat(phi_rate, psi_rate, phi_rate, psi_rate)
    return JointModel(
        q=alpha,
        v=SX.sym(f"{name}.rate"),
        coordinates=(coordinate,),
        velocities=((f"{name}.rate", "rad/s"),),
        kinematics=SX.eye(1),
        carried=(
            diagonal("left_diagonal", left, cos_phi, sin_phi, phi_rate),
            diagonal("right_diagonal", right, cos_psi, sin_psi, psi_rate),
            top,
        ),
        pivots=pivots,
        pivot_friction=friction,
        **dry_pivots(joint, pivots, par),
        stop=stop,
        anchors={(frame, end): x for frame, both in ends.items() for end, x in both.items()},
        lines=tuple(("bar", tuple((f, x) for x in both.values())) for f, both in ends.items()),
    )
