"""How accurate an assembly of rods is with its steps, and more of them until it is as asked for."""

from collections.abc import Callable

import numpy as np

from chorda.continuous.continuous_results import AssemblyEquilibrium
from chorda.mechanics import Array
from chorda.numerics.richardson import extrapolated_error, finer_until
from chorda.results.space_accuracy import SpaceAccuracy

MAX_STEPS = 1000
ROUNDING = 1e-10  # of the longest rod: what rounding and the tolerance may leave
REMEDY = "more steps (steps=, or accuracy= in metres)"

Solve = Callable[[int, AssemblyEquilibrium], AssemblyEquilibrium]  # with steps, from a solution


def refined_steps(
    found: AssemblyEquilibrium, asked: float, order: int, solve: Solve
) -> tuple[AssemblyEquilibrium, SpaceAccuracy, bool]:
    """With twice the steps until the error of the tips is as small as asked for, and whether it is.

    order : of a step.
    """
    rods = found.equations.rods
    names, size = [f"{name}.tip" for name in rods.names], float(np.max(rods.length))

    def tips(x: AssemblyEquilibrium) -> Array:
        return np.array([x.frame(name)[0] for name in names])

    def error(fine: AssemblyEquilibrium, coarser: list[AssemblyEquilibrium]) -> SpaceAccuracy:
        ladder = [fine, *coarser]
        while len(ladder) < 3 and (steps := ladder[-1].equations.steps // 2):
            less = solve(steps, ladder[-1])
            if not less.status.ok:
                break
            ladder.append(less)
        off, reliable = np.full(len(names), np.inf), False
        if len(ladder) > 1:
            at = [tips(x) for x in ladder]
            coarse = at[2] if len(at) > 2 else None
            off, reliable = extrapolated_error(at[0], at[1], coarse, order, ROUNDING * size)
        return SpaceAccuracy(tuple(names), off, np.zeros(len(names)), reliable, size, REMEDY)

    def finer(x: AssemblyEquilibrium) -> AssemblyEquilibrium | None:
        if 2 * x.equations.steps > MAX_STEPS:
            return None
        more = solve(2 * x.equations.steps, x)
        return more if more.status.ok else None

    return finer_until(
        found,
        error=error,
        finer=finer,
        is_enough=lambda x: x.reliable and not x.is_large(asked),
    )
