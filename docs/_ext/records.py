"""Fields of descriptions as parameters of their classes: meaning, unit and default."""

import importlib
import inspect
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from sphinx.application import Sphinx

BEFORE_NUMPYDOC = 100


class Documented:
    """Attributes of a class with a text of their own: not fields, which the class documents."""

    def __call__(self, module: str, owner: str, names: list[str]) -> list[str]:
        of = getattr(importlib.import_module(module), owner)
        ours = [x for x in of.__mro__ if x.__module__.startswith("chorda")]
        found = {name: x for base in reversed(ours) for name, x in vars(base).items()}
        made = [n for n, x in found.items() if isinstance(x, property) or hasattr(x, "func")]
        return [name for name in names if name in made]


def row(name: str, field: FieldInfo) -> list[str]:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    unit = extra.get("unit")
    shown = "optional" if not field.is_required() else "needed"
    if not field.is_required() and isinstance(default := field.default, int | float | str):
        shown = f"default {default!r}"
    said = field.description or ""
    if unit and unit != "-" and f"[{unit}]" not in said:
        said = f"{said} [{unit}]".strip()
    return [f"{name} : {shown}", f"    {said}".rstrip()]


def document(app: Sphinx, kind: str, name: str, of: Any, options: Any, lines: list[str]) -> None:
    if not inspect.isclass(of) or not issubclass(of, BaseModel):
        return
    fields = {n: f for n, f in of.model_fields.items() if f.exclude is not True}
    if fields and "Parameters" not in lines:
        rows = [line for n, f in fields.items() for line in row(n, f)]
        lines += ["", "Parameters", "----------", *rows]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", document, priority=BEFORE_NUMPYDOC)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
