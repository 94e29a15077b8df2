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
    """A robot from YAML text; folder: in which its meshes are, by default the current one."""
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
    """A robot from plain data (dictionaries, lists, numbers); folder: of its meshes."""
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
    """A robot from a YAML file; its meshes are read as well, to see whether that works."""
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
    """The robot as YAML text; `parse(dump(robot)) == robot` exactly."""
    data = robot.model_dump(mode="json", exclude_defaults=True)
    data = {"chorda": robot.chorda, "name": robot.name, **data}
    _restore_kinds(data, robot)
    return dumps(data)


def write(robot: Robot, path: str | Path) -> Path:
    """Write the robot as a YAML file."""
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
