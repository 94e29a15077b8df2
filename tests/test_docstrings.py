"""Docstrings of what is public follow numpydoc, and the reference of the site lists them."""

import dataclasses
import importlib
import inspect
import re
from enum import Enum
from pathlib import Path
from typing import Protocol

import pytest
from pydantic import BaseModel

import chorda
import chorda.control

validate = pytest.importorskip("numpydoc.validate").validate
ROOT = Path(__file__).parents[1]
OF_USERS = (  # modules that a program imports
    *("chorda", "chorda.control", "chorda.continuous", "chorda.identification"),
    *("chorda.describe", "chorda.view", "chorda.gym", "chorda.sweeps", "chorda.errors"),
)
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
BY_FIELDS = (BaseModel, Exception, Enum)  # parameters are fields; those of descriptions see below
WITHOUT_EXAMPLE = {  # that runs anywhere: they need a GPU, and a page that is served
    *("chorda.gym.DeviceVectorEnv", "chorda.view.Viewer", "chorda.view.open_viewer"),
}


def public():
    """(name, object) of every public function and class, once."""
    seen = set()
    offered = [(module, name) for module in OF_USERS for name in names_of(module)]
    for module, name in (*offered, *listed()):
        of = getattr(importlib.import_module(module), name)
        if (inspect.isclass(of) or inspect.isroutine(of)) and id(of) not in seen:
            seen.add(id(of))
            yield f"{module}.{name}", of


def names_of(module):
    """What a module offers: its `__all__`, or all that it defines."""
    there = importlib.import_module(module)
    made_here = [n for n, of in vars(there).items() if getattr(of, "__module__", "") == module]
    return getattr(there, "__all__", made_here)


def listed():
    """(module, name) of what the pages of the reference list."""
    for page in sorted((ROOT / "docs/api").glob("*.md")):
        module = None
        for line in page.read_text(encoding="utf-8").splitlines():
            if line.startswith(".. currentmodule:: "):
                module = line.split()[-1]
            elif re.fullmatch(r"   \w+", line):
                yield module, line.strip()


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


def is_protocol(of):
    """Whether it says what a class of the user's own has."""
    return Protocol in of.__bases__


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_documented(name):
    of = NAMES[name]
    checked = CHECKED - {"EX01"} if name in WITHOUT_EXAMPLE else CHECKED
    if inspect.isclass(of) and (is_record(of) or is_protocol(of)):
        checked = CHECKED - BY_ATTRIBUTES
    elif inspect.isclass(of) and issubclass(of, BY_FIELDS):
        checked = CHECKED - {"PR01"}
    assert [x for x in validate(name)["errors"] if x[0] in checked] == []


@pytest.mark.parametrize("name", METHODS)
def test_a_public_method_is_documented(name):
    assert [x for x in validate(name)["errors"] if x[0] in OF_METHODS] == []


@pytest.mark.parametrize("name", [n for n, of in NAMES.items() if is_record(of)])
def test_a_record_documents_each_of_its_fields(name):
    of = NAMES[name]
    fields = {x.name for x in dataclasses.fields(of) if not x.name.startswith("_")}
    assert fields - documented(of, "Attributes") == set()


REFUSE_NOTHING = {
    *("chorda.names", "chorda.describe.dump", "chorda.describe.numbers", "chorda.describe.schema"),
    *("chorda.identification.signals", "chorda.view.colors", "chorda.view.dress"),
    *("chorda.view.new_figure", "chorda.view.plot_mode", "chorda.view.styled"),
}


@pytest.mark.parametrize("name", [n for n, of in NAMES.items() if inspect.isroutine(of)])
def test_a_function_says_what_it_raises(name):
    told = "\nRaises\n------\n" in inspect.getdoc(NAMES[name])
    assert told == (name not in REFUSE_NOTHING)


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


def test_the_reference_lists_every_public_name():
    public_names = {
        (module, name)
        for module in OF_USERS
        for name in names_of(module)
        if inspect.isclass(of := getattr(importlib.import_module(module), name))
        or inspect.isroutine(of)
    }
    pages = set(listed())
    elsewhere = {name for module, name in pages if module == "chorda"}
    assert {x for x in public_names - pages if x[1] not in elsewhere or x[0] == "chorda"} == set()
