"""Where exports go: files of others are left alone, and each file is written whole."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from chorda.errors import StorageError
from chorda.files import write_whole

MARK = "Made by chorda export"  # in the first lines of every text file
LIST = "names.json"  # of a folder with files that are no text
HEAD = 4096  # bytes in which the mark is looked for

Content = str | Callable[[Path], object]


def write_file(path: Path, content: Content, force: bool) -> tuple[Path, ...]:
    """One file."""
    _refuse([path], force)
    return (write_whole(path, _writer(content)),)


def write_folder(folder: Path, contents: Mapping[str, Content], force: bool) -> tuple[Path, ...]:
    """Several files in a folder, which is made if there is none; its parent must be there."""
    if folder.exists() and not folder.is_dir():
        raise StorageError(f"{folder}: expected a folder, got a file; give another name")
    if not folder.parent.is_dir():
        raise StorageError(f"{folder}: the folder {folder.parent} does not exist; make it first")
    _refuse([folder / name for name in contents], force)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"{folder}: cannot be made: {error.strerror}; choose a folder of your own"
        ) from None
    return tuple(write_whole(folder / name, _writer(x)) for name, x in contents.items())


def _writer(content: Content) -> Callable[[Path], object]:
    if isinstance(content, str):
        text = content
        return lambda part: part.write_text(text, encoding="utf-8", newline="\n")
    return content


def _refuse(paths: list[Path], force: bool) -> None:
    """Before anything is written: files that chorda export did not make."""
    foreign = [path for path in paths if path.exists() and not _ours(path)]
    if foreign and not force:
        names = ", ".join(str(path) for path in foreign)
        raise StorageError(
            f"{names}: already there and not made by chorda export; choose another place, or "
            "overwrite with force (--force)"
        )


def _ours(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        if MARK.encode() in file.read(HEAD):
            return True
    try:
        listed = json.loads(path.with_name(LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    if not isinstance(listed, dict) or listed.get("about", "")[: len(MARK)] != MARK:
        return False
    return path.name in listed.get("files", ())
