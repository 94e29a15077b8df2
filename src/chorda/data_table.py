"""Tables of numbers in files: columns by name, units in their headers, blanks as NaN; CSV files."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.errors import InputError
from chorda.files import check_file
from chorda.numerics import Array
from chorda.safe_text import one_line
from chorda.si_units import is_unit

Line = tuple[int, str]  # its number in the file, its text
LINES_AT_ONCE = 20_000
BLANKS = {"", "nan", "na", "n/a", "null", "none", "-"}
SEPARATORS = (";", "\t", ",")
BOOLEANS = ("True", "TRUE", "true", "False", "FALSE", "false")
_UNIT = re.compile(r"(.*?)\s*(?:\[([^\[\]]*)\]|\(([^()]*)\))\s*")


@dataclass(frozen=True, eq=False)
class DataTable:
    """Columns by name, their units and notes beside them; nothing is interpreted yet."""

    columns: Mapping[str, Array]
    units: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)
    lines: npt.NDArray[np.int64] | None = None  # of the file, for each row of a text

    def row(self, index: int) -> str:
        """A row as the user finds it.

        >>> DataTable({}).row(0)
        'row 1'
        """
        return f"row {index + 1}" if self.lines is None else f"line {self.lines[index]}"


def read_csv(path: Path, notes: Sequence[str] = ()) -> DataTable:
    """Read a header and rows of numbers, separated by commas, semicolons or tabs.

    Lines that start with '#' are comments. Units stand in the header, as x1 [deg]. With semicolons
    or tabs between the cells, numbers may have decimal commas.

    Parameters
    ----------
    path
        The file.
    notes
        Words whose comments, '# word: {...}', hold JSON: they become notes of the table.

    Raises
    ------
    InputError
        The file is no such table; the message names the file, the line and the column.
    """
    check_file(path, "a header and rows of numbers", InputError)
    comments: list[Line] = []
    content = _content(path, comments)
    if (first := next(content, None)) is None:
        raise InputError(f"{path}: expected a header and rows of numbers, got an empty file")
    second = list(islice(content, 1))
    content = chain(second, content)
    separator = _separator([text for _, text in [first, *second]])
    header, rows = _header(comments, first, separator, path)
    names, units = _named(header, path)
    blocks = [np.zeros((0, len(names)))]  # text takes many times the room of its numbers
    numbers = [np.zeros(0, np.int64)]
    source = chain(rows, content)
    while lines := list(islice(source, LINES_AT_ONCE)):
        blocks.append(_numbers(lines, names, separator, path))
        numbers.append(np.array([k for k, _ in lines], np.int64))
    known = _notes(comments, notes, path)
    columns = {name: np.concatenate([x[:, i] for x in blocks]) for i, name in enumerate(names)}
    return DataTable(columns, units, known, np.concatenate(numbers))


def write_csv(table: DataTable, path: Path) -> None:
    """Numbers that read back exactly, NaN as blanks, notes as comments of one line."""
    import pandas

    units = {x: f" [{unit}]" for x, unit in table.units.items()}
    header = [one_line(f"{x}{units.get(x, '')}") for x in table.columns]
    with path.open("w", encoding="utf-8", newline="") as file:
        for key, value in table.notes.items():
            file.write(f"# {key}: {as_json(value)}\n")
        pandas.DataFrame(dict(zip(header, table.columns.values(), strict=True))).to_csv(
            file, sep="\t" if path.suffix.lower() == ".tsv" else ",", index=False
        )


def split_unit(header: str) -> tuple[str, str | None]:
    """A column's name and unit; round brackets count only around a unit that is known.

    >>> split_unit("x1 [deg]"), split_unit("x1 (deg)"), split_unit("q(:,1)")
    (('x1', 'deg'), ('x1', 'deg'), ('q(:,1)', None))
    """
    header = header.strip()
    match = _UNIT.fullmatch(header)
    if match is None or not match[1]:
        return header, None
    if match[2] is not None:
        return match[1], match[2].strip()
    return (match[1], match[3].strip()) if is_unit(match[3]) else (header, None)


def as_json(value: Any) -> str:
    """One line of JSON; arrays become lists, what JSON cannot hold becomes text."""
    return json.dumps(value, default=lambda x: x.tolist() if hasattr(x, "tolist") else str(x))


def _content(path: Path, comments: list[Line]) -> Iterator[Line]:
    """Lines that are neither blank nor comments, as they are read; comments are collected."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for k, line in enumerate(file, 1):
                if "\0" in line:
                    raise _binary(path)
                if line.strip(" \t\r\n,;"):
                    text = line.strip("\r\n ")
                    if text.startswith("#"):
                        comments.append((k, text))
                    else:
                        yield k, text
    except UnicodeDecodeError:
        raise _binary(path) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _binary(path: Path) -> InputError:
    return InputError(f"{path}: expected text (UTF-8), got binary data; is its ending right?")


def _separator(first: list[str]) -> str:
    """The most frequent one, of those that cut the first two lines into equally many cells.

    >>> _separator(["time,a;b;c", "0.0,1.0"])
    ','
    """
    fits = [x for x in SEPARATORS if len({len(_cells([text], x)[0]) for text in first}) == 1]
    found = [x for x in fits if x in first[0]] or SEPARATORS
    return max(found, key=first[0].count)


def _notes(lines: Iterable[Line], words: Sequence[str], path: Path) -> dict[str, Any]:
    notes: dict[str, Any] = {}
    pattern = re.compile(r"#\s*(\w+):\s*(\{.*)")
    for k, text in lines:
        if (match := pattern.fullmatch(text)) and match[1] in words:
            try:
                notes[match[1]] = json.loads(match[2])
            except json.JSONDecodeError as error:
                raise InputError(
                    f"{path}: line {k}: '# {match[1]}:' expected JSON, got {match[2]:.40} "
                    f"({error}); correct or remove that line"
                ) from None
    return notes


def _header(
    comments: Sequence[Line], first: Line, separator: str, path: Path
) -> tuple[list[str], list[Line]]:
    """The header's cells, and the first line where that is a row; NumPy writes headers as a
    comment."""
    [cells] = _cells([first[1]], separator)
    if not all(_is_number(cell) for cell in cells):
        return cells, []
    above = [text.lstrip("# ") for _, text in comments]
    if above and len(named := _cells(above[-1:], separator)[0]) == len(cells):
        return named, [first]
    raise InputError(
        f"{path}: line {first[0]}: expected a header with the columns' names, got numbers; "
        "add a line such as time [s],x1 [rad],..."
    )


def _named(header: list[str], path: Path) -> tuple[list[str], dict[str, str]]:
    """Names of the columns, and the units of those that have one."""
    names, units = [], {}
    for name, unit in map(split_unit, header):
        if name in names:
            raise InputError(f"{path}: column '{name}' appears twice in the header; rename one")
        names.append(name)
        if unit is not None:
            units[name] = unit
    return names, units


def _numbers(rows: Sequence[Line], names: list[str], separator: str, path: Path) -> Array:
    """The rows as numbers (rows, columns), blanks as NaN."""
    import pandas

    texts = [text for _, text in rows]
    if separator != ",":
        texts = [text.replace(",", ".") for text in texts]  # decimal commas
    quoted = any('"' in text for text in texts)
    widths = (
        map(len, _cells(texts, separator)) if quoted else (x.count(separator) + 1 for x in texts)
    )
    for (k, _), width in zip(rows, widths, strict=True):
        if width != len(names):
            raise InputError(
                f"{path}: line {k}: expected {len(names)} cells as in the header, got {width}; "
                "leave a cell blank where nothing was measured"
            )
    text = "\n".join(texts)
    exact: Any = {"float_precision": "round_trip"} if pandas.__version__ < "3.1" else {}
    try:
        if any(word in text for word in BOOLEANS):
            raise ValueError("pandas would take a column of these for numbers")
        return pandas.read_csv(
            StringIO(text), sep=separator, header=None, dtype=float, skipinitialspace=True, **exact
        ).to_numpy()
    except ValueError:  # rarer spellings of a blank, or no number
        return np.array(
            [
                [_number(cell, name, k, path) for cell, name in zip(cells, names, strict=True)]
                for cells, (k, _) in zip(_cells(texts, separator), rows, strict=True)
            ]
        )


def _cells(lines: list[str], separator: str) -> list[list[str]]:
    rows = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    return [[cell.strip() for cell in cells] for cells in rows]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _number(cell: str, name: str, line: int, path: Path) -> float:
    if cell.lower() in BLANKS:
        return np.nan
    if not _is_number(cell):
        raise InputError(
            f"{path}: line {line}, column '{name}': expected a number or a blank, "
            f"got '{cell:.40}'; correct it or leave the cell blank"
        )
    return float(cell)
