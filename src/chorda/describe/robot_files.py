"""Robots from YAML and back."""

import stat
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from chorda.checks import file_path
from chorda.describe.explaining import explain
from chorda.describe.plain_yaml import dumps, loads
from chorda.describe.robot import Robot
from chorda.describe.rods import Rod
from chorda.describe.shapes import MeshFile
from chorda.errors import DescriptionError, InputError
from chorda.files import write_whole
from chorda.surface_files import read_below

MAX_CHARACTERS = 1_000_000  # characters: a robot of a thousand joints has half of that
CONTENTS = {type(None): "nothing: it is empty", list: "a list", str: "one piece of text"}


def parse(text: str, where: str = "robot", folder: Path | None = None) -> Robot:
    """Read a robot from YAML text.

    Parameters
    ----------
    text : str
        At most a million characters.
    where : str
        What messages call it.
    folder : Path, optional
        In which its meshes are, by default the current one.

    Returns
    -------
    Robot
        Its description, checked.

    Raises
    ------
    DescriptionError
        Something in it is no robot; the message has the field, what was expected and the remedy.

    See Also
    --------
    read : from a file.
    dump : the way back.

    Examples
    --------
    >>> text = "{chorda: 1, name: rail, joints: [{name: car, kind: prismatic, body: {mass: 1}}]}"
    >>> parse(text)
    <Robot rail: 1 joint, 0 tendons, 0 actuators>
    """
    if len(text) > MAX_CHARACTERS:
        raise DescriptionError(
            f"{where}: more than the {MAX_CHARACTERS} characters that are read; "
            "is this a robot's description?"
        )
    try:
        data = loads(text)
    except DescriptionError as error:
        raise DescriptionError(f"{where}: {error}") from None
    return from_data(data, where, folder)


def from_data(data: Any, where: str = "robot", folder: Path | None = None) -> Robot:
    """Make a robot of plain data: dictionaries, lists, numbers and text.

    Parameters
    ----------
    data : dict
        Fields as in a file.
    where : str
        What messages call it.
    folder : Path, optional
        In which its meshes are, by default the current one.

    Returns
    -------
    Robot
        Its description, checked.

    Raises
    ------
    DescriptionError
        Something in it is no robot; the message has the field, what was expected and the remedy.

    See Also
    --------
    parse : from YAML text.
    Robot : from records.

    Examples
    --------
    >>> from_data({"name": "rail", "joints": [{"name": "car", "kind": "prismatic"}]})
    <Robot rail: 1 joint, 0 tendons, 0 actuators>
    """
    if not isinstance(data, dict):
        raise DescriptionError(
            f"{where}: expected a mapping with the fields name, joints, ...; "
            f"got {CONTENTS.get(type(data), type(data).__name__)}"
        )
    try:
        return Robot.model_validate(data, context={"folder": folder})
    except ValidationError as error:
        raise DescriptionError(explain(error, Robot, where)) from None


def read(path: str | Path) -> Robot:
    """Read a robot from a YAML file.

    Its meshes are read as well, to see whether that works.

    Parameters
    ----------
    path : str or Path
        Of the file.

    Returns
    -------
    Robot
        Its description, checked.

    Raises
    ------
    DescriptionError
        The file cannot be read, or is no robot.

    See Also
    --------
    chorda.load : the same, and names of the catalogue.
    write : the way back.

    Examples
    --------
    >>> import chorda, tempfile
    >>> path = write(chorda.load("neck-1"), f"{tempfile.mkdtemp()}/neck.yaml")
    >>> read(path) == chorda.load("neck-1")
    True
    """
    try:
        path = file_path("path", path)
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe or a device may never end
            raise DescriptionError(f"{path}: expected a YAML file; this is a folder or a device")
        with path.open("rb") as file:
            raw = file.read(4 * MAX_CHARACTERS + 1)
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DescriptionError(
            f"{path}: expected text in UTF-8, got other bytes; save it as UTF-8"
        ) from None
    except OSError as error:
        raise DescriptionError(
            f"{path}: cannot be read: {error.strerror}; check the path and your permissions"
        ) from None
    except ValueError as error:
        if isinstance(error, DescriptionError):
            raise
        raise DescriptionError(str(error)) from None
    robot = parse(text, str(path), path.resolve().parent)
    for i, shape in enumerate(robot.shapes):
        if isinstance(shape, MeshFile):
            try:
                read_below(shape.folder, shape.file, f"shapes.{i}.file")
            except InputError as error:
                raise DescriptionError(f"{path}: {error}") from None
    return robot


def dump(robot: Robot) -> str:
    """Give a robot as YAML text, without fields that have their default.

    Parameters
    ----------
    robot : Robot
        Its description.

    Returns
    -------
    str
        The text; `parse(dump(robot)) == robot` exactly.

    See Also
    --------
    write : into a file.
    parse : the way back.

    Examples
    --------
    >>> import chorda
    >>> print(*dump(chorda.load("neck-1")).splitlines()[:2], sep=" | ")
    chorda: 1 | name: neck-1
    """
    data = robot.model_dump(mode="json", exclude_defaults=True)
    data = {"chorda": robot.chorda, "name": robot.name, **data}
    _restore_kinds(data, robot)
    return dumps(data)


def write(robot: Robot, path: str | Path) -> Path:
    """Write a robot as a YAML file.

    Parameters
    ----------
    robot : Robot
        Its description.
    path : str or Path
        Of the file, which is written whole or not at all.

    Returns
    -------
    Path
        Of the file.

    Raises
    ------
    StorageError
        The file cannot be written.

    See Also
    --------
    read : the way back.

    Examples
    --------
    >>> import chorda, tempfile
    >>> write(chorda.load("neck-1"), f"{tempfile.mkdtemp()}/neck.yaml").name
    'neck.yaml'
    """
    return write_whole(path, lambda part: part.write_text(dump(robot), encoding="utf-8"))


def _restore_kinds(data: dict[str, Any], robot: Robot) -> None:
    """The field 'kind' tells records apart, so it is written although it has a default."""
    for section in ("joints", "actuators", "shapes"):
        for i, item in enumerate(getattr(robot, section)):
            data[section][i] = {"name": item.name, "kind": item.kind, **data[section][i]}
            if isinstance(item, Rod):
                shape = data[section][i]["section"]
                data[section][i]["section"] = {"kind": item.section.kind, **shape}
    for i, tendon in enumerate(robot.tendons):
        if "law" in data["tendons"][i]:
            law = data["tendons"][i]["law"]
            data["tendons"][i]["law"] = {"kind": tendon.law.kind, **law}
        _restore_friction(data["tendons"][i], tendon)
        for section in ("path", "sheaths"):
            for part, item in zip(
                data["tendons"][i].get(section, ()), getattr(tendon, section), strict=False
            ):
                _restore_friction(part, item)


def _restore_friction(data: dict[str, Any], item: Any) -> None:
    if "friction" in data:
        data["friction"] = {"kind": item.friction.kind, **data["friction"]}
