"""What strangers wrote reaches the terminal as text."""

import io
import json

import pytest

import chorda as library
from chorda.cli import output
from chorda.describe import dump, parse
from chorda.describe.plain_yaml import dumps, loads
from chorda.errors import ChordaError, MagnitudeWarning
from chorda.numerics.progress import Progress
from chorda.results import Table
from tests.helpers.hostile_texts import HOSTILE, harmless


@pytest.fixture
def stranger(tmp_path):
    """A robot's file with a text as its title and as its source."""

    def write(text):
        made = library.load("neck-1")
        made = made.model_copy(update={"title": text, "sources": {"*": text}})
        (tmp_path / "robot.yaml").write_text(dump(made), encoding="utf-8")
        return "robot.yaml"

    return write


@pytest.mark.parametrize("kind", HOSTILE)
def test_show_prints_titles_and_sources_as_text(chorda, stranger, kind):
    text = HOSTILE[kind]
    file = stranger(text)
    for options in ((), ("--json",), ("--yaml",)):
        answer = chorda("show", file, *options)
        assert answer.code == 0
        assert harmless(answer.out)
        assert harmless(answer.err)
    assert chorda("show", file, "--json").json["title"] == text
    assert parse(chorda("show", file, "--yaml").out).title == text


@pytest.mark.parametrize("field", ["name", "kind", "point", "unknown"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_refusals_of_a_file_print_as_text(chorda, tmp_path, field, kind):
    text = HOSTILE[kind]
    joint = {"kind": "revolute", "name": "a", "parent": text} | {field: text}
    robot = {"name": "b", "joints": [joint], "start": {text: 1}, text: text}
    (tmp_path / "robot.yaml").write_text(json.dumps(robot), encoding="utf-8")
    answer = chorda("show", "robot.yaml")
    assert answer.code == 2
    assert harmless(answer.out + answer.err)


@pytest.mark.parametrize("kind", HOSTILE)
def test_every_way_to_a_terminal_prints_text(capsys, kind):
    text = HOSTILE[kind]
    for show in (output.print_text, output.print_note, output.print_warning, output.print_error):
        show(text)
    table = Table(text, (text, "b"), ((text, 1.0),), text)
    output.print_table(table)
    print(table, ChordaError(text), MagnitudeWarning(text))
    output.print_json({text: [text]})
    with Progress(2, True, text) as bar:
        bar.update(1)
    printed = capsys.readouterr()
    assert harmless(printed.out)
    bars = io.StringIO(printed.err)  # a bar hides the cursor and shows it again
    assert all(harmless(line.replace("\x1b[?25l", "").replace("\x1b[?25h", "")) for line in bars)


@pytest.mark.parametrize("kind", HOSTILE)
def test_yaml_escapes_what_is_invisible_and_reads_back(kind):
    text = HOSTILE[kind]
    for data in (text, {"a": text}, [text], {text: 1}):
        written = dumps(data)
        assert harmless(written)
        assert loads(written) == data
