"""export: a robot as code for controllers and for other programs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from chorda.dynamics.signals import Signal
from chorda.errors import InputError
from chorda.exporting import c, casadi_files, mjcf
from chorda.exporting.motion import Motion, prepare
from chorda.exporting.places import write_file, write_folder
from chorda.mechanics import System
from chorda.statics.initial import Initial, check

FORMATS = ("c", "casadi", "mjcf")


@dataclass(frozen=True)
class Exported:
    """What was written."""

    to: str
    files: tuple[Path, ...]
    motion: Motion

    def __repr__(self) -> str:
        return f"<Exported to {self.to}: {', '.join(str(path) for path in self.files)}>"


def export(
    system: System,
    path: str | Path,
    *,
    to: str,
    scheme: str | None = None,
    step: float = 1e-3,
    inputs: Signal = None,
    initial: Initial = None,
    parameters: Mapping[str, float] | None = None,
    force: bool = False,
) -> Exported:
    """Write a robot as code that runs without Chorda.

    to: "c" writes a folder of C99 (the step, its outputs, an example, a test); "casadi" a folder of
    CasADi functions with names and units; "mjcf" one file for MuJoCo, of robots without rods.
    scheme (not for mjcf) and step [s] are those of simulate; inputs, initial and parameters are the
    default values in what is written. force: overwrite files that chorda export did not make, or
    that were changed since.

    >>> import tempfile
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = export(assemble(load("neck-1")), f"{folder}/neck", to="c")
    >>> [path.name for path in made.files][:2]
    ['neck_1.h', 'neck_1.c']
    """
    check(system)
    if to not in FORMATS:
        raise InputError(f"to: expected one of {', '.join(FORMATS)}, got {to!r}")
    if not isinstance(path, str | Path) or not str(path).strip():
        raise InputError(
            f"path (--output): expected the name of a {'file' if to == 'mjcf' else 'folder'}, got "
            f"{path!r}"
        )
    if to == "mjcf" and scheme is not None:
        raise InputError(
            f"scheme: MuJoCo integrates by its own scheme, got {scheme!r}; leave scheme (--scheme) "
            "out, or export to c or casadi"
        )
    motion = prepare(system, scheme, step, inputs, initial, parameters)
    path = Path(path)
    if to == "c":
        return Exported(to, write_folder(path, c.contents(motion), force), motion)
    if to == "casadi":
        return Exported(to, write_folder(path, casadi_files.contents(motion), force), motion)
    return Exported(to, write_file(path, mjcf.document(motion), force), motion)
