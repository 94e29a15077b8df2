"""equilibria: several solutions of one problem, from many starts, told apart."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.progress import Progress
from chorda.results import Code, Equilibrium, Status
from chorda.statics.collecting import configuration
from chorda.statics.equilibrium import equilibrium
from chorda.statics.initial import Initial, initial_state, moved
from chorda.statics.prescribed import Places, actuatable
from chorda.statics.problem import Problem

SAME = 1e-6  # of coordinates over their scales: two solutions are one
SPREAD = 4.0  # of the starts, over the scales
MOST = 60  # iterations from a start


def equilibria(
    system: System,
    *,
    hold: Mapping[str, float] | None = None,
    place: Places | None = None,
    efforts: Mapping[str, float] | None = None,
    actuated: Sequence[str] | None = None,
    inputs: Any = None,
    initial: Initial = None,
    parameters: Mapping[str, float] | None = None,
    starts: int = 200,
    spread: float = SPREAD,
    seed: int = 0,
    progress: bool | None = None,
) -> list[Equilibrium]:
    """Different configurations at rest, stable ones first, each with less energy than the next.

    Newton's method is started `starts` times, from `initial` and around it: coordinates vary over
    +-`spread` times a large change (1 rad, 1 m, or a bend of 1 rad over a rod; less for higher
    modes). Unstable configurations are found too; there may be more than were found.

    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> found = equilibria(system, hold={"motor1": 2.0, "motor2": 1.0})
    >>> len(found) > 1 and found[0].stable
    True
    """
    starts, spread, seed = _count("starts", starts, 1), _spread(spread), _count("seed", seed, 0)
    first = equilibrium(
        system,
        hold=hold,
        place=place,
        efforts=efforts,
        actuated=actuated,
        inputs=inputs,
        initial=initial,
        parameters=parameters,
    )
    found = [first] if first.status.ok else []
    problem = Problem(system, first.layout, first.u, first.parameters)
    q, _ = initial_state(system, initial, first.parameters)
    with Progress(starts, progress, "starts") as bar:
        for k, start in enumerate(_starts(system, q, starts, spread, seed)):
            at = _solved(problem, start, first.target)
            if at is not None and not any(same(at, other) for other in found):
                found.append(at)
            bar.update(k + 1)
    found = [replace(x, status=_status(x, starts)) for x in found]
    return sorted(found, key=lambda x: (not x.stable, x.energy))


def _count(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"{name}: expected a whole number from {least} on, got {value!r:.60}")
    return int(value)


def _spread(value: Any) -> float:
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not (real and math.isfinite(value) and value > 0):
        raise InputError(
            f"spread: expected a finite number > 0, in large changes of coordinates, "
            f"got {value!r:.60}"
        )
    return float(value)


def _status(found: Equilibrium, starts: int) -> Status:
    word = "Stable" if found.stable else "UNSTABLE"
    return Status(Code.CONVERGED, f"{word} equilibrium, one of those found from {starts} starts.")


def _solved(problem: Problem, q: Array, target: Array) -> Equilibrium | None:
    """By Newton's method, with the forces that fit the start best."""
    nv, x = problem.system.nv, np.zeros(problem.nx)
    x[: len(q)] = q
    for name, value in zip(problem.layout.held, target, strict=False):
        x[problem.system.coordinate_names.index(name)] = value
    r, A = problem.evaluate(x, target)
    x[len(q) :] = -np.linalg.lstsq(A[:nv, nv:], r[:nv], rcond=None)[0]
    X = np.zeros((1, problem.nx))
    if problem.kernel.follow(problem.job(most=MOST), x, target[None], X, None, False) < 1:
        return None
    return configuration(problem, X[0], target)


def _starts(system: System, q: Array, count: int, spread: float, seed: int) -> Iterator[Array]:
    """Configurations to start from: the given one, then quasi-random ones around it."""
    from scipy.stats import qmc

    yield q
    sample = qmc.Halton(system.nv, seed=seed).random(count - 1) if count > 1 else ()
    for x in sample:
        yield moved(system, q, spread * (2 * x - 1) * system.scales * _reach(system))


def _reach(system: System) -> Array:
    """How far each velocity is varied: higher modes of a rod bend it less."""
    out, rows = np.ones(system.nv), actuatable(system)
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
    return bool(np.max(np.abs(d) / scale, initial=0.0) < SAME)
