"""Logs from files and back: columns of a table become channels in SI units."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chorda.data_table import DataTable
from chorda.errors import LogError
from chorda.identification.logs.checking import Samples, check_overlap, check_samples, first_row
from chorda.identification.logs.columns import TIME, Column, Columns, as_columns, names
from chorda.identification.logs.drums import pay_out
from chorda.identification.logs.formats import matlab_name, read_table, write_table
from chorda.identification.logs.log import Channel, Log, Wanted, signals
from chorda.identification.logs.magnitudes import check_magnitude, check_period
from chorda.mechanics import Array, System
from chorda.si_units import SI, factor

ENCODER, CAMERA = "encoder", "camera"
SAME_CLOCK = 0.9  # of the actuators' samples: joints measured that often come with them


def read_log(path: str | Path, system: System, columns: Columns = None) -> Log:
    """The measured signals of a robot from a .csv, .parquet, .mat or .nc file, in SI units.

    The file has a column `time` and one for each of `signals(system)`: coordinates (x1,
    motor-left) and inputs (motor-left.torque, or motor-left.force: newtons at the tendon). Units
    stand in the header, x1 [deg], or in `columns`, which maps a signal to its column's name or to
    fields (column, unit, time, sensor, scale, offset), or is a YAML file with such a map. A blank
    (NaN) is a time at which this sensor did not measure: one table holds several rates.
    """
    if not isinstance(path, str | Path):
        raise LogError(f"path: expected the name of a log's file, got {path!r:.60}")
    source = _Source(Path(path), read_table(Path(path)), as_columns(columns, system), system)
    channels: dict[str, Channel] = {}
    gaps: list[tuple[str, float, float]] = []
    for wanted in signals(system):
        channel, missing = source.channel(wanted)
        channels[wanted.name] = channel
        gaps += [(wanted.name, *gap) for gap in missing]
    channels = _with_sensors(channels, system)
    check_overlap(channels, str(path))
    notes = source.table.notes
    about = {**notes.get("about", {}), **({"gaps": gaps} if gaps else {})}
    return Log(channels, str(path), notes.get("truth", {}), about)


def write_log(log: Log, path: str | Path) -> Path:
    """Write a log that `read_log` reads back: .csv, .parquet, .mat or .nc, one row for each time.

    Cells are blank (NaN) where a sensor did not measure. What a virtual experiment knows, `truth`
    and `about`, is kept in comments or attributes.
    """
    channels = log.channels.values()
    time = np.unique(np.concatenate([c.time for c in channels]))
    columns, units = {TIME: time}, {TIME: "s"}
    for c in channels:
        column = np.full(len(time), np.nan)
        column[np.searchsorted(time, c.time)] = c.value
        columns[c.name], units[c.name] = column, c.unit
    notes = {
        "truth": dict(log.truth),
        "about": dict(log.about),
        "sensors": {c.name: c.sensor for c in channels},
    }
    table = DataTable(columns, units, {key: value for key, value in notes.items() if value})
    return write_table(table, Path(path))


@dataclass(frozen=True)
class _Place:
    """A signal's column, what its numbers measure, and the factor from that to the signal."""

    name: str  # of the column
    given: Column
    unit: str
    gain: float = 1.0


@dataclass(frozen=True)
class _Source:
    """A table and how the user reads it."""

    path: Path
    table: DataTable
    given: dict[str, Column]
    system: System

    def channel(self, wanted: Wanted) -> tuple[Channel, list[tuple[float, float]]]:
        place = self._place(wanted)
        where = f"{self.path}: column '{place.name}'"
        if place.name != wanted.name:
            where += f" ({wanted.name})"
        scale, stated = self._scale(place, where)
        raw = self.table.columns[place.name]
        rows, time, sure = self._times(place, raw, where)
        value = place.gain * scale * (raw[rows] * place.given.scale + place.given.offset)
        samples = Samples(rows, time, value)
        missing = check_samples(samples, self.table, where)
        if not sure:
            check_period(time, where)
        check_magnitude(value, wanted, self.system, stated, where)
        sensor = place.given.sensor or self.table.notes.get("sensors", {}).get(wanted.name, "")
        return Channel(wanted.name, wanted.unit, time, value, sensor), missing

    def _place(self, wanted: Wanted) -> _Place:
        options = [
            _Place(self.given[name].column or name, self.given[name], unit, gain)
            for name, unit, gain in _names(wanted, self.system)
            if name in self.given
        ]
        if len(options) > 1:
            raise LogError(
                f"columns: {wanted.name} is given twice, as torque and as force; keep one"
            )
        if not options:
            options = [
                _Place(name, Column(), unit, gain)
                for plain, unit, gain in _names(wanted, self.system)
                for name in dict.fromkeys((plain, matlab_name(plain)))
            ]
        for place in options:
            if place.name in self.table.columns:
                return place
        raise LogError(self._missing(options[0].name, wanted.name))

    def _missing(self, name: str, signal: str) -> str:
        found = list(self.table.columns)
        spare = [column for column in found if column not in names(self.system)]
        near = get_close_matches(name, spare, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        return (
            f"{self.path}: column '{name}' is missing; {hint}Found: {', '.join(found)}. "
            f"Rename one, or say in columns which of them holds {signal}"
        )

    def _scale(self, place: _Place, where: str) -> tuple[float, bool]:
        """The factor to SI, and whether someone stated the unit."""
        unit = place.given.unit
        if unit is None and place.given.scale == 1.0:
            unit = self.table.units.get(place.name)
        if unit is None:
            return 1.0, place.given.scale != 1.0
        scale = factor(unit, place.unit)
        if scale is None:
            known = ", ".join(SI.get(place.unit, {place.unit: 1.0}))
            raise LogError(
                f"{where}: expected a unit among {known}, got '{unit}'; correct it, or give a "
                f"scale to {place.unit} in columns"
            )
        return scale, True

    def _times(
        self, place: _Place, raw: Array, where: str
    ) -> tuple[npt.NDArray[np.intp], Array, bool]:
        """Rows that were measured, their times [s], and whether the unit of time was stated."""
        main = self.given.get(TIME, Column())
        clock = place.given.time or main.column or TIME
        if clock not in self.table.columns:
            raise LogError(self._missing(clock, TIME))
        at = self.table.columns[clock]
        if len(at) != len(raw):
            raise LogError(
                f"{where}: expected a value for each of the {len(at)} times in '{clock}', got "
                f"{len(raw)}; name the column of its own times, or fill up with NaN"
            )
        first_row(np.isinf(raw), self.table, where, "expected finite numbers, got infinity")
        rows = np.flatnonzero(~np.isnan(raw))
        bad = np.zeros(len(raw), bool)
        bad[rows] = ~np.isfinite(at[rows])
        first_row(bad, self.table, where, f"expected a time in '{clock}', got none")
        own = place.given.time is not None and clock in self.table.units
        how = Column() if own else main
        scale, stated = self._scale(_Place(clock, how, "s"), f"{self.path}: column '{clock}'")
        return rows, scale * (at[rows] * how.scale + how.offset), stated


def _names(wanted: Wanted, system: System) -> Iterator[tuple[str, str, float]]:
    """How a signal may be called, with the unit of its numbers and their factor to the signal.

    A motor's force f is what it makes at its tendon [Fasquelle2021, eq. 43]. That equation counts
    the angle as winding, eq. 41 as paying out; here it pays out, so that the torque is -B f.
    """
    yield wanted.name, wanted.unit, 1.0
    if wanted.kind != "input":
        return
    item = system.inputs[wanted.row]
    yield f"input {item.name}", wanted.unit, 1.0  # in runs that chorda wrote
    wound = [tendon for tendon in system.robot.tendons if tendon.actuator == item.name]
    if item.kind == "motor" and len(wound) == 1:
        yield f"{item.name}.force", "N", -wound[0].winding * pay_out(system, item.name)


def _with_sensors(channels: dict[str, Channel], system: System) -> dict[str, Channel]:
    """Actuators are read by encoders; joints with them, or by a camera if their times differ."""
    kinds = {wanted.name: wanted.kind for wanted in signals(system)}
    actuators = [c for c in channels.values() if kinds[c.name] != "joint"]

    def sensor(c: Channel) -> str:
        if c.sensor or kinds[c.name] != "joint" or not actuators:
            return c.sensor or ENCODER
        together = np.mean(np.isin(actuators[0].time, c.time)) > SAME_CLOCK
        return actuators[0].sensor or ENCODER if together else CAMERA

    return {name: replace(c, sensor=sensor(c)) for name, c in channels.items()}
