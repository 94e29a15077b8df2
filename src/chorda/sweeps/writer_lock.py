"""Who writes to a store: one process at a time, which others can name."""

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from chorda.errors import InputError
from chorda.files import alive
from chorda.sweeps.store_layout import STATUS

PLACE = f"{STATUS}/writer.json"


@contextmanager
def writing(store: Path) -> Iterator[None]:
    """Nobody else writes meanwhile; the lock ends with this process, however that ends."""
    path = store / PLACE
    try:
        file = _locked(path, store)
    except OSError:  # not even this file: writing would fail, with a message of its own
        yield
        return
    with file:
        file.truncate(0)
        json.dump(_self(), file)
        file.flush()
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()  # while it is locked


def _locked(path: Path, store: Path) -> IO[str]:
    """The file, open and locked; what a writer that was killed left in it does not count."""
    path.parent.mkdir(exist_ok=True)
    while True:
        file = path.open("a+", encoding="utf-8")
        try:
            _lock(file, path, store)
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        except BaseException:
            file.close()
            raise
        file.close()  # its owner has just removed it


def _lock(file: IO[str], path: Path, store: Path) -> None:
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _refusal(_owner(file), store, "") from None
    except (ImportError, OSError):  # a system or a file system without locks
        owner, here = _owner(file), _self()
        elsewhere = owner.get("host", here["host"]) != here["host"]
        other = owner.get("process", here["process"]) != here["process"]
        if elsewhere or (other and alive(int(owner["process"]))):
            raise _refusal(owner, store, f" If it has ended, remove {path}.") from None


def _self() -> dict[str, Any]:
    since = time.strftime("%Y-%m-%d %H:%M:%S %z")
    return {"process": os.getpid(), "host": socket.gethostname(), "since": since}


def _owner(file: IO[str]) -> dict[str, Any]:
    """What the owner wrote; nothing if it has only just begun."""
    try:
        file.seek(0)
        return dict(json.load(file))
    except (OSError, ValueError, TypeError):
        return {}


def _refusal(owner: dict[str, Any], store: Path, more: str) -> InputError:
    who, end = "", "wait for it"
    if owner:
        who = f": process {owner['process']} on {owner['host']}, since {owner['since']}"
        end = f"wait for it, end it (kill {owner['process']}, what is done is kept)"
    return InputError(
        f"output: another process is writing to {store}{who}; {end}, or give another name.{more}"
    )
