"""A table as a file holds it: named columns of numbers, blanks as NaN, nothing interpreted yet."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.identification.logs.units import is_unit
from chorda.mechanics import Array

NOTES = ("truth", "about", "sensors")  # what a log knows beside its columns
_UNIT = re.compile(r"(.*?)\s*(?:\[([^\[\]]*)\]|\(([^()]*)\))\s*")


@dataclass(frozen=True, eq=False)
class Table:
    """Columns by name; in most formats they are equally long."""

    columns: Mapping[str, Array]
    units: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)
    lines: npt.NDArray[np.int64] | None = None  # of the file, for each row of a text

    def row(self, index: int) -> str:
        """A row as the user finds it.

        >>> Table({}).row(0)
        'row 1'
        """
        return f"row {index + 1}" if self.lines is None else f"line {self.lines[index]}"


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
    """One line of JSON; arrays become lists, what JSON cannot hold its text."""
    return json.dumps(value, default=lambda x: x.tolist() if hasattr(x, "tolist") else str(x))
