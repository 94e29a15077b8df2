"""Tables as MATLAB files: vectors, columns of matrices as q(:,1), fields of structs as log.q."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from chorda.identification.logs.tables.table import Table, as_json
from chorda.mechanics import Array

NOTES = "chorda_notes"  # the variable that keeps units and notes


def variable(name: str) -> str:
    """A name as MATLAB allows it.

    >>> variable("motor-left.torque")
    'motor_left_torque'
    """
    return re.sub(r"\W", "_", name)


def read(path: Path) -> Table:
    from scipy.io import loadmat

    try:
        content: dict[str, Any] = loadmat(path, simplify_cells=True)
    except NotImplementedError:  # scipy's word for version 7.3, which is HDF5
        content = _hdf5(path)
    kept = json.loads(str(content.pop(NOTES, "{}")))
    columns = {k: v for name, value in content.items() for k, v in _columns(name, value)}
    return Table(columns, kept.get("units", {}), kept.get("notes", {}))


def write(table: Table, path: Path) -> None:
    from scipy.io import savemat

    units = {variable(name): unit for name, unit in table.units.items()}
    content: dict[str, Any] = {variable(name): x for name, x in table.columns.items()}
    content[NOTES] = as_json({"units": units, "notes": dict(table.notes)})
    savemat(path, content, appendmat=False, oned_as="column", long_field_names=True)


def _columns(name: str, value: Any) -> Iterator[tuple[str, Array]]:
    if name.startswith(("__", "#")):
        return
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _columns(f"{name}.{key}", item)
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
