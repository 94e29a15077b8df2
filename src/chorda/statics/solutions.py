"""Solved states as results: tensions, residuals, stability."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from chorda.compile.columns import at_columns
from chorda.mechanics import Array
from chorda.results import Code, Equilibrium, EquilibriumPath, Status
from chorda.results.equilibrium import NO_ESTIMATE
from chorda.results.late import Late
from chorda.results.pressing import meetings
from chorda.results.provenance import provenance
from chorda.results.space_accuracy import SpaceAccuracy, accuracy_remark
from chorda.results.spectra import KINDS, Kind, Spectra, Word, growth
from chorda.statics.branch import Branch
from chorda.statics.contact_at_rest import touching_remark
from chorda.statics.hessians import neutral_names, spectra
from chorda.statics.problem import Problem
from chorda.statics.rigid_tendons import tension_at_rest
from chorda.statics.rod_accuracy import is_local, most_strained, space_accuracy

NO_ENERGY = "Its forces have no energy; the eigenvalues of the motion decide"


def path_of(problem: Problem, branch: Branch, way: Array) -> EquilibriumPath:
    """The result of states along a path, with their stability and where it changes.

    way: rows of targets at even parameters of the whole path.
    """
    from chorda.statics.stability_changes import stability_changes

    path = _configurations(problem, branch, KINDS)
    path = replace(path, changes=stability_changes(problem, path, branch.states, way))
    met = meetings(problem.system, path.parameter, path.q, path.u, path.parameters)
    rubs = touching_remark(problem.system, path.q, path.u, path.parameters)
    status = path.status.with_remarks(met, rubs)
    status = status.with_late_remark(lambda: accuracy_remark(problem.system, path.accuracy))
    return replace(path, status=status)


def _configurations(problem: Problem, branch: Branch, kinds: Sequence[Kind]) -> EquilibriumPath:
    """States with their tensions, residuals and stability of some kinds."""
    X, targets = branch.states, branch.targets
    residuals, matrices = problem.linearised(X, targets)
    stability = {str(kind): spectra(problem, X, matrices, kind) for kind in kinds}
    q, lam, tau = problem.parts(X)
    u, p, tension = tensions(problem, X)
    locked, strained = stability["locked"], most_strained(problem.system, q)
    return EquilibriumPath(
        system=problem.system,
        prescription=problem.prescription,
        parameter=branch.parameters,
        targets=targets,
        q=problem.settled(q, u, p),
        u=u,
        parameters=p,
        tension=tension,
        multipliers=lam,
        unknowns=tau,
        residual=np.maximum(np.max(np.abs(residuals), axis=1, initial=0.0), gaps(problem, q, u, p)),
        iterations=branch.iterations.astype(int),
        stability=stability,
        neutral=tuple(
            neutral_names(problem, X[k], matrices[k]) if locked.neutral[k] else ()
            for k in range(len(X))
        ),
        changes=(),
        status=branch.status,
        estimates=()
        if strained is None
        else [Late(partial(_estimate, problem, *row)) for row in zip(X, targets, strict=True)],
        most_strained=strained,
        provenance=provenance(problem.system, given=problem.prescription.given),
    )


def _estimate(problem: Problem, x: Array, target: Array) -> SpaceAccuracy | None:
    """From the continuous equations where rods can be taken apart, or else from finer rods."""
    from chorda.statics.hierarchical_accuracy import hierarchical_accuracy

    if is_local(problem.system):
        return space_accuracy(problem, x, target)
    return hierarchical_accuracy(problem, x, target)


def gaps(problem: Problem, q: Array, u: Array, p: Array) -> Array:
    """The widest gap of closures that depend on each other [m], which Newton's method sees through
    their independent combinations only."""
    system = problem.system
    if not system.constraints.dependent:
        return np.zeros(len(q))
    psi = at_columns(system, system.closing_all, q.T, u.T, p.T)[0]
    return np.asarray(np.max(np.abs(psi), axis=0, initial=0.0))


def equilibrium_of(
    problem: Problem, x: Array, target: Array, iterations: int = 0, status: Status | None = None
) -> Equilibrium:
    """One solution as an equilibrium; without a status it is a converged one."""
    ended = status or Status(Code.CONVERGED, "")
    branch = Branch(x[None], target[None], np.ones(1), np.array([iterations]), ended)
    path = _configurations(problem, branch, ["locked"])
    found = path.at(0)
    if status is None:
        ended = converged(path.stability["locked"], found.neutral, iterations)
        ended = replace(ended, late=found.status.late)
    elif not status.ok and status.code not in (Code.OUT_OF_RANGE, Code.LIMIT):
        found = replace(found, stability=Word.UNKNOWN, neutral=(), estimate=NO_ESTIMATE)
    return replace(found, status=ended)


def converged(locked: Spectra, neutral: Sequence[str], iterations: int) -> Status:
    """The sentence for an equilibrium that was found."""
    leading = complex(locked.leading[0])
    word, n = locked.words[0], locked.moves
    if word == Word.UNSTABLE and locked.criterion[0] == "motion":
        return Status(
            Code.CONVERGED,
            f"Equilibrium found; it is UNSTABLE by {locked.instability[0]}: {growth(leading)}. "
            f"{NO_ENERGY}.",
        )
    if word == Word.UNSTABLE:
        return Status(
            Code.CONVERGED,
            f"Equilibrium found; it is UNSTABLE: {locked.negative[0]} of {n} Hessian eigenvalues "
            "are negative.",
        )
    if word == Word.NEUTRAL:
        return Status(
            Code.CONVERGED,
            f"Equilibrium found; it is NEUTRAL along {', '.join(neutral)}: in balance, and nothing "
            "pulls it back there.",
        )
    count = f"{iterations} iteration{'s' * (iterations != 1)}"
    why = "" if locked.criterion[0] == "energy" else f" {NO_ENERGY}."
    return Status(Code.CONVERGED, f"Stable equilibrium found in {count}.{why}")


def tensions(problem: Problem, X: Array, P: Array | None = None) -> tuple[Array, Array, Array]:
    """Inputs, parameters and tensions of all tendons at rest [N] in states, a row for each:
    prescribed tensions, and those that follow. P: rows of parameters where they differ."""
    system, given = problem.system, problem.prescription
    q, lam, tau = problem.parts(X)
    u, p = problem.inputs_and_parameters(tau, P)
    names = [t.name for t in system.robot.tendons]
    if not names or not len(q):
        return u, p, np.zeros((len(q), len(names)))
    found = at_columns(system, tension_at_rest(system), q.T, lam.T, u.T, p.T)[0].T
    first = len(given.unknowns) - len(given.tensions)
    found[:, [names.index(name) for name in given.tensions]] = tau[:, first:]
    return u, p, found + 0.0  # no -0 of slack tendons


def mismatched(problem: Problem, found: Equilibrium) -> Equilibrium:
    """With a remark where one motor winds several tendons, and cannot give them these tensions."""
    given = problem.prescription
    others = [x for x, winder in zip(given.tensions, given.winders, strict=True) if not winder]
    if not others:
        return found
    names = [t.name for t in problem.system.robot.tendons]
    has = tension_at_rest(problem.system)(found.q, found.multipliers, found.u, found.parameters)
    off = [
        x for x in others if abs(float(has[names.index(x)]) - found.tension[names.index(x)]) > 1e-6
    ]
    if not off:
        return found
    return remarked(
        found,
        f"Its motor winds {', '.join(off)} together with another tendon: these tensions take "
        "another pretension.",
    )


def remarked(found: Equilibrium, remark: str) -> Equilibrium:
    """With one more sentence in its status."""
    return replace(found, status=found.status.with_remarks(remark))
