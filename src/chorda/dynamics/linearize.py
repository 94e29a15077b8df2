"""The system linearised about a configuration: M a = K x + D v + B u, and a Model made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from chorda.checks import vector
from chorda.mechanics import Array, System
from chorda.mechanics.frames import SX, Expr
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.statics import winding_limits as winding
from chorda.statics.initial import check


@dataclass(frozen=True, eq=False)
class Linear:
    """M a = K x + D v + B u with x the deviation along the velocities, and J x = 0 for closures.

    Attributes
    ----------
    names : tuple of str
        Of the coordinates that the velocities belong to.
    M, K, D : array of shape (nv, nv)
        Inertia, and derivatives of the force by position and velocity.
    B : array of shape (nv, nu)
        Derivative of the force by the inputs.
    J : array of shape (nc, nv)
        Of the closures.
    D_dry : array of shape (nv, nv)
        The part of D that dry friction brings.
    compliance : float
        Of closures that depend on each other.
    """

    names: tuple[str, ...]
    M: Array
    K: Array
    D: Array
    B: Array
    J: Array
    D_dry: Array
    compliance: float = 0.0

    @property
    def A(self) -> Array:
        """State matrix of (x, v), with closures held by multipliers."""
        n = len(self.M)
        lower = self._accelerations(np.hstack([self.K, self.D]))
        return np.block([[np.zeros((n, n)), np.eye(n)], [lower]])

    def closed(self, gains: Array | None) -> Array:
        """State matrix under the feedback u = gains (x, v), without sampling."""
        A = self.A
        if gains is not None:
            A[len(self.M) :] += self._accelerations(self.B @ gains)
        return A

    def _accelerations(self, force: Array) -> Array:
        nc = len(self.J)
        if not nc:
            return np.asarray(np.linalg.solve(self.M, force))
        kkt = np.block([[self.M, -self.J.T], [self.J, self.compliance * np.eye(nc)]])
        right = np.vstack([force, np.zeros((nc, force.shape[1]))])
        return np.asarray(np.linalg.solve(kkt, right)[: len(self.M)])

    @cached_property
    def eigenvalues(self) -> Array:
        """Eigenvalues of the state matrix [1/s]."""
        return np.asarray(np.linalg.eigvals(self.A))


@interruptible()
@one_thread()
def linearize(
    system: System,
    q: Array | None = None,
    v: Array | None = None,
    u: Array | None = None,
    parameters: Mapping[str, float] | Array | None = None,
) -> Linear:
    """Differentiate the equations of motion exactly at a state.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    q, v, u : array, optional
        Coordinates, velocities and inputs; by default the configuration at rest without inputs.
    parameters : mapping or array, optional
        Changed values by name, or all of them.

    Returns
    -------
    Linear
        M a = K x + D v + B u, with x the deviation along the velocities.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> linearize(assemble(load("neck-3"))).K.shape
    (7, 7)
    """
    check(system)
    if isinstance(parameters, np.ndarray):
        p = vector("parameters", parameters, len(system.parameter_names))
    else:
        p = system.parameters(parameters)
    q = system.rest if q is None else system.unit(vector("q", q, system.nq), "q")
    v = np.zeros(system.nv) if v is None else vector("v", v, system.nv)
    u = np.zeros(system.nu) if u is None else vector("u", u, system.nu)
    winding.refuse(system, None, q, p, "q")
    M, K, D, B, J, dry = (x.full() for x in derivatives(system)(q, v, u, p))
    names = tuple(c.removesuffix(".rate") for c, _ in system.velocities)
    return Linear(names, M, K, D, B, J, dry, system.compliance)


def derivatives(system: System) -> Any:
    """(q, v, u, p) -> M, K = dF/dq N, D = dF/dv, B = dF/du, J, dDry/dv; made once per system."""

    def make() -> Any:
        d, J = system.dynamics, system.constraints.J
        K = ca.jacobian(d.F, system.q) @ d.N
        D, B = ca.jacobian(d.F, system.v), ca.jacobian(d.F, system.u)
        dry = ca.jacobian(d.dry, system.v)
        return system.function("linearized", "q v u p", d.M, K, D, B, J, dry)

    return system.once("linearized", make)


def feedback(
    system: System, law: Any, q: Array, v: Array, p: Array, w: Array | None = None
) -> Array:
    """Derivative of a law's inputs with respect to (deviation, velocity): (nu, 2 nv)."""
    kind = ca.SX if law.is_a("SXFunction") else ca.MX
    Q, V = kind.sym("q", system.nq), kind.sym("v", system.nv)
    W = np.zeros(law.size1_in(3)) if w is None else w
    u = law(0.0, Q, V, W, p)
    N = np.array(system.kinematics(q))
    both = ca.Function("gains", [Q, V], [ca.jacobian(u, Q), ca.jacobian(u, V)])(q, v)
    return np.hstack([both[0].full() @ N, both[1].full()])


class LinearModel:
    """The linearised system with what schemes use of a System: their step is linear in its state.

    Its p is empty, psi_u zero (no input moves a closure), and it has no tangent and no recursion.
    """

    tangent, articulated, reuses_matrix = None, None, False

    def __init__(self, linear: Linear) -> None:
        matrices = (linear.M, linear.K, linear.D, linear.B, linear.J, linear.D_dry)
        self.M, self.K, self.D, self.B, self.J, self.D_dry = (
            ca.sparsify(SX(ca.DM(x))) for x in matrices
        )
        self.nq, self.nv, self.nu, self.nc = *linear.M.shape, linear.B.shape[1], len(linear.J)
        self.p, self.psi_u = SX(0, 1), SX(self.nc, self.nu)
        self.compliance = linear.compliance

    def residual(self, q: Expr, v: Expr, a: Expr, u: Expr, p: Expr) -> Expr:
        """M a - F."""
        return self.M @ a - self.K @ q - self.D @ v - self.B @ u

    def equations(self, q: Expr, v: Expr, u: Expr, p: Expr) -> tuple[Expr, ...]:
        """M, F, dry, J, bias, psi."""
        F = self.K @ q + self.D @ v + self.B @ u
        return self.M, F, self.D_dry @ v, self.J, SX(self.nc, 1), self.J @ q

    def closing(self, q: Expr, u: Expr, p: Expr) -> tuple[Expr, Expr]:
        """psi, J."""
        return self.J @ q, self.J

    def jumps(self, q: Expr, v: Expr, p: Expr) -> Expr:
        """Dry friction that jumps."""
        return SX(self.nv, 1)

    def kinematics(self, q: Expr) -> Expr:
        """N."""
        return SX.eye(self.nv)

    def normalized(self, q: Expr) -> Expr:
        return q
