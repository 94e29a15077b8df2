"""A table for people: of results, comparisons, reproductions and benchmarks."""

import math
from dataclasses import dataclass

from chorda.notebook_tables import notebook_table
from chorda.safe_text import on_terminal

Cell = str | float | None


@dataclass(frozen=True)
class Table:
    """Rows of cells under a header; terminals, pages and plain text all show this one.

    Attributes
    ----------
    title : str
        May be empty where a heading stands above the table.
    header : tuple of str
        With units: "rate [Hz]".
    rows : tuple of tuples
        Text, numbers (shown with four digits), or None for an empty cell.
    note : str
        A sentence about the table.

    See Also
    --------
    chorda.Run.to_dataframe : a motion as a table of pandas.

    Examples
    --------
    >>> print(Table("Springs", ("name", "k [N/m]"), (("left", 1234.56), ("right", None))))
    Springs
    <BLANKLINE>
    name   k [N/m]
    --------------
    left      1235
    right
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The cells as text."""
        return tuple(tuple(map(cell_text, row)) for row in self.rows)

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Whether a column holds nothing but numbers, which stand right."""
        columns = zip(*self.rows, strict=True) if self.rows else [("",)] * len(self.header)
        return tuple(all(not isinstance(cell, str) for cell in column) for column in columns)

    def _repr_html_(self) -> str:
        rows = self.texts
        return notebook_table(self.title, self.header, rows, self.note.splitlines())

    def __str__(self) -> str:
        """The table in plain text, for print."""
        lines, columns = [self.header, *self.texts], range(len(self.header))
        widths = [max(len(line[k]) for line in lines) for k in columns]
        sides = [str.rjust if number else str.ljust for number in self.numeric]
        text = ["  ".join(sides[k](line[k], widths[k]) for k in columns).rstrip() for line in lines]
        text.insert(1, "-" * max(len(line) for line in text))
        lines_around = [self.title, "", *text, *(["", self.note] if self.note else [])]
        return on_terminal("\n".join(lines_around))


def cell_text(cell: Cell) -> str:
    """
    >>> cell_text(0.123456), cell_text(123456), cell_text(float("nan")), cell_text("one")
    ('0.1235', '123456', '', 'one')
    """
    if isinstance(cell, str | int):
        return on_terminal(str(cell))
    return f"{cell + 0.0:.4g}" if cell is not None and math.isfinite(cell) else ""


def percent(x: float) -> str:
    """A ratio in percent, for sentences.

    >>> percent(0.01234), percent(2.5), percent(100.0), percent(float("nan"))
    ('1.2 %', '250 %', '> 1000 %', '-')
    """
    if not math.isfinite(x):
        return "-"
    if x > 10:
        return "> 1000 %"
    return f"{100 * x:.2g} %" if x < 0.995 else f"{100 * x:.0f} %"
