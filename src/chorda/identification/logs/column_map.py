"""Which column of a log holds which signal, and how its numbers become SI units."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from chorda.checks import unknown
from chorda.describe.plain_yaml import loads
from chorda.describe.quantity import Number, Record
from chorda.errors import DescriptionError, LogError
from chorda.files import check_file
from chorda.identification.logs.log import LogSignal, signals
from chorda.mechanics import System
from chorda.mechanics.tensioning import gain

TIME = "time"


class Column(Record):
    """Where a signal is: SI value = (number * scale + offset) in `unit`.

    A sensor's own scale, such as a motor's torque constant for a current in amperes, makes the
    unit in the header meaningless: with a scale the unit is SI unless it is given here.
    """

    column: str | None = Field(None, description="the column's name; absent: the signal's own")
    unit: str | None = Field(None, description="absent: that of the header, or SI")
    time: str | None = Field(None, description="the column with its times; absent: time")
    sensor: str | None = Field(None, description="signals of one sensor share a clock")
    scale: Number = 1.0
    offset: Number = 0.0


Columns = Mapping[str, str | Mapping[str, Any] | Column] | str | Path | None


def as_columns(columns: Columns, system: System) -> dict[str, Column]:
    """The user's map, checked: from a mapping, or from a YAML file of the same form."""
    if columns is None:
        return {}
    data: Any = _read(Path(columns)) if isinstance(columns, str | Path) else columns
    where = f"{columns}" if isinstance(columns, str | Path) else "columns"
    if not isinstance(data, Mapping):
        raise LogError(f"{where}: expected signals with their columns, got {data!r:.60}")
    known = (TIME, *(name for s in signals(system) for name, _, _ in spellings(s, system)))
    out = {}
    for name, item in data.items():
        if name not in known:
            raise LogError(unknown(where, name, known, f"is no signal of {system.robot.name}"))
        out[str(name)] = _column(item, f"{where}: {name}")
    for column in {x.column for x in out.values()} - {None}:
        users = [name for name, x in out.items() if x.column == column]
        if len(users) > 1:
            both = " and ".join(users)
            raise LogError(f"{where}: column '{column}' is given for {both}; each needs its own")
    return out


def spellings(signal: LogSignal, system: System) -> Iterator[tuple[str, str, float]]:
    """How a signal may be called, with the unit of its numbers and their factor to the signal.

    A motor's force f is what it makes at its tendon [Fasquelle2021, eq. 43]. That equation counts
    the angle as winding, eq. 41 as paying out; here it pays out, so that the torque is -B f.
    """
    yield signal.name, signal.unit, 1.0
    if signal.kind != "input":
        return
    item = system.inputs[signal.row]
    yield f"input {item.name}", signal.unit, 1.0  # in runs that chorda wrote
    wound = [tendon for tendon in system.robot.tendons if tendon.actuator == item.name]
    if item.kind == "motor" and item.unit == "N m" and len(wound) == 1:
        B = gain(system, item.name, system.parameter_values)
        yield f"{item.name}.force", "N", -wound[0].winding * B


def _column(item: Any, where: str) -> Column:
    if isinstance(item, Column):
        return item
    if isinstance(item, str):
        return Column(column=item)
    if not isinstance(item, Mapping):
        raise LogError(f"{where}: expected a column's name, or fields such as unit; got {item!r}")
    try:
        return Column(**{str(key): value for key, value in item.items()})
    except DescriptionError as error:
        raise LogError(f"{where}: {str(error).removeprefix('Column: ')}") from None


def _read(path: Path) -> Any:
    check_file(path, "a YAML file that maps signals to columns", LogError)
    try:
        return loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, DescriptionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise LogError(f"{path}: cannot be read as YAML: {reason}") from None
