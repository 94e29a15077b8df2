"""Equations of motion as W theta = y: linear in the unknowns, by differentiation of the System."""

from collections.abc import Mapping
from typing import Any

import casadi as ca
import numpy as np

from chorda.checks import check_choice
from chorda.describe.laws import Law
from chorda.errors import InputError
from chorda.identification.samples import Samples, along
from chorda.identification.unknowns import NO_UNKNOWNS, Unknowns, refuse_states
from chorda.mechanics import Array, System, assemble
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.tensioning import gain
from chorda.numerics.processes import cores
from chorda.numerics.regression import Equations

AT_ONCE = 4096  # samples, between which Ctrl-C has its turn
TICK = 1e-5  # [s] by which samples are shifted to see the effect of a clock
COEFFICIENT = ".friction_coefficient"  # of friction along tendons, in which equations are curved
FORCE_UNITS = {"rad/s": "N m", "m/s": "N"}  # of a velocity's equation


class Regressor:
    """Evaluates W and y of a system along samples.

    tensions: "modelled" uses the tendons' laws, in the motors' equations; out of the joints' the
    tensions of tendons with motors of their own are eliminated, as [Fasquelle2021, eq. 51] does,
    so that noise in elongations does not get there. "eliminated" keeps only the latter, without
    any tension, for laws that are not trusted.
    """

    def __init__(
        self, system: System, unknowns: Unknowns = NO_UNKNOWNS, tensions: str = "modelled"
    ) -> None:
        check_choice("tensions", tensions, ("modelled", "eliminated"))
        refuse_states(system)
        if tensions == "eliminated" and (loaded := _loaded(system)):
            raise InputError(
                f"tensions: friction of {', '.join(loaded)} grows with the load, and so with the "
                "tensions, which cannot be eliminated then; use tensions='modelled', or leave "
                "dry_friction.coefficient out"
            )
        self.system, self.unknowns, self.tensions = system, unknowns, tensions
        self._keep_all = tensions == "modelled" and not system.nc
        self._maps: dict[tuple[str, int], Any] = {}
        theta = SX.sym("theta", len(unknowns))
        p = ca.vertsplit(system.p)
        for j, rows in enumerate(unknowns.rows):
            for row in rows:
                p[row] = theta[j]
        balance = ca.substitute(system.dynamics.residual, system.p, ca.vertcat(*p))
        W = ca.densify(-ca.jacobian(balance, theta))
        C = ca.densify(ca.vertcat(system.constraints.J, self._tension_rows()))
        self._check_linear(W, theta, ca.vertcat(ca.vec(C), system.constraints.psi))
        here = SX.zeros(theta.numel())
        if self.curved:  # one step of Gauss and Newton from the values that are given
            here = ca.vertcat(*[system.p[rows[0]] for rows in unknowns.rows])
        W, C, y = ca.substitute([W, C, balance], [theta], [here])
        y += W @ here
        lam = SX.zeros(system.lam.numel())
        W, C = (ca.substitute(x, system.lam, lam) for x in (W, C))
        residual = ca.substitute(system.dynamics.residual, system.lam, SX.zeros(system.nc))
        self._functions = {
            "equations": system.function("regressor", "q v a u p", W, ca.densify(y), C),
            "residual": system.function("residual", "q v a u p", ca.densify(residual), C),
        }

    def _check_linear(self, W: Expr, theta: Expr, shape: Expr) -> None:
        """W must not depend on the unknowns, nor closures and the directions of tendons; but on
        coefficients of friction along tendons, at whose values the equations are linearised."""
        names = self.unknowns.names
        self.curved = [j for j, name in enumerate(names) if name.endswith(COEFFICIENT)]
        plain = [j for j in range(len(names)) if j not in self.curved]
        slopes = ca.jacobian(W[:, plain], theta[plain]) if plain else SX(0, 0)
        shaped = ca.jacobian(shape, self.system.p)
        if self.system.tendons.rubs:  # whose friction turns round with the sign of the tension
            slopes, shaped = ca.sparsify(slopes), ca.sparsify(shaped)
        rows = set(shaped.sparsity().get_triplet()[1])
        bent = {plain[j] for j in slopes.sparsity().get_triplet()[1]}
        bent |= {j for j in plain if rows & set(self.unknowns.rows[j])}
        if bent:
            names = tuple(names[j] for j in sorted(bent))
            raise InputError(
                f"parameters: the equations of motion are not linear in {', '.join(names)}; "
                "leave them out here and refine them by simulation error (refine=[...])"
            )

    def _tension_rows(self) -> Expr:
        """Directions in which tendons pull whose tension is eliminated, motors included."""
        system = self.system
        A = ca.densify(system.tendons.arms.T)
        motors = own_motors(system)
        for i, row in motors:
            A[i, row] = pull(system, i)
        if self.tensions == "eliminated":
            return A
        return A[[i for i, _ in motors], :] if self._keep_all else SX(0, system.nv)

    @property
    def rows(self) -> int:
        """Equations at each sample."""
        eliminated = 0 if self._keep_all else int(self._functions["residual"].size1_out(1))
        return self.system.nv - eliminated

    def __call__(self, samples: Samples, p: Array) -> Equations:
        W, y, C = self._along("equations", samples.state, p)
        kept, W, y = self._projected(C, W, y[..., 0])
        velocities = [self.system.velocities[i] for i in kept]
        names = tuple(name.removesuffix(".rate") for name, _ in velocities)
        return Equations(names, tuple(FORCE_UNITS.get(unit, "") for _, unit in velocities), W, y)

    def drift(self, samples: Samples, p: Array, late: Array) -> Array:
        """Change of y - W theta per second that the velocities in `late` (0 or 1) are late.

        p holds the unknowns; the change of accelerations is left out.
        """
        move, turn = late * samples.v, late * samples.a
        if self.system.quaternions:
            [N] = along(self.system.kinematics, [samples.q])
            move = np.einsum("tij,tj->ti", N, move)
        ends = []
        for tick in (-TICK, TICK):
            state = samples.q + tick * move, samples.v + tick * turn, samples.a, samples.u
            residual, C = self._along("residual", state, p)
            ends.append(self._projected(C, residual[..., :0], residual[..., 0])[2])
        return (ends[1] - ends[0]) / (2 * TICK)

    def _along(self, which: str, state: tuple[Array, ...], p: Array) -> list[Array]:
        """One of the functions at all samples, a few thousand at once on all cores."""
        n = len(state[0])
        count = -(-n // AT_ONCE)
        size = -(-n // max(count, 1))  # the last piece is filled up, as making a map takes a while
        if (which, size) not in self._maps:
            self._maps[which, size] = self._functions[which].map(size, "thread", cores())
        P, found = np.repeat(p[:, None], size, 1), []
        for k in range(count):
            rows = np.minimum(np.arange(k * size, (k + 1) * size), n - 1)
            made = self._maps[which, size].call([*(x[rows].T for x in state), P])
            found.append([_each(x.full(), size) for x in made])
        return [np.concatenate(parts)[:n] for parts in zip(*found, strict=True)]

    def _projected(self, C: Array, W: Array, y: Array) -> tuple[list[int], Array, Array]:
        """The equations without the forces along the rows of C (closures, tensions).

        With independent equations D picked (motors first, so that the joints' stay), the forces
        are solved from those and put into the others.
        """
        n, nv = y.shape
        if not C.shape[1]:
            return list(range(nv)), W, y
        D = self._solved_from(C[n // 2])
        kept = [i for i in range(nv) if i not in D]
        if not kept:
            raise InputError("tensions: nothing is left when all tensions are eliminated")
        # M a - F = C^T f, with f from the rows D
        share = np.linalg.solve(C[:, :, D], C[:, :, kept]).transpose(0, 2, 1)
        less = W[:, kept] - share @ W[:, D], y[:, kept] - (share @ y[:, D, None])[..., 0]
        if not self._keep_all:
            return kept, *less
        W, y = (np.concatenate([a, b[:, D]], axis=1) for a, b in zip(less, (W, y), strict=True))
        return [*kept, *D], W, y

    def _solved_from(self, C: Array) -> list[int]:
        from scipy.linalg import qr

        motors = {f"{c.name}.rate" for c in self.system.coordinates if c.kind == "motor"}
        first = np.array([1e6 if name in motors else 1.0 for name, _ in self.system.velocities])
        R, order = qr(C * first, mode="r", pivoting=True)
        size = np.abs(np.diag(R))
        if len(size) < len(C) or np.any(size <= 1e-12 * size[0]):
            raise InputError(
                "tensions: the tendons and closures of this robot are not independent, so that "
                "their forces cannot be eliminated; use tensions='modelled'"
            )
        return sorted(order[: len(C)].tolist())


def _loaded(system: System) -> list[str]:
    """Joints whose friction grows with what they carry."""
    laws = {x.name: getattr(x, "dry_friction", None) for x in system.robot.joints}
    return [name for name, law in laws.items() if law and law.coefficient is not None]


def _each(side_by_side: Array, n: int) -> Array:
    """(n, rows, columns)."""
    rows, columns = side_by_side.shape
    return side_by_side.reshape(rows, n, columns // n).transpose(1, 0, 2)


def own_motors(system: System) -> list[tuple[int, int]]:
    """(tendon, velocity row) of each elastic tendon that has a motor for itself."""
    actuators = [t.actuator for t in system.robot.tendons]
    rows = {name: i for i, (name, _) in enumerate(system.velocities)}
    return [
        (i, rows[f"{actuator}.rate"])
        for i, actuator in enumerate(actuators)
        if actuators.count(actuator) == 1 and f"{actuator}.rate" in rows
    ]


def pull(system: System, tendon: int) -> Expr:
    """Torque on its motor of one newton in a tendon [m]."""
    item = system.robot.tendons[tendon]
    return item.winding * gain(system, str(item.actuator), system.p)


def relaxed(system: System) -> System:
    """The system with tendons that may push: its equations are linear in the laws' numbers."""
    robot = system.robot
    if not any(t.law.one_sided for t in robot.tendons):
        return system
    both_sided: dict[str, Any] = {"one_sided": False, "smoothing": None}
    tendons = tuple(
        t.model_copy(update={"law": t.law.model_copy(update=_of(t.law, both_sided))})
        for t in robot.tendons
    )
    return assemble(robot.model_copy(update={"tendons": tendons}), system.mode)  # type: ignore[arg-type]


def _of(law: Law, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the fields that a law has."""
    return {name: value for name, value in fields.items() if name in type(law).model_fields}
