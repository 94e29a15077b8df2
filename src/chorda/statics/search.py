"""equilibria: several solutions of one problem, from many starts, each once."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from chorda.checks import number, refuse_idle, whole_number
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.numerics.progress import Progress
from chorda.results import Equilibrium, Status
from chorda.results.spectra import Word
from chorda.statics import winding_limits as winding
from chorda.statics.branch import solved_from
from chorda.statics.closing import moved
from chorda.statics.cold_start import start_state
from chorda.statics.equilibrium import equilibrium
from chorda.statics.initial import Initial, configuration
from chorda.statics.prescribe import coordinate_rows
from chorda.statics.problem import Problem
from chorda.statics.ranges import beyond
from chorda.statics.solutions import equilibrium_of

SAME_SOLUTION = 1e-6  # of coordinates over their scales
SPREAD = 4.0  # of the starts, over the scales
MAX_STARTS = 1_000_000
MAX_ITERATIONS = 60  # from a start
ORDER = {Word.STABLE: 0, Word.NEUTRAL: 1, Word.UNSTABLE: 2}


@interruptible()
@one_thread()
def equilibria(
    system: System,
    *,
    initial: Initial = None,
    starts: int = 200,
    spread: float | None = None,
    seed: int | None = None,
    progress: bool | None = None,
    **given: Any,
) -> list[Equilibrium]:
    """Different configurations at rest, stable ones first, each with less energy than the next.

    Newton's method is started many times, from `initial` and around it. Unstable configurations are
    found too; there may be more than were found. Left out are those beyond the range of a joint,
    and those to which a cable would have turned too far about a pulley.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    initial : optional
        The first start, see `equilibrium`.
    starts : int
        How many starts.
    spread : float, optional
        Of the starts: coordinates vary over plus and minus this many large changes (1 rad, 1 m, or
        a bend of 1 rad over a rod; less for higher modes). By default 4.
    seed : int, optional
        Of the starts; by default 0.
    progress : bool, optional
        Whether a progress bar is shown; by default on terminals, after a second.
    **given
        What `equilibrium` takes: hold, poses, efforts, tensions, angles, torques, inputs, actuated,
        parameters.

    Returns
    -------
    list of Equilibrium
        Each once.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    equilibrium : one of them.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> found = equilibria(system, hold={"motor1": 2.0, "motor2": 1.0})
    >>> len(found) > 1 and found[0].stable
    True
    """
    starts = whole_number("starts", starts, 1, MAX_STARTS)
    if starts == 1:
        around = {"spread": spread, "seed": seed}
        refuse_idle(around, "with starts=1, which is `initial` alone", "take more starts")
    seed = 0 if seed is None else whole_number("seed", seed, 0)
    spread = SPREAD if spread is None else spread
    spread = number("spread", spread, above=0, unit="large changes of coordinates")
    first = equilibrium(system, initial=initial, **given)
    found = [first] if first.status.ok else []
    problem = Problem(system, first.prescription, first.u, first.parameters)
    q = configuration(system, initial, first.parameters)
    with Progress(starts, progress, "starts") as bar:
        for k, start in enumerate(_starts(system, q, starts, spread, seed)):
            at = _solved(problem, start, first.target)
            if at is not None and not any(same(at, other) for other in found):
                found.append(at)
            bar.update(k + 1)
    found = [replace(x, status=_status(x, starts)) for x in found]
    return sorted(found, key=lambda x: (ORDER[x.stability], x.energy))


def _status(found: Equilibrium, starts: int) -> Status:
    word = found.stability.capitalize()
    sentence = f"{word} equilibrium, one of those found from {starts} starts."
    return replace(found.status, sentence=sentence)


def _solved(problem: Problem, q: Array, target: Array) -> Equilibrium | None:
    """By Newton's method, with the forces that fit the start best."""
    x, count = solved_from(problem, start_state(problem, q, target), target, MAX_ITERATIONS)
    if x is None:
        return None
    q, _, tau = problem.parts(x)
    system = problem.system
    if beyond(system, problem.prescription, q, tau, problem.limits) is not None:
        return None
    if winding.on_the_way(system, system.rest, q, problem.p) is not None:
        return None
    return equilibrium_of(problem, x, target, count)


def _starts(system: System, q: Array, count: int, spread: float, seed: int) -> Iterator[Array]:
    """Configurations to start from: the given one, then quasi-random ones around it."""
    from scipy.stats import qmc

    yield q
    sample = qmc.Halton(system.nv, seed=seed).random(count - 1) if count > 1 else ()
    for x in sample:
        yield moved(system, q, spread * (2 * x - 1) * system.scales * _reach(system))


def _reach(system: System) -> Array:
    """How far each velocity is varied: higher modes of a rod bend it less."""
    out, rows = np.ones(system.nv), coordinate_rows(system)
    for name, k in rows.items():
        digits = name[len(name.rstrip("0123456789")) :]
        if digits and name.partition(".")[2]:
            out[k] = 1 / (1 + int(digits)) ** 2
    return out


def same(a: Equilibrium, b: Equilibrium) -> bool:
    """Whether two equilibria are one configuration; a quaternion and its negative are."""
    d = a.q - b.q
    for start in a.system.quaternions:
        other = a.q[start : start + 4] + b.q[start : start + 4]
        if np.linalg.norm(other) < np.linalg.norm(d[start : start + 4]):
            d[start : start + 4] = other
    scale = np.array([c.scale for c in a.system.coordinates])
    return bool(np.max(np.abs(d) / scale, initial=0.0) < SAME_SOLUTION)
