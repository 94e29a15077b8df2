"""Equations of motion as W theta = y: linear in the unknowns, by differentiation of the System."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from chorda.errors import InputError
from chorda.identification.preparing import Samples
from chorda.identification.regression import Equations
from chorda.mechanics import Array, System, unknown
from chorda.mechanics.frames import SX, Expr

TICK = 1e-5  # [s] by which samples are shifted to see the effect of a clock
USUAL = (  # what is identified unless something else is asked for
    "dry_torque",
    "friction",
    "stiffness",
    "stiffening",
    "young_modulus",
    "damping",
    "damping_modulus",
)


@dataclass(frozen=True)
class Unknowns:
    """Unknown numbers and the parameters that each of them sets (several, where they are tied)."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]

    @cached_property
    def all_rows(self) -> list[int]:
        return [row for rows in self.rows for row in rows]

    def into(self, p: Array, theta: Array) -> Array:
        """p with the unknowns put in."""
        p = p.copy()
        for rows, value in zip(self.rows, theta, strict=True):
            p[list(rows)] = value
        return p

    def of(self, p: Array) -> Array:
        """Values of the unknowns in p (the mean of tied ones)."""
        return np.array([np.mean(p[list(rows)]) for rows in self.rows])


def choose(
    system: System, parameters: Sequence[str] | None = None, tied: Sequence[str] = ()
) -> Unknowns:
    """Unknowns by name, '*' matching many; each pattern in `tied` becomes a single unknown.

    By default frictions of the motors and the tendons' laws are unknown.
    """
    names = system.parameter_names
    owners = {d.name for d in system.robot.actuators} | {t.name for t in system.robot.tendons}
    if parameters is None:
        parameters = [n for n in names if _usual(n, owners)]
        if not parameters:
            raise InputError(
                "parameters: this robot has no motor friction and no elastic tendon; name what "
                f"to identify, for example {', '.join(names[:3])}"
            )
    if isinstance(parameters, str) or isinstance(tied, str):
        raise InputError("parameters and tied: expected lists of names, got a text")
    taken: dict[int, str] = {}
    groups: list[tuple[str, tuple[int, ...]]] = []
    for pattern in tied:
        rows = tuple(_matching(pattern, names, "tied"))
        groups.append((pattern, rows))
        taken |= dict.fromkeys(rows, pattern)
    for pattern in parameters:
        for row in _matching(pattern, names, "parameters"):
            if row not in taken:
                taken[row] = names[row]
                groups.append((names[row], (row,)))
    groups.sort(key=lambda group: _order(group[0], group[1][0]))
    return Unknowns(
        tuple(name for name, _ in groups),
        tuple(system.parameter_table.units[rows[0]] for _, rows in groups),
        tuple(rows for _, rows in groups),
    )


def _usual(name: str, owners: set[str]) -> bool:
    owner, _, quantity = name.rpartition(".")
    return owner in owners and quantity in USUAL


def _order(name: str, row: int) -> tuple[int, int]:
    """Frictions, then stiffnesses, then dampings: as in the paper's tables."""
    quantity = name.rpartition(".")[2]
    return (USUAL.index(quantity) if quantity in USUAL else len(USUAL)), row


def _matching(pattern: str, names: tuple[str, ...], what: str) -> list[int]:
    rows = [i for i, name in enumerate(names) if fnmatchcase(name, pattern)]
    if not rows:
        raise InputError(unknown(what, pattern, names))
    return rows


class Regressor:
    """Evaluates W and y of a system along samples.

    tensions: "modelled" uses the tendons' laws, in the motors' equations; out of the joints' the
    tensions of tendons with motors of their own are eliminated, as [Fasquelle2021, eq. 51] does,
    so that noise in elongations does not get there. "eliminated" keeps only the latter, without
    any tension, for laws that are not trusted.
    """

    def __init__(self, system: System, unknowns: Unknowns, tensions: str = "modelled") -> None:
        if tensions not in ("modelled", "eliminated"):
            raise InputError(f"tensions: expected 'modelled' or 'eliminated', got {tensions!r}")
        self.system, self.unknowns, self.tensions = system, unknowns, tensions
        self._keep_all = tensions == "modelled" and not system.nc
        self._maps: dict[tuple[str, int], Any] = {}
        theta = SX.sym("theta", len(unknowns.names))
        p = ca.vertsplit(system.p)
        for j, rows in enumerate(unknowns.rows):
            for row in rows:
                p[row] = theta[j]
        needed = ca.substitute(system.dynamics.residual, system.p, ca.vertcat(*p))
        W = ca.densify(-ca.jacobian(needed, theta))
        C = ca.densify(ca.vertcat(system.constraints.J, self._tension_rows()))
        self._check_linear(W, theta, ca.vertcat(ca.vec(C), system.constraints.psi))
        y = ca.substitute(needed, theta, SX.zeros(theta.numel()))
        nothing = ca.vertcat(theta, system.lam)
        W, C = (ca.substitute(x, nothing, SX.zeros(nothing.numel())) for x in (W, C))
        symbols = [system.q, system.v, system.a, system.u, system.p]
        self._function = ca.Function("regressor", symbols, ca.cse([W, ca.densify(y), C]))
        residual = ca.substitute(system.dynamics.residual, system.lam, SX.zeros(system.nc))
        self._residual = ca.Function("residual", symbols, ca.cse([ca.densify(residual), C]))

    def _check_linear(self, W: Expr, theta: Expr, shape: Expr) -> None:
        """W must not depend on the unknowns, nor closures and the directions of tendons."""
        bent = set(ca.jacobian(W, theta).sparsity().get_triplet()[1])
        rows = set(ca.jacobian(shape, self.system.p).sparsity().get_triplet()[1])
        bent |= {j for j, own in enumerate(self.unknowns.rows) if rows & set(own)}
        if bent:
            names = [self.unknowns.names[j] for j in sorted(bent)]
            raise InputError(
                f"parameters: the equations of motion are not linear in {', '.join(names)}; "
                "leave them out here and refine them by simulation error (refine=[...])"
            )

    def _tension_rows(self) -> Expr:
        """Directions in which tendons pull whose tension is eliminated, motors included."""
        system = self.system
        A = ca.densify(system.tendons.Z.T)
        motors = own_motors(system)
        for i, row, _ in motors:
            A[i, row] = pull(system, i)
        if self.tensions == "modelled":
            return A[[i for i, _, _ in motors], :] if self._keep_all else SX(0, system.nv)
        return A

    @property
    def rows(self) -> int:
        """Equations at each sample."""
        return self.system.nv - (0 if self._keep_all else int(self._function.size1_out(2)))

    def __call__(self, samples: Samples, p: Array) -> Equations:
        n, system, m = len(samples), self.system, len(self.unknowns.names)
        columns = [samples.q.T, samples.v.T, samples.a.T, samples.u.T]
        W, y, C = (x.full() for x in self._mapped("W", n)(*columns, np.repeat(p[:, None], n, 1)))
        kept, W, y = self._projected(C, W.reshape(system.nv, n, m).transpose(1, 0, 2), y.T)
        names = [name.removesuffix(".rate") for name, _ in system.velocities]
        units = [_force_unit(unit) for _, unit in system.velocities]
        return Equations(tuple(names[i] for i in kept), tuple(units[i] for i in kept), W, y)

    def drift(self, samples: Samples, p: Array, late: Array) -> Array:
        """Change of y - W theta per second that the velocities in `late` (0 or 1) are late.

        p holds the unknowns; the change of accelerations is left out.
        """
        n = len(samples)
        evaluate = self._mapped("residual", n)
        columns = [np.repeat(p[:, None], n, 1)]
        N = self.system.kinematics.map(n)(samples.q.T).full() if self.system.quaternions else None
        ends = []
        for tick in (-TICK, TICK):
            move = tick * late * samples.v
            if N is not None:
                N = N.reshape(self.system.nq, n, self.system.nv)
                move = np.einsum("itj,tj->ti", N, move)
            q, v = samples.q + move, samples.v + tick * late * samples.a
            made = evaluate(q.T, v.T, samples.a.T, samples.u.T, *columns)
            residual, C = (x.full() for x in made)
            ends.append(self._projected(C, np.zeros((n, self.system.nv, 0)), residual.T)[2])
        return (ends[1] - ends[0]) / (2 * TICK)

    def _mapped(self, which: str, n: int) -> Any:
        """One of the functions for n samples at once; making it takes a while."""
        if (which, n) not in self._maps:
            one = self._function if which == "W" else self._residual
            self._maps[which, n] = one.map(n)
        return self._maps[which, n]

    def _projected(self, along: Array, W: Array, y: Array) -> tuple[list[int], Array, Array]:
        """The equations without the forces along the rows of C (closures, tensions).

        With independent equations D picked (motors first, so that the joints' stay), the forces
        are solved from those and put into the others.
        """
        n, nv = y.shape
        rows = along.shape[0]
        if not rows:
            return list(range(nv)), W, y
        C = along.reshape(rows, n, nv).transpose(1, 0, 2)
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


def own_motors(system: System) -> list[tuple[int, int, str]]:
    """(tendon, velocity row, motor) of each elastic tendon that has a motor for itself."""
    actuators = [t.actuator for t in system.robot.tendons]
    rows = {name: i for i, (name, _) in enumerate(system.velocities)}
    return [
        (i, rows[f"{actuator}.rate"], str(actuator))
        for i, actuator in enumerate(actuators)
        if actuators.count(actuator) == 1 and f"{actuator}.rate" in rows
    ]


def pull(system: System, tendon: int) -> Expr:
    """Torque on its motor of one newton in a tendon [m]."""
    item = system.robot.tendons[tendon]
    radius, ratio = (
        system.p[system.parameter_names.index(f"{item.actuator}.{x}")]
        for x in ("drum_radius", "gear_ratio")
    )
    return item.winding * radius / ratio


def _force_unit(unit: str) -> str:
    return {"rad/s": "N m", "m/s": "N"}.get(unit, "")


def relaxed(system: System) -> Any:
    """The system with tendons that may push: its equations are linear in the laws' numbers."""
    from chorda.mechanics import assemble

    robot = system.robot
    if not any(getattr(t.law, "one_sided", False) for t in robot.tendons):
        return system
    tendons = tuple(
        t.model_copy(
            update={"law": t.law.model_copy(update={"one_sided": False, "smoothing": None})}
        )
        if getattr(t.law, "one_sided", False)
        else t
        for t in robot.tendons
    )
    return assemble(robot.model_copy(update={"tendons": tendons}), system.mode)  # type: ignore[arg-type]
