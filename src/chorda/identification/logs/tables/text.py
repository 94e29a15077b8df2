"""Tables as text: comma, semicolon or tab between cells, a header, comments after '#'."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from chorda.errors import LogError
from chorda.identification.logs.tables.table import NOTES, Table, as_json, split_unit
from chorda.mechanics import Array

BLANKS = {"", "nan", "na", "n/a", "null", "none", "-"}
_NOTE = re.compile(rf"#\s*({'|'.join(NOTES)}):\s*(\{{.*)")
Line = tuple[int, str]  # its number in the file, its text


def read(path: Path) -> Table:
    """A header and rows; comments may come anywhere, notes of `write` among them."""
    lines = _lines(path)
    notes = _notes(lines, path)
    content = [(k, text) for k, text in lines if not text.startswith("#")]
    if not content:
        raise LogError(f"{path}: expected a header and rows of numbers, got an empty file")
    separator = _separator(content[0][1])
    header, rows = _header(lines, content, separator, path)
    names, units = [], {}
    for cell in header:
        name, unit = split_unit(cell)
        if name in names:
            raise LogError(f"{path}: column '{name}' appears twice in the header; rename one")
        names.append(name)
        if unit is not None:
            units[name] = unit
    plain = _plain_numbers(rows, separator, len(names))
    if plain is not None:
        columns = dict(zip(names, plain.T.copy(), strict=True))
    else:
        cells = _cells(rows, separator, len(names), path)
        columns = {
            name: _numbers([row[k] for row in cells], name, separator, rows, path)
            for k, name in enumerate(names)
        }
    return Table(columns, units, notes, np.array([k for k, _ in rows], np.int64))


def write(table: Table, path: Path) -> None:
    """Numbers that read back exactly; blanks where a sensor did not measure."""
    names = list(table.columns)
    header = [f"{name} [{table.units[name]}]" if name in table.units else name for name in names]
    with path.open("w", encoding="utf-8", newline="") as file:
        for key, value in table.notes.items():
            file.write(f"# {key}: {as_json(value)}\n")
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        out = csv.writer(file, delimiter=separator, lineterminator="\n")
        out.writerow(header)
        for row in zip(*(column.tolist() for column in table.columns.values()), strict=True):
            out.writerow(["" if x != x else repr(x) for x in row])  # NaN differs from itself


def _lines(path: Path) -> list[Line]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise LogError(
            f"{path}: expected text (UTF-8), got binary data; is its ending right? "
            "Known: .csv, .tsv, .txt, .parquet, .mat, .nc"
        )
    lines = enumerate(text.splitlines(), 1)
    return [(k, line.strip("\r\n ")) for k, line in lines if line.strip(" \t\r,;")]


def _notes(lines: list[Line], path: Path) -> dict[str, Any]:
    notes: dict[str, Any] = {}
    for k, text in lines:
        if match := _NOTE.fullmatch(text):
            try:
                notes[match[1]] = json.loads(match[2])
            except json.JSONDecodeError as error:
                raise LogError(
                    f"{path}: line {k}: '# {match[1]}:' expected JSON, got {match[2]:.40} "
                    f"({error}); correct or remove that line"
                ) from None
    return notes


def _separator(header: str) -> str:
    return max(";\t,", key=header.count)


def _header(
    lines: list[Line], content: list[Line], separator: str, path: Path
) -> tuple[list[str], list[Line]]:
    """The header's cells and the rows after it; NumPy writes headers as a comment."""
    first, text = content[0]
    cells = _split(text, separator)
    if not all(_is_number(cell) for cell in cells):
        return cells, content[1:]
    above = [text.lstrip("# ") for k, text in lines if k < first and text.startswith("#")]
    if above and len(named := _split(above[-1], separator)) == len(cells):
        return named, content
    raise LogError(
        f"{path}: line {first}: expected a header with the columns' names, got numbers; "
        "add a line such as time [s],x1 [rad],..."
    )


def _split(text: str, separator: str) -> list[str]:
    cells = next(csv.reader([text], delimiter=separator, skipinitialspace=True))
    return [cell.strip() for cell in cells]


def _plain_numbers(rows: list[Line], separator: str, width: int) -> Array | None:
    """All cells at once, if they are nothing but numbers and blanks: many times faster."""
    flat = separator.join(text for _, text in rows).split(separator)
    if len(flat) != width * len(rows):
        return None
    try:
        return np.array([cell or "nan" for cell in flat], float).reshape(-1, width)
    except ValueError:
        return None


def _cells(rows: list[Line], separator: str, width: int, path: Path) -> list[list[str]]:
    out = [_split(text, separator) for _, text in rows]
    for cells, (k, _) in zip(out, rows, strict=True):
        if len(cells) != width:
            raise LogError(
                f"{path}: line {k}: expected {width} cells as in the header, got {len(cells)}; "
                "leave a cell blank where nothing was measured"
            )
    return out


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _numbers(cells: list[str], name: str, separator: str, rows: list[Line], path: Path) -> Array:
    texts = ["nan" if cell.lower() in BLANKS else cell for cell in cells]
    if separator != ",":
        texts = [text.replace(",", ".") for text in texts]  # decimal commas
    try:
        return np.array([float(text) for text in texts])
    except ValueError:
        bad = next(i for i, text in enumerate(texts) if not _is_number(text))
        raise LogError(
            f"{path}: line {rows[bad][0]}, column '{name}': expected a number or a blank, "
            f"got '{cells[bad]:.40}'; correct it or leave the cell blank"
        ) from None
