"""What a measured signal must be: enough samples, in order, without holes, and of a likely size."""

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt

from chorda.data_table import DataTable
from chorda.errors import LogError
from chorda.identification.logs.log import Channel, LogSignal
from chorda.mechanics import Array, System
from chorda.mechanics.tensioning import gain
from chorda.results.observe import observed

MIN_SAMPLES = 16  # of a channel
GAP_SECONDS, GAP_PERIODS = 0.5, 20  # a gap is longer than both,
MAX_MISSING = 0.1  # or than this part of the channel; so much may be missing altogether
MIN_OVERLAP = 0.5  # of the shorter recording
SENSOR_PERIODS = (1e-5, 0.2)  # [s] of sensors that can follow a motion
RANGE_FACTOR = 3.0  # times the admissible range, or the tendon's length
MAX_ANGLE = 2 * math.pi  # [rad] beyond which a joint without range seems to be in degrees
MAX_LENGTH = 10.0  # [m] of a slide
MAX_TENSION = 1e4  # [N] in a tendon

Rows = npt.NDArray[np.intp]
Limit = tuple[float, str, str]  # the largest magnitude, what it is of, what to do beyond it


def check_rows(bad: npt.NDArray[np.bool_], table: DataTable, where: str, problem: str) -> None:
    """Name the first bad row of a table."""
    if np.any(bad):
        row = table.row(int(np.argmax(bad)))
        raise LogError(f"{where}, {row}: {problem}; correct it or leave the cell blank")


def check_samples(
    rows: Rows, time: Array, value: Array, table: DataTable, where: str
) -> list[tuple[float, float]]:
    """Refuse what cannot be used; gaps that are left [s] are returned.

    rows: of the table, in which the times and values of the signal stand.
    """
    if len(time) < MIN_SAMPLES:
        raise LogError(
            f"{where}: expected at least {MIN_SAMPLES} samples, got {len(time)}; record for "
            "longer, or check that the column is not blank"
        )
    steps = np.diff(time)
    for bad, problem in (
        (steps < 0, "comes after {0:.9g} s; sort the rows, or remove the jump of the clock"),
        (steps == 0, "is there twice; remove one of the two rows"),
    ):
        if np.any(bad):
            k = int(np.argmax(bad)) + 1
            raise LogError(
                f"{where}, {table.row(int(rows[k]))}: expected increasing times, got "
                f"{time[k]:.9g} s, which {problem.format(time[k - 1])}"
            )
    if np.all(value == value[0]):
        raise LogError(
            f"{where}: expected a signal that changes, got {value[0]:g} in all {len(time)} "
            "samples; is the sensor stuck or unplugged?"
        )
    return _gaps(time, where)


def _gaps(time: Array, where: str) -> list[tuple[float, float]]:
    steps = np.diff(time)
    span, period = float(time[-1] - time[0]), float(np.median(steps))
    holes = (steps > max(MAX_MISSING * span, 2 * period)) | (
        steps > max(GAP_SECONDS, GAP_PERIODS * period)
    )
    missing = float(np.sum(steps[holes]))
    found = [(float(time[k]), float(time[k + 1])) for k in np.flatnonzero(holes)]
    if missing > MAX_MISSING * span:
        a, b = max(found, key=lambda gap: gap[1] - gap[0])
        raise LogError(
            f"{where}: expected at most {MAX_MISSING:.0%} of the time without samples, got "
            f"{missing / span:.0%} (the longest from {a:.6g} to {b:.6g} s); cut the log there, or "
            "record again"
        )
    return found


def check_overlap(channels: Mapping[str, Channel], where: str) -> None:
    """Sensors must have measured the same motion."""
    spans: dict[str, tuple[float, float]] = {}
    for item in channels.values():
        low, high = spans.get(item.sensor, (np.inf, -np.inf))
        spans[item.sensor] = min(low, float(item.time[0])), max(high, float(item.time[-1]))
    for (one, (a, b)), (other, (c, d)) in combinations(spans.items(), 2):
        if min(b, d) - max(a, c) < MIN_OVERLAP * min(b - a, d - c):
            raise LogError(
                f"{where}: expected sensors that measure at the same time, got {one} from {a:.6g} "
                f"to {b:.6g} s and {other} from {c:.6g} to {d:.6g} s; shift one of them "
                "to the other's clock, or take recordings of the same motion"
            )


def check_period(time: Array, stated: bool, where: str) -> None:
    """Times without a unit must be seconds, and a unit that was stated must fit them.

    stated: whether header or columns name the unit; then only times that are too far apart to
    follow a motion are refused.
    """
    period, (least, most) = float(np.median(np.diff(time))), SENSOR_PERIODS
    if (stated or least <= period) and period <= most:
        return
    ask = "is its unit right? Give it"
    if period > most:
        guess = "ms" if period / 1000 <= most else "us"
        if stated:
            raise LogError(
                f"{where}: expected samples at most {most:g} s apart, got {period:.4g} s with the "
                f"unit that is given for the column of times; are they in {guess}? Correct the "
                "unit; samples that are truly so far apart cannot follow a motion"
            )
        ask = f"is it in {guess}? Give the unit, time [{guess}],"
    raise LogError(
        f"{where}: expected samples {least:g} to {most:g} s apart, got {period:.4g} s in the "
        f"column of times; {ask} in the header, or columns={{'time': {{'unit': ...}}}}"
    )


def check_magnitude(
    value: Array, signal: LogSignal, system: System, stated: bool, where: str
) -> None:
    """Refuse impossible values always, and unlikely ones if nobody stated the unit."""
    largest = float(np.max(np.abs(value)))
    likely = {"joint": _joint, "motor": _motor, "input": _input}[signal.kind]
    limit, what, remedy = likely(signal, system, stated)
    if largest > limit:
        raise LogError(
            f"{where}: expected {what}, at most {limit:.4g} {signal.unit}, got {largest:.4g} "
            f"{signal.unit}; {remedy}, in the header ({signal.name} [...]) or in columns"
        )


def _joint(signal: LogSignal, system: System, stated: bool) -> Limit:
    c = system.coordinates[signal.row]
    widest = max(abs(c.low), abs(c.high))
    remedy = f"is it in {'degrees' if c.unit == 'rad' else 'mm'}? Give the unit"
    if math.isfinite(widest):
        return RANGE_FACTOR * widest, f"values near the range {c.low:.4g} to {c.high:.4g}", remedy
    unlikely = {"rad": MAX_ANGLE, "m": MAX_LENGTH}.get(c.unit, math.inf)
    return math.inf if stated else unlikely, "a joint's coordinate", remedy


def _motor(signal: LogSignal, system: System, stated: bool) -> Limit:
    """An angle that would pay out more than the tendon several times over."""
    tendons = zip(system.robot.tendons, _lengths(system), strict=True)
    wound = [x for t, x in tendons if t.actuator == signal.name]
    if not wound:  # a rotor behind the play of a joint's gear
        return math.inf, "", ""
    length = max(wound)
    limit = RANGE_FACTOR * length / gain(system, signal.name, system.parameter_values)
    remedy = "is it in degrees, or in counts of the encoder? Give the unit (or a scale)"
    what = f"an angle that pays out at most {RANGE_FACTOR:g} times the tendon's length"
    return math.inf if stated else limit, what, remedy


def _input(signal: LogSignal, system: System, stated: bool) -> Limit:
    item = system.inputs[signal.row]
    if stated:
        return math.inf, "", ""
    if item.kind == "winch":
        return MAX_LENGTH, "a paid-out length", "is it in mm? Give the unit"
    if item.kind in ("tension", "wrench"):
        what = "a tension" if item.kind == "tension" else "a force or moment"
        return MAX_TENSION, what, "is it in mN? Give the unit"
    if item.kind != "motor" or item.unit != "N m":  # forces of joints, voltages: anything may be
        return math.inf, "", ""
    limit = MAX_TENSION * gain(system, item.name, system.parameter_values)
    what = f"a torque that pulls with at most {MAX_TENSION:g} N"
    return limit, what, f"is it in mN m, or a force ({item.name}.force)? Give the unit"


def _lengths(system: System) -> Array:
    """Length of each tendon in the reference configuration, lead included [m]."""

    def measure() -> Array:
        v, u = np.zeros((1, system.nv)), np.zeros((1, system.nu))
        return observed(system, system.rest[None], v, u, system.parameter_values)["length"][0]

    return system.once("lengths-at-rest", measure) if system.robot.tendons else np.zeros(0)
