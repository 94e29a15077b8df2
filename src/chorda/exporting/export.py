"""export: a robot as code for controllers and for other programs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from chorda.checks import file_path, refuse_idle
from chorda.dynamics.signals import Signal
from chorda.errors import InputError
from chorda.exporting import c, casadi_files, mjcf
from chorda.exporting.destination import write_file, write_folder
from chorda.exporting.discrete_model import DiscreteModel, discrete_model
from chorda.mechanics import System
from chorda.numerics.ctrl_c import interruptible
from chorda.statics.initial import Initial, check

FORMATS = ("c", "casadi", "mjcf")


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes
    ----------
    to : str
        The format.
    files : tuple of Path
        The files, in the order in which they were written.
    model : DiscreteModel
        The system with its scheme, step, start and parameters, as they were exported.

    See Also
    --------
    chorda.export : writes it.
    """

    to: str
    files: tuple[Path, ...]
    model: DiscreteModel

    def __repr__(self) -> str:
        return f"<Exported to {self.to}: {', '.join(str(path) for path in self.files)}>"


@interruptible()
def export(
    system: System,
    path: str | Path,
    *,
    to: str,
    scheme: str | None = None,
    rho_inf: float | None = None,
    step: float = 1e-3,
    inputs: Signal = None,
    initial: Initial = None,
    parameters: Mapping[str, float] | None = None,
    force: bool = False,
) -> Exported:
    """Write a robot as code that runs without Chorda.

    Parameters
    ----------
    system : System
        The robot's equations.
    path : path
        The folder for c and casadi, the file for mjcf.
    to : {"c", "casadi", "mjcf"}
        c is a folder of C99 (the step, its outputs, an example, a test), casadi a folder of CasADi
        functions with names and units, mjcf one file for MuJoCo, of robots without rods.
    scheme : str, optional
        Integration scheme, as in `simulate`; not for mjcf.
    rho_inf : float, optional
        Spectral radius of generalized-alpha at infinite frequency, as in `simulate`.
    step : float
        Time step [s].
    inputs, initial, parameters : optional
        As in `simulate`; they are the default values in what is written.
    force : bool
        Overwrite files that `export` did not write, or that were changed since.

    Returns
    -------
    Exported
        The format, the files, and the model that was exported.

    Raises
    ------
    InputError
        If an argument is wrong, or the format cannot express the robot.
    StorageError
        If a file cannot be written, or must not be overwritten.

    See Also
    --------
    simulate : the same step.

    Examples
    --------
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
        kind = "file" if to == "mjcf" else "folder"
        raise InputError(f"path (--output): expected the name of a {kind}, got {path!r}")
    path = file_path("path (--output)", path)
    if to == "mjcf" and scheme is not None:
        raise InputError(
            f"scheme: MuJoCo integrates by its own scheme, got {scheme!r}; leave scheme (--scheme) "
            "out, or export to c or casadi"
        )
    if to == "mjcf":
        refuse_idle({"rho_inf": rho_inf}, "to mjcf", "export to c or casadi")
    model = discrete_model(system, scheme, step, inputs, initial, parameters, rho_inf)
    if to == "mjcf":
        return Exported(to, write_file(path, mjcf.document(model), force), model)
    contents = (c if to == "c" else casadi_files).contents(model)
    return Exported(to, write_folder(path, contents, force), model)
