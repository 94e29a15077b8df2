"""Where to start: bends of the legs, a platform that meets them, and forces in balance."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.checks import check_names, numeric
from chorda.continuous.along_rods import Scheme, integrated, resampled
from chorda.continuous.assembly_equations import AssemblyEquations
from chorda.continuous.assembly_structure import POSE
from chorda.continuous.continuous_results import AssemblyEquilibrium
from chorda.continuous.piece_schemes import order8
from chorda.continuous.rigid_parts import Configuration
from chorda.describe import STRAINS, Robot
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.numerics.newton import Solver, newton
from chorda.results import Equilibrium

STEPS = 10  # along a rod with the strains of a guess
CLOSED_GAP = 0.02  # of closures, in lengths of a rod, that counts as closed
LONGEST_STEP, LAST_STEP, MAX_ITERATIONS = 0.5, 1e-6, 30  # of the search for closed loops
Start = Mapping[str, float] | AssemblyEquilibrium | Equilibrium | None


def start(equations: AssemblyEquations, initial: Start) -> Configuration:
    """From numbers by name, or from a result of the same robot."""
    if isinstance(initial, AssemblyEquilibrium):
        _check_joints(equations, initial.equations.structure.robot)
        return _resampled(equations, initial.configuration, initial.equations.scheme)
    if isinstance(initial, Equilibrium):
        _check_joints(equations, initial.system.robot)
        return _from_modes(equations, initial)
    return _at_rest(equations, initial or {})


def _check_joints(equations: AssemblyEquations, other: Robot) -> None:
    robot = equations.structure.robot
    if [x.name for x in other.joints] != [x.name for x in robot.joints]:
        raise InputError(
            f"initial: is a result of '{other.name}', which has other joints; expected one of "
            f"'{robot.name}'"
        )


def _at_rest(equations: AssemblyEquations, values: Mapping[str, float]) -> Configuration:
    """From numbers by name: joints, platform.x, and bends such as leg1.bend_z, else zero.

    A rod starts with a constant strain. Where closures are not met so, what is held is set at once,
    and what closures leave open follows from them.
    """
    s, rods = equations.structure, equations.rods
    known = [joint.name for joint in s.axes]
    known += [f"{joint.name}.{x}" for joint in s.free for x in POSE]
    known += [f"{rod}.{strain}" for rod in rods.names for strain in STRAINS]
    number = {}
    check_names("initial", values, known)
    for name, value in values.items():
        given = numeric(f"initial.{name}", value)
        if given.ndim or not np.isfinite(given):
            raise InputError(f"initial.{name}: expected a finite number, got {value!r:.60}")
        number[name] = float(given)
    extra = [[number.get(f"{rod}.{strain}", 0.0) for strain in STRAINS] for rod in rods.names]
    wrench = rods.stiffness * np.array(extra) * (rods.compliance > 0)
    lam = np.zeros(len(equations.rigid.rows))
    x = _configuration(equations, number, wrench, lam)
    if np.max(np.abs(equations.rigid(x).psi), initial=0.0) < CLOSED_GAP * s.length_scale:
        return _balanced(equations, x)  # what is held moves from there
    number |= equations.held
    x = _configuration(equations, number, wrench, lam)
    return _balanced(equations, _met(equations, x, {name.partition(".")[0] for name in number}))


def _met(equations: AssemblyEquations, x: Configuration, fixed: set[str]) -> Configuration:
    """Joints behind the legs, moved until closures are as near as they get."""
    s = equations.structure
    free = [
        k
        for k, name in enumerate(s.moves)
        if name.partition(".")[0] not in fixed and name not in s.upstream
    ]
    if not free or not len(x.multipliers):
        return x

    def evaluate(x: Configuration) -> tuple[Array, Solver]:
        parts = equations.rigid(x)
        J = parts.J[:, [6 * len(s.rods) + k for k in free]]
        # damped: what does not matter to closures does not move
        inverse = np.linalg.solve(J.T @ J + 1e-6 * np.eye(len(free)), J.T)
        return parts.psi, lambda psi: -inverse @ psi

    def moved(x: Configuration, d: Array) -> Configuration:
        change = np.zeros(equations.unknowns + x.nodes.p.size * 4)
        change[free] = d
        return equations.moved(x, change)

    return newton(
        evaluate,
        x,
        moved=moved,
        tolerance=np.inf,
        correction_tolerance=LAST_STEP,
        longest=LONGEST_STEP,
        trials=0,
        iterations=MAX_ITERATIONS,
    ).x


def _balanced(equations: AssemblyEquations, x: Configuration) -> Configuration:
    """Multipliers that leave the least out of balance."""
    if not len(x.multipliers):
        return x
    at, rows = equations(x), slice(0, len(equations.balanced))
    columns = at.matrix[rows, equations.moves + equations.wrenches :]
    lam = np.linalg.lstsq(columns, -at.residual[rows], rcond=1e-9)[0]
    return replace(x, multipliers=x.multipliers + lam)


def _from_modes(equations: AssemblyEquations, found: Equilibrium) -> Configuration:
    """From an equilibrium of the model with modes: its joints, closures and tips tell all."""
    rigid, rods = equations.rigid, equations.rods
    names = dict(zip(found.system.constraints.names, found.multipliers.tolist(), strict=True))
    lam = np.array([-names.get(row, 0.0) for row in rigid.rows])
    x = _configuration(equations, found.position, np.zeros((len(rods), 6)), lam)
    for i, name in enumerate(rods.names):
        x.nodes.p[-1, i], x.nodes.R[-1, i] = found.frame(f"{name}.tip")
    carried = -rigid(x).G[: 6 * len(rods)].reshape(-1, 6)
    weight = rods.weight * rods.length[:, None]
    force, arm = carried[:, 3:] + weight, x.nodes.p[-1] - x.nodes.p[0]
    moment = carried[:, :3] + np.cross(arm, force - weight / 2)  # the weight acts half way, about
    wrench = np.concatenate([(v[:, None] @ x.nodes.R[0])[:, 0] for v in (moment, force)], axis=1)
    return _configuration(equations, found.position, wrench, lam)


def _resampled(equations: AssemblyEquations, x: Configuration, scheme: Scheme) -> Configuration:
    """A configuration with other nodes, where there are to be as many."""
    fraction = np.linspace(0, 1, equations.steps + 1)
    if len(fraction) == len(x.nodes.fraction):
        return x
    return replace(x, nodes=resampled(scheme, equations.rods, x.nodes, fraction)[0])


def _configuration(
    equations: AssemblyEquations, number: Mapping[str, float], wrench: Array, multipliers: Array
) -> Configuration:
    """Joints from numbers by name, rods from the wrenches at their bases."""
    s = equations.structure
    axes = np.array([number.get(joint.name, 0.0) for joint in s.axes])
    R, p = np.empty((len(s.free), 3, 3)), np.empty((len(s.free), 3))
    for k, joint in enumerate(s.free):
        w, *rest = (number.get(f"{joint.name}.{x}", float(x == "ew")) for x in POSE)
        R[k], p[k] = Rotation.from_quat([*rest[:3], w]).as_matrix(), rest[3:]
    bases = equations.rigid.bases(axes, R, p)
    nodes = integrated(order8, equations.rods, *bases, wrench, STEPS)
    return _resampled(equations, Configuration(axes, R, p, multipliers, nodes), order8)
