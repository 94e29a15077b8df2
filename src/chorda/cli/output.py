"""What commands print: results on stdout, as tables or JSON; everything else on stderr."""

import logging
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from chorda.results import Code, Status, Table
from chorda.safe_text import in_json, on_terminal

if TYPE_CHECKING:
    from rich.console import Console

PIPED_WIDTH = 140  # columns where there is no terminal to ask
NUMBER = re.compile(r"-|[<>= ]*[-+]?\d[\d.e+-]*( \S{1,8}){0,2}( \(.*\))?")  # with its unit
ROUNDING_ERROR = 1e-12  # in any SI unit here


def console(stderr: bool = False) -> "Console":
    """A console that prints text as it is: brackets hold units here, not markup."""
    from rich.console import Console

    made = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = PIPED_WIDTH
    return made


def print_text(text: str) -> None:
    """A part of the result, on stdout."""
    console().print(on_terminal(text))


def print_note(text: str) -> None:
    """What happens beside the result, on stderr."""
    console(stderr=True).print(on_terminal(text), style="dim")


def print_written(path: Path | str | None) -> None:
    """Which file was written, if one was."""
    if path is not None:
        print_note(f"Wrote {path}")


def write_file(path: Path | None, write: Callable[[Path], object]) -> None:
    """Write a file and print that it was, if an option asks for one."""
    if path is not None:
        write(path)
        print_written(path)


def print_warning(text: str) -> None:
    console(stderr=True).print(on_terminal(text), style="yellow")


def print_error(text: str) -> None:
    console(stderr=True).print(on_terminal(text), style="red")


def print_table(table: Table) -> None:
    """A table; columns of numbers are set to the right."""
    from rich import box
    from rich.table import Table as Grid

    title = on_terminal(table.title)
    grid = Grid(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for k, name in enumerate(table.header):
        texts = [row[k] for row in table.texts]
        numbers = table.numeric[k] or (bool(texts) and all(map(NUMBER.fullmatch, texts)))
        grid.add_column(on_terminal(name), justify="right" if numbers else "left", overflow="fold")
    for row in table.texts:
        grid.add_row(*map(on_terminal, row))
    out = console()
    out.print(grid)
    if table.note:
        out.print(on_terminal(table.note), style="dim")
        out.print()


def print_json(data: Any) -> None:
    """Valid JSON on stdout: NaN is null, infinities are the strings "inf" and "-inf"."""
    print(in_json(plain(data)))


def plain(value: Any) -> Any:
    """Plain data that JSON can hold.

    >>> plain({"a": (1, float("nan"), float("-inf"))})
    {'a': [1, None, '-inf']}
    """
    if hasattr(value, "tolist"):  # NumPy arrays and scalars
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, Status):
        return {"code": value.code, "message": value.message, "ok": value.ok}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def fields(item: object, *names: str) -> dict[str, Any]:
    """Attributes of a result by their names, for JSON."""
    return {name: getattr(item, name) for name in names}


def number(value: float, digits: int = 4) -> str:
    """A number with a few digits; what rounding left of a zero is a zero.

    >>> number(0.15000000000000002), number(1e-05), number(-4e-17)
    ('0.15', '1e-05', '0')
    """
    return f"{value if abs(value) > ROUNDING_ERROR else 0.0:.{digits}g}"


def coordinate(value: float, unit: str, kind: str) -> str:
    """A value with its unit; joint angles also in degrees, for people.

    >>> coordinate(0.5, "rad", "joint")
    '0.5 rad (28.6 deg)'
    """
    text = f"{number(value)} {unit}"
    if (unit, kind) != ("rad", "joint"):
        return text
    return f"{text} ({round(math.degrees(value), 1) + 0.0:.1f} deg)"


def finish(status: Status, quiet: bool = True) -> NoReturn:
    """Leave with the exit code of a result: 0, 1 where it is not ok, 130 after Ctrl-C.

    Why it is not ok is on stderr; unless quiet, its message is on stdout where it is.
    """
    if not status.ok:
        print_error(str(status))
    elif not quiet:
        print_text(str(status))
    raise typer.Exit(0 if status.ok else 130 if status.code is Code.INTERRUPTED else 1)


@contextmanager
def log_on_stderr() -> Iterator[None]:
    """What the library logs appears on stderr."""

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            show = print_warning if record.levelno >= logging.WARNING else print_note
            show(record.getMessage())

    log, handler = logging.getLogger("chorda"), Handler()
    level, propagated = log.level, log.propagate
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = propagated
