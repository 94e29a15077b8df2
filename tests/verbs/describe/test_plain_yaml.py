"""Robot files are plain YAML: everything else is refused with the line and a remedy."""

import os

import pytest

from chorda.describe import dump, parse, read
from chorda.errors import DescriptionError
from tests.helpers.refusals import refused

ROBOT = "name: a\njoints:\n- {name: j, kind: revolute}\n"


def refusal(text):
    message = refused(DescriptionError, parse, text, "arm.yaml")
    assert message.startswith("arm.yaml: ")
    return message


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system ['true']",
        "!!python/name:os.system",
        "!!binary aGk=",
        "!x y",
    ],
)
def test_a_tag_is_refused_before_anything_is_made_of_it(tag):
    assert "line 4: the tag" in refusal(f"{ROBOT}title: {tag}\n")


@pytest.mark.parametrize("text", [f"{ROBOT}title: &t a\n", f"{ROBOT}title: *t\n"])
def test_anchors_and_aliases_are_refused(text):
    message = refusal(text)
    assert "line 4: anchors and aliases" in message
    assert "write the value out" in message


def test_an_alias_bomb_is_refused_at_its_first_line():
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(
        f"{y}: &{y} [{', '.join([f'*{x}'] * 9)}]\n"
        for x, y in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert "line 1: anchors and aliases" in refusal(bomb)


@pytest.mark.parametrize("text", ["[" * 100_000, "a: " * 1 + "{a: " * 5000, "- " * 5000])
def test_deep_nesting_is_refused_without_recursion(text):
    assert "nested more than 20 levels deep" in refusal(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [("name: a\nname: b\njoints: []\n", 2), ("name: a\njoints:\n- {name: j, name: k}\n", 3)],
)
def test_a_key_that_is_given_twice_is_named_with_its_line(text, line):
    assert f"line {line}: 'name' is given twice; keep one" in refusal(text)


@pytest.mark.parametrize("text", [f"{ROBOT}1: 2\n", "? [a, b]\n: 1\n", "? {a: b}\n: 1\n"])
def test_a_key_must_be_a_word(text):
    assert "expected a field's name, got" in refusal(text)


def test_a_merge_key_is_an_unknown_field():
    assert "<<: unknown field" in refusal(f"{ROBOT}<<: {{title: b}}\n")


def test_two_documents_are_refused():
    assert "single document" in refusal(f"{ROBOT}---\n{ROBOT}")


@pytest.mark.parametrize(
    ("text", "got"),
    [("", "nothing"), ("# only this\n", "nothing"), ("- a\n", "a list"), ("hello", "text")],
)
def test_the_top_level_must_be_a_mapping(text, got):
    message = refusal(text)
    assert "expected a mapping with the fields name, joints" in message
    assert got in message


def test_text_beyond_the_limit_is_refused_unread():
    assert "more than the 1000000 characters" in refusal("#" * 1_000_001)


def test_a_number_beyond_any_float_is_refused():
    assert "gravity.1: expected a number" in refusal(f"{ROBOT}gravity: [0, {'9' * 400}, 0]\n")
    assert "a number cannot be read" in refusal(f"{ROBOT}gravity: [0, {'9' * 5000}, 0]\n")


@pytest.mark.parametrize(("written", "meant"), [("1e-3", 1e-3), ("010", 10.0), ("+.5", 0.5)])
def test_numbers_are_those_of_yaml_1_2(written, meant):
    assert parse(f"{ROBOT}gravity: [0, {written}, 0]\n").gravity == (0, meant, 0)


@pytest.mark.parametrize("written", ["1:30", "0x1F", "1_000", "'9.81'", "true", "2020-01-01"])
def test_what_only_looks_like_a_number_is_refused(written):
    message = refusal(f"{ROBOT}gravity: [0, {written}, 0]\n")
    assert "gravity.1: expected a number, got" in message
    assert "[m/s^2]" in message


def test_words_stay_words():
    assert parse(f"{ROBOT}title: no\n").title == "no"
    assert parse(f"{ROBOT}title: 2020-01-01\n").title == "2020-01-01"


@pytest.mark.parametrize("content", [b"\x00\x01\x02", bytes(range(32)), b"name: \x7f\n"])
def test_a_binary_file_is_refused(tmp_path, content):
    path = tmp_path / "robot.yaml"
    path.write_bytes(content)
    with pytest.raises(DescriptionError, match="this is not plain YAML"):
        read(path)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "robot.yaml"
    path.write_bytes("name: é\n".encode("latin-1"))
    with pytest.raises(DescriptionError, match=r"expected text in UTF-8.*save it as UTF-8"):
        read(path)


def test_a_byte_order_mark_is_no_obstacle(tmp_path):
    path = tmp_path / "robot.yaml"
    path.write_text(ROBOT, encoding="utf-8-sig")
    assert read(path).name == "a"


def test_a_huge_file_is_not_read_whole(tmp_path):
    path = tmp_path / "robot.yaml"
    with path.open("wb") as file:
        file.write(b"#")
        file.truncate(10**12)  # a terabyte, sparse
    with pytest.raises(DescriptionError, match="more than the 1000000 characters"):
        read(path)


def test_a_folder_or_a_device_is_refused(tmp_path):
    for path in (tmp_path, "/dev/zero"):
        with pytest.raises(DescriptionError, match="expected a YAML file"):
            read(path)


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path):
    os.mkfifo(tmp_path / "robot.yaml")
    with pytest.raises(DescriptionError, match="expected a YAML file"):
        read(tmp_path / "robot.yaml")


def test_a_file_that_cannot_be_opened_says_why(tmp_path, monkeypatch):
    path = tmp_path / "robot.yaml"
    path.write_text(ROBOT)

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", denied)
    with pytest.raises(DescriptionError, match=r"cannot be read: Permission denied; check"):
        read(path)


def test_a_missing_file_says_so(tmp_path):
    with pytest.raises(DescriptionError, match="cannot be read: No such file"):
        read(tmp_path / "robot.yaml")
    with pytest.raises(DescriptionError, match="expected the path of a file"):
        read("a\0.yaml")


@pytest.mark.parametrize("text", ["a\x85b", "\u2028", "\u2029 ", "\ufeff", "a\r\nb", "\r"])
def test_every_line_break_in_a_title_survives(text):
    robot = parse(ROBOT, "arm.yaml").model_copy(update={"title": text})
    assert parse(dump(robot), "arm.yaml").title == text
