"""Rods with more functions and intervals, until an accuracy is met."""

from collections.abc import Container
from math import ceil

from chorda.describe import STRAINS, Robot, Rod
from chorda.mechanics import System
from chorda.mechanics.rods.grid import broken
from chorda.results import Equilibrium
from chorda.results.space_accuracy import SpaceAccuracy

MAX_FUNCTIONS, MAX_INTERVALS = 60, 400  # of a description
GROWTH = 1.5
HIERARCHICAL = ("legendre", "chebyshev", "monomial")  # bases whose first functions stay


def refined(
    robot: Robot, accuracy: SpaceAccuracy, asked: float, rods: Container[str] | None = None
) -> Robot | None:
    """The robot with what lacks most in its rods, or in some of them; None where a description
    allows no more."""
    by_functions = float(accuracy.functions.max(initial=0.0)) > asked / 2
    by_integration = float(accuracy.integration.max(initial=0.0)) > asked / 4
    joints = tuple(
        _finer(x, by_functions or not by_integration, by_integration)
        if isinstance(x, Rod) and (rods is None or x.name in rods)
        else x
        for x in robot.joints
    )
    return None if joints == robot.joints else robot.model_copy(update={"joints": joints})


def _finer(rod: Rod, functions: bool, intervals: bool) -> Rod:
    modes, change = rod.modes, dict[str, int]()
    for strain in STRAINS:
        count = getattr(modes, strain)
        if functions and count:
            change[strain] = min(MAX_FUNCTIONS, ceil(GROWTH * count) + 1)
    if intervals:
        change["intervals"] = min(MAX_INTERVALS, 2 * modes.intervals)
    return rod.model_copy(update={"modes": modes.model_copy(update=change)})


def carried_over(found: Equilibrium, system: System) -> dict[str, float]:
    """The configuration as a start of the same robot with more functions, by name."""
    start = dict(found.position)
    old, new = (
        {x.name: x for x in s.robot.joints if isinstance(x, Rod)} for s in (found.system, system)
    )
    for name, rod in old.items():
        values = {k: start.pop(k) for k in list(start) if _is_strain(k, name)}
        if rod.modes.basis not in HIERARCHICAL:
            continue
        sheaths = [sheath for _, sheath in found.system.robot.sheaths_in(name)]
        parts = len(broken(rod, sheaths).modes.breaks) + 1
        for strain in STRAINS:
            few, many = (getattr(x[name].modes, strain) for x in (old, new))
            for k in range(few * parts):
                part, number = divmod(k, few)
                start[f"{name}.{strain}{part * many + number}"] = values[f"{name}.{strain}{k}"]
    held = (*found.prescription.held, *found.prescription.winders)
    return {k: x for k, x in start.items() if k not in held}


def _is_strain(coordinate: str, rod: str) -> bool:
    own = coordinate.removeprefix(f"{rod}.")
    return own != coordinate and own.rstrip("0123456789") in STRAINS
