"""Files that a store began with, made again from its study where they are missing or damaged."""

import shutil
import warnings
from dataclasses import replace
from pathlib import Path

from chorda.errors import StorageError
from chorda.files import part_of
from chorda.results.provenance import versions
from chorda.sweeps import manifest, store
from chorda.sweeps.computing import computer
from chorda.sweeps.examining import Finding, examined
from chorda.sweeps.points import points
from chorda.sweeps.probing import probe
from chorda.sweeps.study import from_mapping
from chorda.sweeps.writer_lock import writing

NAMED = 4  # files in a message


def sound(path: str | Path) -> Finding:
    """A store that is whole but for chunks of results, after it was repaired where it was not."""
    found = examined(path)
    if found.damaged:
        with writing(found.path):
            _repair(found)
    elif found.from_before:
        warnings.warn(
            f"{found.path}: has no checksums of its coordinates and metadata, so that damage to "
            "them would not be found; results have theirs",
            stacklevel=3,
        )
    return found


def _repair(found: Finding) -> None:
    path, study = found.path, from_mapping(found.about["study"], str(found.path))
    what = _named(found.damaged)
    made, where = computer(study.text()), points(study)
    part = part_of(path.resolve())
    try:
        store.begin(part, made, where, probe(made, where)[0], found.chunk)
        fresh = manifest.read(part)
        assert fresh is not None
        same = found.about["versions"] == versions()
        for name in found.damaged:
            as_before = found.known is None or found.known.files.get(name) == fresh.files.get(name)
            if not same and not as_before:
                raise StorageError(
                    f"{path}: {what} missing or damaged, and {versions()} makes another {name} "
                    f"than {found.about['versions']}, which began the store; repair it with those. "
                    "Nothing was changed"
                )
        for name in fresh.files if found.known is None and same else found.damaged:
            if (part / name).is_file() and manifest.sum_of(path / name) != fresh.files.get(name):
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                (part / name).replace(path / name)
        if not found.from_before:
            here = {name: manifest.sum_of(path / name) for name in fresh.files}
            replace(fresh, about=found.about, files=here).write(path)
    except OSError as error:
        if isinstance(error, StorageError) and not isinstance(error.__cause__, OSError):
            raise
        raise StorageError(
            f"{path}: {what} missing or damaged, and could not be made again from the study "
            f"({error.strerror or error}); copy the store to a place where you may write, and "
            "open it there"
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    warnings.warn(
        f"{path}: {what} missing or damaged; made again from the study that the store holds",
        stacklevel=4,
    )


def _named(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more} {'was' if len(names) == 1 else 'were'}"
