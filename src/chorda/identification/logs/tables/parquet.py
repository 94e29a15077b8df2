"""Tables as Parquet files, if pyarrow is there."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from chorda.errors import LogError
from chorda.identification.logs.tables.table import Table, as_json, split_unit

NOTES = b"chorda"  # the key of the schema's metadata that keeps units and notes


def read(path: Path) -> Table:
    data = library(path).parquet.read_table(path)
    kept = json.loads((data.schema.metadata or {}).get(NOTES, b"{}"))
    columns, units = {}, dict(kept.get("units", {}))
    for header in data.column_names:
        name, unit = split_unit(header)
        try:
            columns[name] = data[header].to_numpy().astype(float)  # nulls become NaN
        except (TypeError, ValueError):
            continue  # text and times of day beside the numbers; a wanted one is then missing
        if unit is not None:
            units[name] = unit
    return Table(columns, units, kept.get("notes", {}))


def write(table: Table, path: Path) -> None:
    pyarrow = library(path)
    data = pyarrow.table({name: np.asarray(x) for name, x in table.columns.items()})
    kept = as_json({"units": dict(table.units), "notes": dict(table.notes)})
    pyarrow.parquet.write_table(data.replace_schema_metadata({NOTES: kept.encode()}), path)


def library(path: Path) -> Any:
    """pyarrow, or how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise LogError(
            f"{path}: Parquet files need pyarrow, which is not installed; "
            "run: pip install 'chorda[parquet]', or use a .csv file"
        ) from None
    return pyarrow
