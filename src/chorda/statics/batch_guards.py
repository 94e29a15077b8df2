"""What a solution at rest must obey, looked at in many at once: the rules of `branch.within` and
`equilibrium`, whose sentences say of one what is wrong."""

import numpy as np

from chorda.compile.columns import at_columns
from chorda.mechanics import Array
from chorda.mechanics.redundancy import LENGTH
from chorda.results import Code
from chorda.statics import winding_limits as winding
from chorda.statics.failures import are_singular_to_rounding
from chorda.statics.problem import Problem
from chorda.statics.ranges import Limits, beyond_rows
from chorda.statics.rigid_tendons import STRETCHED, one_sided_rigid, pushes

Names = np.typing.NDArray[np.str_]
WIDE = "<U" + str(max(len(code) for code in Code))


def judged(
    problem: Problem,
    X: Array,
    matrices: Array,
    settings: tuple[Array, Array, Array],
    limits: Limits,
) -> Names:
    """Codes of solved states X (n, nx); matrices (n, nz, nz) of Newton's method there; settings:
    rows of inputs, parameters and tensions."""
    system, given = problem.system, problem.prescription
    q, _, tau = problem.parts(X)
    u, p, tension = settings
    code = np.full(len(X), str(Code.CONVERGED), WIDE)
    out, over = beyond_rows(system, given, np.hstack([q, tau]), limits)
    wrong = (
        (are_singular_to_rounding(problem, matrices), Code.SINGULAR),
        (_impossible(problem, tau), Code.LIMIT),
        (out, Code.OUT_OF_RANGE),
        (over, Code.LIMIT),
        (winding.crossed(system, system.rest[:, None], q.T, p.T), Code.WINDING_LIMIT),
        (_push_or_taut(problem, q, u, p, tension), Code.SLACK),
    )
    for mask, name in reversed(wrong):
        code[mask] = str(name)
    return code


def _impossible(problem: Problem, tau: Array) -> "np.typing.NDArray[np.bool_]":
    """Parameters that were found to be negative, or zero, and cannot be."""
    system, given = problem.system, problem.prescription
    table, found = system.parameter_table, np.zeros(len(tau), bool)
    for name in given.free_values:
        if name in table.names and not table.signed[table.names.index(name)]:
            found |= tau[:, given.unknowns.index(name)] <= 0
    return found


def _push_or_taut(
    problem: Problem, q: Array, u: Array, p: Array, tension: Array
) -> "np.typing.NDArray[np.bool_]":
    """Where a rigid tendon would have to push, or a slack one is stretched."""
    system, loose = problem.system, problem.prescription.slack
    names = one_sided_rigid(system)
    if not names:
        return np.zeros(len(q), bool)
    found = np.asarray(pushes(system, names, tension).any(axis=1))
    if loose:
        rows = [system.constraints.all_names.index(f"{name}{LENGTH}") for name in loose]
        gap = at_columns(system, system.closing_all, q.T, u.T, p.T)[0][rows]
        found |= gap.max(axis=0) > STRETCHED
    return found
