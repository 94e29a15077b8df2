"""Files of measurements, read into and written from a table: text, Parquet, MATLAB, NetCDF."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.data_table import DataTable, as_json, read_csv, split_unit, write_csv
from chorda.errors import InputError, LogError
from chorda.files import check_file, verify, write_whole
from chorda.mechanics import Array

if TYPE_CHECKING:
    import xarray

NOTES = ("truth", "about", "sensors")  # what a log knows beside its columns
MATLAB_NOTES = "chorda_notes"  # the variable that keeps units and notes
PARQUET_NOTES = b"chorda"  # the key of the schema's metadata that keeps them


def read_table(path: Path) -> DataTable:
    """The table in a file; a LogError says what is wrong with the file."""
    read, _ = _format(path)
    check_file(path, f"a log ({', '.join(FORMATS)})", LogError)
    try:
        if not path.stat().st_size:
            raise LogError(f"{path}: expected a header and rows of numbers, got an empty file")
        table = read(path)
    except LogError:
        raise
    except InputError as error:
        raise LogError(str(error)) from None
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


def write_table(table: DataTable, path: Path) -> Path:
    _, write = _format(path)
    return write_whole(path, lambda part: write(table, part))


def check_format(path: Path) -> None:
    """Refuse, before any work is done, a file that could not be written afterwards."""
    _format(path)
    if path.suffix.lower() == ".parquet":
        _pyarrow(path)


def _pyarrow(path: Path) -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise LogError(
            f"{path}: Parquet files need pyarrow, which is not installed; "
            "run: pip install 'chorda[parquet]', or use a .csv file"
        ) from None
    return pyarrow


def _read_parquet(path: Path) -> DataTable:
    data = _pyarrow(path).parquet.read_table(path)
    kept = json.loads((data.schema.metadata or {}).get(PARQUET_NOTES, b"{}"))
    columns, units = {}, dict(kept.get("units", {}))
    for header in data.column_names:
        name, unit = split_unit(header)
        try:
            columns[name] = data[header].to_numpy().astype(float)  # nulls become NaN
        except (TypeError, ValueError):
            continue  # text and times of day beside the numbers; a wanted one is then missing
        if unit is not None:
            units[name] = unit
    return DataTable(columns, units, kept.get("notes", {}))


def _write_parquet(table: DataTable, path: Path) -> None:
    pyarrow = _pyarrow(path)
    kept = as_json({"units": dict(table.units), "notes": dict(table.notes)})
    data = pyarrow.table(dict(table.columns)).replace_schema_metadata(
        {PARQUET_NOTES: kept.encode()}
    )
    pyarrow.parquet.write_table(data, path)


def matlab_name(name: str) -> str:
    """A name as MATLAB allows it.

    >>> matlab_name("motor-left.torque")
    'motor_left_torque'
    """
    return re.sub(r"\W", "_", name)


def _read_matlab(path: Path) -> DataTable:
    """Vectors, columns of matrices as q(:,1), fields of structs as log.q."""
    from scipy.io import loadmat

    try:
        content: dict[str, Any] = loadmat(path, simplify_cells=True)
    except NotImplementedError:  # scipy's word for version 7.3, which is HDF5
        content = _hdf5(path)
    kept = json.loads(str(content.pop(MATLAB_NOTES, "{}")))
    columns = {k: x for name, value in content.items() for k, x in _vectors(name, value)}
    return DataTable(columns, kept.get("units", {}), kept.get("notes", {}))


def _write_matlab(table: DataTable, path: Path) -> None:
    from scipy.io import savemat

    units = {matlab_name(name): unit for name, unit in table.units.items()}
    content: dict[str, Any] = {matlab_name(name): x for name, x in table.columns.items()}
    content[MATLAB_NOTES] = as_json({"units": units, "notes": dict(table.notes)})
    savemat(path, content, appendmat=False, oned_as="column", long_field_names=True)


def _vectors(name: str, value: Any) -> Iterator[tuple[str, Array]]:
    if name.startswith(("__", "#")):
        return
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _vectors(f"{name}.{key}", item)
        return
    array = np.asarray(value)
    if array.dtype.kind not in "fiub" or not 1 <= array.ndim <= 2:
        return
    array = array.astype(float)
    if array.ndim == 1 or 1 in array.shape:
        yield name, array.ravel()
        return
    for k in range(array.shape[1]):
        yield f"{name}(:,{k + 1})", array[:, k]


def _hdf5(path: Path) -> dict[str, Any]:
    """Version 7.3: MATLAB's columns are HDF5's rows, structs are groups."""
    import h5py

    def unpacked(item: Any) -> Any:
        if isinstance(item, h5py.Group):
            return {name: unpacked(item[name]) for name in item}
        return item[()].T

    with h5py.File(path) as file:
        return {name: unpacked(file[name]) for name in file}


def _read_netcdf(path: Path) -> DataTable:
    """Logs, runs that chorda saved, and other files with one-dimensional data."""
    import xarray

    verify(path)
    with xarray.open_dataset(path, engine="h5netcdf", decode_times=False) as file:
        data = file.load()
    if "provenance" in data.attrs and "position" in data:
        return _run(data)
    found = {str(k): x for k, x in data.variables.items() if x.ndim == 1 and x.dtype.kind in "fiu"}
    units = {k: str(x.attrs["units"]) for k, x in found.items() if "units" in x.attrs}
    notes = {key: json.loads(data.attrs[key]) for key in NOTES if key in data.attrs}
    return DataTable({k: np.asarray(x.values, float) for k, x in found.items()}, units, notes)


def _write_netcdf(table: DataTable, path: Path) -> None:
    import xarray

    variables: dict[str, Any] = {
        name: ("row", x, {"units": table.units[name]} if name in table.units else {})
        for name, x in table.columns.items()
    }
    attributes = {key: as_json(value) for key, value in table.notes.items()}
    content = xarray.Dataset(variables, attrs=attributes).to_netcdf(engine="h5netcdf")
    path.write_bytes(content)  # in memory: HDF5 crashes on a full disk


def _run(data: "xarray.Dataset") -> DataTable:
    """A simulated run: coordinates and inputs at its times, its parameters as the truth."""
    columns, units = {"time": np.asarray(data["time"].values, float)}, {"time": "s"}
    kinds = ("position", "coordinate", ""), ("input", "input_name", "input ")
    for kind, dimension, mark in kinds:
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
    return DataTable(columns, units, notes)


Format = tuple[Callable[[Path], DataTable], Callable[[DataTable, Path], None]]
TEXT: Format = (partial(read_csv, notes=NOTES), write_csv)
FORMATS: dict[str, Format] = {
    ".csv": TEXT,
    ".tsv": TEXT,
    ".txt": TEXT,
    ".parquet": (_read_parquet, _write_parquet),
    ".mat": (_read_matlab, _write_matlab),
    ".nc": (_read_netcdf, _write_netcdf),
}


def _format(path: Path) -> Format:
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise LogError(
            f"{path}: expected a file ending in {', '.join(FORMATS)}, got '{ending or path.name}'"
        )
    return FORMATS[ending]
