"""A private, atomic cache of compiled kernels.

A kernel is a folder named by its key with the library and a manifest that holds the library's
hash. Folders are made under another name and renamed when complete, so that a reader sees all or
nothing and two processes at once do no harm. Nothing is loaded that others could have written.
"""

import hashlib
import json
import os
import shutil
import stat
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIBRARY, MANIFEST = "kernel.so", "manifest.json"


def directory() -> Path:
    """Where kernels are kept: CHORDA_CACHE, else the user's cache directory."""
    if given := os.environ.get("CHORDA_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "chorda"


def key(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:40]


def private(path: Path) -> bool:
    """Whether only this user can write there."""
    try:
        info = path.lstat()
    except OSError:
        return False
    owned = not hasattr(os, "getuid") or info.st_uid == os.getuid()
    return owned and not stat.S_ISLNK(info.st_mode) and not info.st_mode & 0o022


def _home() -> Path:
    """The cache directory, or a throw-away one when it cannot be used."""
    home = directory()
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if private(home) and os.access(home, os.W_OK):
            return home
        reason = "others can write to it" if not private(home) else "it is not writable"
    except OSError as error:
        reason = error.strerror or "it cannot be made"
    warnings.warn(
        f"The kernel cache {home} is not used: {reason}. Kernels are compiled anew in each "
        "process; set CHORDA_CACHE to a directory of your own.",
        stacklevel=2,
    )
    return _throw_away()


def _throw_away() -> Path:
    import atexit

    home = Path(tempfile.mkdtemp(prefix="chorda-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    return home


def lookup(name: str) -> tuple[Path, dict[str, Any]] | None:
    """The library and manifest under that key, if they are whole and ours."""
    folder = directory() / name
    library = folder / LIBRARY
    try:
        if not all(private(p) for p in (directory(), folder, library, folder / MANIFEST)):
            return None
        manifest = json.loads((folder / MANIFEST).read_text())
        if not isinstance(manifest, dict):
            return None
        whole = manifest.get("sha256") == hashlib.sha256(library.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return None
    return (library, manifest) if whole else None


def store(name: str, make: Callable[[Path], dict[str, Any]]) -> tuple[Path, dict[str, Any]]:
    """Make a kernel in a private folder and move it into place in one step.

    `make(folder)` writes the library there and returns what the manifest shall hold.
    """
    home = _home()
    work = Path(tempfile.mkdtemp(prefix=f".{name[:8]}-", dir=home))
    try:
        manifest = make(work)
        library = work / LIBRARY
        library.chmod(0o700)
        manifest["sha256"] = hashlib.sha256(library.read_bytes()).hexdigest()
        (work / MANIFEST).write_text(json.dumps(manifest))
        (work / MANIFEST).chmod(0o600)
        final = home / name
        try:
            work.rename(final)
        except OSError:  # there already: from another process, or broken
            if home == directory() and lookup(name):
                shutil.rmtree(work, ignore_errors=True)
            else:
                shutil.rmtree(final, ignore_errors=True)
                if final.is_symlink() or final.is_file():
                    final.unlink()
                work.rename(final)
        return final / LIBRARY, manifest
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
