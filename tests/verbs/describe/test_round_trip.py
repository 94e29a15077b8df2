"""A robot written as YAML reads back as exactly the same robot."""

import errno

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chorda.catalogue import load
from chorda.describe import dump, parse, read, write
from chorda.describe.plain_yaml import dumps, loads
from chorda.errors import StorageError
from tests.helpers.random_robots import robots

no_warnings = pytest.mark.filterwarnings("ignore::chorda.errors.MagnitudeWarning")
slowly = settings(
    max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


@no_warnings
@slowly
@given(robots())
def test_parse_undoes_dump_for_every_kind_of_record(robot):
    assert parse(dump(robot)) == robot


@no_warnings
@slowly
@given(robots())
def test_readers_of_yaml_1_1_see_the_same_data(robot):
    text = dump(robot)
    assert yaml.safe_load(text) == loads(text)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_written_exactly(value):
    assert loads(dumps({"a": [value], "b": value})) == {"a": [value], "b": value}


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.text()
    | st.from_regex(r"[-+.0-9eE_:xo~]{1,6}", fullmatch=True)
    | st.sampled_from(["null", "~", "true", "no", "1e5", ".inf", "-.nan", "<<", "=", "0o7", "1:30"])
)
def test_every_text_stays_text(text):
    assert loads(dumps({"a": text, text: "b"})).get("a") in (text, "b")
    assert loads(dumps([text])) == [text]


def test_a_written_file_reads_back(tmp_path, neck):
    path = write(neck, tmp_path / "neck.yaml")
    assert read(path) == neck


@pytest.mark.parametrize("name", ["neck-obstacle", "hand-ball"])
def test_shapes_and_contacts_read_back(name):
    robot = load(name)
    assert len({type(x) for x in robot.shapes}) > 1
    assert parse(dump(robot)) == robot


def test_a_full_disk_leaves_the_old_robot_file(tmp_path, neck, monkeypatch):
    path = tmp_path / "neck.yaml"
    path.write_text("old")

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StorageError, match=r"No space left on device.*the old file is unchanged"):
        write(neck, path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["neck.yaml"]
