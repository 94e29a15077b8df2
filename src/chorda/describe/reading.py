"""Robots from YAML and back. Only plain data is read: no tags, no aliases, bounded size."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from chorda.describe.robot import Robot
from chorda.errors import DescriptionError, StorageError

LARGEST = 1_000_000  # characters: a robot of a thousand joints has a tenth of that


class _PlainLoader(yaml.SafeLoader):
    """YAML without aliases (they can be nested into gigabytes) and without repeated keys."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            mark = self.peek_event().start_mark
            raise DescriptionError(
                f"line {mark.line + 1}: anchors and aliases (&, *) are not read in robot files; "
                "write the value out"
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise DescriptionError(
                    f"line {key.start_mark.line + 1}: '{key.value}' is given twice; keep one"
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def parse(text: str, where: str = "robot") -> Robot:
    """A robot from YAML text."""
    if len(text) > LARGEST:
        raise DescriptionError(
            f"{where}: {len(text)} characters are more than the {LARGEST} that are read; "
            "is this a robot's description?"
        )
    try:
        data = yaml.load(text, Loader=_PlainLoader)
    except DescriptionError as error:
        raise DescriptionError(f"{where}: {error}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise DescriptionError(f"{where}: this is not plain YAML: {error}") from None
    return from_data(data, where)


def from_data(data: Any, where: str = "robot") -> Robot:
    """A robot from plain data (dictionaries, lists, numbers)."""
    if not isinstance(data, dict):
        raise DescriptionError(
            f"{where}: expected a mapping with the fields name, joints, ...; "
            f"got {type(data).__name__}"
        )
    try:
        return Robot.model_validate(data)
    except ValidationError as error:
        raise DescriptionError(explain(error, where)) from None


def read(path: str | Path) -> Robot:
    """A robot from a YAML file."""
    path = Path(path)
    try:
        if path.stat().st_size > 4 * LARGEST:
            raise DescriptionError(f"{path}: too large for a robot's description")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise DescriptionError(f"{path}: not a text file in UTF-8") from None
    except OSError as error:
        raise DescriptionError(f"{path}: cannot be read: {error.strerror}") from None
    return parse(text, str(path))


def dump(robot: Robot) -> str:
    """The robot as YAML text; `parse(dump(robot)) == robot` exactly."""
    data = robot.model_dump(mode="json", exclude_defaults=True)
    data = {"chorda": robot.chorda, "name": robot.name, **data}
    _restore_kinds(data, robot)
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def write(robot: Robot, path: str | Path) -> Path:
    """Write the robot as a YAML file."""
    path = Path(path)
    try:
        path.write_text(dump(robot), encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{path}: cannot be written: {error.strerror}") from None
    return path


class _Dumper(yaml.SafeDumper):
    """Short number lists in one line, floats that read back exactly, no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_list(dumper: yaml.SafeDumper, data: list[Any]) -> yaml.Node:
    flow = all(isinstance(item, int | float) for item in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=flow)


def _represent_float(dumper: yaml.SafeDumper, value: float) -> yaml.Node:
    text = repr(value)
    if "e" in text and "." not in text:
        text = text.replace("e", ".0e")  # YAML 1.1 reads 1e-05 as a string, 1.0e-05 as a number
    return dumper.represent_scalar("tag:yaml.org,2002:float", text)


_Dumper.add_representer(list, _represent_list)
_Dumper.add_representer(float, _represent_float)


def _restore_kinds(data: dict[str, Any], robot: Robot) -> None:
    """The field 'kind' tells records apart, so it is written although it has a default."""
    for section in ("joints", "drives"):
        for i, item in enumerate(getattr(robot, section)):
            data[section][i] = {"name": item.name, "kind": item.kind, **data[section][i]}
    for i, tendon in enumerate(robot.tendons):
        if "law" in data["tendons"][i]:
            law = data["tendons"][i]["law"]
            data["tendons"][i]["law"] = {"kind": tendon.law.kind, **law}


def explain(error: ValidationError, where: str) -> str:
    """Pydantic's findings in one sentence each: field, expected, got."""
    lines: list[str] = []
    for item in error.errors():
        place = ".".join(str(part) for part in item["loc"])
        message = item["msg"].removeprefix("Value error, ")
        got = item.get("input")
        match item["type"]:
            case "extra_forbidden":
                text = f"{place}: unknown field; check its spelling or remove it"
            case "missing":
                text = f"{place}: this field is missing; add it"
            case "value_error":
                text = f"{place}: {message}" if place else message
            case _:
                text = f"{place}: expected {_expected(message)}, got {_short(got)}"
        lines.append(text)
    return f"{where}: " + "\n  ".join(lines)


def _expected(message: str) -> str:
    message = message[0].lower() + message[1:]
    for start in ("input should be ", "input should have ", "input should "):
        message = message.removeprefix(start)
    return message


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else text[:57] + "..."
