"""Runs on disk: NetCDF (complete), CSV and .mat (for other tools). Written whole or not at all."""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from chorda.describe import parse
from chorda.errors import StorageError
from chorda.mechanics import assemble
from chorda.results.run import Run
from chorda.results.status import Status

FORMAT = 1


def write_whole(path: str | Path, write: Callable[[Path], None]) -> Path:
    """Write a file beside its place and rename it: a full disk or a crash leaves the old one."""
    path = Path(path)
    if not path.parent.is_dir():
        raise StorageError(f"{path}: the folder {path.parent} does not exist; make it first")
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{path.name}-", suffix=path.suffix, dir=path.parent
        )
        os.close(handle)
    except OSError as error:
        raise StorageError(f"{path}: cannot be written: {error.strerror}") from None
    part = Path(name)
    try:
        write(part)
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.chmod(0o644)
        part.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(
            f"{path}: could not be written ({reason}); nothing was changed"
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return path


def save(run: Run, path: str | Path) -> Path:
    data = run.data.assign_attrs(format=FORMAT)
    data["parameter"] = ("parameter_name", run.parameters)
    data = data.assign_coords(parameter_name=list(run.system.parameter_names))
    if not run.system.nu:
        data["input"] = (("time", "input_name"), run.input)
    return write_whole(path, lambda part: data.to_netcdf(part, engine="h5netcdf"))


def open_run(path: str | Path) -> Run:
    """The run in a NetCDF file that `Run.save` wrote."""
    import xarray

    path = Path(path)
    if not path.is_file():
        raise StorageError(f"{path}: no such file")
    try:
        with xarray.open_dataset(path, engine="h5netcdf") as file:
            data = file.load()
        provenance = json.loads(data.attrs["provenance"])
        system = assemble(parse(provenance["robot"], str(path)), provenance["tendons"])
        return Run(
            system=system,
            time=data["time"].values,
            position=data["position"].values,
            velocity=data["velocity"].values,
            input=data["input"].values,
            parameters=data["parameter"].values,
            status=Status(data.attrs["status"], data.attrs["message"]),
            provenance=provenance,
        )
    except (OSError, KeyError, ValueError) as error:
        raise StorageError(f"{path}: this is not a run saved by Chorda ({error})") from None


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


def to_mat(run: Run, path: str | Path) -> Path:
    from scipy.io import savemat

    system = run.system
    content: dict[str, object] = {
        "time": run.time,
        "position": run.position,
        "velocity": run.velocity,
        "input": run.input,
        "coordinate_names": np.array(system.coordinate_names, dtype=object),
        "input_names": np.array([i.name for i in system.inputs], dtype=object),
        "status": run.status.message,
        **run.outputs,
    }
    for output in system.outputs:
        content[f"{output.name}_names"] = np.array(output.labels, dtype=object)
    return write_whole(path, lambda part: savemat(part, content, appendmat=False))
