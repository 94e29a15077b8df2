"""A private, atomic cache of compiled kernels.

A kernel is a folder named by its key with the library and a manifest that seals both by a hash.
Folders are made under another name and renamed when complete, so that a reader sees all or
nothing, and a kernel is loaded by its maker before it is renamed, so that two processes at once do
no harm. Nothing is loaded from where others can write.
"""

import atexit
import hashlib
import json
import os
import secrets
import shutil
import stat
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from chorda.errors import CompileError

LIBRARY, MANIFEST = "kernel.so", "manifest.json"
ABANDONED = 86400.0  # [s] after which an unfinished folder is cleared away
WINDOWS = os.name == "nt"
# without such bits on Windows, where access lists close a user's folders to others
SHARED = 0 if WINDOWS else stat.S_IWGRP | stat.S_IWOTH
Manifest = dict[str, Any]
Loaded = TypeVar("Loaded")
Make = Callable[[Path], Manifest]
Load = Callable[[Path, Manifest], Loaded]
_instead: dict[Path, Path] = {}  # throw-away homes of this process, by the home they stand for


def directory() -> Path:
    """Where kernels are kept: CHORDA_CACHE, else the user's cache directory."""
    if given := os.environ.get("CHORDA_CACHE"):
        return Path(given).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "chorda"


def key(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:40]


def obtain(name: str, make: Make, load: Load[Loaded]) -> Loaded:
    """The loaded kernel of that key: a whole one from the cache, else one that is made.

    `make(folder)` writes the library there and returns what the manifest shall hold;
    `load(library, manifest)` raises an OSError if the library cannot be loaded.
    """
    home = usable_home()
    if entry := lookup(home, name):
        try:
            return load(*entry)
        except (OSError, AttributeError, KeyError):  # whole, yet of no use here: made again
            pass
    try:
        return _made(home, name, make, load)
    except CompileError:
        raise
    except OSError as error:
        return _made(_throw_away(home, error.strerror or str(error)), name, make, load)


def usable_home() -> Path:
    """The cache directory, or a throw-away one where it cannot be used."""
    try:
        home = directory().resolve()
    except (OSError, RuntimeError) as error:  # a loop of links, or nobody's home
        given = os.environ.get("CHORDA_CACHE") or "~/.cache/chorda"
        return _throw_away(Path(given), str(error))
    if home in _instead:
        return _instead[home]
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        return _throw_away(home, error.strerror or "it cannot be made")
    if (open_to_others := exposed(home)) is not None:
        return _throw_away(home, f"others can write to {open_to_others}")
    if not os.access(home, os.W_OK | os.X_OK):
        return _throw_away(home, "it is not writable")
    return home


def _throw_away(home: Path, reason: str) -> Path:
    """A directory for this process only, in place of `home`; says so once."""
    if home in _instead:
        return _instead[home]
    warnings.warn(
        f"The kernel cache {home} is not used: {reason}. Kernels are compiled anew in each "
        "process; set CHORDA_CACHE to a directory of your own.",
        stacklevel=2,
    )
    made = _instead[home] = Path(tempfile.mkdtemp(prefix="chorda-")).resolve()
    atexit.register(_clear, made, os.getpid())
    return made


def _clear(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # a forked child leaves it to its parent
        shutil.rmtree(folder, ignore_errors=True)


def private(path: Path) -> bool:
    """Whether this is no link and only this user (or root) can write to it."""
    try:
        info = path.lstat()
    except OSError:
        return False
    return _trusted(info) and not stat.S_ISLNK(info.st_mode) and not info.st_mode & SHARED


def exposed(home: Path) -> Path | None:
    """The first of `home` and the folders above it in which others could exchange what is below."""
    if not private(home):
        return home
    for folder in home.parents:
        info = folder.lstat()
        sticky = info.st_mode & stat.S_ISVTX  # others cannot rename what is not theirs
        if not _trusted(info) or (info.st_mode & SHARED and not sticky):
            return folder
    return None


def _trusted(info: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or info.st_uid in (0, os.getuid())


def lookup(home: Path, name: str) -> tuple[Path, Manifest] | None:
    """The library and manifest under that key, if they are whole and ours."""
    folder = home / name
    library = folder / LIBRARY
    if not all(private(p) for p in (folder, library, folder / MANIFEST)):
        return None
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        whole = isinstance(manifest, dict) and manifest.pop("seal") == _seal(library, manifest)
    except (OSError, ValueError, KeyError):
        return None
    return (library, manifest) if whole else None


def _seal(library: Path, manifest: Manifest) -> str:
    return key(library.read_bytes(), json.dumps(manifest, sort_keys=True))


def _made(home: Path, name: str, make: Make, load: Load[Loaded]) -> Loaded:
    """Make a kernel in a folder of its own, load it, and put it in its place."""
    _sweep(home)
    work = Path(tempfile.mkdtemp(prefix=f".{name[:8]}-", dir=home))
    try:
        manifest = make(work)
        library = work / LIBRARY
        library.chmod(0o700)
        seal = _seal(library, manifest)
        (work / MANIFEST).write_text(json.dumps({**manifest, "seal": seal}), encoding="utf-8")
        (work / MANIFEST).chmod(0o600)
        try:
            loaded = load(library, manifest)
        except (OSError, AttributeError, KeyError) as error:
            raise CompileError(
                f"a kernel was compiled but does not load ({error}); "
                "set CHORDA_COMPILER=none to do without a compiler"
            ) from None
        _publish(work, home, name)
        return loaded
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _publish(work: Path, home: Path, name: str) -> None:
    """Move a complete folder to its place, unless a whole one is there; broken ones make way."""
    if WINDOWS:  # a folder whose library is loaded cannot be moved; a copy of it can
        work = Path(shutil.copytree(work, work.with_name(f"{work.name}-copy")))
    try:
        _put(work, home, name)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _put(work: Path, home: Path, name: str) -> None:
    for _ in range(3):
        try:
            work.rename(home / name)
            return
        except OSError:
            if lookup(home, name):
                return
        try:
            aside = (home / name).rename(home / f".{name[:8]}-{secrets.token_hex(4)}")
            _remove(aside)
        except OSError:
            continue  # another process was faster


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _sweep(home: Path) -> None:
    """Clear away what processes that were killed have left."""
    old = time.time() - ABANDONED
    for path in home.glob(".*-*"):
        try:
            if path.lstat().st_mtime < old:
                _remove(path)
        except OSError:
            continue
