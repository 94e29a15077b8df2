"""The system linearised about a configuration: M a = K x + D v + B u, and a Model made of it.

With states of first order also M a = ... + bent z, and z_dot = R_x x + R_v v + R_u u - decay z.
"""

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

    With states z of first order, M a = K x + D v + B u + bent z and
    z_dot = z_by_x x + z_by_v v + z_by_u u - decay z.

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
    states : tuple of str
        Names of states of first order.
    bent : array of shape (nv, nz)
        Derivative of the force by these.
    z_by_x, z_by_v : array of shape (nz, nv)
        Derivative of their rates by position and velocity.
    z_by_u : array of shape (nz, nu)
        And by the inputs.
    decay : array of shape (nz,)
        Their decay [1/s].

    See Also
    --------
    linearize : computes it, with an example.
    """

    names: tuple[str, ...]
    M: Array
    K: Array
    D: Array
    B: Array
    J: Array
    D_dry: Array
    compliance: float
    states: tuple[str, ...]
    bent: Array
    z_by_x: Array
    z_by_v: Array
    z_by_u: Array
    decay: Array

    @property
    def A(self) -> Array:
        """State matrix of (x, v, z), with closures held by multipliers."""
        n, nz = len(self.M), len(self.states)
        middle = self.accelerations(np.hstack([self.K, self.D, self.bent]))
        return np.block(
            [
                [np.zeros((n, n)), np.eye(n), np.zeros((n, nz))],
                [middle],
                [self.z_by_x, self.z_by_v, -np.diag(self.decay)],
            ]
        )

    def closed(self, gains: Array | None) -> Array:
        """State matrix under the feedback u = gains (x, v, z), without sampling.

        Parameters
        ----------
        gains : array of shape (nu, 2 nv + nz) or None
            None: without feedback.

        Returns
        -------
        array of shape (2 nv + nz, 2 nv + nz)
            Of the state (x, v, z).
        """
        A, n = self.A, len(self.M)
        if gains is not None:
            A[n : 2 * n] += self.accelerations(self.B @ gains)
            A[2 * n :] += self.z_by_u @ gains
        return A

    def accelerations(self, force: Array) -> Array:
        """What forces bring about, with closures held by multipliers.

        Parameters
        ----------
        force : array of shape (nv, n)
            Generalized forces, as columns.

        Returns
        -------
        array of shape (nv, n)
            Of the velocities.
        """
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

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    step_limits : what they mean for steps in time.

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
    found = [x.full() for x in derivatives(system)(q, v, u, p)]
    M, K, D, B, J, dry, bent, z_by_x, z_by_v, z_by_u, decay = found
    return Linear(
        names=tuple(c.removesuffix(".rate") for c, _ in system.velocities),
        M=M,
        K=K,
        D=D,
        B=B,
        J=J,
        D_dry=dry,
        compliance=system.compliance,
        states=system.coordinate_names[system.nq - system.nz :],
        bent=bent,
        z_by_x=z_by_x,
        z_by_v=z_by_v,
        z_by_u=z_by_u,
        decay=decay[:, 0],
    )


def derivatives(system: System) -> Any:
    """(q, v, u, p) -> M, K = dF/dq N, D = dF/dv, B = dF/du, J, dDry/dv; and of states of first
    order dF/dz, their rates by q, v, u and their decays. Made once per system."""

    def make() -> Any:
        d, J = system.dynamics, system.constraints.J
        K = ca.jacobian(d.F, system.q) @ d.N
        D, B = ca.jacobian(d.F, system.v), ca.jacobian(d.F, system.u)
        dry = ca.jacobian(d.dry, system.v)
        z = system.q[system.nq - system.nz :, :]
        bent, z_dot = ca.jacobian(d.F, z), d.source - d.decay * z
        of_states = (
            ca.jacobian(z_dot, system.q) @ d.N,
            ca.jacobian(z_dot, system.v),
            ca.jacobian(z_dot, system.u),
        )
        return system.function(
            "linearized", "q v u p", d.M, K, D, B, J, dry, bent, *of_states, d.decay
        )

    return system.once("linearized", make)


def feedback(
    system: System, law: Any, q: Array, v: Array, p: Array, w: Array | None = None
) -> Array:
    """Derivative of a law's inputs with respect to (deviation, velocity, states of first order):
    (nu, 2 nv + nz)."""
    kind = ca.SX if law.is_a("SXFunction") else ca.MX
    Q, V = kind.sym("q", system.nq), kind.sym("v", system.nv)
    W = np.zeros(law.size1_in(3)) if w is None else w
    u = law(0.0, Q, V, W, p)
    N = np.array(system.kinematics(q))
    both = ca.Function("gains", [Q, V], [ca.jacobian(u, Q), ca.jacobian(u, V)])(q, v)
    by_q = both[0].full()
    return np.hstack([by_q @ N, both[1].full(), by_q[:, system.nq - system.nz :]])


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
        self.nv, self.nu, self.nc = len(linear.M), linear.B.shape[1], len(linear.J)
        self.nz = len(linear.states)
        self.nq = self.nv + self.nz
        slopes = (linear.bent, linear.z_by_x, linear.z_by_v, linear.z_by_u)
        self.bent, *self.source_by = (ca.sparsify(SX(ca.DM(x))) for x in slopes)
        self.decay = SX(ca.DM(linear.decay))
        self.p, self.psi_u = SX(0, 1), SX(self.nc, self.nu)
        self.compliance = linear.compliance

    def residual(self, q: Expr, v: Expr, a: Expr, u: Expr, p: Expr) -> Expr:
        """M a - F."""
        return self.M @ a - self._force(q, v, u)

    def equations(self, q: Expr, v: Expr, u: Expr, p: Expr) -> tuple[Expr, ...]:
        """M, F, dry, J, bias, psi."""
        F, psi = self._force(q, v, u), self.J @ q[: self.nv]
        return self.M, F, self.D_dry @ v, self.J, SX(self.nc, 1), psi

    def _force(self, q: Expr, v: Expr, u: Expr) -> Expr:
        x, z = q[: self.nv], q[self.nv :, :]
        return self.K @ x + self.D @ v + self.B @ u + self.bent @ z

    def moving(self, q: Expr, v: Expr, u: Expr, p: Expr) -> Expr:
        """q_dot."""
        source, decay = self.relaxation(q, v, u, p)
        return ca.vertcat(v, source - decay * q[self.nv :, :])

    def relaxation(self, q: Expr, v: Expr, u: Expr, p: Expr) -> tuple[Expr, Expr]:
        """Source and decay of states of first order."""
        by_x, by_v, by_u = self.source_by
        return by_x @ q[: self.nv] + by_v @ v + by_u @ u, self.decay

    def closing(self, q: Expr, u: Expr, p: Expr) -> tuple[Expr, Expr]:
        """psi, J."""
        return self.J @ q[: self.nv], self.J

    def jumps(self, q: Expr, v: Expr, u: Expr, p: Expr) -> Expr:
        """Dry friction that jumps."""
        return SX(self.nv, 1)

    def kinematics(self, q: Expr) -> Expr:
        """N."""
        return ca.vertcat(SX.eye(self.nv), SX(self.nz, self.nv))

    def normalized(self, q: Expr) -> Expr:
        return q
