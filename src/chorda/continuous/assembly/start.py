"""Where to start: bends of the legs, a platform that meets them, and forces in balance."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.continuous.assembly.along import Scheme, march, resampled
from chorda.continuous.assembly.equations import Equations
from chorda.continuous.assembly.given import finite
from chorda.continuous.assembly.rigid import Configuration
from chorda.continuous.assembly.stepping import order8
from chorda.describe import STRAINS
from chorda.errors import InputError
from chorda.mechanics import Array, unknown
from chorda.results import Equilibrium

STEPS = 10  # along a rod with the strains of a guess
CLOSED = 0.02  # gap of closures, in lengths of a rod, that counts as closed
POSES = ("ew", "ex", "ey", "ez", "x", "y", "z")


def at_rest(equations: Equations, values: Mapping[str, float]) -> Configuration:
    """From numbers by name: joints, platform.x, and bends such as leg1.bend_z, else zero.

    A rod starts with a constant strain. Where closures are not met so, what is held is set at once,
    and what closures leave open follows from them.
    """
    s = equations.structure
    known = [joint.name for joint in s.axes]
    known += [f"{joint.name}.{x}" for joint in s.free for x in POSES]
    known += [f"{rod.name}.{strain}" for rod in s.rods for strain in STRAINS]
    for name in values:
        if name not in known:
            raise InputError(unknown("initial", str(name), tuple(known)))
    number = {name: finite(f"initial.{name}", value) for name, value in values.items()}
    wrench = np.zeros((len(s.rods), 6))
    for i, fibre in enumerate(s.fibres):
        for k, strain in enumerate(STRAINS):
            extra = number.get(f"{fibre.name}.{strain}", 0.0)
            wrench[i, k] = fibre.stiffness[k] * extra * (fibre.compliance[k] > 0)
    lam = np.zeros(len(equations.rigid.rows))
    x = _configuration(equations, number, wrench, lam)
    if np.max(np.abs(equations.rigid(x).psi), initial=0.0) < CLOSED * s.length_scale:
        return _balanced(equations, x)  # what is held moves from there
    number |= equations.given.held
    x = _configuration(equations, number, wrench, lam)
    given = {joint.name for joint in s.axes if joint.name in number}
    given |= {j.name for j in s.free if any(f"{j.name}.{x}" in number for x in POSES)}
    return _balanced(equations, _met(equations, x, given))


def _met(equations: Equations, x: Configuration, given: set[str]) -> Configuration:
    """Joints behind the legs, moved until closures are as near as they get."""
    s = equations.structure
    free = [
        k
        for k, name in enumerate(s.moves)
        if name.partition(".")[0] not in given and name not in s.upstream
    ]
    if not free or not len(x.multipliers):
        return x
    still = np.zeros((*x.nodes.m.shape[:2], 12))
    for _ in range(30):
        parts = equations.rigid(x)
        J = parts.J[:, [6 * len(s.rods) + k for k in free]]
        # damped: where closures do not tell, nothing moves
        d = np.zeros(equations.moves + equations.wrenches + len(parts.psi))
        d[free] = -np.linalg.solve(J.T @ J + 1e-6 * np.eye(len(free)), J.T @ parts.psi)
        size = float(np.max(np.abs(d)))
        x = equations.moved(x, d * min(1.0, 0.5 / max(size, 1e-9)), still)
        if size < 1e-6:
            break
    return x


def _balanced(equations: Equations, x: Configuration) -> Configuration:
    """Multipliers that leave the least out of balance."""
    if not len(x.multipliers):
        return x
    at = equations(x)
    rows = slice(0, equations.wrenches + len(equations.balanced))
    columns = at.matrix[rows, equations.moves + equations.wrenches :]
    lam = np.linalg.lstsq(columns, -at.residual[rows], rcond=1e-9)[0]
    return replace(x, multipliers=x.multipliers + lam)


def from_modes(equations: Equations, found: Equilibrium) -> Configuration:
    """From an equilibrium of the model with modes: its joints, closures and tips tell all."""
    s, rigid = equations.structure, equations.rigid
    names = dict(zip(found.system.constraints.names, found.multipliers.tolist(), strict=True))
    lam = np.array([-names.get(row, 0.0) for row in rigid.rows])
    x = _configuration(equations, found.position, np.zeros((len(s.rods), 6)), lam)
    for i, fibre in enumerate(s.fibres):
        x.nodes.p[-1, i], x.nodes.R[-1, i] = found.frame(f"{fibre.name}.tip")
    carried = -rigid(x).G[: 6 * len(s.rods)].reshape(-1, 6)
    wrench = np.empty((len(s.rods), 6))
    for i, fibre in enumerate(s.fibres):  # the weight acts half way, near enough
        arm, weight = x.nodes.p[-1, i] - x.nodes.p[0, i], fibre.weight * fibre.length
        moment = carried[i, :3] + np.cross(arm, carried[i, 3:] + weight / 2)
        back = x.nodes.R[0, i].T
        wrench[i] = *(back @ moment), *(back @ (carried[i, 3:] + weight))
    return _configuration(equations, found.position, wrench, lam)


def from_result(equations: Equations, x: Configuration, scheme: Scheme) -> Configuration:
    """A configuration with other nodes, where there are to be as many."""
    share = np.linspace(0, 1, equations.steps + 1)
    if len(share) == len(x.nodes.share):
        return x
    return replace(x, nodes=resampled(scheme, equations.bundle, x.nodes, share)[0])


def _configuration(
    equations: Equations, number: Mapping[str, float], wrench: Array, multipliers: Array
) -> Configuration:
    """Joints from numbers by name, rods from the wrenches at their bases."""
    s, bundle = equations.structure, equations.bundle
    axes = np.array([number.get(joint.name, 0.0) for joint in s.axes])
    R, p = np.empty((len(s.free), 3, 3)), np.empty((len(s.free), 3))
    for k, joint in enumerate(s.free):
        w, *rest = (number.get(f"{joint.name}.{x}", float(x == "ew")) for x in POSES)
        R[k], p[k] = Rotation.from_quat([*rest[:3], w]).as_matrix(), rest[3:]
    nodes = march(order8, bundle, *equations.rigid.bases(axes, R, p), wrench, STEPS)
    return from_result(equations, Configuration(axes, R, p, multipliers, nodes), order8)
