"""One point of a study, before all others."""

import time
from typing import Any

from chorda.errors import ChordaError, InputError, SolveError
from chorda.results import Status
from chorda.sweeps.computing import SOLVER_ERRORS, Computer
from chorda.sweeps.points import Points


def probe(made: Computer, where: Points) -> tuple[Any, float]:
    """A result and how long it takes [s]; kernels are compiled by then.

    It is that of the first of three points that has one, so that nothing is begun where none has.
    """
    n = len(where)
    errors: list[Exception] = []
    for at in dict.fromkeys((0, n // 2, n - 1)):
        row = where.rows(at, at + 1)[0]
        try:
            made.solve(row)
            begin = time.perf_counter()
            found = made.solve(row)  # again: the first time makes kernels and functions
            if isinstance(found, Status):
                raise SolveError(found.message)
            for output in made.kept:
                output.read(found)
        except (ChordaError, *SOLVER_ERRORS) as error:
            errors.append(error)
        else:
            return found, time.perf_counter() - begin
    raise InputError(
        "compute: no result at the first, middle and last point, so nothing was begun. The first: "
        f"{errors[0]}"
    ) from errors[0]
