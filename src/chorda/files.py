"""Files that are written whole or not at all, that carry a checksum, and that end.

A checked file ends with a line of Chorda's own behind its content, which HDF5 does not look at: any
byte that changed since is found when it is opened.
"""

import hashlib
import os
import re
import secrets
import shutil
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from chorda.checks import file_path
from chorda.errors import ChordaError, StorageError

ABANDONED_AFTER = 3600.0  # [s]: what a writer that is not known to live left behind is removed
MARK = b"\nchorda sha256 "
SUM_LENGTH = 64
BLOCK = 1 << 20  # bytes that are read at once
HOST = hashlib.sha256(socket.gethostname().encode()).hexdigest()[:6]


def write_whole(path: str | Path, write: Callable[[Path], object]) -> Path:
    """Write a file beside its place and rename it: a full disk or a crash leaves the old one.

    `write(part)` writes the content; it may refuse with an OSError (or a RuntimeError, which is
    what HDF5 makes of a full disk).
    """
    path = file_path("path", path)
    target = path.resolve()  # through a link, so that the link stays
    folder = target.parent
    if not folder.is_dir():
        is_what = "is not a folder" if folder.exists() else "does not exist; make it first"
        raise StorageError(f"{path}: the folder {folder} {is_what}")
    check_target(path)
    remove_abandoned(target)
    part = part_of(target)
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


def check_target(path: Path) -> None:
    """Refuse to write where a folder, a pipe or a device is, which a file would replace."""
    if path.is_dir():
        raise StorageError(f"{path}: this is a folder; give the name of a file in it")
    if path.exists() and not path.is_file():
        raise StorageError(f"{path}: this is a pipe or a device; give the name of a file")


def part_of(target: Path) -> Path:
    """A new name beside the target, which tells who writes there."""
    unique = f"{HOST}-{os.getpid()}-{secrets.token_hex(4)}"
    return target.parent / f".{target.name[:100]}-{unique}{target.suffix}"


def remove_abandoned(target: Path) -> None:
    """Parts of a file or folder whose writers were killed."""
    name, ending = re.escape(target.name[:100]), re.escape(target.suffix)
    pattern = re.compile(rf"\.{name}-(?:(\w{{6}})-(\d+)-)?[0-9a-f]{{8}}(?:{ending}|\.part)")
    with suppress(OSError):
        for part in target.parent.iterdir():
            if (match := pattern.fullmatch(part.name)) is None:
                continue
            with suppress(OSError):
                old = time.time() - part.lstat().st_mtime > ABANDONED_AFTER
                if not alive(int(match[2])) if match[1] == HOST else old:
                    if part.is_dir() and not part.is_symlink():
                        shutil.rmtree(part, ignore_errors=True)
                    else:
                        part.unlink(missing_ok=True)


def alive(process: int) -> bool:
    """Whether a process of this machine runs; yes where that cannot be asked."""
    if os.name != "posix" or process <= 0:
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it runs for somebody else
        pass
    return True


def check_file(path: Path, expected: str, error: type[ChordaError] = StorageError) -> None:
    """Refuse what is no file before it is opened: a pipe or a device may never end."""
    try:
        if path.is_file():
            return
        kind = "no such file"
        if path.is_dir():
            kind = "this is a folder"
        elif path.exists():
            kind = "this is a pipe or a device, which may never end; copy it to a file"
    except (OSError, ValueError) as problem:
        kind = f"this is no path ({problem})"
    raise error(f"{path}: cannot be read: {kind}; expected {expected}")


def write_checked(path: str | Path, content: bytes | memoryview) -> Path:
    """Write a file whole, with the checksum of its content behind it."""

    def write(part: Path) -> None:
        with part.open("wb") as file:
            found = hashlib.sha256()
            for start in range(0, len(content), BLOCK):
                found.update(block := content[start : start + BLOCK])
                file.write(block)
            file.write(MARK + found.hexdigest().encode())

    return write_whole(path, write)


def verify(path: Path) -> bool:
    """Refuse a file whose content is not what was written; False where there is no checksum."""
    mark, length = len(MARK), path.stat().st_size
    content = length - mark - SUM_LENGTH
    with path.open("rb") as file:
        file.seek(max(content, 0))
        end = file.read()
        if MARK not in end:
            return False
        file.seek(0)
        found = hashlib.sha256()
        while content > 0:
            block = file.read(min(BLOCK, content))
            if not block:
                break
            found.update(block)
            content -= len(block)
    if found.hexdigest().encode() != end[mark:]:
        raise StorageError(
            f"{path}: is damaged: its checksum is not that of what Chorda wrote, so that some of "
            "its bytes have changed since; expected an unchanged file: take a copy, or compute it "
            "again"
        )
    return True
