"""Logs from files and back: columns of a table become channels in SI units."""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chorda.data_table import DataTable
from chorda.errors import LogError
from chorda.identification.logs import plausibility
from chorda.identification.logs.column_map import TIME, Column, Columns, as_columns, spellings
from chorda.identification.logs.formats import matlab_name, read_table, write_table
from chorda.identification.logs.log import Channel, Log, LogSignal, signals
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.si_units import SI, factor

ENCODER, CAMERA = "encoder", "camera"
SHARED_TIMES = 0.9  # of the actuators' samples: joints measured that often come with them


@interruptible()
def read_log(path: str | Path, system: System, columns: Columns = None) -> Log:
    """Read the measured signals of a robot from a file, in SI units.

    The file has a column `time` and one for each of `signals(system)`: coordinates (x1,
    motor-left) and inputs (motor-left.torque, or motor-left.force: newtons at the tendon). Units
    stand in the header, x1 [deg], or in `columns`. A blank (NaN) is a time at which this sensor
    did not measure: one table holds several rates.

    Parameters
    ----------
    path : str or Path
        A .csv, .tsv, .txt, .parquet, .mat or .nc file.
    system : System
        The robot whose signals are read.
    columns : mapping, str or Path, optional
        Maps a signal to its column's name, or to fields (column, unit, time, sensor, scale,
        offset); or the name of a YAML file with such a map.

    Returns
    -------
    Log
        Signals by name, each with its times and its sensor.

    Raises
    ------
    LogError
        A signal is missing or cannot be what it is taken for; the message names file, column and
        line, what was expected, and the remedy.

    See Also
    --------
    write_log : writes one.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("recursive-2"))
    >>> names = [signal.name for signal in chorda.identification.signals(system)]
    >>> t = np.linspace(0, 1, 100)
    >>> table = np.column_stack([t, *(np.sin(t + k) for k in range(len(names)))])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "log.csv"
    ...     np.savetxt(file, table, delimiter=",", header=",".join(["time", *names]), comments="")
    ...     log = read_log(file, system)
    >>> list(log.channels) == names
    True
    """
    if not isinstance(path, str | Path):
        raise LogError(f"path: expected the name of a log's file, got {path!r:.60}")
    source = _Source(Path(path), read_table(Path(path)), as_columns(columns, system), system)
    channels: dict[str, Channel] = {}
    gaps: list[tuple[str, float, float]] = []
    for signal in signals(system):
        channels[signal.name], missing = source.channel(signal)
        gaps += [(signal.name, *gap) for gap in missing]
    channels = _with_sensors(channels, system)
    plausibility.check_overlap(channels, str(path))
    notes = source.table.notes
    about = {**notes.get("about", {}), **({"gaps": gaps} if gaps else {})}
    return Log(channels, str(path), notes.get("truth", {}), about)


def as_log(log: Log | str | Path, system: System, columns: Columns = None) -> Log:
    return log if isinstance(log, Log) else read_log(log, system, columns)


@interruptible()
def write_log(log: Log, path: str | Path) -> Path:
    """Write a log that `read_log` reads back, one row for each time.

    Cells are blank (NaN) where a sensor did not measure. What a virtual experiment knows, `truth`
    and `about`, is kept in comments or attributes.

    Parameters
    ----------
    log : Log
        The measured signals.
    path : str or Path
        A .csv, .tsv, .txt, .parquet, .mat or .nc file.

    Returns
    -------
    Path
        Of the file.

    Raises
    ------
    LogError
        Where the file's ending is not known.
    StorageError
        Where the file cannot be written.

    See Also
    --------
    read_log : reads it again.

    Examples
    --------
    >>> import chorda, tempfile
    >>> system = chorda.assemble(chorda.load("neck-1"))
    >>> log = chorda.experiment(system, duration=1.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = chorda.write_log(log, f"{folder}/log.csv")
    ...     back = chorda.read_log(path, system)
    >>> bool((back.channels["x1"].value == log.channels["x1"].value).all())
    True
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
    """A signal's column, the SI unit of its numbers, and the factor from those to the signal."""

    column: str
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

    def channel(self, signal: LogSignal) -> tuple[Channel, list[tuple[float, float]]]:
        """The signal, and its gaps [s]."""
        place = self._place(signal)
        other = f" ({signal.name})" if place.column != signal.name else ""
        where = f"{self.path}: column '{place.column}'{other}"
        scale, stated = self._scale(place, where)
        raw = self.table.columns[place.column]
        rows, time, time_stated = self._times(place, raw, where)
        value = place.gain * scale * (raw[rows] * place.given.scale + place.given.offset)
        gaps = plausibility.check_samples(rows, time, value, self.table, where)
        plausibility.check_period(time, time_stated, where)
        plausibility.check_magnitude(value, signal, self.system, stated, where)
        sensor = place.given.sensor or self.table.notes.get("sensors", {}).get(signal.name, "")
        return Channel(signal.name, signal.unit, time, value, sensor), gaps

    def _place(self, signal: LogSignal) -> _Place:
        known = list(spellings(signal, self.system))
        options = [
            _Place(self.given[name].column or name, self.given[name], unit, gain)
            for name, unit, gain in known
            if name in self.given
        ]
        if len(options) > 1:
            raise LogError(
                f"columns: {signal.name} is given twice, as torque and as force; keep one"
            )
        options = options or [
            _Place(column, Column(), unit, gain)
            for name, unit, gain in known
            for column in dict.fromkeys((name, matlab_name(name)))
        ]
        for place in options:
            if place.column in self.table.columns:
                return place
        raise self._missing(options[0].column, signal.name)

    def _missing(self, column: str, signal: str) -> LogError:
        found = list(self.table.columns)
        known = {name for s in signals(self.system) for name, _, _ in spellings(s, self.system)}
        near = get_close_matches(column, [x for x in found if x not in known], n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        return LogError(
            f"{self.path}: column '{column}' is missing; {hint}Found: {', '.join(found)}. "
            f"Rename one, or say in columns which of them holds {signal}"
        )

    def _scale(self, place: _Place, where: str) -> tuple[float, bool]:
        """The factor to SI, and whether someone stated the unit."""
        unit = place.given.unit
        if unit is None and place.given.scale == 1.0:
            unit = self.table.units.get(place.column)
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
            raise self._missing(clock, TIME)
        at = self.table.columns[clock]
        if len(at) != len(raw):
            raise LogError(
                f"{where}: expected a value for each of the {len(at)} times in '{clock}', got "
                f"{len(raw)}; name the column of its own times, or fill up with NaN"
            )
        measured = ~np.isnan(raw)
        for bad, problem in (
            (np.isinf(raw), "expected finite numbers, got infinity"),
            (measured & ~np.isfinite(at), f"expected a time in '{clock}', got none"),
        ):
            plausibility.check_rows(bad, self.table, where, problem)
        own = place.given.time is not None and clock in self.table.units
        how, rows = Column() if own else main, np.flatnonzero(measured)
        scale, stated = self._scale(_Place(clock, how, "s"), f"{self.path}: column '{clock}'")
        return rows, scale * (at[rows] * how.scale + how.offset), stated


def _with_sensors(channels: dict[str, Channel], system: System) -> dict[str, Channel]:
    """Actuators are read by encoders; joints with them, or by a camera if their times differ."""
    kinds = {signal.name: signal.kind for signal in signals(system)}
    actuators = [c for c in channels.values() if kinds[c.name] != "joint"]

    def sensor(c: Channel) -> str:
        if c.sensor or kinds[c.name] != "joint" or not actuators:
            return c.sensor or ENCODER
        together = np.mean(np.isin(actuators[0].time, c.time)) > SHARED_TIMES
        return actuators[0].sensor or ENCODER if together else CAMERA

    return {name: replace(c, sensor=sensor(c)) for name, c in channels.items()}
