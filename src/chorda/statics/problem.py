"""A square problem of statics: a system at rest, what is prescribed, what is actuated.

Unknown are the coordinates, the closures' forces and the efforts that are actuated:

    G(q, lam) + B tau = 0,    psi(q) = 0,    prescribed(q, tau) = target

in a state x = (q, lam, tau), which moves along (v, lam, tau).
"""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import compiler
from chorda.compile.library import recipe_of
from chorda.compile.paths import PathJob, PathKernel, PathSizes, build_path
from chorda.mechanics import Array, System
from chorda.mechanics.statics import forces, statics
from chorda.statics.prescribed import Layout, actuatable, settings
from chorda.statics.target_poses import placed


@dataclass(frozen=True, eq=False)
class Problem:
    """A layout on a system, with inputs and parameters."""

    system: System
    layout: Layout
    u: Array
    p: Array

    @property
    def nx(self) -> int:
        return self.system.nq + self.system.nc + len(self.layout.actuated)

    @property
    def nz(self) -> int:
        return self.system.nv + self.system.nc + len(self.layout.actuated)

    @property
    def actuated(self) -> Array:
        """Rows of v whose effort is whatever it takes."""
        rows = actuatable(self.system)
        return np.array([rows[name] for name in self.layout.moved], int)

    @property
    def kernel(self) -> PathKernel:
        wanted = ("path", self.layout, compiler.find())
        made: PathKernel = self.system.once(wanted, self._build)
        return made

    def _build(self) -> PathKernel:
        packages = ("chorda.mechanics.rods", "chorda.mechanics.joints", "chorda.statics")
        recipe = recipe_of(self.system, repr(self.layout), packages=packages)
        sizes = PathSizes(self.nx, self.nz, self.layout.targets)
        return build_path(recipe, sizes, lambda: functions(self.system, self.layout))

    def job(self, **settings: Any) -> PathJob:
        scale = np.zeros(self.nz)
        scale[: self.system.nv] = self.system.scales
        return PathJob(self.u, self.p, scale, **settings)

    def evaluate(self, x: Array, target: Array) -> tuple[Array, Array]:
        """Residual and matrix at a state."""
        return self.kernel.evaluate(self.job(), np.ascontiguousarray(x), target)

    def matrices(self, X: Array, targets: Array) -> Array:
        """Matrices at many states (n, nz, nz)."""
        each = [self.evaluate(x, target)[1] for x, target in zip(X, targets, strict=True)]
        return np.array(each).reshape(len(X), self.nz, self.nz)

    # The state ------------------------------------------------------------------------------

    def state(self, q: Array, lam: Array, tau: Array) -> Array:
        return np.concatenate([q, lam, tau]).astype(float)

    def parts(self, x: Array) -> tuple[Array, Array, Array]:
        """q, lam, tau of a state, or of many."""
        a, b = self.system.nq, self.system.nq + self.system.nc
        return x[..., :a], x[..., a:b], x[..., b:]

    def moved(self, x: Array, change: Array) -> Array:
        from chorda.statics.initial import moved

        q, _, _ = self.parts(x)
        nv = self.system.nv
        return np.concatenate([moved(self.system, q, change[:nv]), x[len(q) :] + change[nv:]])

    def change(self, a: Array, b: Array) -> Array:
        """From one state to another that is near, along (v, lam, tau)."""
        nq = self.system.nq
        d = b - a
        if nq == self.system.nv:
            return d
        N = self.system.kinematics(a[:nq]).full()
        return np.concatenate([np.linalg.lstsq(N, d[:nq], rcond=None)[0], d[nq:]])


def functions(system: System, layout: Layout) -> dict[str, Any]:
    """balance, residual and moved, as path.c calls them."""
    nq, nv, nc, nd = system.nq, system.nv, system.nc, len(layout.actuated)
    x, target = ca.MX.sym("x", nq + nc + nd), ca.MX.sym("target", layout.targets)
    u, p = ca.MX.sym("u", system.u.numel()), ca.MX.sym("p", system.p.numel())
    q, lam, tau = ca.MX.sym("q", nq), ca.MX.sym("lam", nc), ca.MX.sym("tau", nd)
    at_rest = q, lam, *_set(system, layout, tau, u, p)
    G, K, psi, J, X, V = statics(system, layout.frames)(*at_rest)
    rows = actuatable(system)
    B = ca.DM(nv, nd)
    for k, name in enumerate(layout.actuated):
        if name not in layout.settings:
            B[rows[name], k] = 1
    off, by_v, by_tau = _prescribed(system, layout, q, tau, target, X, V)
    r = ca.densify(ca.vertcat(G + B @ tau, psi, off))
    G, psi, X = forces(system, layout.frames)(*at_rest)
    off = _prescribed(system, layout, q, tau, target, X, V)[0]
    alone = ca.densify(ca.vertcat(G + B @ tau, psi, off))
    A = ca.vertcat(
        ca.horzcat(K, J.T, B),
        ca.horzcat(J, ca.MX(nc, nc + nd)),
        ca.horzcat(by_v, ca.MX(by_v.shape[0], nc), by_tau),
    )
    for name in layout.settings:
        k = layout.actuated.index(name)
        A[:, nv + nc + k] = ca.jtimes(alone, tau, ca.DM.eye(nd)[:, k])
    free = [q, lam, tau, target, u, p]
    parts = ca.Function("parts", free, [r, ca.densify(A)])
    force = ca.Function("force", free, [alone])
    q, lam, tau = x[:nq], x[nq : nq + nc], x[nq + nc :]
    change = ca.MX.sym("change", nv + nc + nd)
    after = system.normalized(q + system.kinematics(q) @ change[:nv])
    moved = ca.densify(ca.vertcat(after, x[nq:] + change[nv:]))
    given, split = [x, target, u, p], [q, lam, tau, target, u, p]
    return {
        "balance": ca.Function("chorda_balance", given, list(parts(*split))),
        "residual": ca.Function("chorda_residual", given, [force(*split)]),
        "moved": ca.Function("chorda_moved", [x, change], [moved]),
    }


def _set(system: System, layout: Layout, tau: Any, u: Any, p: Any) -> tuple[Any, Any]:
    """Inputs and parameters, those that are actuated or given taken from the state."""
    where, found = settings(system), {"u": u, "p": p}
    for name in layout.settings:
        kind, k = where[name]
        value = found[kind]
        unit = ca.DM.eye(value.numel())[:, k]
        found[kind] = value + unit * (tau[layout.actuated.index(name)] - value[k])
    return found["u"], found["p"]


def _prescribed(
    system: System, layout: Layout, q: Any, tau: Any, target: Any, X: Any, V: Any
) -> tuple[Any, Any, Any]:
    """How far what is prescribed is from its target, and its derivatives by v and tau."""
    rows = actuatable(system)
    nv, nd = system.nv, len(layout.actuated)
    off, by_v, by_tau, t = [ca.MX(0, 1)], [ca.MX(0, nv)], [ca.MX(0, nd)], 0
    for name in layout.held:
        off.append(q[system.coordinate_names.index(name)] - target[t])
        by_v.append(ca.MX(_unit(nv, rows[name])))
        by_tau.append(ca.MX(1, nd))
        t += 1
    for name in layout.efforts:
        k = layout.actuated.index(name)
        off.append(tau[k] - target[t])
        by_v.append(ca.MX(1, nv))
        by_tau.append(ca.MX(_unit(nd, k)))
        t += 1
    gaps, slopes = placed(layout, X, V, target)
    off, by_v = off + gaps, by_v + slopes
    by_tau.append(ca.MX(sum(x.numel() for x in gaps), nd))
    return ca.vertcat(*off), ca.vertcat(*by_v), ca.vertcat(*by_tau)


def _unit(n: int, k: int) -> Any:
    row = ca.DM(1, n)
    row[0, k] = 1
    return row
