"""Where exports go: files of others are left alone, and each file is written whole."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from chorda.errors import StorageError
from chorda.files import write_whole

MARK = "Made by chorda export"  # in the first lines of every text file; its sum is put behind it
LIST = "names.json"  # of a folder with files that are no text: their sums, under "files"
HEAD = 4096  # bytes in which the mark is looked for
SUM = re.compile(re.escape(MARK).encode() + rb"( \(sum ([0-9a-f]+)\))?")

Content = str | bytes


def write_file(path: Path, content: Content, force: bool) -> tuple[Path, ...]:
    """One file."""
    if path.is_dir():
        raise StorageError(f"{path}: this is a folder; give the name of a file in it")
    _refuse([path], force)
    return (_write(path, content),)


def write_folder(folder: Path, contents: Mapping[str, Content], force: bool) -> tuple[Path, ...]:
    """Several files in a folder, which is made if there is none; its parent must be there."""
    if folder.exists() and not folder.is_dir():
        raise StorageError(f"{folder}: expected a folder, got a file; give another name")
    if not folder.parent.is_dir():
        raise StorageError(f"{folder}: the folder {folder.parent} does not exist; make it first")
    paths = [folder / name for name in contents]
    blocked = [path for path in paths if path.is_dir()]
    if blocked:
        raise StorageError(
            f"{_listed(blocked)}: a folder is where a file is to be written; move it, or choose "
            "another place"
        )
    _refuse(paths, force)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"{folder}: cannot be made: {error.strerror}; choose a folder of your own"
        ) from None
    return tuple(_write(path, x) for path, x in zip(paths, contents.values(), strict=True))


def checksum(content: bytes) -> str:
    """Tells whether a file is still what was written."""
    return hashlib.sha256(content).hexdigest()[:16]


def _write(path: Path, content: Content) -> Path:
    data = content if isinstance(content, bytes) else _summed(content.encode())
    return write_whole(path, lambda part: part.write_bytes(data))


def _summed(text: bytes) -> bytes:
    """The text with its sum behind its mark."""
    return SUM.sub(f"{MARK} (sum {_text_sum(text)})".encode(), text, count=1)


def _refuse(paths: list[Path], force: bool) -> None:
    """Before anything is written: files that chorda export did not make, or not as they are."""
    if force:
        return
    there = [path for path in paths if path.exists()]
    made = {path: _sum(path) for path in there}
    foreign = [path for path in there if made[path] is None]
    if foreign:
        raise StorageError(
            f"{_listed(foreign)}: already there and not made by chorda export; choose another "
            "place, or overwrite with force (--force)"
        )
    changed = [path for path in there if made[path] != _sum_now(path)]
    if changed:
        was = "was" if len(changed) == 1 else "were"
        it = "it" if len(changed) == 1 else "them"
        raise StorageError(
            f"{_listed(changed)}: {was} changed since chorda export made {it}; overwrite the "
            "changes with force (--force), or choose another place"
        )


def _sum(path: Path) -> str | None:
    """The sum that a file had when chorda export made it, "" if unknown; None of others' files."""
    try:
        found = SUM.search(path.read_bytes()[:HEAD]) if path.is_file() else None
        if found:
            return (found[2] or b"").decode()
        listed = json.loads(path.with_name(LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(listed, dict) or not str(listed.get("about", "")).startswith(MARK):
        return None
    files = listed.get("files")
    return str(files[path.name]) if isinstance(files, dict) and path.name in files else None


def _sum_now(path: Path) -> str:
    data = path.read_bytes()
    found = SUM.search(data[:HEAD])
    if not found:
        return checksum(data)
    return _text_sum(data[: found.start()] + MARK.encode() + data[found.end() :])


def _text_sum(text: bytes) -> str:
    return checksum(text.replace(b"\r\n", b"\n"))  # line ends change on the way through git


def _listed(paths: Iterable[Path]) -> str:
    return ", ".join(str(path) for path in paths)
