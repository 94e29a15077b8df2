"""Checksums of the files that a store begins with, and a second copy of what it is.

They lie in the folder of the status, where other readers of Zarr do not look. The chunks of results
carry checksums of their own.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chorda.files import write_whole
from chorda.sweeps.store_layout import STATUS

PLACE = f"{STATUS}/checksums.json"


@dataclass(frozen=True)
class Manifest:
    """about: what the store keeps about itself; chunk: points in a piece; files: their sums."""

    about: dict[str, Any]
    chunk: int
    files: Mapping[str, str]

    def damaged(self, folder: Path) -> list[str]:
        """Files that are missing, or are not what was written."""
        return [name for name, known in self.files.items() if sum_of(folder / name) != known]

    def write(self, folder: Path) -> None:
        text = json.dumps(asdict(self), sort_keys=True)
        own = hashlib.sha256(text.encode()).hexdigest()
        write_whole(folder / PLACE, lambda part: part.write_text(f"{own}\n{text}\n", "utf-8"))


def made_of(folder: Path, about: dict[str, Any], chunk: int) -> Manifest:
    """Of a store in which nothing is computed."""
    files = sorted(x for x in folder.rglob("*") if x.is_file())
    names = {x.relative_to(folder).as_posix(): x for x in files}
    sums = {name: sum_of(x) for name, x in names.items() if name != PLACE}
    return Manifest(about, chunk, sums)


def read(folder: Path) -> Manifest | None:
    """None where there is none, or it is damaged itself."""
    try:
        own, text = (folder / PLACE).read_text("utf-8").split("\n")[:2]
        if hashlib.sha256(text.encode()).hexdigest() != own:
            return None
        return Manifest(**json.loads(text))
    except (OSError, ValueError, TypeError):
        return None


def sum_of(path: Path) -> str:
    """Empty where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
