"""Results on disk: a Zarr store that xarray reads, safe against a kill at any moment.

A chunk is some points in a row, and one file in each array. Its data are written first and its
status last, each file whole or not at all: a chunk is done if its status is there. Files carry a
checksum; a chunk that cannot be read back counts as not done.
"""

import json
import math
import os
import secrets
import shutil
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from chorda.errors import InputError, StorageError
from chorda.results.provenance import versions
from chorda.sweeps.computing import Computer, Piece
from chorda.sweeps.optional_packages import needs
from chorda.sweeps.points import Points
from chorda.sweeps.study import Study, from_mapping

FORMAT = 1
POINT, STATUS, MESSAGE = "point", "status", "message"
VALUES_PER_FILE = 65_536  # of a coordinate
ABANDONED_AFTER = 3600.0  # [s]: then a store that was never finished is removed
ATTRIBUTE = "chorda_sweep"
KEPT = "what is done is kept: go on with chorda.sweep(output=...) or chorda sweep --resume"


@dataclass(frozen=True, eq=False)
class Store:
    """An open store. group: of Zarr; path: None in memory."""

    group: Any
    path: Path | None

    @cached_property
    def about(self) -> dict[str, Any]:
        return dict(json.loads(self.group.attrs[ATTRIBUTE]))

    @cached_property
    def study(self) -> Study:
        return from_mapping(self.about["study"], str(self.path or "study"))

    @cached_property
    def arrays(self) -> dict[str, Any]:
        """Every chunk of them is a file, also where it holds nothing but NaN or no message."""
        with needs("zarr").config.set({"array.write_empty_chunks": True}):
            return {name: self.group[name] for name in (*self.about["outputs"], MESSAGE, STATUS)}

    @property
    def count(self) -> int:
        return int(self.arrays[STATUS].shape[0])

    @property
    def chunk(self) -> int:
        return int(self.arrays[STATUS].chunks[0])

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Of each output at one point."""
        return {name: self.arrays[name].shape[1:] for name in self.about["outputs"]}

    def span(self, k: int) -> tuple[int, int]:
        """First point of a chunk, and the one after its last."""
        return k * self.chunk, min((k + 1) * self.chunk, self.count)

    def write(self, k: int, piece: Piece) -> None:
        """A chunk: data first, status last."""
        span = slice(*self.span(k))
        try:
            for name, values in piece.arrays.items():
                self.arrays[name][span] = values
            self.arrays[MESSAGE][span] = np.array(piece.messages, dtype=object)
            self.arrays[STATUS][span] = np.array(piece.codes, dtype=object)
        except OSError as error:
            raise StorageError(
                f"{self.path}: could not be written ({error.strerror or error}); "
                f"{KEPT}, once there is room"
            ) from error

    def unfinished(self) -> list[int]:
        """Chunks that are not computed, or cannot be read back."""
        return [k for k in range(math.ceil(self.count / self.chunk)) if not self._is_done(k)]

    def _is_done(self, k: int) -> bool:
        span = slice(*self.span(k))
        try:
            if not all(self.arrays[STATUS][span]):
                return False
            for name in (*self.about["outputs"], MESSAGE):
                array = self.arrays[name]
                file = Path(name, "c", str(k), *["0"] * (array.ndim - 1))
                if self.path is not None and not (self.path / file).is_file():
                    return False
                array[span]
        except (OSError, ValueError, RuntimeError):  # a torn file
            return False
        return True

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else writes meanwhile; the lock ends with this process, however that ends."""
        if self.path is None:
            yield
            return
        with (self.path / "zarr.json").open("rb") as file:
            _lock(file, self.path)
            for part in self.path.rglob("*.partial"):  # of a writer that was killed
                part.unlink(missing_ok=True)
            yield


def create(path: Path | None, made: Computer, points: Points, found: Any, chunk: int) -> Store:
    """A new store with the points' coordinates and nothing computed; it appears whole.

    found: a result, for the shapes.
    """
    zarr = needs("zarr")
    if path is None:
        group = zarr.open_group(zarr.storage.MemoryStore(), mode="w", zarr_format=3)
        _lay_out(zarr, group, made, points, found, chunk)
        return Store(group, None)
    target = path.resolve()
    if not target.parent.is_dir():
        raise StorageError(f"{path}: the folder {target.parent} does not exist; make it first")
    _remove_abandoned(target)
    part = target.parent / f".{target.name}-{secrets.token_hex(4)}.part"
    try:
        group = zarr.open_group(part, mode="w-", zarr_format=3)
        _lay_out(zarr, group, made, points, found, chunk)
        part.rename(target)
    except OSError as error:
        reason = error.strerror or error
        raise StorageError(f"{path}: could not be written ({reason}); nothing is there") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Store(zarr.open_group(target, mode="r+", use_consolidated=False), path)


def existing(path: str | Path, *, writable: bool = False) -> Store:
    """A store that is there."""
    zarr = needs("zarr")
    path = folder("path", path)
    if not path.is_dir():
        kind = "this is a file" if path.exists() else "there is no such folder"
        raise StorageError(f"{path}: {kind}; expected a store that chorda sweep wrote")
    try:
        group = zarr.open_group(path, mode="r+" if writable else "r", use_consolidated=False)
        version = json.loads(group.attrs[ATTRIBUTE])["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StorageError(
            f"{path}: this is no store of a sweep, or it is damaged ({error}); nothing was changed"
        ) from None
    if version > FORMAT:
        raise StorageError(
            f"{path}: written by a newer Chorda (format {version}, this one reads up to {FORMAT}); "
            "update Chorda"
        )
    return Store(group, path)


def folder(what: str, given: Any) -> Path:
    """A path from what the user gave; `what` is the argument it came in."""
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"{what}: expected the folder of a store, got {given!r:.60}")
    return Path(given)


def check_same(store: Store, study: Study) -> None:
    """Refuse to go on with a store of another study."""
    there = store.study
    if there.fingerprint() != study.fingerprint():
        before, after = there.plain(), study.plain()
        names = [k for k in type(study).model_fields if k != "name"]
        what = ", ".join(k for k in names if before.get(k) != after.get(k))
        raise InputError(
            f"output: {store.path} holds another study, its {what} differs; give another name, or "
            "remove it to start anew. Nothing was changed"
        )
    made = store.about["versions"]
    if made != versions():
        warnings.warn(
            f"{store.path} was begun with {made}, this is {versions()}; results may differ in "
            "their last digits",
            stacklevel=4,
        )


def _lay_out(zarr: Any, group: Any, made: Computer, points: Points, found: Any, chunk: int) -> None:
    study, n = made.study, len(points)
    checked = [zarr.codecs.ZstdCodec(level=3), zarr.codecs.Crc32cCodec()]

    def array(name: str, kind: Any, dims: Any, shape: Any, chunks: Any, **about: Any) -> Any:
        return group.create_array(
            name,
            shape=shape,
            chunks=tuple(max(1, m) for m in chunks),
            dtype=kind,
            fill_value="" if kind is str else np.nan,
            dimension_names=dims,
            compressors=checked,
            attributes=about,
        )

    def axis(name: str, labels: Sequence[Any], unit: str) -> None:
        kind = str if isinstance(labels[0], str) else float
        about = {"units": unit} if unit else {}
        made = array(name, kind, (name,), (len(labels),), (len(labels),), **about)
        made[:] = np.array(labels, dtype=object if kind is str else float)

    size = min(n, VALUES_PER_FILE)
    columns = [
        array(x.column, float, (POINT,), (n,), (size,), long_name=x.name, units=quantity.unit)
        for x, quantity in zip(study.vary, made.quantities, strict=True)
    ]
    for start in range(0, n, size):
        rows = points.rows(start, min(start + size, n))
        for column, values in zip(columns, rows.T, strict=True):
            column[start : start + len(values)] = values
    for output in made.kept:
        labels = [list(d.of(found)) for d in output.dimensions]
        shape = tuple(len(x) for x in labels)
        dims = (POINT, *(d.name for d in output.dimensions))
        about = {"units": output.unit, "long_name": output.meaning}
        array(output.name, float, dims, (n, *shape), (chunk, *shape), **about)
        for dimension, names in zip(output.dimensions, labels, strict=True):
            if names and dimension.name not in group:
                axis(dimension.name, names, dimension.unit)
    array(MESSAGE, str, (POINT,), (n,), (chunk,), long_name="why there is no result")
    array(STATUS, str, (POINT,), (n,), (chunk,), long_name="how it ended; empty: not yet computed")
    known = {
        "format": FORMAT,
        "study": study.plain(),
        "outputs": [x.name for x in made.kept],
        "axes": points.axes,
        "versions": versions(),
    }
    coordinates = " ".join(x.column for x in study.vary)
    about = {ATTRIBUTE: json.dumps(known), "title": study.name, "coordinates": coordinates}
    group.attrs.update(about)
    with warnings.catch_warnings():  # that other programs may not know of consolidated metadata
        warnings.simplefilter("ignore")
        zarr.consolidate_metadata(group.store)


def _lock(file: Any, path: Path) -> None:
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(
            f"output: another process is writing to {path}; wait for it, or give another name"
        ) from None
    except (ImportError, OSError):  # a system or a file system without locks
        return


def _remove_abandoned(target: Path) -> None:
    """Folders of processes that were killed while they made this store."""
    for part in target.parent.glob(f".{target.name}-*.part"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > ABANDONED_AFTER and os.access(part, os.W_OK):
                shutil.rmtree(part, ignore_errors=True)
