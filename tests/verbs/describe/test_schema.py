"""The JSON schema: published, current, with a unit for every number, and true to the parser."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
import yaml

import chorda
from chorda.describe import dump, schema

PUBLISHED = Path(__file__).parents[3] / "docs" / "robot.schema.json"


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(schema())


def properties():
    """(record, field, its schema) for every field of every record."""
    data = schema()
    for name, record in {"Robot": data, **data["$defs"]}.items():
        for field, about in record["properties"].items():
            yield name, field, about


def is_numeric(about):
    if isinstance(about, dict):
        return (about.get("type") in ("number", "integer") and "const" not in about) or any(
            is_numeric(part) for key, part in about.items() if key not in ("default", "usual")
        )
    return isinstance(about, list) and any(is_numeric(part) for part in about)


def test_every_number_names_its_unit():
    missing = [
        f"{record}.{field}"
        for record, field, about in properties()
        if is_numeric(about) and "enum" not in about and "unit" not in about
    ]
    assert missing == []


def test_the_numbers_looked_at_are_not_none():
    numeric = [field for _, field, about in properties() if is_numeric(about)]
    assert len(numeric) > 40
    assert {"gravity", "axis", "point", "range", "inertia", "stiffness"} <= set(numeric)


def test_the_schema_has_a_version_and_a_dialect():
    data = schema()
    assert data["version"] == 1
    assert data["$id"] == "chorda-robot-1"
    assert data["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_published_schema_is_current():
    """To publish it anew: chorda.describe.schema() as JSON with indent 2."""
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == schema()


@pytest.mark.parametrize("name", chorda.names())
def test_the_schema_accepts_the_catalogue(validator, name):
    text = files("chorda.catalogue").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    validator.validate(yaml.safe_load(text))


def test_the_schema_accepts_what_is_written(validator):
    from tests.helpers import robots

    validator.validate(yaml.safe_load(dump(robots.everything())))


@pytest.mark.parametrize(
    "change",
    [
        {"colour": "red"},
        {"joints": None},
        {"joints": [{"name": "j"}]},
        {"joints": [{"name": "j", "kind": "hinge"}]},
        {"joints": [{"name": "j", "kind": "revolute", "friction": -1}]},
        {"joints": [{"name": "j", "kind": "revolute", "body": {"mass": 0}}]},
        {"joints": [{"name": "1", "kind": "revolute"}]},
        {"gravity": [0, 1]},
        {"gravity": [0, "1", 0]},
        {"tendons": [{"name": "t", "path": [{}]}]},
        {"chorda": 2},
    ],
)
def test_the_schema_refuses_what_the_parser_refuses(validator, change):
    robot = {"name": "a", "joints": [{"name": "j", "kind": "revolute"}]}
    validator.validate(robot)
    assert not validator.is_valid(robot | change)
    with pytest.raises(chorda.errors.DescriptionError):
        chorda.describe.from_data(robot | change)
