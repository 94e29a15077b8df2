"""Oracles of one state: poses, inertia, energies, forces, tendons, accelerations, ranks."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from chorda.mechanics.posing import frame_poses
from chorda.results.observe import accelerations, observed
from tests.fuzz.case import TINY, Case, Pair, Refused


def poses(case: Case) -> Iterator[Pair]:
    system, (q, _) = case.system, case.qv
    names = list(case.robot.frames())
    R, p = frame_poses(system, names, q[None], system.parameters())
    found = case.plain.kinematics.frames(q)
    for i, name in enumerate(names):
        yield f"rotation of {name}", R[0, i], found[name][0], 1.0
        yield f"origin of {name}", p[0, i], found[name][1], 1.0


def inertia(case: Case) -> Iterator[Pair]:
    T, _ = case.lift(case.here)
    M = T.T @ case.here.M @ T
    yield "M", case.forces[0], M, float(np.abs(M).max())


def forces(case: Case) -> Iterator[Pair]:
    T, bend = case.lift(case.here)
    F = T.T @ (case.here.F - case.here.M @ bend)
    yield "F", case.forces[1], F, max(case.here.scale, float(np.abs(F).max()), TINY)


def energies(case: Case) -> Iterator[Pair]:
    system, (q, v), p = case.system, case.qv, case.system.parameters()
    T, V = (float(x) for x in system.energies(q, v, case.u, p))
    yield "kinetic energy", T, case.here.kinetic, case.here.kinetic
    if all(_has_energy(t.law) for t in case.robot.tendons):
        other = _nudged(case, q)
        V1 = float(system.energies(other, v, case.u, p)[1])
        here, there = (
            case.plain.potential(*(case.full(x, 0 * v)[k] for k in (0, 2)), case.inputs)
            for x in (q, other)
        )
        size = max(abs(here), abs(there), abs(V), abs(V1), abs(there - here))
        yield "potential energy", V1 - V, there - here, size


def _has_energy(law: Any) -> bool:
    """Whether the energy that is given for a law is documented to be exact."""
    rounded = getattr(law, "stiffening", 0.0) and law.smoothing is not None
    return getattr(law, "over", "total") == "total" and not rounded


def _nudged(case: Case, q: Any) -> Any:
    """Another configuration, not far."""
    system = case.system
    move = 0.05 * np.random.default_rng(5).normal(size=system.nv) * system.scales
    k = case.plain.kinematics
    out = np.array(q)
    out[: k.nq] = k.moved(q[: k.nq], move[: k.nv], 1.0)
    out[k.nq :] += move[k.nv :]
    return out


def tendons(case: Case) -> Iterator[Pair]:
    if not case.robot.tendons:
        return
    system, (q, v), s = case.system, case.qv, case.here
    p = system.parameters()
    still = np.zeros(system.nv), np.zeros(system.nc)
    values = system.observe(q, v, *still, case.u, p)
    values = values if isinstance(values, tuple | list) else [values]
    found = {o.name: x.full().ravel() for o, x in zip(system.outputs, values, strict=True)}
    yield "length", found["length"], s.lengths, 1.0
    Z = system.function("Z", "q p", system.tendons.Z)(q, p).full()[: case.plain.kinematics.nv]
    yield "moment arms", Z, s.arms, 1.0
    known = ~np.isnan(s.tensions)
    scale = float(np.abs(s.tensions[known]).max(initial=1.0))
    yield "tension", found["tension"][known], s.tensions[known], scale


def motion_law(case: Case) -> Iterator[Pair]:
    system, (q, v), s = case.system, case.qv, case.here
    winches = {x.name for x in system.inputs if x.kind == "winch"}
    if any(t.actuator in winches for i, t in enumerate(case.robot.tendons) if i in case.plain.tied):
        return
    if len(s.psi) and float(np.max(np.abs(s.psi))) > 1e-8:
        return  # loops that are open
    u, P = case.u, system.parameters()[:, None]
    a, _ = accelerations(system, q[None], v[None], u[None], P)
    exact, lam = case.plain.accelerations(s)
    n = case.plain.kinematics.nv
    size = float(max(np.abs(exact[:n]).max(), np.abs(np.linalg.solve(s.M, s.F)[:n]).max(), TINY))
    if len(s.J):
        sizes = np.linalg.svd(s.J @ np.linalg.inv(np.linalg.cholesky(s.M)).T, compute_uv=False)
        small = sizes[sizes > 1e-7 * sizes[0]].min() / sizes[0]
        size /= min(1.0, small * 10)  # near singular configurations rounding grows
    if case.robot.name == "soft":  # M of a rod is far from the unit matrix
        T, bend = case.lift(s)  # motors that follow turn with it
        M, exact = T.T @ s.M @ T, np.linalg.lstsq(T, exact - bend, rcond=None)[0]
        size = float(np.max(np.abs(M) @ np.abs(exact))) + 10 * s.scale
        own = case.forces[0]  # M but for its integration; short parts of rods are ill-conditioned
        yield "M times accelerations", own @ a[0], M @ exact, size
        return
    yield "accelerations", a[0][:n], exact[:n], size
    if case.plain.tied and not case.robot.closures:
        values = observed(system, q[None], v[None], u[None], system.parameters())["tension"][0]
        if np.linalg.matrix_rank(s.J, tol=1e-7 * np.abs(s.J).max()) == len(s.J):
            tied = case.plain.tied
            pull = -lam[len(s.J) - len(tied) :]
            yield "tension of rigid tendons", values[tied], pull, float(np.abs(lam).max() + size)


def rank(case: Case) -> Iterator[Pair]:
    if not case.robot.closures:
        return
    if float(np.max(np.abs(case.here.psi))) > 1e-8:
        raise Refused("the start is not closed")
    J = case.here.J
    sizes = np.linalg.svd(J, compute_uv=False)
    sizes = sizes / sizes[0]
    if np.any((sizes > 1e-9) & (sizes < 1e-4)):
        return  # not clear
    yield "rank", case.system.constraints.rank, int(np.sum(sizes > 1e-4)), 1e-9
