"""What a scheme is to the runner: expressions that take one state to the next.

The state x is (q, v, memory): memory is whatever a scheme keeps from earlier steps. A scheme sees
a Model (a System, or the linearised one) and symbols; of a System no more than a LinearModel has.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca

from chorda.dynamics.linearize import LinearModel
from chorda.mechanics import System
from chorda.mechanics.algebra import solve
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.subexpressions import shared

CLOSING = 1e-10  # of J J^T, where closures depend on each other
SHUTTING = 2  # corrections, each of which squares the gap
STABILISATION = 50.0  # [1/s] how fast explicit schemes pull closures shut (Baumgarte)
MATRIX_VELOCITIES = 16  # up to which a step with a matrix may be the cheaper one
Model = System | LinearModel


@dataclass(frozen=True)
class Step:
    """The symbols of one step: from x over h, with inputs u0 at its start and u1 at its end."""

    x: Expr
    q: Expr
    v: Expr
    memory: Expr
    h: Expr
    u0: Expr
    u1: Expr
    p: Expr

    @property
    def arguments(self) -> list[Expr]:
        return [self.x, self.h, self.u0, self.u1, self.p]


def symbols(model: Model, memory: int = 0) -> Step:
    """Symbols for a step of this model."""
    nq, nv = model.nq, model.nv
    x = SX.sym("x", nq + nv + memory)
    return Step(
        x=x,
        q=x[:nq],
        v=x[nq : nq + nv],
        memory=x[nq + nv :],
        h=SX.sym("h"),
        u0=SX.sym("u0", model.nu),
        u1=SX.sym("u1", model.nu),
        p=SX.sym("p", model.p.numel()),
    )


@dataclass(frozen=True)
class Stepper:
    """A scheme made for a model.

    Direct schemes give `after`; adaptive ones `error` too, an estimate for each entry of x. Newton
    schemes give `guess` (z from the step's symbols), `residual` (zero at the z that is sought),
    and `after` as a function of z. weight: the size of a correction dz is max(|dz| weight), a
    change of velocity relative to 1 + |v|.

    Newton's method then runs in one of two ways. With `better` and `change`, one correction by the
    exact matrix in symbols and its size; or, where the matrix costs many residuals, with
    `residual` and `matrix` in numbers, the matrix being kept for as long as it serves.
    """

    step: Step
    after: Expr
    z: Expr | None = None
    guess: Expr | None = None
    residual: Expr | None = None
    weight: Expr | None = None
    reuses_matrix: bool = False
    error: Expr | None = None
    approximate_matrix: Expr | None = None
    recursive_correction: Expr | None = None

    @cached_property
    def matrix(self) -> Expr:
        """d residual / dz, dense; or an approximation that costs less."""
        if self.approximate_matrix is not None:
            return ca.densify(self.approximate_matrix)
        return ca.densify(ca.jacobian(self.residual, self.z))

    @cached_property
    def correction(self) -> Expr:
        """dz, with the exact matrix of this z."""
        if self.recursive_correction is not None:
            return self.recursive_correction
        return -solve(ca.jacobian(self.residual, self.z), self.residual)

    @property
    def better(self) -> Expr:
        return self.z + self.correction

    @property
    def change(self) -> Expr:
        return ca.mmax(ca.fabs(self.correction) * self.weight)


def operations(stepper: Stepper) -> int:
    """Of one step, or of one of its corrections."""
    inputs, result = stepper.step.arguments, stepper.after
    if stepper.z is not None:
        inputs, result = [*inputs, stepper.z], stepper.correction
    return int(ca.Function("step", inputs, shared(inputs, [result])).n_instructions())


def cheapest(
    model: Model, by_matrix: Callable[[Model], Stepper], by_recursion: Callable[[Model], Stepper]
) -> Stepper:
    """The stepper that takes fewer operations; one with a matrix of many velocities never does."""
    if model.articulated is None:
        return by_matrix(model)
    if model.nv > MATRIX_VELOCITIES:
        return by_recursion(model)
    return min(by_matrix(model), by_recursion(model), key=operations)


def no_memory(model: Model) -> int:
    return 0


def empty(model: Model, q: Expr, v: Expr, u: Expr, p: Expr, h: Expr) -> Expr:
    return SX(0, 1)


@dataclass(frozen=True)
class Scheme:
    """A named integration scheme.

    memory: how many numbers it keeps from step to step; start: their values before the first,
    from (model, q, v, u, p, h). iterates: whether a step is solved by Newton's method. variant:
    what tells it from others of its name.
    """

    name: str
    title: str
    order: int
    build: Callable[[Model], Stepper]
    source: str
    implicit: bool = False
    adaptive: bool = False
    iterates: bool = False
    memory: Callable[[Model], int] = no_memory
    start: Callable[[Model, Expr, Expr, Expr, Expr, Expr], Expr] = empty
    variant: str = ""

    @property
    def identity(self) -> str:
        """What tells its steps from those of all other schemes."""
        return f"{self.name} {self.variant}".strip()


def acceleration(
    model: Model,
    q: Expr,
    v: Expr,
    u: Expr,
    p: Expr,
    u_rate: Expr | None = None,
    over: Expr | None = None,
) -> Expr:
    """a from M a = F, with closures by multipliers.

    u_rate: of the inputs; with it closures are stabilised, without it taken to hold already.
    over: a time [s] in which rods give way to a; what vibrates faster then moves less.
    """
    M, F, _, J, bias, psi = model.equations(q, v, u, p)
    pull = -bias
    if model.nc and u_rate is not None:
        k = STABILISATION
        pull -= 2 * k * (J @ v + model.psi_u @ u_rate) + k**2 * psi
    if model.articulated is not None and model.nv > MATRIX_VELOCITIES:
        return model.articulated.accelerated(q, v, u, p, pull)[: model.nv]
    if over is not None and model.tangent is not None:
        _, K, D = model.tangent(q, v, u, p)
        M += over**2 / 4 * K + over / 2 * D
    if not model.nc:
        return solve(M, F)
    return bordered(M, J, F, pull, model.compliance)[: model.nv]


def bordered(A: Expr, J: Expr, top: Expr, bottom: Expr, compliance: Expr | float) -> Expr:
    """(x, lam) with A x - J^T lam = top, J x + compliance lam = bottom."""
    nc = J.shape[0]
    matrix = ca.vertcat(ca.horzcat(A, -J.T), ca.horzcat(J, yielding(nc, compliance)))
    return solve(matrix, ca.vertcat(top, bottom), nc)


def yielding(nc: int, compliance: Expr | float) -> Expr:
    """The block of the multipliers, without entries where closures are independent."""
    return ca.sparsify(compliance * SX.eye(nc))


def gaps_or_rates(model: Model, gaps: Expr, rates: Expr) -> Expr:
    """The rate of each closure; the gap of those that inputs move, whose rates are not known."""
    actuated = set(model.psi_u.sparsity().get_triplet()[0])
    return ca.vertcat(*[(gaps if i in actuated else rates)[i] for i in range(model.nc)])


def settled(model: Model, q1: Expr, h: Expr, v1: Expr, u1: Expr, p: Expr) -> tuple[Expr, Expr]:
    """q1, whose last rows have states z of first order from before the step, with those after it
    by implicit Euler over h, z1 = (z + h s1) / (1 + h w1); and dz1/ds1 (see `newton`)."""
    if not model.nz:
        return q1, SX(0, 1)
    source, decay = model.relaxation(q1, v1, u1, p)
    gain = h / (1 + h * decay)
    z1 = gain * (q1[-model.nz :] / h + source)
    return ca.vertcat(q1[: -model.nz], z1), gain


def settled_twice(model: Model, q1: Expr, step: Step, v1: Expr) -> tuple[Expr, Expr]:
    """The same of second order, by Lobatto IIIC of two stages [Hairer1996, IV.5]: as stable, and
    bristles never bend further than they do in sliding."""
    if not model.nz:
        return q1, SX(0, 1)
    s0, w0 = model.relaxation(step.q, step.v, step.u0, step.p)
    s1, w1 = model.relaxation(q1, v1, step.u1, step.p)
    h, more = step.h, 1 + step.h * w0
    gain = h / 2 * more / (1 + h / 2 * (w0 + more * w1))
    z1 = gain * ((q1[-model.nz :] + h / 2 * s0) / (h / 2 * more) + s1)
    return ca.vertcat(q1[: -model.nz], z1), gain


def shut(model: Model, q: Expr, u: Expr, p: Expr) -> Expr:
    """q with its closures, which are open by the error of one step, shut by Newton's method."""
    for _ in range(SHUTTING if model.nc else 0):
        psi, J = model.closing(q, u, p)
        slack = yielding(model.nc, model.compliance and CLOSING * ca.trace(J @ J.T) / model.nc)
        q = model.normalized(q - model.kinematics(q) @ (J.T @ solve(J @ J.T + slack, psi)))
    return q


def newton(
    model: Model,
    step: Step,
    after: Expr,
    z: Expr,
    guess: Expr,
    parts: tuple[Expr, Expr, Expr],
    shares: tuple[Expr, Expr, Expr],
    scale: Expr,
    settling: Expr,
    rates: bool = False,
) -> Stepper:
    """The scheme whose step is solved for z = (motion unknowns, lam).

    parts: q, v, a at the step's end as expressions of z; shares: how much of a change of z each
    takes. The residual is that of inverse dynamics, its derivative exact; friction that jumps is
    held over the step, as no derivative sees a jump. scale turns a change of the unknowns into one
    of velocity. settling: of states of first order, which follow q1 and v1 in closed form,
    dz1/ds1; dz1 = settling (ds1 - z1 dw1). rates: closures hold in their rates and not in q, for
    schemes that shut them afterwards.
    """
    q1, v1, a1 = parts
    nv = model.nv
    r = model.residual(q1, v1, a1, step.u1, step.p)
    r += model.jumps(q1, v1, step.u1, step.p) - model.jumps(step.q, step.v, step.u0, step.p)
    approximate = None
    if model.tangent is not None:
        M, K, D = model.tangent(q1, v1, step.u1, step.p)
        approximate = shares[0] * K + shares[1] * D + shares[2] * M
        approximate += _bending(model, parts, shares, step, settling)
    if model.nc:
        psi, J = model.closing(q1, step.u1, step.p)
        gap = psi / shares[0]
        if rates:
            gap = gaps_or_rates(model, gap, J @ v1 / shares[1])
        slack = yielding(model.nc, model.compliance / shares[2] if model.compliance else 0.0)
        gap += slack @ z[nv:]
        r = ca.vertcat(r - J.T @ z[nv:], gap)
        if approximate is not None:
            low = ca.horzcat(J, slack)
            approximate = ca.vertcat(ca.horzcat(approximate, -J.T), low)
    weight = ca.vertcat(scale / (1 + ca.fabs(v1)), SX(model.nc, 1))
    made = Stepper(
        step,
        after,
        z=z,
        guess=guess,
        residual=r,
        weight=weight,
        reuses_matrix=model.reuses_matrix,
        approximate_matrix=approximate,
    )
    if model.articulated is None or not model.articulated.corrects:
        return made

    def by_recursion(model: Model) -> Stepper:
        assert model.articulated is not None
        held = model.jumps(step.q, step.v, step.u0, step.p)
        given = q1, v1, a1, step.u1, step.p, ca.vertcat(*shares), held, settling
        return replace(made, recursive_correction=model.articulated.corrected(*given))

    return cheapest(model, lambda _: made, by_recursion)


def _bending(
    model: Model,
    parts: tuple[Expr, Expr, Expr],
    shares: tuple[Expr, Expr, Expr],
    step: Step,
    settling: Expr,
) -> Expr:
    """What states of first order add to the derivative of the residual."""
    nq, nv, nz = model.nq, model.nv, model.nz
    if not nz:
        return SX(nv, nv)
    q, v = SX.sym("q", nq), SX.sym("v", nv)
    by_z = ca.jacobian(model.residual(q, v, parts[2], step.u1, step.p), q[nq - nz :])
    z_dot = model.moving(q, v, step.u1, step.p)[nq - nz :]
    along = ca.jacobian(z_dot, q) @ model.kinematics(q)
    moved = shares[0] * along + shares[1] * ca.jacobian(z_dot, v)
    old, new = ca.vertcat(q, v), ca.densify(ca.vertcat(*parts[:2]))
    return ca.substitute(by_z @ ca.diag(settling) @ moved, old, new)
