"""Whether a store is whole: what it is, and which of the files that it began with are damaged."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chorda.errors import StorageError
from chorda.sweeps import manifest
from chorda.sweeps.optional_packages import needs
from chorda.sweeps.store import UNREADABLE, folder
from chorda.sweeps.store_layout import ATTRIBUTE, FORMAT, MESSAGE, STATUS, ZARR

ROOT = "zarr.json"


@dataclass(frozen=True)
class Finding:
    """damaged: names of files; known: checksums, unless they are missing."""

    path: Path
    about: dict[str, Any]
    chunk: int
    damaged: tuple[str, ...]
    known: manifest.Manifest | None

    @property
    def from_before(self) -> bool:
        """Whether stores had no checksums of these files when it was made."""
        return self.known is None and not self.about.get("checksums")


def examined(path: str | Path) -> Finding:
    """What is there; a StorageError where that is no store, or cannot be known any more."""
    path = folder("path", path)
    if not path.is_dir():
        kind = "this is a file" if path.is_file() else "there is no such folder"
        kind = "this is a pipe or a device" if path.exists() and not path.is_file() else kind
        raise StorageError(f"{path}: {kind}; expected a store that chorda sweep wrote")
    known = manifest.read(path)
    if known is not None:
        _check_version(path, known.about)
        return Finding(path, known.about, known.chunk, tuple(known.damaged(path)), known)
    try:
        root = json.loads((path / ROOT).read_text("utf-8"))
        about = dict(json.loads(root["attributes"][ATTRIBUTE]))
        arrays = root["consolidated_metadata"]["metadata"]
        chunk = int(arrays[STATUS]["chunk_grid"]["configuration"]["chunk_shape"][0])
        _check_version(path, about)
    except StorageError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StorageError(
            f"{path}: this is no store of a sweep, or it is damaged ({error}); nothing was changed"
        ) from None
    damaged = _without_checksums(path, about, arrays)
    if about.get("checksums"):
        damaged.append(manifest.PLACE)
    return Finding(path, about, chunk, tuple(damaged), None)


def _check_version(path: Path, about: dict[str, Any]) -> None:
    if about["format"] > FORMAT:
        raise StorageError(
            f"{path}: written by a newer Chorda (format {about['format']}, this one reads up to "
            f"{FORMAT}); update Chorda"
        )


def _without_checksums(path: Path, about: dict[str, Any], arrays: dict[str, Any]) -> list[str]:
    """What can be seen of damage all the same: chunks of coordinates and labels carry sums."""
    group = needs("zarr").open_group(path, mode="r", zarr_format=ZARR, use_consolidated=False)
    damaged = []
    for name, meta in arrays.items():
        try:
            if json.loads((path / name / ROOT).read_text("utf-8"))["shape"] != meta["shape"]:
                raise ValueError(name)
            array = group[name]
        except (*UNREADABLE, KeyError, TypeError):
            damaged.append(f"{name}/{ROOT}")
            continue
        if name in (*about["outputs"], MESSAGE, STATUS):
            continue
        size = array.chunks[0]
        for k in range(math.ceil(array.shape[0] / size)):
            file = f"{name}/c/{k}"
            try:
                if not (path / file).is_file():
                    raise ValueError(file)
                array[k * size : (k + 1) * size]
            except UNREADABLE:
                damaged.append(file)
    return damaged
