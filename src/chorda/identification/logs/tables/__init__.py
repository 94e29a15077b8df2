"""Tables of measurements in files: one small module for each format."""

from collections.abc import Callable
from pathlib import Path

from chorda.errors import LogError
from chorda.files import write_whole
from chorda.identification.logs.tables import matlab, netcdf, parquet, text
from chorda.identification.logs.tables.table import Table

Format = tuple[Callable[[Path], Table], Callable[[Table, Path], None]]
FORMATS: dict[str, Format] = {
    ".csv": (text.read, text.write),
    ".tsv": (text.read, text.write),
    ".txt": (text.read, text.write),
    ".parquet": (parquet.read, parquet.write),
    ".mat": (matlab.read, matlab.write),
    ".nc": (netcdf.read, netcdf.write),
}


def read_table(path: Path) -> Table:
    """The table in a file; a LogError says what is wrong with the file."""
    read, _ = _format(path)
    if not path.is_file():
        kind = "this is a folder" if path.is_dir() else "no such file"
        raise LogError(f"{path}: {kind}; expected a log ({', '.join(FORMATS)})")
    try:
        if not path.stat().st_size:
            raise LogError(f"{path}: expected a header and rows of numbers, got an empty file")
        table = read(path)
    except LogError:
        raise
    except PermissionError as error:
        raise LogError(f"{path}: cannot be read: {error.strerror}; allow reading it") from None
    except Exception as error:  # parsers of binary formats raise whatever they stumble over
        raise LogError(
            f"{path}: expected a {path.suffix.lower()} file, got something else or a damaged "
            f"file ({type(error).__name__}: {error!s:.120}); write it again, or as .csv"
        ) from error
    if not table.columns:
        raise LogError(f"{path}: expected columns of numbers, got none")
    return table


def check_format(path: Path) -> None:
    """Refuse, before any work is done, a file that could not be written afterwards."""
    _format(path)
    if path.suffix.lower() == ".parquet":
        parquet.library(path)


def write_table(table: Table, path: Path) -> Path:
    _, write = _format(path)
    return write_whole(path, lambda part: write(table, part))


def _format(path: Path) -> Format:
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise LogError(
            f"{path}: expected a file ending in {', '.join(FORMATS)}, got '{ending or path.name}'"
        )
    return FORMATS[ending]


__all__ = ["FORMATS", "Table", "check_format", "read_table", "write_table"]
