"""Single shooting: the rod is marched from its base until nothing is left over at its tip.

This is how the chapter of [Till2019] solves each step. Unknowns are the strains at the base and one
number for each tendon; equations are the wrench that is left at the tip and the tendons' lengths.
The equations are those of a LiftedRod, and so are the solutions; what differs is the way to them. A
change at the base grows along the march, the more the shorter the time step. So does what the base
of the last step leaves at the tip of the next one, until the search from there does not find back.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol, get_args

import numpy as np
from scipy.optimize import least_squares

from chorda.checks import check_choice, shown
from chorda.compile.point_functions import Pointwise
from chorda.continuous.lifted_rod import Conditions, LiftedRod
from chorda.continuous.rod_equations import STRAIN, TENDONS
from chorda.continuous.rod_march import rod_march
from chorda.continuous.tendon_ends import base
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.numerics.levenberg import MAX_ITERATIONS, Search, differences, levenberg
from chorda.numerics.newton import Outcome, Solver

SearchName = Literal["levenberg", "minpack"]
Start = Literal["last", "extrapolated"]
LOST_RESIDUAL = 1e100  # residual of a march that ends nowhere
ROUNDING = 1e-15


@dataclass(frozen=True)
class SingleShooting:
    """How a rod is solved for by its base alone, with derivatives by differences.

    Parameters
    ----------
    search : {"levenberg", "minpack"}
        'levenberg' as published: one damping for all unknowns, which are the strains of bending
        [1/m], the force [N] and the tensions [N] at the base. 'minpack': scipy's
        Levenberg-Marquardt in scaled unknowns.
    start : {"last", "extrapolated"}
        Of a time step, 'last': at the base of the step before, as published; 'extrapolated': at
        that which the last three steps lead to.

    See Also
    --------
    rod_statics, rod_dynamics : take it as `method`.

    Examples
    --------
    >>> import chorda
    >>> from chorda.continuous import rod_statics
    >>> found = rod_statics(chorda.load("till"), method=SingleShooting(search="minpack"))
    >>> found.tension.round(4).tolist()
    [2.5078]
    """

    search: SearchName = "levenberg"
    start: Start = "last"

    def __post_init__(self) -> None:
        check_choice("method.search", self.search, get_args(SearchName))
        check_choice("method.start", self.start, get_args(Start))


Method = Literal["all-nodes", "single-shooting"] | SingleShooting
PUBLISHED_METHOD = SingleShooting()


class Solves(Protocol):
    """What finds a state of a LiftedRod from a guess; extrapolates: guesses are extrapolated."""

    extrapolates: bool
    remedy: str

    def solved(
        self,
        x: Array,
        at: Conditions,
        *,
        tolerance: float,
        iterations: int,
        kept: Solver | None = None,
        least: int = 0,
    ) -> Outcome[Array]: ...


def solver_by(method: Method) -> Callable[[LiftedRod], Solves]:
    """What solves for a rod by a method, which is checked here."""
    if method == "all-nodes":
        return lambda rod: rod
    if method == "single-shooting":
        return partial(Shots, PUBLISHED_METHOD)
    if isinstance(method, SingleShooting):
        return partial(Shots, method)
    raise InputError(
        "method: expected 'all-nodes', 'single-shooting' or SingleShooting(...), got "
        f"{shown(method)}; leave it out for all nodes at once"
    )


class Shots:
    """Marches of one rod; work arrays are its own."""

    remedy = (
        "Single shooting found no way there from the base of its guess: a short step makes the "
        "march along the rod magnify what is wrong with it. Use method='all-nodes', which has no "
        "march, SingleShooting(start='extrapolated'), or a longer step."
    )

    def __init__(self, method: SingleShooting, rod: LiftedRod) -> None:
        if not rod.method.explicit:
            raise InputError(
                "integrator: expected euler or rk4, because single shooting marches along the rod, "
                "got one of collocation; use method='all-nodes' with it"
            )
        self.method, self.rod, march = method, rod, rod_march(rod)
        self.extrapolates = method.start == "extrapolated"
        self._one, self._many = Pointwise(march, 1, 1), Pointwise(march, 6 + rod.nt, 1)
        a, K = rod.scales, rod.problem.constants.stiffness
        self._units = a.unknown, a.tip
        if method.search == "levenberg":  # as published: forces at the base, everything in SI
            self._units = np.ones(len(a.unknown)), np.ones(len(a.tip))
            self._units[0][3:6] = 1 / K[3:]

    def solved(
        self,
        x: Array,
        at: Conditions,
        *,
        tolerance: float,
        iterations: int = MAX_ITERATIONS,
        kept: Solver | None = None,
        least: int = 0,
    ) -> Outcome[Array]:
        """From the base of x; it has its own number of iterations, and no use for `kept`."""
        rod, (unknowns, tips) = self.rod, self._units
        turned, b = rod.y(x)[0, :9].copy(), self._base(x)

        def one(b: Array) -> Array:
            return self._left(self._one, turned, b[None], at)[0]

        def is_enough(r: Array) -> bool:
            return float(np.max(np.abs(r * tips / rod.scales.tip))) <= tolerance

        many = partial(self._left, self._many, turned, at=at)
        search = levenberg if self.method.search == "levenberg" else _minpack
        found = search(one, lambda b, r: differences(many, b, r), b, is_enough)
        one(found.x)
        nodes = self._one.results[0].ravel()
        state = np.concatenate([nodes, found.x[6:] * unknowns[6:]])
        value, largest = rod.missed(state, at)
        met, (count, matrices) = found.reason == "converged", (found.iterations, found.matrices)
        return Outcome(state, met, count, largest, np.inf, found.reason, value, None, matrices)

    def left(self, x: Array, at: Conditions) -> Array:
        """Wrench [N m, N] and lengths [m] that a march from the base of x leaves at the tip."""
        turned = self.rod.y(x)[0, :9]
        return self._left(self._one, turned, self._base(x)[None], at)[0] * self._units[1]

    def _base(self, x: Array) -> Array:
        return np.concatenate([self.rod.y(x)[0, STRAIN], self.rod.g(x)]) / self._units[0]

    def _left(self, shots: Pointwise, turned: Array, b: Array, at: Conditions) -> Array:
        """What is left at the tip (k, 6 + nt) of marches from bases b (k, 6 + nt)."""
        rod, (unknowns, tips) = self.rod, self._units
        starts, y = b * unknowns, np.zeros((len(b), rod.n))
        y[:, :9], y[:, STRAIN] = turned, starts[:, :6]
        for row, g in zip(y, starts[:, 6:], strict=True):
            row[TENDONS:] = base(rod.problem, rod.scales, g, at.inputs).y
        left = shots(y, at.history, at.c)[1] / tips
        return np.nan_to_num(left, nan=LOST_RESIDUAL, posinf=LOST_RESIDUAL, neginf=-LOST_RESIDUAL)


class _EnoughError(Exception):
    """Ends a search of MINPACK, which has no bound for the residual itself."""


def _minpack(
    residual: Callable[[Array], Array],
    derivative: Callable[[Array, Array], Array],
    x: Array,
    is_enough: Callable[[Array], bool],
) -> Search:
    counts, last = [0, 0], [x, x]

    def evaluated(x: Array) -> Array:
        counts[0] += 1
        r = residual(x)
        if is_enough(r):
            last[:] = x.copy(), r
            raise _EnoughError
        return r

    def derived(x: Array) -> Array:
        counts[1] += 1
        return derivative(x, residual(x))

    options: dict[str, Any] = dict.fromkeys(("ftol", "xtol", "gtol"), ROUNDING)
    try:
        end = least_squares(evaluated, x, derived, method="lm", max_nfev=MAX_ITERATIONS, **options)
    except _EnoughError:
        return Search(last[0], last[1], "converged", counts[0], counts[1])
    reason: Literal["iterations", "no descent"] = "no descent" if end.status else "iterations"
    return Search(end.x, end.fun, reason, counts[0], counts[1])
