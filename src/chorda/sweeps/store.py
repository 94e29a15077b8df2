"""Results on disk: a Zarr store that xarray reads, safe against a kill at any moment.

A chunk is some points in a row, and one file in each array. Its data are written first and its
status last, each file whole or not at all: a chunk is done if its status is there. Files carry a
checksum; a chunk that cannot be read back counts as not done.
"""

import json
import math
import os
import shutil
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from chorda.checks import file_path
from chorda.errors import InputError, StorageError
from chorda.files import part_of, remove_abandoned
from chorda.results.provenance import versions
from chorda.sweeps import manifest
from chorda.sweeps.computing import Computer, Piece
from chorda.sweeps.optional_packages import needs
from chorda.sweeps.points import Points
from chorda.sweeps.store_layout import ATTRIBUTE, MESSAGE, STATUS, ZARR, lay_out
from chorda.sweeps.study import Study, from_mapping
from chorda.sweeps.writer_lock import writing

UNREADABLE = (OSError, ValueError, RuntimeError)  # what a torn or changed file raises
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
    def labels(self) -> dict[str, str]:
        """Names of the quantities that vary, by the keys of their arrays."""
        made = self.about.get("keys", {})  # there are none in format 1
        return {made.get(x.column, x.column): x.column for x in self.study.vary}

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
        return [k for k in self._chunks if not self._is_done(k)]

    def damaged(self) -> list[int]:
        """Of these, the ones that were computed before."""
        if self.path is None:
            return []
        return [k for k in self.unfinished() if self._file(STATUS, k).is_file()]

    def readable(self, name: str) -> Any:
        """An array with blanks in place of what cannot be read; None where all of it can."""
        array, torn = self.arrays[name], False
        out = np.full(array.shape, array.fill_value, object if array.ndim == 1 else float)
        for k in self._chunks:
            try:
                out[slice(*self.span(k))] = array[slice(*self.span(k))]
            except UNREADABLE:
                torn = True
        return out if torn else None

    @property
    def _chunks(self) -> range:
        return range(math.ceil(self.count / self.chunk))

    def _file(self, name: str, k: int) -> Path:
        inner = ["0"] * (self.arrays[name].ndim - 1)
        return Path(self.path or "", name, "c", str(k), *inner)

    def _is_done(self, k: int) -> bool:
        span = slice(*self.span(k))
        try:
            if not all(self.arrays[STATUS][span]):
                return False
            for name in (*self.about["outputs"], MESSAGE):
                if self.path is not None and not self._file(name, k).is_file():
                    return False
                self.arrays[name][span]
        except UNREADABLE:
            return False
        return True

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else writes meanwhile, and nothing is left of a writer that was killed."""
        if self.path is None:
            yield
            return
        with writing(self.path):
            for part in self.path.rglob("*.partial"):
                part.unlink(missing_ok=True)
            remove_abandoned(self.path.resolve())
            yield


def create(path: Path | None, made: Computer, points: Points, found: Any, chunk: int) -> Store:
    """A new store with the points' coordinates and nothing computed; it appears whole.

    found: a result, for the shapes.
    """
    zarr = needs("zarr")
    if path is None:
        group = zarr.open_group(zarr.storage.MemoryStore(), mode="w", zarr_format=ZARR)
        lay_out(group, made, points, found, chunk)
        return Store(group, None)
    target = path.resolve()
    if not target.parent.is_dir():
        raise StorageError(f"{path}: the folder {target.parent} does not exist; make it first")
    remove_abandoned(target)
    part = part_of(target)
    try:
        begin(part, made, points, found, chunk)
        part.rename(target)
    except OSError as error:
        if target.exists():
            raise InputError(
                f"output: another process has made {path} meanwhile; call again to go on with it, "
                "or give another name"
            ) from None
        reason = error.strerror or error
        raise StorageError(f"{path}: could not be written ({reason}); nothing is there") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    group = zarr.open_group(target, mode="r+", zarr_format=ZARR, use_consolidated=False)
    return Store(group, path)


def begin(part: Path, made: Computer, points: Points, found: Any, chunk: int) -> None:
    """Lay a store out in a new folder, with its checksums."""
    group = needs("zarr").open_group(part, mode="w-", zarr_format=ZARR)
    about = lay_out(group, made, points, found, chunk)
    manifest.made_of(part, about, chunk).write(part)


def existing(path: Path, *, writable: bool = False) -> Store:
    """A store that is there, and was examined."""
    mode = "r+" if writable else "r"
    group = needs("zarr").open_group(path, mode=mode, zarr_format=ZARR, use_consolidated=False)
    return Store(group, path)


def folder(what: str, given: Any) -> Path:
    """A path from what the user gave; `what` is the argument it came in."""
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"{what}: expected the folder of a store, got {given!r:.60}")
    return file_path(what, given)


def check_same(path: Path, there: Study, study: Study, about: Mapping[str, Any]) -> None:
    """Refuse to go on with a store of another study."""
    if there.fingerprint() != study.fingerprint():
        before, after = there.plain(), study.plain()
        names = [k for k in type(study).model_fields if k != "name"]
        what = ", ".join(k for k in names if before.get(k) != after.get(k))
        raise InputError(
            f"output: {path} holds another study, its {what} differs; give another name, or "
            "remove it to start anew. Nothing was changed"
        )
    made = about["versions"]
    if made != versions():
        warnings.warn(
            f"{path} was begun with {made}, this is {versions()}; results may differ in "
            "their last digits",
            stacklevel=4,
        )
