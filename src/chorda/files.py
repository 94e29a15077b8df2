"""Files that are written whole or not at all."""

import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from chorda.errors import StorageError


def write_whole(path: str | Path, write: Callable[[Path], object]) -> Path:
    """Write a file beside its place and rename it: a full disk or a crash leaves the old one.

    `write(part)` writes the content; it may refuse with an OSError (or a RuntimeError, which is
    what HDF5 makes of a full disk).
    """
    path = Path(path)
    target = path.resolve()  # through a link, so that the link stays
    folder = target.parent
    if not folder.is_dir():
        is_what = "is not a folder" if folder.exists() else "does not exist; make it first"
        raise StorageError(f"{path}: the folder {folder} {is_what}")
    if target.is_dir():
        raise StorageError(f"{path}: this is a folder; give the name of a file in it")
    part = folder / f".{target.name[:100]}-{secrets.token_hex(4)}{target.suffix}"
    try:
        part.touch(exist_ok=False)
    except OSError as error:
        raise StorageError(
            f"{path}: cannot be written: {error.strerror}; choose a folder of your own"
        ) from None
    try:
        write(part)
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        kept = "the old file is unchanged" if target.exists() else "nothing was written"
        raise StorageError(f"{path}: could not be written ({reason}); {kept}") from error
    finally:
        part.unlink(missing_ok=True)
    return path
