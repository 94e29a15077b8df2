"""A square problem of statics: a system at rest, what is prescribed, what is actuated.

Unknown are the coordinates, the multipliers of the closures, and efforts, values and tensions:

    G(q, lam) + B tau = 0,    psi(q) = 0,    prescribed(q, tau) = target

in a state x = (q, lam, tau), which moves along (v, lam, tau).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import compiler
from chorda.compile.device_rests import DeviceRests, rests_there
from chorda.compile.library import recipe_of
from chorda.compile.paths import InterpretedPath, PathJob, PathKernel, PathSizes, build_path
from chorda.mechanics import Array, System
from chorda.mechanics.balance import forces, statics
from chorda.mechanics.motor_limits import (
    input_per_torque,
    motors,
    torque_limits,
    without_limits,
)
from chorda.mechanics.prescription import EFFORT, Prescription
from chorda.mechanics.redundancy import LENGTH
from chorda.mechanics.rubbing_cables import SLIDING
from chorda.statics.closing import moved
from chorda.statics.prescribe import INPUT, coordinate_rows, settings
from chorda.statics.target_poses import pose_errors

Rows = np.typing.NDArray[np.intp]
SLACK = 1e-12  # [m/N] compliance of closures that depend on each other, so that they share forces
NO_LAWS = ca.MX(0, 1), ca.MX(0, 0), ca.MX(0, 0)


@dataclass(frozen=True, eq=False)
class Problem:
    """A prescription on a system, with inputs and parameters.

    compiled: whether its functions are compiled, which pays off where many configurations follow.
    """

    system: System
    prescription: Prescription
    u: Array
    p: Array
    compiled: bool = True

    @property
    def nx(self) -> int:
        return self.system.nq + self.system.nc + len(self.prescription.unknowns)

    @property
    def nz(self) -> int:
        return self.system.nv + self.system.nc + len(self.prescription.unknowns)

    @cached_property
    def moved_rows(self) -> Rows:
        """Rows of v whose effort is whatever it takes."""
        rows = coordinate_rows(self.system)
        return np.array([rows[name] for name in self.prescription.moved], np.intp)

    @cached_property
    def held_rows(self) -> Rows:
        """Rows of v that are held."""
        rows = coordinate_rows(self.system)
        return np.array([rows[name] for name in self.prescription.held], np.intp)

    @cached_property
    def winding_rows(self) -> Rows:
        """Rows of v of motors that are wound to a given tension: they stiffen nothing."""
        rows, winders = coordinate_rows(self.system), self.prescription.winders
        return np.array([rows[name] for name in winders if name in rows], np.intp)

    @cached_property
    def base_inputs(self) -> Array:
        """Inputs; torques of motors whose effort is among the unknowns are there."""
        u = self.u.copy()
        for name in (*self.prescription.moved, *self.prescription.efforts):
            if name in self.system.given:
                u[self.system.given.index(name)] = 0.0
        return u

    def row_of_target(self, k: int) -> int:
        """The row of the residual that number k of a row of targets is in; not for rotations."""
        given = self.prescription
        first = len(given.held) + len(given.unknowns) - len(given.actuated)
        laws = len(given.strained) if k >= first else 0
        return self.system.nv + self.system.nc + k + laws

    # Compiled or interpreted ------------------------------------------------------------------

    @property
    def kernel(self) -> PathKernel:
        """Newton's method along rows of targets, compiled or interpreted."""
        found = compiler.find() if self.compiled else None
        wanted = ("statics-kernel", self.prescription, self.compiled, found)
        made: PathKernel = self.system.once(wanted, self._build)
        return made

    def _build(self) -> PathKernel:
        if not self.compiled:
            return InterpretedPath(self._functions())
        recipe = recipe_of(self.system, repr(self.prescription), package="chorda.statics")
        return build_path(recipe, self._sizes, self._functions)

    def on_device(self, cp: Any, progress: bool | None = None) -> DeviceRests:
        """Many equilibria on a GPU; cp is the module CuPy."""
        given = self.prescription
        return rests_there(cp, self.system, given, self._functions, self._sizes, progress)

    @property
    def _sizes(self) -> PathSizes:
        return PathSizes(self.nx, self.nz, self.prescription.targets)

    def _functions(self) -> dict[str, Any]:
        wanted = ("statics-functions", self.prescription)
        made: dict[str, Any] = self.system.once(
            wanted, lambda: functions(self.system, self.prescription)
        )
        return made

    @cached_property
    def step_scale(self) -> Array:
        """A large change of each unknown; 0 where any will do: forces, and motors that are wound to
        a given tension, which follow the joints through their gears. Negative: inputs and
        parameters that are found, which are compared with themselves."""
        scale = np.zeros(self.nz)
        scale[: self.system.nv] = self.system.scales
        scale[self.winding_rows] = 0.0
        first, given = self.system.nv + self.system.nc, self.prescription
        scale[[first + given.unknowns.index(name) for name in given.free_values]] = -1.0
        return scale

    def job(self, **settings: Any) -> PathJob:
        return PathJob(self.base_inputs, self.unlimited(self.p), self.step_scale, **settings)

    @property
    def limits(self) -> dict[str, tuple[float, float]]:
        """Described limits of motors, by the name of the effort or the input that is found; and how
        far friction along tendons reaches, where that is found."""
        system, found = self.system, dict[str, tuple[float, float]]()
        for name, most in torque_limits(system, self.p).items():
            volts = float(input_per_torque(system, name, self.p))
            each = {f"{name}{EFFORT}": most, name: most * volts}
            found |= {k: (-x, x) for k, x in each.items() if k in self.prescription.effort_names}
        slid = [x for x in self.prescription.free_values if x.endswith(SLIDING)]
        return found | dict.fromkeys(slid, (-1.0, 1.0))

    def unlimited(self, p: Array) -> Array:
        """Parameters, or rows of them, for Newton's method. Where inputs of motors are among the
        unknowns no limit cuts them off: beyond it the method would lose its way, and what it finds
        there is judged by `limits`."""
        if not any(name in motors(self.system) for name in self.prescription.settings):
            return p
        return np.asarray(np.moveaxis(without_limits(self.system, np.moveaxis(p, -1, 0)), 0, -1))

    def distances(self, a: Array, b: Array) -> Array:
        """Between the coordinates of states, over their scales."""
        nq, near = self.system.nq, self.coordinate_scales
        return np.asarray(np.max(np.abs(b[..., :nq] - a[..., :nq]) / near, axis=-1, initial=0.0))

    @cached_property
    def coordinate_scales(self) -> Array:
        """A large change of each coordinate; any will do for motors that follow a tension."""
        wound = self.prescription.winders
        return np.array(
            [np.inf if c.name in wound else c.scale for c in self.system.coordinates], float
        )

    def evaluate(self, x: Array, target: Array) -> tuple[Array, Array]:
        """Residual and matrix at a state, to be read alone: those of the last one are kept."""
        key = x.tobytes(), target.tobytes()
        if key not in self._last:
            self._last.clear()
            found = self.kernel.evaluate(self.job(), np.ascontiguousarray(x), target)
            for array in found:
                array.setflags(write=False)
            self._last[key] = found
        return self._last[key]

    @cached_property
    def _last(self) -> dict[tuple[bytes, bytes], tuple[Array, Array]]:
        return {}

    def linearised(self, X: Array, targets: Array) -> tuple[Array, Array]:
        """Residuals (n, nz) and matrices (n, nz, nz) at many states."""
        each = [self.evaluate(x, target) for x, target in zip(X, targets, strict=True)]
        r, A = np.array([r for r, _ in each]), np.array([A for _, A in each])
        return r.reshape(len(X), self.nz), A.reshape(len(X), self.nz, self.nz)

    def scaled(self, A: Array) -> Array:
        """Matrices with columns in the coordinates' scales and rows over their largest entries."""
        A = A.copy()
        A[..., : self.system.nv] *= self.system.scales
        rows = np.max(np.abs(A), axis=-1, keepdims=True)
        return np.asarray(A / np.where(rows > 0, rows, 1))

    # The state ------------------------------------------------------------------------------

    def state(self, q: Array, lam: Array, tau: Array) -> Array:
        return np.concatenate([q, lam, tau]).astype(float)

    def parts(self, x: Array) -> tuple[Array, Array, Array]:
        """q, lam, tau of a state, or of many."""
        a, b = self.system.nq, self.system.nq + self.system.nc
        return x[..., :a], x[..., a:b], x[..., b:]

    def moved(self, x: Array, change: Array) -> Array:
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

    def settled(self, q: Array, u: Array, p: Array) -> Array:
        """Coordinates, a row for each of many, with the currents of motors and the
        bristles of tendons as they are at rest."""
        if not any(x.settles for x in self.system.dynamics.states) or not len(q):
            return q
        n = len(q)
        columns = (np.broadcast_to(x, (n, x.shape[-1])).T for x in (q, u, p))
        return np.asarray(self.system.at_rest(*columns).full().T)

    def inputs_and_parameters(self, tau: Array, p: Array | None = None) -> tuple[Array, Array]:
        """Inputs and parameters with the unknowns among them, and torques of actuated motors.

        p: parameters of each of many configurations, where these differ.
        """
        p = self.p if p is None else p
        return self.prescription.applied(tau, self.base_inputs, p, self.system)


def functions(system: System, given: Prescription) -> dict[str, Any]:
    """balance, residual and moved, as path.c calls them."""
    nq, nv, nc, nd = system.nq, system.nv, system.nc, len(given.unknowns)
    x, target = ca.MX.sym("x", nq + nc + nd), ca.MX.sym("target", given.targets)
    u, p = ca.MX.sym("u", system.u.numel()), ca.MX.sym("p", system.p.numel())
    q, lam, tau = ca.MX.sym("q", nq), ca.MX.sym("lam", nc), ca.MX.sym("tau", nd)
    pulled = tau[nd - len(given.tensions) :]
    at_rest = q, _held(system, given, lam), *_set(system, given, tau, u, p), pulled
    G, K, psi, J, X, V, by_pull, law, law_v, law_t = statics(system, given.frames, given.tensions)(
        *at_rest
    )
    strained = [given.tensions.index(name) for name in given.strained]
    laws = (law[strained], law_v[strained, :], law_t[strained, :]) if strained else NO_LAWS
    _, by_v, by_tau = _prescribed(system, given, q, tau, target, X, V, laws)
    B, slack, J = _efforts(system, given), _slack(system, given), _held(system, given, J)
    r = _residual(system, given, (q, lam, tau, target), (G, psi, X, law))
    cheap = forces(system, given.frames, given.tensions)(*at_rest)
    alone = _residual(system, given, (q, lam, tau, target), cheap)
    A = ca.vertcat(
        ca.horzcat(K, J.T, B, by_pull),
        ca.horzcat(J, slack, ca.MX(nc, nd)),
        ca.horzcat(by_v, ca.MX(by_v.shape[0], nc), by_tau),
    )
    for k in given.settings.values():
        A[:, nv + nc + k] = ca.jtimes(alone, tau, ca.DM.eye(nd)[:, k])
    free = [q, lam, tau, target, u, p]
    parts = ca.Function("parts", free, [r, ca.densify(A)])
    force = ca.Function("force", free, [alone])
    q, lam, tau = ca.vertsplit(x, [0, nq, nq + nc, nq + nc + nd])
    arguments, split = [x, target, u, p], [q, lam, tau, target, u, p]
    return {
        "balance": ca.Function("chorda_balance", arguments, list(parts(*split))),
        "residual": ca.Function("chorda_residual", arguments, [force(*split)]),
        "moved": moving(system, given),
    }


def moving(system: System, given: Prescription) -> Any:
    """(state, change along (v, lam, tau)) -> the state after it."""
    nq, nv, more = system.nq, system.nv, system.nc + len(given.unknowns)
    x, change = ca.MX.sym("x", nq + more), ca.MX.sym("change", nv + more)
    q, others = ca.vertsplit(x, [0, nq, nq + more])
    along, rest = ca.vertsplit(change, [0, nv, nv + more])
    after = system.normalized(q + system.kinematics(q) @ along)
    return ca.Function("chorda_moved", [x, change], [ca.densify(ca.vertcat(after, others + rest))])


def collecting(system: System, given: Prescription) -> Any:
    """(q, lam, tau, target, G, psi, X, law) -> the residual, from what `forces` gives."""

    def make() -> Any:
        sizes = system.nq, system.nc, len(given.unknowns), given.targets
        state = [ca.MX.sym("s", n) for n in sizes]
        found = [
            ca.MX.sym("G", system.nv),
            ca.MX.sym("psi", system.nc),
            ca.MX.sym("X", 12, len(given.frames)),
            ca.MX.sym("law", len(given.tensions)),
        ]
        return ca.Function("collect", [*state, *found], [_residual(system, given, state, found)])

    return system.once(("collect", given), make)


def _residual(
    system: System, given: Prescription, state: Sequence[Any], found: Sequence[Any]
) -> Any:
    (q, lam, tau, target), (G, psi, X, law) = state, found
    n, nv = len(given.tensions), system.nv
    direct = ca.vertsplit(tau, [0, tau.numel() - n, tau.numel()])[0]
    strained = [given.tensions.index(name) for name in given.strained]
    laws = (law[strained], ca.MX(len(strained), nv), ca.MX(len(strained), n))
    V = ca.MX(6 * len(given.frames), nv)
    off = _prescribed(system, given, q, tau, target, X, V, laws if strained else NO_LAWS)[0]
    return ca.densify(
        ca.vertcat(
            G + _efforts(system, given) @ direct,
            _held(system, given, psi) + _slack(system, given) @ lam,
            off,
        )
    )


def _efforts(system: System, given: Prescription) -> Any:
    """Of which row of the balance each effort is a part."""
    rows = coordinate_rows(system)
    B = ca.DM(system.nv, len(given.unknowns) - len(given.tensions))
    for name in (*given.moved, *given.efforts):
        B[rows[name], given.unknowns.index(name)] = 1
    return B


def _slack(system: System, given: Prescription) -> Any:
    """Compliance of the constraints."""
    shared = SLACK * bool(system.constraints.dependent) * ca.DM.eye(system.nc)
    return ca.sparsify(shared + _loose(system, given))


def _held(system: System, given: Prescription, rows: Any) -> Any:
    """Rows of the constraints that hold; those of slack tendons are zero."""
    return (ca.DM.eye(system.nc) - _loose(system, given)) @ rows if given.slack else rows


def _loose(system: System, given: Prescription) -> Any:
    """A diagonal matrix over the constraints: 1 for those of slack tendons, whose multiplier is
    zero instead."""
    names = {f"{name}{LENGTH}" for name in given.slack}
    return ca.sparsify(ca.diag(ca.DM([float(x in names) for x in system.constraints.names])))


def _set(system: System, given: Prescription, tau: Any, u: Any, p: Any) -> tuple[Any, Any]:
    """Inputs and parameters, those among the unknowns taken from there."""
    where, found = settings(system), {INPUT: u, "p": p}
    for name, at in given.settings.items():
        kind, k = where[name]
        value = found[kind]
        found[kind] = value + ca.DM.eye(value.numel())[:, k] * (tau[at] - value[k])
    return found[INPUT], found["p"]


def _prescribed(
    system: System,
    given: Prescription,
    q: Any,
    tau: Any,
    target: Any,
    X: Any,
    V: Any,
    laws: tuple[Any, Any, Any],
) -> tuple[Any, Any, Any]:
    """How far what is prescribed is from its target, and its derivatives by v and tau."""
    rows = coordinate_rows(system)
    nv, nd, n, held = system.nv, len(given.unknowns), len(given.tensions), len(given.held)
    first = len(given.actuated)  # among the unknowns: what is given in the order of the targets
    at = [system.coordinate_names.index(name) for name in given.held]
    known = nd - first
    law, law_v, law_t = laws
    e, e_v = pose_errors(given, X, V, ca.vertsplit(target, [0, held + known, given.targets])[1])
    off = [q[i] - target[k] for k, i in enumerate(at)]
    off += [tau[first + k] - target[held + k] for k in range(known)]
    by_v = [ca.DM.eye(nv)[rows[name], :] for name in given.held] + [ca.MX(known, nv)]
    by_tau = [ca.MX(held, nd), *(ca.DM.eye(nd)[first + k, :] for k in range(known))]
    if law.numel():
        off.append(law)
        by_v.append(law_v)
        by_tau.append(ca.horzcat(ca.MX(law.numel(), nd - n), law_t))
    off, by_v = [ca.MX(0, 1), *off, *e], [*by_v, *e_v]
    by_tau.append(ca.MX(sum(x.numel() for x in e), nd))
    return ca.vertcat(*off), ca.vertcat(*by_v), ca.vertcat(*by_tau)
