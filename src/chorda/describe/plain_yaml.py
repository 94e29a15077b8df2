"""Plain YAML: mappings, lists, text and numbers. No tags, no aliases, nothing read twice.

Words and numbers are those of YAML 1.2: 1e-5 is a number, 1:30 and 010 are not a time and eight,
and 'no' is a word. What is written reads the same under YAML 1.1.
"""

import re
from collections.abc import Hashable
from typing import Any

import yaml

from chorda.errors import DescriptionError
from chorda.safe_text import HIDDEN_IN_LINES

MAX_DEPTH = 20  # levels; a robot has seven
FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)"
IMPLICIT_TYPES = {
    "null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    "int": (r"[-+]?[0-9]+", list("-+0123456789")),
    "float": (rf"(?:{FLOAT}|\.nan|\.NaN|\.NAN)", list("-+0123456789.")),
}


class _Loader(yaml.SafeLoader):
    """Refuses what a robot file has no use for."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # those of YAML 1.1 are left out
    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.events.AliasEvent) or event.anchor is not None:
            raise _refused(event, "anchors and aliases (&, *) are not read; write the value out")
        if event.tag is not None:
            raise _refused(event, f"the tag {event.tag} is not read; write plain values")
        if self.depth == MAX_DEPTH:
            raise _refused(event, f"nested more than {MAX_DEPTH} levels deep; flatten it")
        self.depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.tag != "tag:yaml.org,2002:str":
                got = repr(key.value) if isinstance(key.value, str) else f"a {key.id}"
                raise _refused(key, f"expected a field's name, got {got}")
            if key.value in seen:
                raise _refused(key, f"'{key.value}' is given twice; keep one")
            seen.add(key.value)
        return super().construct_mapping(node, deep)


class _Dumper(yaml.SafeDumper):
    """Short number lists in one line, floats that read back exactly, no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _refused(at: Any, why: str) -> DescriptionError:
    return DescriptionError(f"line {at.start_mark.line + 1}: {why}")


def _represent_list(dumper: yaml.SafeDumper, data: list[Any]) -> yaml.Node:
    flow = all(isinstance(item, int | float) for item in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=flow)


def _represent_float(dumper: yaml.SafeDumper, value: float) -> yaml.Node:
    text = repr(value)
    if "e" in text and "." not in text:
        text = text.replace("e", ".0e")  # YAML 1.1 reads 1e-05 as text, 1.0e-05 as a number
    return dumper.represent_scalar("tag:yaml.org,2002:float", text)


def _represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    """Invisible characters are escaped, which YAML does between quotation marks alone."""
    style = '"' if HIDDEN_IN_LINES.search(value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style)


for _name, (_pattern, _first) in IMPLICIT_TYPES.items():
    for _side in (_Loader, _Dumper):  # the writer must quote what either version takes for a number
        _side.add_implicit_resolver(
            f"tag:yaml.org,2002:{_name}", re.compile(f"^(?:{_pattern})$"), _first
        )
_Loader.add_constructor("tag:yaml.org,2002:int", lambda _, node: int(node.value))
_Dumper.add_representer(list, _represent_list)
_Dumper.add_representer(float, _represent_float)
_Dumper.add_representer(str, _represent_text)


def loads(text: str) -> Any:
    """Data from YAML text; a DescriptionError names the line where that fails."""
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise DescriptionError(f"this is not plain YAML: {error}") from None
    except ValueError as error:
        if isinstance(error, DescriptionError):
            raise
        raise DescriptionError(f"a number cannot be read: {error}") from None


def dumps(data: Any) -> str:
    """YAML text that `loads` reads back to the same data."""
    text = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return HIDDEN_IN_LINES.sub(lambda match: f"\\U{ord(match[0]):08x}", text)
