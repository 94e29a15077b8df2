"""What the documents print works as printed: snippets, commands, examples."""

import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import chorda

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "docs/guide.md")


def blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


SNIPPETS = [(d, i) for d in DOCUMENTS for i, _ in enumerate(blocks(d, "python"))]
COMMANDS = [
    line
    for block in blocks("README.md", "sh")
    for line in block.splitlines()
    if line.startswith("chorda ")
]


@pytest.mark.parametrize(("document", "number"), SNIPPETS)
def test_a_python_snippet_runs_as_printed(
    document: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(document, "python")[number], f"{document}[{number}]", "exec"), {})


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_runs_as_printed(command: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "chorda", *shlex.split(command)[1:]]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr


def test_the_guides_bit_of_everything_moves(tmp_path: Path) -> None:
    path = tmp_path / "everything.yaml"
    path.write_text(blocks("docs/guide.md", "yaml")[1], encoding="utf-8")
    system = chorda.assemble(chorda.load(path))
    assert system.nc == 2
    run = chorda.simulate(
        system, duration=0.2, step=1e-3, initial={"crank": 0.3}, inputs={"weight": 1.0}
    )
    assert run.status.ok
    assert run.position[0, system.coordinate_names.index("crank")] == 0.3
    assert run.position[0, system.coordinate_names.index("rocker")] == pytest.approx(0.3)


def test_the_guides_robot_loads_and_holds_a_posture(tmp_path: Path) -> None:
    path = tmp_path / "finger.yaml"
    path.write_text(blocks("docs/guide.md", "yaml")[0], encoding="utf-8")
    system = chorda.assemble(chorda.load(path))
    assert system.coordinate_names == ("base", "tip", "m1", "m2", "m3")
    assert chorda.simulate(system, duration=0.05, step=1e-3, inputs=-1e-3).status.ok


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_an_example_runs(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out


def test_the_readme_names_both_commands_of_the_makefile() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in ("demo", "test"):
        assert f"make {command}" in text
        assert re.search(rf"^{command}:", rules, re.M)
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
