"""Fifth stage: equations psi(q, u) = 0 of closures, couplings, prescribed motions, and rigid
tendons that no motor follows."""

from dataclasses import replace

import casadi as ca
import numpy as np

from chorda.describe import Closure, Coupling, Pulley, Tendon, Winch
from chorda.errors import InputError
from chorda.mechanics.configuration_survey import NO_MOTION, nearby
from chorda.mechanics.drivetrain import ACCELERATION, Drivetrain
from chorda.mechanics.frames import SX, Expr, Pose, skew_part, vector
from chorda.mechanics.records import Constraints
from chorda.mechanics.redundancy import LENGTH, Independent, independent
from chorda.mechanics.skeleton import Skeleton
from chorda.mechanics.tendon_forces import Tendons

MOTION = ".motion"  # of names of equations of prescribed motions
RIGHT_ANGLE = 1e-12  # cosine of an angle that is not a right one, beyond rounding


def constrain(
    skeleton: Skeleton, train: Drivetrain, tendons: Tendons, chosen: tuple[str, ...] | None = None
) -> Constraints:
    """All equations by name: closures first, then couplings, motions, and lengths of tendons.

    chosen: those that are independent, where that is known.
    """
    equations = [x for c in skeleton.robot.closures for x in _gap(c, skeleton)]
    equations += [_tie(coupling, skeleton) for coupling in skeleton.robot.couplings]
    equations += [(f"{name}{MOTION}", x) for name, x in train.motions.items()]
    _check_endless(skeleton, tendons.ties)
    equations += [(f"{name}.length", x) for name, x in tendons.ties.items()]
    names = tuple(name for name, _ in equations)
    every = ca.vertcat(SX(0, 1), *[x for _, x in equations])
    slopes, paid = ca.jacobian(every, train.q) @ train.N, _by_inputs(names, skeleton, train)
    if chosen is None:
        known = independent(names, every, slopes, paid, skeleton, train)
    else:
        known = Independent([names.index(x) for x in chosen], np.zeros((0, 0)), [], len(chosen))
    rows = known.kept
    J = slopes[rows, :]
    found = Constraints(
        names=tuple(names[i] for i in rows),
        psi=every[rows],
        J=J,
        psi_u=paid[rows, :],
        bias=_bias(J, [names[i] for i in rows], train),
        all_names=names,
        all_psi=every,
        all_J=slopes,
        spread=ca.sparsify(SX(ca.DM(known.spread))),
        dependent=tuple(names[i] for i in known.dependent),
        rank=known.rank,
    )
    return _projected(found, train) if known.dependent else found


def _bias(J: Expr, names: list[str], train: Drivetrain) -> Expr:
    """What psi has of acceleration without a: of the velocities, and of prescribed motions."""
    if not names:
        return SX(0, 1)
    bias = ca.jtimes(J @ train.v, train.q, train.N @ train.v)
    for name in train.motions:
        if f"{name}{MOTION}" in names:
            bias[names.index(f"{name}{MOTION}")] -= train.input(f"{name}{ACCELERATION}")
    return bias


def _projected(given: Constraints, train: Drivetrain) -> Constraints:
    """Closures that depend on each other where they are closed, as J^T psi = 0 instead.

    These equations never contradict each other, not even where rounding and steps have opened the
    loops a little, and the forces J mu that they bring are the least of all that act alike.
    """
    loops = [i for i, name in enumerate(given.names) if not name.endswith((LENGTH, MOTION))]
    ties = [i for i in range(len(given.names)) if i not in loops]
    J = given.J[loops, :]
    moved = sorted(set(J.sparsity().get_triplet()[1]))
    P, n = J[:, moved], len(given.names)
    into = SX(n, len(moved) + len(ties))  # forces of the given equations, of those of the new ones
    into[loops, : len(moved)] = P
    for k, i in enumerate(ties):
        into[i, len(moved) + k] = 1
    rates = [train.velocities[k][0].removesuffix(".rate") for k in moved]
    return replace(
        given,
        names=(*(f"loops.{name}" for name in rates), *(given.names[i] for i in ties)),
        psi=into.T @ given.psi,
        J=into.T @ given.J,
        psi_u=ca.vertcat(SX(len(moved), given.psi_u.shape[1]), given.psi_u[ties, :]),
        bias=into.T @ given.bias,
        spread=given.spread @ into,
    )


def _by_inputs(names: tuple[str, ...], skeleton: Skeleton, train: Drivetrain) -> Expr:
    """Constraints are linear in the lengths that winches pay out, and in prescribed motions."""
    robot, inputs = skeleton.robot, [item.name for item in train.inputs]
    winches = {x.name for x in robot.actuators if isinstance(x, Winch)}
    found = SX(len(names), len(inputs))
    for tendon in robot.tendons:
        if tendon.actuator in winches and (name := f"{tendon.name}.length") in names:
            found[names.index(name), inputs.index(tendon.actuator)] = -tendon.winding
    for motion in train.motions:
        found[names.index(f"{motion}{MOTION}"), inputs.index(motion)] = -1
    return found


def _gap(closure: Closure, skeleton: Skeleton) -> list[tuple[str, Expr]]:
    """The closure's equations by name, without those that hold by structure (out of a plane)."""
    tree = skeleton.tree
    (a, point_a), (b, point_b) = skeleton.ends[closure.name]
    root = tree.common(a, b)
    start, end = (tree.pose(a, root), point_a), (tree.pose(b, root), point_b)
    equations = [(name, ca.sparsify(x)) for name, x in closure_equations(closure, start, end)]
    return [(name, x) for name, x in equations if x.nnz()]


def _tie(coupling: Coupling, skeleton: Skeleton) -> tuple[str, Expr]:
    """The coupling's equation by name."""
    par, name = skeleton.par, coupling.name
    gap = sum(
        (
            par.scalar(f"{name}.{joint}", factor, "-", signed=True) * skeleton.coordinate(joint)
            for joint, factor in coupling.factors.items()
        ),
        SX(0),
    )
    if coupling.offset is not None:
        gap -= par.scalar(f"{name}.offset", coupling.offset, "-", signed=True)
    return f"{name}.coupling", gap


def closure_equations(
    closure: Closure, start: tuple[Pose, Expr], end: tuple[Pose, Expr]
) -> list[tuple[str, Expr]]:
    """All equations of a closure by name; its ends are points in frames, seen from any frame."""
    (A, point_a), (B, point_b) = start, end
    gap = ca.vertsplit(A.at(point_a) - B.at(point_b))
    equations = [(f"{closure.name}.{axis}", x) for axis, x in zip("xyz", gap, strict=True)]
    if closure.kind != "spherical":
        rows = ca.vertsplit(_turned(closure, A.R.T @ B.R))
        equations += [(f"{closure.name}.r{k}", row) for k, row in enumerate(rows)]
    return equations


def _turned(closure: Closure, turn: Expr) -> Expr:
    """What the closure leaves no room for in the turn of its end frame, seen from its start."""
    axis = vector(*closure.axis)
    match closure.kind:
        case "fixed":  # all axes coincide, near where they do
            return skew_part(turn)
        case "revolute":  # two axes coincide, at any angle about them
            return _across(closure.axis).T @ turn @ axis
    assert closure.cross_axis is not None
    cosine = ca.sparsify(axis.T @ turn @ vector(*closure.cross_axis))
    if not cosine.is_constant():
        return cosine
    if abs(float(cosine)) > RIGHT_ANGLE:
        raise InputError(
            f"{closure.name}.cross_axis: expected to stay perpendicular to axis "
            f"{list(closure.axis)} of '{closure.start.frame}', got {list(closure.cross_axis)} of "
            f"'{closure.end.frame}', at an angle that no joint changes, whose cosine is "
            f"{float(cosine):g}; change one of the axes"
        )
    return SX(1, 1)


def _across(axis: tuple[float, float, float]) -> Expr:
    """Two directions across an axis, main ones where possible, so that planar zeros survive."""
    n = np.array(axis)
    first = np.eye(3)[int(np.argmin(np.abs(n)))]
    first = first - n * (n @ first)
    first /= np.linalg.norm(first)
    return ca.horzcat(vector(*first), vector(*np.cross(n, first)))


def _check_endless(skeleton: Skeleton, ties: dict[str, Expr]) -> None:
    """Rigid tendons must not tie the same motion twice: nothing would determine their tensions."""
    tendons = skeleton.robot.tendons
    for tendon in (t for t in tendons if t.name in ties):
        for mate in (t for t in tendons if _same_pulleys(tendon, t)):
            other = ties.get(mate.name, SX(0))  # none: it leads a motor, whose angle is in the tie
            both = [ca.jacobian(ties[tendon.name] + s * other, skeleton.q) for s in (-1, 1)]
            if np.abs(nearby(skeleton)(ca.vertcat(*both))).max(axis=(0, 1)).min() < NO_MOTION:
                raise InputError(
                    f"{skeleton.robot.name}: tendons '{tendon.name}' and '{mate.name}' make an "
                    "endless tendon that does not stretch: both tie the same motion, so that their "
                    "tensions are undetermined; give it a stiffness (law kelvin-voigt), and "
                    "assemble with tendons='elastic'"
                )


def _same_pulleys(a: Tendon, b: Tendon) -> bool:
    """Two sides of one belt: the same pulleys, on opposite sides."""

    def ends(tendon: Tendon, turned: bool) -> list[tuple[object, ...]]:
        flip = {"left": "right", "right": "left"} if turned else {}
        return [
            (x.frame, x.point, x.radius, flip.get(x.side, x.side))
            for x in tendon.path
            if isinstance(x, Pulley)
        ]

    pulleys = ends(a, False)
    return a.name != b.name and len(pulleys) == 2 and pulleys == ends(b, True)
