"""A Rosenbrock method of order 4, L-stable, four stages, one matrix a step [Hairer1996, ROS4].

(I/(g h) - A) U_i = f(x + sum a_ij U_j) + sum c_ij/h U_j + h d_i f_t,   x1 = x + sum b_i U_i,
with A the exact derivative of f = (q_dot, a). Without closures A is never formed: multiplied by M
its rows are the derivatives of inverse dynamics.
"""

import casadi as ca

from chorda.dynamics.schemes.stepper import Model, Scheme, Stepper, acceleration, symbols
from chorda.mechanics.algebra import Factor
from chorda.mechanics.frames import SX, Expr

GAMMA = 0.57282
A = [
    [],
    [2.0],
    [1.867943637803922, 0.2344449711399156],
    [1.867943637803922, 0.2344449711399156, 0.0],
]
C = [
    [],
    [-7.137615036412310],
    [2.580708087951457, 0.6515950076447975],
    [-2.137148994382534, -0.3214669691237626, -0.6949742501781779],
]
B = [2.255570073418735, 0.2870493262186792, 0.4353179431840180, 1.093502252409163]
TIMES = [0.0, 1.14564, 0.65521686381559, 0.65521686381559]
D = [0.57282, -1.769193891319233, 0.7592633437920482, -0.1049021087100450]


def build(model: Model) -> Stepper:
    s = symbols(model)
    nq, nv = model.nq, model.nv
    q0, v0, h, p = s.q, s.v, s.h, s.p
    q, v, a, u = SX.sym("q", nq), SX.sym("v", nv), SX.sym("a", nv), SX.sym("u", model.nu)

    def here(expression: Expr, accel: Expr) -> Expr:
        old = ca.vertcat(q, v, a, u)
        return ca.substitute(expression, old, ca.densify(ca.vertcat(q0, v0, accel, s.u0)))

    u_rate = (s.u1 - s.u0) / h
    a0 = acceleration(model, q0, v0, s.u0, p, u_rate)
    if model.nc:
        r, M = acceleration(model, q, v, u, p, u_rate), SX.eye(nv)
    else:
        r, M = -model.residual(q, v, a, u, p), model.equations(q0, v0, s.u0, p)[0]
    K, damping, G = (here(ca.jacobian(r, x), a0) for x in (q, v, u))
    q_dot = model.moving(q, v, u, p)
    N = here(ca.jacobian(q_dot, v), a0) if model.nz else model.kinematics(q0)
    turning = here(ca.jacobian(q_dot, q), a0)
    ramp_q = here(ca.jacobian(q_dot, u), a0) @ u_rate
    e = 1 / (GAMMA * h)
    kinematic = Factor(e * SX.eye(nq) - turning)
    carried = ca.horzcat(*[kinematic.solve(N[:, j]) for j in range(nv)])
    matrix = Factor(e * M - damping - K @ carried)
    ramp = G @ u_rate  # M f_t: inputs run linearly over the step

    Uq: list[Expr] = []
    Uv: list[Expr] = []
    slope_q, slope_v = model.moving(q0, v0, s.u0, p), a0
    for i in range(4):
        if i in (1, 2):  # the last stage stands where the third does
            at_q = q0 + sum((w * k for w, k in zip(A[i], Uq, strict=True)), SX(nq, 1))
            at_v = v0 + sum((w * k for w, k in zip(A[i], Uv, strict=True)), SX(nv, 1))
            at_u = s.u0 + TIMES[i] * (s.u1 - s.u0)
            slope_q = model.moving(at_q, at_v, at_u, p)
            slope_v = acceleration(model, at_q, at_v, at_u, p, u_rate)
        rq = slope_q + sum((c / h * k for c, k in zip(C[i], Uq, strict=True)), SX(nq, 1))
        rq += h * D[i] * ramp_q
        rv = slope_v + sum((c / h * k for c, k in zip(C[i], Uv, strict=True)), SX(nv, 1))
        right = M @ rv + h * D[i] * ramp + K @ kinematic.solve(rq)
        Uv.append(matrix.solve(right))
        Uq.append(kinematic.solve(rq + N @ Uv[-1]))
    q1 = q0 + sum((b * k for b, k in zip(B, Uq, strict=True)), SX(nq, 1))
    v1 = v0 + sum((b * k for b, k in zip(B, Uv, strict=True)), SX(nv, 1))
    return Stepper(s, ca.vertcat(model.normalized(q1), v1))


SCHEME = Scheme("rosenbrock", "Rosenbrock ROS4", 4, build, "Hairer1996", implicit=True)
