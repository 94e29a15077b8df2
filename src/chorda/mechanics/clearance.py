"""Paths that are impossible: two elements too near to each other, or not in one plane."""

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from chorda.describe import Robot
from chorda.describe.path_checks import FLATNESS, element_text
from chorda.errors import InputError
from chorda.mechanics.cables import Cable
from chorda.mechanics.configuration_survey import Survey
from chorda.mechanics.frames import Expr


@dataclass(frozen=True)
class Clearance:
    """What is left between two elements of a tendon before no cable fits between them."""

    tendon: str
    first: int
    second: int
    gap: Expr  # [m]; not positive: the path is impossible


def check_clearances(robot: Robot, cables: Sequence[Cable], look: Survey) -> None:
    """Refuse a robot whose paths are impossible at rest, or leave their planes anywhere."""
    pairs = [
        (tendon, i, j, span)
        for tendon, cable in zip(robot.tendons, cables, strict=True)
        for (i, j), span in cable.spans.items()
    ]
    if not pairs:
        return
    seen = look(ca.vertcat(*[ca.horzcat(x.gap, x.offset, x.tilt) for *_, x in pairs]))
    for number, measured in enumerate(seen.transpose(0, 2, 1)):
        for (tendon, i, j, _), (gap, offset, tilt) in zip(pairs, measured, strict=True):
            cannot = (
                f"{robot.name}: tendon '{tendon.name}' cannot run from "
                f"{element_text(tendon, i)} to {element_text(tendon, j)}"
            )
            if j > i + 1:
                cannot += ", as it would where it leaves the pulleys between"
            if tilt > FLATNESS:
                raise InputError(
                    f"{cannot}: their planes do not stay parallel; give pulleys normals along the "
                    "axes of the joints between them"
                )
            if abs(offset) > FLATNESS:
                raise InputError(
                    f"{cannot}: they get {abs(offset):.3g} m apart across the pulley's plane, "
                    "expected 0; move one into the plane of the other"
                )
            if number == 0 and not gap > 0:
                remedy = "set leave: false there" if j > i + 1 else "check the side"
                raise InputError(
                    f"{cannot}: at the reference configuration they are {-gap:.3g} m too near to "
                    f"each other; move them apart, make the radius smaller, or {remedy}"
                )
