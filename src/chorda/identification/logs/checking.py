"""What a measured signal must be, whatever it measures: enough samples, in order, without holes."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from chorda.data_table import DataTable
from chorda.errors import LogError
from chorda.identification.logs.log import Channel
from chorda.mechanics import Array

FEWEST = 16  # samples of a channel
LONG, MANY = 0.5, 20  # a gap is longer than this many seconds and this many periods,
SHARE = 0.1  # or than this part of the channel; so much may be missing altogether
OVERLAP = 0.5  # of the shorter recording


@dataclass(frozen=True)
class Samples:
    """What a sensor measured: rows of the table, their times [s] and values in SI units."""

    rows: npt.NDArray[np.intp]
    time: Array
    value: Array


def first_row(bad: npt.NDArray[np.bool_], table: DataTable, where: str, what: str) -> None:
    """Complain of the first bad row of a table."""
    if np.any(bad):
        row = table.row(int(np.argmax(bad)))
        raise LogError(f"{where}, {row}: {what}; correct it or leave the cell blank")


def check_samples(samples: Samples, table: DataTable, where: str) -> list[tuple[float, float]]:
    """Refuse what cannot be used; gaps that are left [s] are returned."""
    n = len(samples.time)
    if n < FEWEST:
        raise LogError(
            f"{where}: expected at least {FEWEST} samples, got {n}; record for longer, or check "
            "that the column is not blank"
        )
    _check_order(samples, table, where)
    if np.all(samples.value == samples.value[0]):
        raise LogError(
            f"{where}: expected a signal that changes, got {samples.value[0]:g} in all {n} "
            "samples; is the sensor stuck or unplugged?"
        )
    return _gaps(samples.time, where)


def _check_order(samples: Samples, table: DataTable, where: str) -> None:
    steps = np.diff(samples.time)
    for bad, what in (
        (steps < 0, "comes after {0:.9g} s; sort the rows, or remove the jump of the clock"),
        (steps == 0, "is there twice; remove one of the two rows"),
    ):
        if np.any(bad):
            k = int(np.argmax(bad)) + 1
            row = table.row(int(samples.rows[k]))
            raise LogError(
                f"{where}, {row}: expected increasing times, got {samples.time[k]:.9g} s, which "
                + what.format(samples.time[k - 1])
            )


def _gaps(time: Array, where: str) -> list[tuple[float, float]]:
    steps = np.diff(time)
    span, period = float(time[-1] - time[0]), float(np.median(steps))
    holes = (steps > max(SHARE * span, 2 * period)) | (steps > max(LONG, MANY * period))
    missing = float(np.sum(steps[holes]))
    found = [(float(time[k]), float(time[k + 1])) for k in np.flatnonzero(holes)]
    if missing > SHARE * span:
        a, b = max(found, key=lambda gap: gap[1] - gap[0])
        raise LogError(
            f"{where}: expected at most {SHARE:.0%} of the time without samples, got "
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
        shorter, common = min(b - a, d - c), min(b, d) - max(a, c)
        if common < OVERLAP * shorter:
            raise LogError(
                f"{where}: expected sensors that measure at the same time, got {one} from {a:.6g} "
                f"to {b:.6g} s and {other} from {c:.6g} to {d:.6g} s; shift one of them "
                "to the other's clock, or take recordings of the same motion"
            )
