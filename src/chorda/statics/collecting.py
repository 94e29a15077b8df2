"""Solved states as results, with verdicts on their stability."""

from dataclasses import replace

import numpy as np

from chorda.mechanics import Array
from chorda.results import Code, Crossing, Equilibrium, EquilibriumPath, Status
from chorda.results.provenance import provenance
from chorda.statics.hessians import KINDS, judge
from chorda.statics.problem import Problem
from chorda.statics.stability_changes import crossings


def collect(
    problem: Problem,
    share: Array,
    targets: Array,
    X: Array,
    status: Status,
    way: Array | None = None,
) -> EquilibriumPath:
    """The result, with verdicts on stability and where they change.

    way: rows of targets at even shares of the whole path; else `targets` are.
    """
    matrices = problem.matrices(X, targets)
    verdicts = {str(kind): judge(problem, matrices, kind) for kind in KINDS}
    q, lam, tau = problem.parts(X)
    path = EquilibriumPath(
        system=problem.system,
        layout=problem.layout,
        share=share,
        targets=targets,
        q=q,
        multipliers=lam,
        effort=tau,
        u=problem.u,
        parameters=problem.p,
        stability=verdicts,
        crossings=(),
        status=status,
        provenance=provenance(problem.system, given="inputs"),
    )
    located = [
        Crossing(x.kind, x.share, x.fold, configuration(problem, x.state, x.target))
        for x in crossings(problem, path, X, targets if way is None else way)
    ]
    return replace(path, crossings=tuple(located))


def configuration(problem: Problem, x: Array, target: Array) -> Equilibrium:
    """One solution as an equilibrium."""
    still = Status(Code.COMPLETED, "")
    return collect(problem, np.zeros(1), target[None], x[None], still).at(0)
