"""Tables as NetCDF files: logs, runs that chorda saved, and others with one-dimensional data."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.errors import LogError
from chorda.identification.logs.tables.table import NOTES, Table, as_json
from chorda.mechanics import Array

if TYPE_CHECKING:
    import xarray


def read(path: Path) -> Table:
    import xarray

    with xarray.open_dataset(path, engine="h5netcdf", decode_times=False) as file:
        data = file.load()
    if "provenance" in data.attrs and "position" in data:
        return _run(data)
    columns: dict[str, Array] = {}
    units: dict[str, str] = {}
    for name, item in data.variables.items():
        if item.ndim == 1 and item.dtype.kind in "fiu":
            columns[str(name)] = np.asarray(item.values, float)
            if "units" in item.attrs:
                units[str(name)] = str(item.attrs["units"])
    notes = {key: json.loads(data.attrs[key]) for key in NOTES if key in data.attrs}
    return Table(columns, units, notes)


def write(table: Table, path: Path) -> None:
    import xarray

    variables: dict[str, Any] = {
        name: ("row", x, {"units": table.units[name]} if name in table.units else {})
        for name, x in table.columns.items()
    }
    attributes = {key: as_json(value) for key, value in table.notes.items()}
    content = xarray.Dataset(variables, attrs=attributes).to_netcdf(engine="h5netcdf")
    path.write_bytes(content)  # in memory: HDF5 crashes on a full disk


def _run(data: "xarray.Dataset") -> Table:
    """A simulated run: coordinates and inputs at its times, its parameters as the truth."""
    columns, units = {"time": np.asarray(data["time"].values, float)}, {"time": "s"}
    for kind, dimension, mark in (
        ("position", "coordinate", ""),
        ("input", "input_name", "input "),
    ):
        if kind not in data:
            continue
        if dimension not in data.coords:
            raise LogError(f"this run lacks the names of its {kind}s ({dimension})")
        names = [f"{mark}{name}" for name in data[dimension].values]
        columns |= dict(zip(names, np.asarray(data[kind].values, float).T, strict=True))
        if f"{dimension}_unit" in data.coords:
            units |= dict(zip(names, map(str, data[f"{dimension}_unit"].values), strict=True))
    notes: dict[str, Any] = {}
    if "parameter" in data:
        names = [str(name) for name in data["parameter_name"].values]
        notes["truth"] = dict(zip(names, map(float, data["parameter"].values), strict=True))
    return Table(columns, units, notes)
