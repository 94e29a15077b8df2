"""A table for people, made by reproductions and benchmarks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rows of text under a header, with a title and a note."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def __str__(self) -> str:
        """The table in plain text, for print."""
        lines = [self.header, *self.rows]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.header))]
        text = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        text.insert(1, "-" * max(len(line) for line in text))
        return "\n".join([self.title, "", *text, *(["", self.note] if self.note else [])])
