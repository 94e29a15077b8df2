"""What a reproduction returns: the paper's numbers beside ours with verdicts, and files."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chorda.results import Table

REPRODUCED = "reproduced"
NOT_DETERMINED = "not determined by the paper"


def differs(reason: str) -> str:
    return f"differs because {reason}"


@dataclass(frozen=True)
class Reproduction:
    """Everything a reproduction made."""

    key: str
    title: str
    tables: tuple[Table, ...]
    files: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "paper": self.key,
            "title": self.title,
            "tables": [
                {"title": t.title, "header": t.header, "rows": t.rows, "note": t.note}
                for t in self.tables
            ],
            "files": [str(f) for f in self.files],
            "notes": self.notes,
            "data": self.data,
        }


def verdict(holds: bool, otherwise: str, how: str = "") -> str:
    """'reproduced' if the paper's statement holds here (how says in what sense), else why not."""
    return f"{REPRODUCED} {how}".rstrip() if holds else differs(otherwise)


def seconds(value: float) -> str:
    """A time with three digits in a fitting unit."""
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value:.3g} s"


def row(*cells: Any) -> tuple[str, ...]:
    return tuple(cell if isinstance(cell, str) else f"{cell:.3g}" for cell in cells)


__all__ = [
    "NOT_DETERMINED",
    "REPRODUCED",
    "Reproduction",
    "Table",
    "differs",
    "row",
    "seconds",
    "verdict",
]
