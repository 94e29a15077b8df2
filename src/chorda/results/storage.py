"""Runs on disk: NetCDF (complete), CSV and .mat (for other tools). Written whole or not at all."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chorda.describe import parse
from chorda.files import write_whole
from chorda.mechanics import assemble
from chorda.results import netcdf
from chorda.results.accuracy import Accuracy
from chorda.results.events import Event
from chorda.results.late import Late
from chorda.results.run import Run
from chorda.results.status import Code, Status

if TYPE_CHECKING:
    import pandas
    import xarray

FORMAT = 1


def save(run: Run, path: str | Path) -> Path:
    data = run.data.assign_attrs(
        format=FORMAT,
        counts=json.dumps(dict(run.counts), default=float),
        accuracy=json.dumps(run.accuracy.data()),
    )
    data["parameter"] = ("parameter_name", run.parameters)
    data = data.assign_coords(parameter_name=list(run.system.parameter_names))
    if not run.system.nu:
        data["input"] = (("time", "input_name"), run.input)
    return netcdf.write(data, path)


def open_run(path: str | Path) -> Run:
    """Read a run from a file that `Run.save` wrote.

    Parameters
    ----------
    path : str or Path
        Of the file, .nc.

    Returns
    -------
    Run
        With its system, which is assembled again.

    Raises
    ------
    InputError
        Where the file is not a run, or is damaged.

    See Also
    --------
    Run.save : writes one.

    Examples
    --------
    >>> import tempfile, pathlib, chorda
    >>> run = chorda.simulate(chorda.assemble(chorda.neck(1)), duration=0.1, step=1e-3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = chorda.open(run.save(pathlib.Path(folder) / "run.nc"))
    >>> bool((again.position == run.position).all())
    True
    """
    return netcdf.read(path, "run", ("format", FORMAT), lambda data: _run(data, str(path)))


def _run(data: "xarray.Dataset", where: str) -> Run:
    provenance: dict[str, Any] = json.loads(data.attrs["provenance"])
    folder = Path(where).resolve().parent  # of meshes: beside the run
    system = assemble(parse(provenance["robot"], where, folder), provenance["tendons"])
    n = data.sizes["time"]
    widths = {"position": system.nq, "velocity": system.nv, "input": system.nu}
    arrays = {name: np.asarray(data[name].values, float) for name in widths}
    for name, width in widths.items():
        if arrays[name].shape != (n, width):
            raise ValueError(f"{name} has the shape {arrays[name].shape}, not {(n, width)}")
    saved = dict(zip(data["parameter_name"].values, data["parameter"].values, strict=True))
    run = Run(
        system=system,
        time=np.asarray(data["time"].values, float),
        position=arrays["position"],
        velocity=arrays["velocity"],
        input=arrays["input"],
        parameters=np.array([float(saved[name]) for name in system.parameter_names]),
        status=Status(Code(data.attrs["status"]), data.attrs["message"]),
        provenance=provenance,
        counts=json.loads(data.attrs["counts"]),
        estimate=Late.known(Accuracy.of(json.loads(data.attrs.get("accuracy", "{}")))),
    )
    if "event_name" in data:  # with those of a controller, which the file does not have
        each = zip(*(data[f"event_{x}"].values for x in ("time", "name", "kind")), strict=True)
        vars(run)["events"] = tuple(Event(float(t), str(x), str(kind)) for t, x, kind in each)
    return run


def table(run: Run) -> tuple[list[str], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Column names with units, and one row for each time."""
    system = run.system
    names = ["time [s]"]
    columns = [run.time[:, None], run.position, run.velocity, run.input]
    names += [f"{c.name} [{c.unit}]" for c in system.coordinates]
    names += [f"{name} [{unit}]" for name, unit in system.velocities]
    names += [f"input {i.name} [{i.unit}]" for i in system.inputs]
    for output in system.outputs:
        names += [f"{output.name} {label} [{output.unit}]" for label in output.labels]
        columns.append(run.outputs[output.name])
    return names, np.hstack(columns)


def to_csv(run: Run, path: str | Path) -> Path:
    names, rows = table(run)

    def write(part: Path) -> None:
        np.savetxt(part, rows, delimiter=",", header=",".join(names), comments="", fmt="%.17g")

    return write_whole(path, write)


def to_dataframe(run: Run) -> "pandas.DataFrame":
    import pandas

    names, rows = table(run)
    index = pandas.Index(rows[:, 0], name=names[0])
    return pandas.DataFrame(rows[:, 1:], index=index, columns=names[1:])


def to_mat(run: Run, path: str | Path) -> Path:
    from scipy.io import savemat

    system = run.system
    content: dict[str, object] = {
        "time": run.time,
        "position": run.position,
        "velocity": run.velocity,
        "input": run.input,
        "parameters": run.parameters,
        "coordinate_names": _words(system.coordinate_names),
        "velocity_names": _words(name for name, _ in system.velocities),
        "input_names": _words(i.name for i in system.inputs),
        "parameter_names": _words(system.parameter_names),
        "status": run.status.message,
        "provenance": json.dumps(dict(run.provenance), default=float),
        **run.outputs,
    }
    for output in system.outputs:
        content[f"{output.name}_names"] = _words(output.labels)
    return write_whole(path, lambda part: savemat(part, content, appendmat=False, oned_as="column"))


def _words(names: Iterable[str]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """A column of cells in MATLAB."""
    return np.array(list(names), dtype=object)
