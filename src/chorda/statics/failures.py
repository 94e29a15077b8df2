"""Why no equilibrium was found, and what to try."""

import numpy as np

from chorda.mechanics import Array, System
from chorda.results import Code, Status
from chorda.results.spectra import ZERO_ROW, signs
from chorda.statics.cold_start import Solved
from chorda.statics.hessians import free_moves, hessians, neutral_names
from chorda.statics.problem import Problem, Rows
from chorda.statics.rod_accuracy import strain_rows
from chorda.statics.target_poses import idle, row_names

OPEN = 1e-9  # [m] of a closure, and singular values over the largest one
NAMED = 3  # forces that are named
SMALL_FORCE = 1e-3  # of the largest: not named
MOSTLY = 0.5  # of a force: acts along directions that nothing resists


def undetermined(problem: Problem, x: Array, target: Array) -> Status | None:
    """Poses that nothing can change, or that say the same."""
    if not problem.prescription.frames:
        return None
    _, A = problem.evaluate(x, target)
    names = row_names(problem.prescription)
    if not np.all(np.isfinite(A)):
        return None
    stuck = idle(problem.scaled(A), range(len(A) - len(names), len(A)), names)
    if not stuck:
        return None
    return Status(
        Code.UNDETERMINED,
        f"The poses do not determine the configuration: {', '.join(stuck)} cannot be moved by what "
        "is actuated, or say the same. Prescribe something else, or actuate other joints.",
    )


def singular_to_rounding(problem: Problem, x: Array, target: Array) -> Status | None:
    """Rods that resist so little beside something else that the solver takes it for nothing."""
    moves, soft, names = _rod_moves(problem)
    A = problem.evaluate(x, target)[1] if soft.any() else np.zeros(0)
    if not soft.any() or not np.all(np.isfinite(A)):
        return None
    for rows in _resistances(problem, A[None], moves)[:, 0]:
        lost = soft & (rows <= ZERO_ROW * np.max(rows))
        if lost.any():
            weak = [names[k] for k in moves[lost].tolist()]
            more = f" and {len(weak) - NAMED} more" if len(weak) > NAMED else ""
            stiff = names[moves[np.argmax(rows)]]
            part = float(np.max(rows[lost]) / np.max(rows))
            return Status(
                Code.SINGULAR,
                f"No equilibrium was found: Newton's matrix is singular to rounding. "
                f"{', '.join(weak[:NAMED])}{more} resist {part:.1e} times as much as {stiff}; "
                f"expected more than {ZERO_ROW:.0e} times. Check the units of length, section and "
                "Young's modulus, or leave the stiff strain out (0 functions in its modes).",
            )
    return None


def are_singular_to_rounding(problem: Problem, matrices: Array) -> "np.typing.NDArray[np.bool_]":
    """The same of many matrices (n, nz, nz), without the sentence."""
    moves, soft, _ = _rod_moves(problem)
    if not soft.any():
        return np.zeros(len(matrices), bool)
    with np.errstate(invalid="ignore"):  # a matrix that is not finite is no such case
        rows = _resistances(problem, matrices, moves)
        lost = rows[..., soft] <= ZERO_ROW * np.max(rows, axis=-1, keepdims=True)
    return np.asarray(lost.any(axis=(0, 2)))


def _rod_moves(problem: Problem) -> tuple[Rows, "np.typing.NDArray[np.bool_]", list[str]]:
    """Rows of v that move with locked motors, which of them are strains of rods, and the names of
    all."""
    system = problem.system
    names, of_rods = system.once("moves-of-rods", lambda: _moves_of_rods(system))
    moves = free_moves(problem, "locked")
    return moves, of_rods[moves], names


def _moves_of_rods(system: System) -> tuple[list[str], "np.typing.NDArray[np.bool_]"]:
    """Names of the velocities' coordinates, and which are strains of rods."""
    names = [name.removesuffix(".rate") for name, _ in system.velocities]
    strains = {system.coordinate_names[i] for i in strain_rows(system)}
    return names, np.array([name in strains for name in names], bool)


def _resistances(problem: Problem, matrices: Array, moves: Rows) -> Array:
    """(2, n, moves) what resists along each, as the solver and as the stability see it."""
    scale = problem.system.scales[moves]
    K = np.max(np.abs(matrices[:, moves[:, None], moves]) * scale, axis=2)
    return np.array([K, scale * K])


def not_converged(problem: Problem, start: Array, found: Solved, target: Array) -> Status:
    """The sentence for a solver that did not come to rest."""
    return Status(
        Code.NOT_CONVERGED, f"No equilibrium was found: {_reason(problem, start, found, target)}"
    )


def _reason(problem: Problem, start: Array, found: Solved, target: Array) -> str:
    if open_closures := _stuck_closures(problem, start, target):
        return (
            f"the start is singular: nothing can shut {', '.join(open_closures)} from there, which "
            "is open. Give a start that is bent or turned (initial=..., or `start` in the robot's "
            "description)."
        )
    r, A = problem.evaluate(found.x, target)
    free = np.setdiff1d(np.arange(problem.system.nv), problem.moved_rows)
    left = _unbalanced(problem, free, r[free])
    if np.all(np.isfinite(A)) and _along_neutral(problem, r, A) > MOSTLY:
        names = ", ".join(neutral_names(problem, found.x, A))
        remedy = (
            "chorda.transmission(system, q).distribute() gives tensions that hold a configuration"
            if problem.prescription.tensions
            else "give inputs that balance there"
        )
        return (
            f"{left}Nothing resists along {names}: no configuration near this one balances it; "
            f"{remedy}, or add a spring."
        )
    way = "Newton's method does not come to rest from this start"
    if found.reached:
        way = f"load stepping reached {found.reached:.1%} of the load"
    return (
        f"{way}; {left}Try a start nearer to the configuration you expect (initial=...), such as "
        "the end of a simulated motion with friction; from the end of one, let it go on until it "
        "rests."
    )


def _stuck_closures(problem: Problem, x: Array, target: Array) -> tuple[str, ...]:
    """Closures that are open at the start and that no free coordinate moves there."""
    system = problem.system
    r, A = problem.evaluate(x, target)
    nv, nc = system.nv, system.nc
    if not (np.all(np.isfinite(r)) and np.all(np.isfinite(A))):  # too far away for numbers
        return ()
    free = np.setdiff1d(np.arange(nv), problem.held_rows)
    J, psi = A[nv : nv + nc][:, free] * system.scales[free], r[nv : nv + nc]
    U, values, _ = np.linalg.svd(J)
    lost = U[:, np.sum(values > OPEN * np.max(values, initial=1e-300)) :]
    gaps = np.abs(lost @ (lost.T @ psi))
    return tuple(x for x, gap in zip(system.constraints.names, gaps, strict=True) if gap > OPEN)


def _unbalanced(problem: Problem, free: Rows, F: Array) -> str:
    """Forces that are out of balance, by coordinate, largest first."""
    largest = float(np.max(np.abs(F), initial=0.0))
    order = [k for k in np.argsort(-np.abs(F)).tolist() if abs(F[k]) > SMALL_FORCE * largest]
    named = []
    for k in order[:NAMED]:
        name, unit = problem.system.velocities[free[k]]
        force = "N" if unit == "m/s" else "N m"
        named.append(f"{name.removesuffix('.rate')} with {F[k]:.4g} {force}")
    more = f" and {len(order) - NAMED} more" if len(order) > NAMED else ""
    return f"left unbalanced: {', '.join(named)}{more}. " if named else ""


def _along_neutral(problem: Problem, r: Array, A: Array) -> float:
    """Part of the force that is left which acts along directions that nothing resists."""
    H, T, moves = hessians(problem, A[None], "locked")
    along = T[0] @ signs(H)[2][0]
    along = along[:, np.any(along != 0, axis=0)]
    F = r[moves] * problem.system.scales[moves]
    size = float(np.linalg.norm(F))
    if not along.size or size == 0:
        return 0.0
    return float(np.linalg.norm(np.linalg.qr(along)[0].T @ F)) / size
