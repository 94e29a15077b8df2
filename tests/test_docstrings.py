"""Docstrings of what is public follow numpydoc, and the reference of the site lists them."""

import dataclasses
import importlib
import inspect
import re
from pathlib import Path

import pytest

import chorda
import chorda.control

validate = pytest.importorskip("numpydoc.validate").validate
ROOT = Path(__file__).parents[1]
MODULES = ("chorda", "chorda.control", "chorda.continuous", "chorda.identification")
CHECKED = {  # of numpydoc's codes
    *("GL06", "GL07", "GL08"),  # known sections, in order; there is a docstring
    *("SS01", "SS02", "SS03", "SS04", "SS05", "SS06"),  # a summary: one line, a sentence
    *("PR01", "PR02", "PR03", "PR04", "PR05", "PR06", "PR07", "PR10"),  # all parameters, with types
    *("RT01", "RT03", "RT05"),  # what is returned
    *("YD01", "SA02", "SA04"),
    *("EX01", "SA01"),  # an example and a See Also: of functions and classes, not of methods
}
# Not checked, as Chorda's style differs or nothing would be gained: GL01 and GL02 (where the quotes
# stand), GL03, ES01 (an extended summary of everything), PR08, PR09, RT02, RT04, SA03 (capital
# letters and periods in fragments).
OF_METHODS = CHECKED - {"EX01", "SA01"}
BY_ATTRIBUTES = {"PR01", "EX01"}  # of records that verbs make: attributes, and the verb's example


def public():
    """(name, object) of every public function and class, once."""
    seen = set()
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            of = getattr(module, name)
            if callable(of) and not inspect.ismodule(of) and id(of) not in seen:
                seen.add(id(of))
                yield f"{module.__name__}.{name}", of


def members(of):
    """Methods and properties that a class defines itself."""
    for name, what in vars(of).items():
        made = isinstance(what, property | classmethod | staticmethod) or hasattr(what, "func")
        if not name.startswith("_") and (made or inspect.isfunction(what)):
            yield name


NAMES = dict(public())
METHODS = [f"{n}.{m}" for n, of in NAMES.items() if inspect.isclass(of) for m in members(of)]


def documented(of, section):
    """Names under a section of a docstring."""
    text = inspect.getdoc(of) or ""
    found = re.search(rf"^{section}\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", text, re.M | re.S)
    rows = re.findall(r"^(\w.*?) : ", found[1], re.M) if found else []
    return {name for row in rows for name in row.split(", ")}


def is_record(of):
    """Whether it is a record that verbs make, and nobody else."""
    return inspect.isclass(of) and bool(documented(of, "Attributes"))


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_documented(name):
    of = NAMES[name]
    checked = CHECKED
    if inspect.isclass(of):
        made_elsewhere = is_record(of) or not dataclasses.is_dataclass(of)
        checked = CHECKED - BY_ATTRIBUTES if made_elsewhere else CHECKED
    assert [x for x in validate(name)["errors"] if x[0] in checked] == []


@pytest.mark.parametrize("name", METHODS)
def test_a_public_method_is_documented(name):
    assert [x for x in validate(name)["errors"] if x[0] in OF_METHODS] == []


@pytest.mark.parametrize("name", [n for n, of in NAMES.items() if is_record(of)])
def test_a_record_documents_each_of_its_fields(name):
    of = NAMES[name]
    fields = {x.name for x in dataclasses.fields(of) if not x.name.startswith("_")}
    assert fields - documented(of, "Attributes") == set()


def test_numbers_of_descriptions_have_words_or_a_unit():
    """They are the parameters of the records in the reference."""
    bare = [
        f"{name}.{key}"
        for name in chorda.describe.__all__
        for key, field in getattr(getattr(chorda.describe, name), "model_fields", {}).items()
        if re.search(r"\bfloat\b", str(field.annotation))
        and not (field.description or "unit" in (field.json_schema_extra or {}))
    ]
    assert bare == []


def listed():
    """(module, name) of what the pages of the reference list."""
    for page in (ROOT / "docs/api").glob("*.md"):
        module = None
        for line in page.read_text(encoding="utf-8").splitlines():
            if line.startswith(".. currentmodule:: "):
                module = line.split()[-1]
            elif re.fullmatch(r"   \w+", line):
                yield module, line.strip()


def test_the_reference_lists_every_public_name():
    public_names = {
        (module, name)
        for module in (*MODULES, "chorda.describe")
        for name, of in vars(importlib.import_module(module)).items()
        if name in importlib.import_module(module).__all__
        and (inspect.isclass(of) or inspect.isfunction(of))
    }
    pages = set(listed())
    elsewhere = {name for module, name in pages if module == "chorda"}
    assert {x for x in public_names - pages if x[1] not in elsewhere or x[0] == "chorda"} == set()
