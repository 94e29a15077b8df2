"""Rods with more functions and intervals, until an accuracy is met."""

from collections.abc import Container
from math import ceil

from chorda.describe import STRAINS, Robot, Rod
from chorda.mechanics import Array, System
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
    return finer(robot, by_functions or not by_integration, by_integration, rods)


def finer(
    robot: Robot, functions: bool, intervals: bool, rods: Container[str] | None = None
) -> Robot | None:
    """The robot whose rods, or some of them, have more functions, or intervals, or both; None where
    a description allows no more."""
    joints = tuple(
        _finer(x, functions, intervals)
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
    start = carried_coordinates(found.system, found.q, system)
    held = (*found.prescription.held, *found.prescription.winders)
    return {k: x for k, x in start.items() if k not in held}


def carried_coordinates(before: System, q: Array, system: System) -> dict[str, float]:
    """Coordinates of a robot in those of the same one with more functions, by name; those that are
    not named are zero."""
    start = dict(zip(before.coordinate_names, q.tolist(), strict=True))
    old, new = ({x.name: x for x in s.robot.joints if isinstance(x, Rod)} for s in (before, system))
    for name, rod in old.items():
        values = {k: start.pop(k) for k in list(start) if _is_strain(k, name)}
        if rod.modes.basis not in HIERARCHICAL:
            continue
        for strain in STRAINS:
            few, many = (getattr(x[name].modes, strain) for x in (old, new))
            for k in range(few * parts(before.robot, rod)):
                part, number = divmod(k, few)
                start[f"{name}.{strain}{part * many + number}"] = values[f"{name}.{strain}{k}"]
    return start


def parts(robot: Robot, rod: Rod) -> int:
    """Parts of a rod between breaks, each with functions of its own."""
    return len(broken(rod, [sheath for _, sheath in robot.sheaths_in(rod.name)]).modes.breaks) + 1


def _is_strain(coordinate: str, rod: str) -> bool:
    own = coordinate.removeprefix(f"{rod}.")
    return own != coordinate and own.rstrip("0123456789") in STRAINS
