"""Workspaces on disk: NetCDF, written whole or not at all, with all that is needed to go on."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.checks import file_path
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.results import netcdf
from chorda.results.cells import COLUMNS, WORDS, Cells
from chorda.results.region import Region
from chorda.results.spectra import KINDS
from chorda.results.status import Code, Status
from chorda.results.workspace import Workspace

if TYPE_CHECKING:
    import xarray

FORMAT = 2
SUFFIX = ".nc"
MEANING = {name: x.meaning for name, x in COLUMNS.items()} | {
    "position": "generalized coordinates",
    "multiplier": "forces of the closures",
    "effort": "efforts and tensions; of inputs and parameters, their values",
    "stress": "largest stress along the rod",
    "violated": "1 where the limit is violated",
}
BY = {name: (x.by,) for name, x in COLUMNS.items() if x.by}
KNOWN = (*(f.name for f in fields(Region)), "start", "rods", "limits", "u", "parameters", "survey")
PARTS = {"position": "coordinate", "multiplier": "closure", "effort": "unknown"}
TAKEN = {
    *MEANING,
    *(x.by for x in COLUMNS.values()),
    *PARTS.values(),
    "limit",
}  # a joint may be called like that too


def dataset(workspace: Workspace) -> "xarray.Dataset":
    """Axes of the region first, by their names; one that is taken ends in _axis."""
    import xarray

    system, shape = workspace.system, workspace.shape
    names = tuple(f"{name}_axis" if name in TAKEN else name for name in workspace.names)
    variables: dict[str, Any] = {}

    def add(name: str, rows: Any, more: tuple[str, ...] = (), **attributes: Any) -> None:
        values = rows.reshape(*shape, *rows.shape[1:])
        about = {"long_name": MEANING[name], **attributes}
        variables[name] = ((*names, *more), values, about)

    cells = workspace.cells.arrays()
    state = cells.pop("state")
    ends = np.cumsum([system.nq, system.nc])
    for (name, dimension), part in zip(PARTS.items(), np.split(state, ends, axis=1), strict=True):
        add(name, part, (dimension,))
    for name, rows in cells.items():
        rows = rows.astype(np.int8) if rows.dtype == bool else rows
        add(name, rows, BY.get(name, ()))
    variables["code"][2]["flag_values"] = list(range(len(WORDS)))
    variables["code"][2]["flag_meanings"] = " ".join(word.replace("-", "_") for word in WORDS)
    variables["strain"][2]["units"] = "-"
    young = np.array(list(workspace.rods.values()))
    add("stress", workspace.cells.strain * young, ("rod",), units="Pa")
    masks = [mask.ravel() for mask in workspace.violations.values()]
    add("violated", np.array(masks, np.int8).reshape(len(masks), len(state)).T, ("limit",))
    # HDF5 has no dimension of length 0
    variables = {name: x for name, x in variables.items() if x[1].size}
    axes = zip(names, workspace.values, workspace.units, strict=True)
    coords: dict[str, Any] = {name: (name, x, {"units": unit}) for name, x, unit in axes}
    labels = {
        "coordinate": system.coordinate_names,
        "closure": system.constraints.names,
        "unknown": workspace.prescription.unknowns,
        "tendon": tuple(t.name for t in system.robot.tendons),
        "kind": KINDS,
        "rod": tuple(workspace.rods),
        "limit": tuple(workspace.limits),
    }
    coords |= {name: np.array(list(words), dtype=object) for name, words in labels.items() if words}
    out = xarray.Dataset(variables, coords=coords)
    out.attrs = {
        "title": f"workspace of {system.robot.name} over {', '.join(names)}",
        "status": str(workspace.status.code),
        "message": workspace.status.message,
        "provenance": json.dumps(dict(workspace.provenance), default=float),
    }
    return out


def checked(path: str | Path, field: str) -> Path:
    """The path, if its name says what will be in it."""
    path = file_path(field, path)
    if path.suffix.lower() != SUFFIX:
        raise InputError(
            f"{field}: expected a name that ends in {SUFFIX} (NetCDF), got '{path}': write "
            f"'{path.stem}{SUFFIX}', for example"
        )
    return path


def save(workspace: Workspace, path: str | Path) -> Path:
    path = checked(path, "path")
    known = {name: getattr(workspace, name) for name in KNOWN}
    known["prescription"] = asdict(workspace.prescription)
    text = json.dumps(known, default=lambda x: x.tolist() if isinstance(x, np.ndarray) else dict(x))
    data = dataset(workspace).assign_attrs(workspace_format=FORMAT, known=text)
    return netcdf.write(data, path)


@dataclass(frozen=True, eq=False)
class Stored:
    """What is in a file."""

    cells: Cells
    known: dict[str, Any]
    provenance: dict[str, Any]
    status: Status

    def array(self, name: str) -> Array:
        return np.array(self.known[name], float)


def load(path: str | Path) -> Stored:
    version = "workspace_format", FORMAT
    return netcdf.read(path, "workspace", version, _stored, "chorda.open reads runs")


def _stored(data: "xarray.Dataset") -> Stored:
    known = json.loads(data.attrs["known"])
    d = len(known["names"])
    count = int(np.prod(data["code"].shape))

    def rows(name: str) -> Any:
        if name not in data:
            by_kind = name in COLUMNS and COLUMNS[name].by == "kind"  # older files have not all
            return np.full((count, len(KINDS) if by_kind else 0), np.nan)
        x = data[name].values
        return x.reshape(count, *x.shape[d:])

    kept = {name: rows(name).astype(x.dtype) for name, x in COLUMNS.items() if name != "state"}
    state = np.concatenate([rows(part).astype(float) for part in PARTS], axis=1)
    return Stored(
        Cells(state=state, **kept),
        known,
        json.loads(data.attrs["provenance"]),
        Status(Code(data.attrs["status"]), data.attrs["message"]),
    )
