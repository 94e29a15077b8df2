"""Numbers that a robot cannot have measured in the unit they are taken for."""

import math

import numpy as np

from chorda.errors import LogError
from chorda.identification.logs.drums import pay_out
from chorda.identification.logs.log import Wanted
from chorda.mechanics import Array, System

BEYOND = 3.0  # times the admissible range, or the tendon's length
TURN = 2 * math.pi  # [rad] more than that, and no range: degrees?
LONGEST = 10.0  # [m] of a slide
STRONGEST = 1e4  # [N] in a tendon
PERIODS = (1e-5, 0.2)  # [s] of sensors that can follow a motion


def check_period(time: Array, where: str) -> None:
    """Times without a unit must be seconds."""
    period = float(np.median(np.diff(time)))
    if PERIODS[0] <= period <= PERIODS[1]:
        return
    ask = "is its unit right? Give it"
    if period > PERIODS[1]:
        guess = "ms" if period / 1000 <= PERIODS[1] else "us"
        ask = f"is it in {guess}? Give the unit, time [{guess}],"
    raise LogError(
        f"{where}: expected samples {PERIODS[0]:g} to {PERIODS[1]:g} s apart, got {period:.4g} s "
        f"in the column of times; {ask} in the header, or columns={{'time': {{'unit': ...}}}}"
    )


def check_magnitude(value: Array, wanted: Wanted, system: System, stated: bool, where: str) -> None:
    """Values beyond any doubt are refused always, unlikely ones if nobody stated the unit."""
    most = float(np.max(np.abs(value)))
    limit, what, remedy = {"joint": _joint, "motor": _motor, "input": _input}[wanted.kind](
        wanted, system, stated
    )
    if most > limit:
        raise LogError(
            f"{where}: expected {what}, at most {limit:.4g} {wanted.unit}, got {most:.4g} "
            f"{wanted.unit}; {remedy}, in the header ({wanted.name} [...]) or in columns"
        )


def _joint(wanted: Wanted, system: System, stated: bool) -> tuple[float, str, str]:
    c = system.coordinates[wanted.row]
    widest = max(abs(c.low), abs(c.high))
    remedy = f"is it in {'degrees' if c.unit == 'rad' else 'mm'}? Give the unit"
    if math.isfinite(widest):
        return BEYOND * widest, f"values near the range {c.low:.4g} to {c.high:.4g}", remedy
    unlikely = {"rad": TURN, "m": LONGEST}.get(c.unit, math.inf)
    return math.inf if stated else unlikely, "a joint's coordinate", remedy


def _motor(wanted: Wanted, system: System, stated: bool) -> tuple[float, str, str]:
    """An angle that would pay out more than the tendon several times over."""
    lengths = [
        length
        for tendon, length in zip(system.robot.tendons, _lengths(system), strict=True)
        if tendon.actuator == wanted.name
    ]
    limit = BEYOND * max(lengths, default=math.inf) / pay_out(system, wanted.name)
    remedy = "is it in degrees, or in counts of the encoder? Give the unit (or a scale)"
    what = f"an angle that pays out at most {BEYOND:g} times the tendon's length"
    return math.inf if stated else limit, what, remedy


def _input(wanted: Wanted, system: System, stated: bool) -> tuple[float, str, str]:
    item = system.inputs[wanted.row]
    if stated:
        return math.inf, "", ""
    if item.kind == "winch":
        return LONGEST, "a paid-out length", "is it in mm? Give the unit"
    if item.kind == "tension":
        return STRONGEST, "a tension", "is it in mN? Give the unit"
    limit = STRONGEST * pay_out(system, item.name)
    what = f"a torque that pulls with at most {STRONGEST:g} N"
    remedy = f"is it in mN m, or a force ({item.name}.force)? Give the unit"
    return limit, what, remedy


def _lengths(system: System) -> Array:
    """Length of each tendon in the reference configuration, lead included [m]."""

    def measure() -> Array:
        still = [np.zeros(k) for k in (system.nv, system.nv, system.nc, system.nu)]
        row = [o.name for o in system.outputs].index("length")
        found = system.observe(system.rest, *still, system.parameter_values)[row]
        return np.asarray(found.full().ravel(), float)

    return system.once("lengths-at-rest", measure) if system.robot.tendons else np.zeros(0)
