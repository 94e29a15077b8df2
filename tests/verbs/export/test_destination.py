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


EDITED = {"c": "out/example.c", "casadi": "out/names.json", "mjcf": "out"}


@pytest.mark.parametrize("to", EDITED)
def test_an_export_that_was_edited_is_not_written_over(to, system, tmp_path):
    chorda.export(system, tmp_path / "out", to=to)
    edited = tmp_path / EDITED[to]
    mine = edited.read_text() + " "
    edited.write_text(mine)
    with pytest.raises(StorageError, match=r"was changed since chorda export made it.*--force"):
        chorda.export(system, tmp_path / "out", to=to, step=2e-3)
    assert edited.read_text() == mine
    chorda.export(system, tmp_path / "out", to=to, force=True)
    assert edited.read_text() != mine
    chorda.export(system, tmp_path / "out", to=to)


def test_a_function_that_was_replaced_is_not_written_over(system, tmp_path):
    chorda.export(system, tmp_path / "out", to="casadi")
    (tmp_path / "out" / "step.casadi").write_text("mine")
    with pytest.raises(StorageError, match=r"step\.casadi: was changed since"):
        chorda.export(system, tmp_path / "out", to="casadi")


def test_an_export_without_a_sum_counts_as_edited(system, tmp_path):
    (tmp_path / "out").write_text("<!-- Made by chorda export from neck-1 -->")
    with pytest.raises(StorageError, match="was changed since"):
        chorda.export(system, tmp_path / "out", to="mjcf")


def test_other_line_ends_are_no_edit(system, tmp_path):
    chorda.export(system, tmp_path / "out", to="c")
    example = tmp_path / "out" / "example.c"
    example.write_bytes(example.read_bytes().replace(b"\n", b"\r\n"))
    chorda.export(system, tmp_path / "out", to="c")
    assert b"\r" not in example.read_bytes()


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


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_where_a_file_should_be_is_refused_before_anything_is_written(
    force, system, tmp_path
):
    (tmp_path / "d.xml").mkdir()
    with pytest.raises(StorageError, match="this is a folder; give the name of a file in it"):
        chorda.export(system, tmp_path / "d.xml", to="mjcf", force=force)
    (tmp_path / "out" / "neck_1.c").mkdir(parents=True)
    with pytest.raises(StorageError, match=r"neck_1\.c: a folder is where a file"):
        chorda.export(system, tmp_path / "out", to="c", force=force)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["neck_1.c"]


@pytest.mark.parametrize("path", ["", " ", 5, None])
def test_a_path_that_names_nothing_is_refused(path, system):
    with pytest.raises(InputError, match=r"path \(--output\): expected the name of a folder, got"):
        chorda.export(system, path, to="c")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"to": "fortran"}, "to: expected one of c, casadi, mjcf, got 'fortran'"),
        ({"to": "c", "step": 0}, "step: expected a positive number"),
        ({"to": "c", "scheme": "euler"}, "scheme: 'euler' is not known"),
        ({"to": "mjcf", "scheme": "bdf2"}, "scheme: MuJoCo integrates by its own .* 'bdf2'; leave"),
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


def test_the_command_refuses_an_empty_output(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(app, ["export", "neck-1", "--to", "c", "--output", ""])
    assert refused.exit_code == 2
    assert "path (--output): expected the name of a folder" in refused.stderr
    assert not list(tmp_path.iterdir())


def test_the_command_names_no_scheme_of_a_model_for_mujoco(tmp_path):
    words = ["export", "neck-1", "--to", "mjcf", "--output", str(tmp_path / "neck.xml"), "--json"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["scheme"] is None
