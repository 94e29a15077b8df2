"""Exports leave other people's files alone; the command says what it wrote."""

import json

import pytest
from typer.testing import CliRunner

import chorda
from chorda.cli import app
from chorda.errors import InputError, StorageError


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(chorda.load("neck-1"))


PLACES = {"c": "out/Makefile", "casadi": "out/step.casadi", "mjcf": "out"}


@pytest.mark.parametrize("to", PLACES)
def test_an_export_is_written_again_but_not_over_other_files(to, system, tmp_path):
    for _ in range(2):
        chorda.export(system, tmp_path / "out", to=to)
    touched = tmp_path / PLACES[to]
    if to == "casadi":  # its files are known by that list
        (tmp_path / "out" / "names.json").unlink()
    touched.write_text("mine")
    with pytest.raises(StorageError, match=r"not made by chorda export.*--force"):
        chorda.export(system, tmp_path / "out", to=to)
    assert touched.read_text() == "mine"
    chorda.export(system, tmp_path / "out", to=to, force=True)
    assert touched.read_bytes() != b"mine"


def test_files_of_others_in_the_folder_stay(system, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    chorda.export(system, tmp_path / "out", to="c")
    assert (tmp_path / "out" / "notes.txt").read_text() == "mine"


def test_a_file_where_a_folder_should_be_is_refused(system, tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(StorageError, match="expected a folder, got a file"):
        chorda.export(system, tmp_path / "out", to="c", force=True)
    with pytest.raises(StorageError, match="does not exist; make it first"):
        chorda.export(system, tmp_path / "no" / "where", to="c")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"to": "fortran"}, "to: expected one of c, casadi, mjcf, got 'fortran'"),
        ({"to": "c", "step": 0}, "step: expected a positive number"),
        ({"to": "c", "scheme": "euler"}, "scheme: 'euler' is not known"),
        ({"to": "c", "parameters": {"x9": 1}}, "parameters: 'x9' is not there"),
    ],
)
def test_wrong_arguments_are_named(arguments, words, system, tmp_path):
    with pytest.raises(InputError, match=words):
        chorda.export(system, tmp_path / "out", **arguments)


def test_the_command_writes_and_lists_its_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "export neck-1 --to c --scheme bdf2 --step 2e-3 --output neck --set x1=0.2 --json"
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["robot"], told["scheme"], told["step"]) == ("neck-1", "bdf2", 2e-3)
    assert all((tmp_path / name).is_file() for name in told["files"])
    refused = CliRunner().invoke(app, ["export", "till", "--to", "mjcf", "--output", "till.xml"])
    assert refused.exit_code == 2
    assert "MuJoCo has no rods" in refused.stderr
