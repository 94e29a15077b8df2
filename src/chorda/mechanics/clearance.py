"""Paths that are impossible: two elements too near to each other, or not in one plane."""

from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.describe import Tendon
from chorda.describe.paths import FLAT, told
from chorda.errors import InputError
from chorda.mechanics.frames import Expr
from chorda.mechanics.joints import Coordinate
from chorda.mechanics.paths import Cable

POSTURES = 5  # where planes are compared


@dataclass(frozen=True)
class Clearance:
    """What is left between two elements of a tendon before no cable fits between them."""

    tendon: str
    first: int
    second: int
    gap: Expr  # [m]; not positive: the path is impossible


def clearances(cables: list[Cable]) -> tuple[Clearance, ...]:
    """One for each pair that the cable may run between, pairs of mere points apart."""
    return tuple(Clearance(c.name, i, j, x.gap) for c in cables for (i, j), x in c.spans.items())


def check_clearances(
    robot: str,
    tendons: tuple[Tendon, ...],
    cables: list[Cable],
    coordinates: list[Coordinate],
    q: Expr,
    p: Expr,
    values: list[float],
) -> None:
    """Refuse a robot whose paths are impossible at rest, or leave their planes anywhere."""
    pairs = [
        (t, i, j, x) for t, c in zip(tendons, cables, strict=True) for (i, j), x in c.spans.items()
    ]
    if not pairs:
        return
    rows = [ca.horzcat(x.gap, x.offset, x.tilt) for *_, x in pairs]
    measure = ca.Function("clearances", [q, p], [ca.densify(ca.vertcat(*rows))])
    rest = np.array([c.rest for c in coordinates])
    low = np.array([max(c.low, c.rest - 1) for c in coordinates])
    high = np.array([min(c.high, c.rest + 1) for c in coordinates])
    some = np.random.default_rng(0).uniform(low, high, (POSTURES, len(rest)))
    for number, configuration in enumerate([rest, *some]):
        for (tendon, i, j, _), (gap, offset, tilt) in zip(
            pairs, measure(configuration, values).full(), strict=True
        ):
            cannot = (
                f"{robot}: tendon '{tendon.name}' cannot run from {told(tendon, i)} to "
                f"{told(tendon, j)}"
            )
            if j > i + 1:
                cannot += ", as it would where it leaves the pulleys between"
            if tilt > FLAT:
                raise InputError(
                    f"{cannot}: their planes do not stay parallel; give pulleys normals along the "
                    "axes of the joints between them"
                )
            if abs(offset) > FLAT:
                raise InputError(
                    f"{cannot}: they get {abs(offset):.3g} m apart across the pulley's plane, "
                    "expected 0; move one into the plane of the other"
                )
            if number == 0 and not gap > 0:
                remedy = "set leave: false there" if j > i + 1 else "check the side"
                raise InputError(
                    f"{cannot}: at the reference configuration they are {-gap:.3g} m too near to "
                    f"each "
                    f"other; move them apart, make the radius smaller, or {remedy}"
                )
