"""Files of an export: those of others are left alone, and each file is written whole.

A text file carries a mark and the checksum that it had. The sums of files that are no text are in
a list beside them. So a later export knows what it may overwrite.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from chorda.errors import StorageError
from chorda.files import check_target, write_whole

MARK = "Made by chorda export"  # in the first lines of every text file; its sum is put behind it
LIST = "names.json"  # of a folder with files that are no text: their sums, under "files"
HEAD = 4096  # bytes in which the mark is looked for
SUM = re.compile(re.escape(MARK).encode() + rb"( \(sum ([0-9a-f]+)\))?")

Content = str | bytes


def write_file(path: Path, content: Content, force: bool) -> tuple[Path, ...]:
    """Write one file."""
    return _write({path: content}, force)


def write_folder(folder: Path, contents: Mapping[str, Content], force: bool) -> tuple[Path, ...]:
    """Write several files into a folder, which is made if there is none; its parent must exist."""
    if folder.exists() and not folder.is_dir():
        raise StorageError(f"{folder}: expected a folder, got a file; give another name")
    if not folder.parent.is_dir():
        raise StorageError(f"{folder}: the folder {folder.parent} does not exist; make it first")
    if blocked := [folder / name for name in contents if (folder / name).is_dir()]:
        raise StorageError(
            f"{_listed(blocked)}: a folder is where a file is to be written; move it, or choose "
            "another place"
        )
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"{folder}: cannot be made: {error.strerror}; choose a folder of your own"
        ) from None
    return _write({folder / name: content for name, content in contents.items()}, force)


def checksum(content: bytes) -> str:
    """Tells whether a file is still what was written."""
    return hashlib.sha256(content).hexdigest()[:16]


def _write(contents: Mapping[Path, Content], force: bool) -> tuple[Path, ...]:
    for path in (*contents, *(path.with_name(LIST) for path in contents)):
        check_target(path)
    if not force:
        _refuse([path for path in contents if path.exists()])
    return tuple(_write_one(path, content) for path, content in contents.items())


def _write_one(path: Path, content: Content) -> Path:
    data = content if isinstance(content, bytes) else _marked(content.encode())
    return write_whole(path, lambda part: part.write_bytes(data))


def _marked(text: bytes) -> bytes:
    """The text with its sum behind its mark."""
    return SUM.sub(f"{MARK} (sum {_text_sum(text)})".encode(), text, count=1)


def _refuse(there: list[Path]) -> None:
    """Files that chorda export did not make, or that are no longer as it made them."""
    made = {path: _sum_when_made(path) for path in there}
    if foreign := [path for path in there if made[path] is None]:
        raise StorageError(
            f"{_listed(foreign)}: already there and not made by chorda export; choose another "
            "place, or overwrite with force (--force)"
        )
    if changed := [path for path in there if made[path] != _sum_now(path)]:
        was, it = ("was", "it") if len(changed) == 1 else ("were", "them")
        raise StorageError(
            f"{_listed(changed)}: {was} changed since chorda export made {it}; overwrite the "
            "changes with force (--force), or choose another place"
        )


def _sum_when_made(path: Path) -> str | None:
    """The sum that a file had when chorda export made it, "" if unknown; None of others' files."""
    try:
        if found := SUM.search(path.read_bytes()[:HEAD]):
            return (found[2] or b"").decode()
        listed = json.loads(path.with_name(LIST).read_text(encoding="utf-8"))
        return str(listed["files"][path.name]) if listed["about"].startswith(MARK) else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # not a list of ours
        return None


def _sum_now(path: Path) -> str:
    data = path.read_bytes()
    if found := SUM.search(data[:HEAD]):
        return _text_sum(data[: found.start()] + MARK.encode() + data[found.end() :])
    return checksum(data)


def _text_sum(text: bytes) -> str:
    return checksum(text.replace(b"\r\n", b"\n"))  # line ends change on the way through git


def _listed(paths: Iterable[Path]) -> str:
    return ", ".join(str(path) for path in paths)
