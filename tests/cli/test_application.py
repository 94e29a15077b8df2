"""What all commands share: version, logging, warnings, the registry of papers, starting fast."""

import logging
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import chorda as library
from chorda.cli import app
from chorda.cli.output import plain
from chorda.cli.typer_options import typer_command
from chorda.compile import compiler
from chorda.papers import PAPERS, Reproduction, Table


def test_the_version_is_the_packages(chorda) -> None:
    assert chorda("--version").out == f"chorda {library.__version__}\n"


def test_without_arguments_the_help_is_shown(chorda) -> None:
    answer = chorda()
    assert "Usage" in answer.out + answer.err


def test_a_command_says_once_on_stderr_how_kernels_run(chorda) -> None:
    compiler.announce.cache_clear()
    first = chorda("simulate", "neck-1", "--duration", "0.01", "--json")
    second = chorda("simulate", "neck-1", "--duration", "0.01", "--json")
    assert "ernels" in first.err
    assert "ernels" not in second.err
    assert not logging.getLogger("chorda").handlers


def test_warnings_reach_stderr_in_plain_words(chorda) -> None:
    from chorda.describe import dump

    text = dump(library.load("neck-1")).replace("free_length: 0.046", "free_length: 46.0")
    Path("odd.yaml").write_text(text)
    with pytest.warns(library.errors.MagnitudeWarning):
        library.describe.read("odd.yaml")
    run = subprocess.run(
        [sys.executable, "-m", "chorda", "show", "odd.yaml", "--json"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0
    assert "Warning: " in run.stderr
    assert "is the unit right?" in " ".join(run.stderr.split())


def test_every_option_of_every_command_has_a_help_text() -> None:
    for name, command in typer.main.get_command(app).commands.items():
        for parameter in command.params:
            assert parameter.help, f"{name} {parameter.opts}"


def test_a_command_is_called_with_its_records_of_options() -> None:
    @dataclass(frozen=True)
    class Pair:
        """Two options.

        Parameters
        ----------
        first, -f : NUMBER
            The first.
        second
            The second,
            in two lines.
        """

        first: float = 1.0
        second: bool = False

    called = []

    def verb(*, pair: Pair, last: int = 3) -> None:
        """What it does.

        Parameters
        ----------
        last
            The last.

        More about it.
        """
        called.append((pair, last))

    application = typer.Typer()
    application.command()(typer_command(verb))
    result = CliRunner().invoke(application, ["-f", "2", "--second"])
    assert result.exit_code == 0
    assert called == [(Pair(2.0, True), 3)]
    command = typer.main.get_command(application)
    assert command.help.split() == ["What", "it", "does.", "More", "about", "it."]
    options = {x.name: (x.metavar, x.help) for x in command.params if x.name != "help"}
    assert list(options)[:3] == ["first", "second", "last"]
    assert options["first"] == ("NUMBER", "The first.")
    assert options["second"][1] == "The second, in two lines."


def test_an_unknown_command_exits_with_2(chorda) -> None:
    assert chorda("fly").code == 2


def test_reproduce_prints_the_papers_tables_and_files(chorda, monkeypatch) -> None:
    asked: list[tuple[Path, bool]] = []

    def made(output: Path, *, quick: bool = False, progress: bool | None = None) -> Reproduction:
        asked.append((output, quick))
        (output / "figure.svg").write_text("<svg/>")
        table = Table("Table 1", ("what [s]", "paper", "ours"), (("step [ms]", "1", "1.0"),), "n")
        return Reproduction("toy", "A toy", (table,), (output / "figure.svg",))

    monkeypatch.setitem(PAPERS, "toy", made)
    answer = chorda("reproduce", "toy", "--quick", "--output", "deep/out")
    assert asked == [(Path("deep/out"), True)]
    assert answer.code == 0
    for text in ("Table 1", "what [s]", "step [ms]", "figure.svg"):
        assert text in answer.out
    assert chorda("reproduce", "toy", "--json").json["tables"][0]["rows"] == [
        ["step [ms]", "1", "1.0"]
    ]


def test_an_unknown_paper_is_refused_by_name(chorda) -> None:
    answer = chorda("reproduce", "nobody1900")
    assert answer.code == 2
    assert "testard2023" in answer.err


def test_json_holds_no_nan_and_no_infinity() -> None:
    assert plain({"a": [float("nan"), float("inf"), 1.0]}) == {"a": [None, "inf", 1.0]}


def test_the_help_loads_neither_figures_nor_tables() -> None:
    code = (
        "import sys; from chorda.cli import app; "
        "print([m for m in ('matplotlib', 'xarray', 'pandas', 'mujoco') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
