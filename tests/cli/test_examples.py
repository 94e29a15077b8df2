"""Every example in the help texts works when it is pasted into a shell."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chorda.cli import app

COMMANDS = (
    "list",
    "show",
    "simulate",
    "experiment",
    "export",
    "identify",
    "equilibrium",
    "stability",
    "workspace",
    "sweep",
    "step-limits",
    "transmission",
    "reproduce",
    "bench",
)
LONG = ("reproduce", "bench")


def help_text(*command: str) -> str:
    """As it is rendered on a terminal of 80 columns."""
    environment = {"COLUMNS": "80", "TERMINAL_WIDTH": "80", "NO_COLOR": "1"}
    result = CliRunner(env=environment).invoke(app, [*command, "--help"], prog_name="chorda")
    assert result.exit_code == 0
    return result.stdout


def examples(text: str) -> list[str]:
    """Lines after 'Example' to paste, with the lines that a backslash continues."""
    after = text.partition("Example")[2].partition("╭")[0]
    joined = "\n".join(line.rstrip() for line in after.splitlines()).replace("\\\n", " ")
    lines = [" ".join(line.split()) for line in joined.splitlines()]
    return [line for line in lines if line.startswith(("chorda ", "echo "))]


ALL = [
    line for command in ((), *((c,) for c in COMMANDS)) for line in examples(help_text(*command))
]


def marked(line: str) -> object:
    marks = [pytest.mark.slow] if shlex.split(line)[1] in LONG else []
    return pytest.param(line, marks=marks, id=line.removeprefix("chorda ")[:53])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_an_example(command: str) -> None:
    assert examples(help_text(command))


def test_the_help_names_every_command() -> None:
    assert all(command in help_text() for command in COMMANDS)


@pytest.mark.parametrize("line", [marked(line) for line in ALL])
def test_an_example_of_the_help_runs_as_pasted(line: str, tmp_path: Path) -> None:
    here = f"{shlex.quote(sys.executable)} -m chorda "
    pasted = " && ".join(re.sub("^chorda ", here, part) for part in line.split(" && "))
    run = subprocess.run(
        pasted,
        shell=True,
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    for k, word in enumerate(words := shlex.split(line)):
        if word in ("--output", "--plot", "--picture", "--save", ">"):
            assert (tmp_path / words[k + 1]).exists()
