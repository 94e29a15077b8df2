"""What is wrong with a description, in the user's words: field, expected, got, remedy."""

import re
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

MAX_FINDINGS = 10  # findings that are reported at once
Models = list[type[BaseModel]]
FIELD_PATH = re.compile(r"[a-z_]+(\.\w+)*: ")
EXPECTED_VALUES = {  # by pydantic's type of error; braces are filled from its context
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "greater_than": "a number greater than {gt:g}",
    "greater_than_equal": "a number of at least {ge:g}",
    "less_than_equal": "a number of at most {le:g}",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "string_type": "text (in quotes if it looks like a number)",
    "string_too_short": "text",
    "string_pattern_mismatch": "letters, digits, '_' and '-', starting with a letter",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping of fields",
    "model_attributes_type": "a mapping of fields",
    "literal_error": "{expected}",
    "too_long": "{max_length} values",
}


def explain(error: ValidationError, model: type[BaseModel], where: str) -> str:
    """Pydantic's findings in a sentence each."""
    found: dict[Any, Any] = {}
    for k, item in enumerate(error.errors(include_url=False)):
        # a short list is one finding: the last number that it lacks gives the length it should have
        found[item["loc"][:-1] if _lacks_a_number(item) else k] = item
    lines = [_sentence(item, model) for item in found.values()]
    more = [f"... and {len(lines) - MAX_FINDINGS} more"] if len(lines) > MAX_FINDINGS else []
    return f"{where}: " + "\n  ".join(lines[:MAX_FINDINGS] + more)


def _sentence(item: Any, model: type[BaseModel]) -> str:
    path, field, around = _follow(item["loc"], model)
    context: dict[str, Any] = item.get("ctx", {})
    before, kinds = f"{path}: " if path else "", [str(_kind(x)) for x in around]
    match item["type"]:
        case "extra_forbidden":
            names = [name for x in around for name in x.model_fields]
            return f"{before}unknown field; {suggestion(str(item['loc'][-1]), names)}"
        case "missing" if _lacks_a_number(item):
            of, count = path.rpartition(".")[0], item["loc"][-1] + 1
            return f"{of}: expected {count} values, got {_short(item['input'])}{_unit(field)}"
        case "missing":
            return f"{before}this field is missing; add it{_meaning(field)}"
        case "union_tag_invalid":
            got = context["tag"]
            return f"{path}.kind: {got!r} is not known; {suggestion(got, kinds)}"
        case "union_tag_not_found":
            return f"{path}.kind: this field is missing; expected one of {', '.join(kinds)}"
        case "value_error":
            message = item["msg"].removeprefix("Value error, ")
            if path and FIELD_PATH.match(message):  # a record that names one of its fields
                return f"{before.removesuffix(': ')}.{message}"
            return before + message + _unit(field)
        case "literal_error" if path == "chorda":
            return (
                f"{before}this file is of version {item['input']!r} of the format and this Chorda "
                f"reads version {context['expected']}; update Chorda"
            )
        case kind:
            wanted = EXPECTED_VALUES.get(kind, item["msg"]).format(**context)
            return f"{before}expected {wanted}, got {_short(item['input'])}{_unit(field)}"


def _lacks_a_number(item: Any) -> bool:
    return item["type"] == "missing" and isinstance(item["loc"][-1], int)


WORDS_OF_OTHERS = {
    "damping": "friction",
    "gear": "gear_ratio",
}  # words of springs, or other programs


def suggestion(name: str, known: list[str]) -> str:
    """A remedy for a word that is not known."""
    near = get_close_matches(name, known, n=1) or [
        x for x in known if x == WORDS_OF_OTHERS.get(name)
    ]
    return f"did you mean '{near[0]}'?" if near else f"expected one of {', '.join(known)}"


def _follow(
    loc: tuple[str | int, ...], model: type[BaseModel]
) -> tuple[str, FieldInfo | None, Models]:
    """A location as the user writes it, its field, and the records around (or in) it.

    Pydantic names the branch of a union as if it were a field (joints.0.x.bar_mass): such names
    are left out.
    """
    here: Models = [model]
    field: FieldInfo | None = None
    around, words = here, list[str]()
    for part in loc:
        if isinstance(part, int):
            words.append(str(part))
            continue
        branch = [x for x in here if _kind(x) == part] if len(here) > 1 else []
        if branch:
            here = around = branch
            continue
        around = here
        owner = here[0] if len(here) == 1 else None
        if owner is not None and part in owner.model_fields:
            field = owner.model_fields[part]
            here = _records(field.annotation)
            words.append(part)
        elif owner is not None or (field is not None and "dict" in str(field.annotation)):
            field, here = None, []
            words.append(part)
    if here and len(here) > 1:
        around = here
    return ".".join(words), field, around


def _records(annotation: Any) -> Models:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [record for part in get_args(annotation) for record in _records(part)]


def _kind(record: type[BaseModel]) -> Any:
    """What a union calls this branch: the field 'kind', or the record's name in small letters."""
    kind = record.model_fields.get("kind")
    return kind.default if kind is not None else record.__name__.lower()


def _meaning(field: FieldInfo | None) -> str:
    return f" ({field.description})" if field is not None and field.description else ""


def _unit(field: FieldInfo | None) -> str:
    extra = field.json_schema_extra if field is not None else None
    return _meaning(field) if isinstance(extra, dict) and "unit" in extra else ""


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) < 60 else text[:57] + "..."
