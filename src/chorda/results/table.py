"""A table for people, made by reproductions and benchmarks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rows of text under a header, with a title and a note."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
