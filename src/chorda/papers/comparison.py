"""Rows that put a paper beside Chorda, each with a verdict that its number decides."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from chorda.papers.tolerance import Shown, Tolerance, number
from chorda.results import Table
from chorda.results.table import Cell


class Verdict(StrEnum):
    """The four words, and there is no fifth."""

    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    NOT_DETERMINED = "not determined"
    OWN_CHECK = "own check"


@dataclass(frozen=True)
class Row:
    """A number of ours and what it is held against.

    Attributes
    ----------
    quantity : str
        What is compared.
    paper : str or float
        What the paper prints or states; of own checks, what is expected.
    value : float
        What Chorda finds; of a statement that holds or not, 1 or 0.
    tolerance : Tolerance, optional
        Within what the value counts as the paper's; None where the paper does not determine it.
    own : bool
        No paper states it: the row is a check of ours.
    shown : Shown
        How the value and its tolerance are written.
    why : str
        The reason of a difference, if it is known; or what the paper leaves out.
    helped_by : tuple of str
        Keys of the choices that were made to meet this row, or others like it.
    beside : tuple
        Cells of further columns.

    Examples
    --------
    >>> from chorda.papers.tolerance import within
    >>> Row("step", "0.4 ms", 0.43, within(0.4, relative=0.1)).text
    'reproduced'
    >>> Row("step", "0.4 ms", 0.6, within(0.4, relative=0.1), why="gains are missing").text
    'differs by 50 %: gains are missing'
    """

    quantity: str
    paper: str | float
    value: float
    tolerance: Tolerance | None
    own: bool = False
    shown: Shown = number
    why: str = ""
    helped_by: tuple[str, ...] = ()
    beside: tuple[Cell, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the value is within its tolerance."""
        return self.tolerance is not None and self.tolerance.holds(self.value)

    @property
    def verdict(self) -> Verdict:
        """One of the four words."""
        if self.tolerance is None:
            return Verdict.NOT_DETERMINED
        if self.own:
            return Verdict.OWN_CHECK
        return Verdict.REPRODUCED if self.holds else Verdict.DIFFERS

    @property
    def text(self) -> str:
        """The verdict with what belongs to it."""
        if self.tolerance is None:
            return f"{self.verdict}: {self.why}"
        if self.holds:
            helped = f", helped by: {', '.join(self.helped_by)}" if self.helped_by else ""
            return f"{self.verdict}{': met' if self.own else ''}{helped}"
        word = f"{self.verdict}: not met" if self.own else str(self.verdict)
        how = f"{word} {self.tolerance.beyond(self.value, self.shown)}".rstrip()
        return f"{how}: {self.why}" if self.why else how

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        ends = self.tolerance and (self.tolerance.low, self.tolerance.high)
        return {
            "quantity": self.quantity, "paper": self.paper, "value": self.value,
            "tolerance": ends, "verdict": str(self.verdict),
            "met": self.holds if self.tolerance else None, "why": self.why,
            "helped_by": self.helped_by,
        }  # fmt: skip


def own_check(
    quantity: str,
    value: float,
    tolerance: Tolerance,
    *,
    expected: str | float = "-",
    shown: Shown = number,
    why: str = "",
    helped_by: tuple[str, ...] = (),
    beside: tuple[Cell, ...] = (),
) -> Row:
    """What no paper states: a convergence, an order, an agreement between formulations."""
    return Row(quantity, expected, value, tolerance, True, shown, why, helped_by, beside)


def not_determined(
    quantity: str,
    paper: str | float,
    value: float,
    missing: str,
    *,
    shown: Shown = number,
    beside: tuple[Cell, ...] = (),
) -> Row:
    """What the paper prints or shows but leaves too much out for; missing: what it leaves out."""
    return Row(quantity, paper, value, None, shown=shown, why=missing, beside=beside)


@dataclass(frozen=True)
class Comparison:
    """Rows under one title.

    Attributes
    ----------
    title, note : str
        As of a Table.
    rows : sequence of Row
        In order.
    columns : tuple of str
        Names of the further columns, which stand before Chorda's.
    first, paper : str
        Names of the first two columns.
    """

    title: str
    rows: Sequence[Row]
    note: str = ""
    columns: tuple[str, ...] = ()
    first: str = "quantity"
    paper: str = "paper"

    @property
    def table(self) -> Table:
        """For people."""
        header = (self.first, self.paper, *self.columns, "Chorda", "tolerance", "verdict")
        rows = (
            (row.quantity, row.paper, *row.beside, row.shown(row.value),
             row.tolerance.text(row.shown) if row.tolerance else "-", row.text)
            for row in self.rows
        )  # fmt: skip
        return Table(self.title, header, tuple(rows), self.note)


@dataclass(frozen=True)
class Choice:
    """A value, a reading or a discretisation that the paper leaves open and that had to be chosen.

    Attributes
    ----------
    key : str
        A short name, which rows that it helps give.
    value : str
        What was chosen, with its unit.
    to_meet : str
        What it was chosen to meet, or the reason where no number of the paper had a part in it.
    """

    key: str
    value: str
    to_meet: str


def choices_table(choices: Iterable[Choice], rows: Iterable[Row]) -> Table:
    """All choices, and how many rows each helps."""
    helped = Counter(key for row in rows for key in row.helped_by)
    lines = ((x.key, x.value, x.to_meet, str(helped[x.key] or "-")) for x in choices)
    header = ("choice", "value", "chosen to meet, or why", "rows that it helps")
    return Table("What was chosen", header, tuple(lines))


def summary(rows: Iterable[Row]) -> str:
    """How many rows have each of the four words.

    >>> from chorda.papers.tolerance import YES
    >>> summary([Row("a", "-", 1.0, YES), own_check("b", 0.0, YES)])
    '1 row reproduced, 0 differ, 0 not determined; 1 own check, 1 of them not met'
    """
    rows = tuple(rows)
    count = Counter(row.verdict for row in rows)
    helped = sum(row.verdict is Verdict.REPRODUCED and bool(row.helped_by) for row in rows)
    failed = sum(row.verdict is Verdict.OWN_CHECK and not row.holds for row in rows)
    reproduced, own = count[Verdict.REPRODUCED], count[Verdict.OWN_CHECK]
    return (
        f"{reproduced} row{'s' * (reproduced != 1)} reproduced"
        + (f" ({helped} of them helped by a choice)" if helped else "")
        + f", {count[Verdict.DIFFERS]} differ, {count[Verdict.NOT_DETERMINED]} not determined; "
        + f"{own} own check{'s' * (own != 1)}, "
        + (f"{failed} of them not met" if failed else "all met")
    )
