"""Commands for Typer from plain functions: options come from signatures, help from docstrings.

A parameter of a command is an option, or a record of options: a dataclass with a field for each.
The section Parameters of the docstring, as numpydoc has it, gives the help of an option, and the
word that stands for its value: `hold : NAME=VALUE`. Other flags follow the name: `output, -o`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, getdoc, signature
from pathlib import Path
from typing import Annotated, Any, cast, get_args, get_origin

import typer
from typer.models import ArgumentInfo, ParameterInfo

from chorda.checks import file_path
from chorda.errors import InputError, StorageError
from chorda.files import check_target

Command = Callable[..., None]
HEADING = "Parameters\n----------\n"


@dataclass(frozen=True)
class Endings:
    """Annotates a file to write: which endings it may have."""

    endings: tuple[str, ...]

    def checked(self, flag: str) -> Callable[[Path | None], Path | None]:
        """What refuses, before any work is done, a file that could not be written afterwards."""

        def check(path: Path | None) -> Path | None:
            if path is None:
                return None
            if file_path(flag, path).suffix.lower() not in self.endings:
                expected = ", ".join(self.endings)
                raise InputError(f"{flag}: expected a file ending in {expected}, got '{path}'")
            if not path.parent.is_dir():
                raise InputError(f"{flag}: the folder {path.parent} does not exist; make it first")
            try:
                check_target(path)
            except StorageError as error:
                raise InputError(f"{flag}: {error}") from None
            return path

        return check


def typer_command(function: Command) -> Command:
    """The function as Typer takes it: called with its options one by one, in their order."""
    parameters: list[Parameter] = []
    records: dict[str, tuple[Any, tuple[str, ...]]] = {}
    for parameter in signature(function).parameters.values():
        record: Any = parameter.annotation
        if is_dataclass(record):
            fields = signature(cast(type, record)).parameters
            records[parameter.name] = record, tuple(fields)
            parameters += [_option(field, _sections(record)[1]) for field in fields.values()]
        else:
            parameters.append(_option(parameter, _sections(function)[1]))

    flags = {p.name: _flag(p) for p in parameters}

    @wraps(function)
    def command(**values: Any) -> None:
        for name, value in values.items():
            if isinstance(value, Path):
                file_path(flags[name], value)
        for name, (record, fields) in records.items():
            values[name] = record(**{field: values.pop(field) for field in fields})
        function(**values)

    command.__doc__ = _sections(function)[0]
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def _option(parameter: Parameter, entries: dict[str, tuple[list[str], str, str]]) -> Parameter:
    """The parameter as an option, unless it is annotated for Typer already."""
    annotated = get_origin(parameter.annotation) is Annotated
    kind, *notes = get_args(parameter.annotation) if annotated else (parameter.annotation,)
    if not any(isinstance(note, ParameterInfo) for note in notes):
        others, metavar, text = entries[parameter.name]
        flag = "--" + parameter.name.replace("_", "-")
        endings = next((note for note in notes if isinstance(note, Endings)), None)
        check = None if endings is None else endings.checked(flag)
        option = typer.Option(flag, *others, metavar=metavar or None, help=text, callback=check)
        parameter = parameter.replace(annotation=Annotated[kind, option])
    return parameter.replace(kind=Parameter.KEYWORD_ONLY)


def _flag(parameter: Parameter) -> str:
    """How messages call it: --name, or the word that stands for an argument."""
    for note in get_args(parameter.annotation)[1:]:
        if isinstance(note, ArgumentInfo):
            return str(note.metavar)
    return "--" + parameter.name.replace("_", "-")


def _sections(item: Any) -> tuple[str, dict[str, tuple[list[str], str, str]]]:
    """The docstring without its parameters; by parameter: more flags, metavar, help."""
    before, _, after = (getdoc(item) or "").partition(HEADING)
    section, _, rest = after.partition("\n\n")
    found = {}
    for entry in re.split(r"\n(?! )", section):
        first, *lines = entry.splitlines() or [""]
        names, _, metavar = first.partition(" : ")
        name, *others = names.split(", ")
        found[name] = others, metavar, " ".join(line.strip() for line in lines)
    return before + rest, found
