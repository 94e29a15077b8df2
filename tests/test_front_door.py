"""What the documents print works as printed: snippets, commands, examples."""

import math
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import chorda

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "docs/guide.md")


def blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


SNIPPETS = [(d, i) for d in DOCUMENTS for i, _ in enumerate(blocks(d, "python"))]
COMMANDS = [  # those of one block run in one folder, in their order
    commands
    for block in blocks("README.md", "sh")
    if (commands := [line for line in block.splitlines() if line.startswith("chorda ")])
]


@pytest.mark.parametrize(("document", "number"), SNIPPETS)
def test_a_python_snippet_runs_as_printed(
    document: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(document, "python")[number], f"{document}[{number}]", "exec"), {})


@pytest.mark.parametrize("commands", COMMANDS, ids=lambda block: block[0])
def test_commands_of_the_readme_run_as_printed(commands: list[str], tmp_path: Path) -> None:
    for command in commands:
        words = [sys.executable, "-m", "chorda", *shlex.split(command)[1:]]
        run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        assert run.returncode == 0, f"{command}: {run.stderr}"


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


def test_the_guides_robot_loads_and_holds_a_configuration(tmp_path: Path) -> None:
    path = tmp_path / "finger.yaml"
    path.write_text(blocks("docs/guide.md", "yaml")[0], encoding="utf-8")
    system = chorda.assemble(chorda.load(path))
    assert system.coordinate_names == ("base", "tip", "m1", "m2", "m3")
    assert chorda.simulate(system, duration=0.05, step=1e-3, inputs=-1e-3).status.ok


def test_the_guides_thumb_leaves_its_pulley_and_its_drum_has_a_constant_arm(tmp_path: Path) -> None:
    path = tmp_path / "thumb.yaml"
    path.write_text(blocks("docs/guide.md", "yaml")[2], encoding="utf-8")
    system = chorda.assemble(chorda.load(path))
    arms = system.function("arms", "q p", system.tendons.Z)
    for angle, touched in ((0.5, 1.0), (-0.5, 0.0)):
        run = chorda.simulate(system, duration=1e-3, step=1e-3, initial={"knuckle": angle})
        assert run.data["contact"].sel(pulley="flexor.path1")[0] == touched
        Z = arms([angle], system.parameter_values).full()
        assert Z[0, 1] == pytest.approx(0.01)


def test_the_guides_columns_are_read(tmp_path: Path) -> None:
    system = chorda.assemble(chorda.load("neck-1"))
    log = chorda.experiment(system, duration=2.0, progress=False)
    made = log.channels
    pay, turn = 0.02 / 25, math.pi / 1000
    columns = {
        "stamp": made["motor-left"].time * 1e6,
        "frame_stamp": made["x1"].time * 1e6,
        "marker": np.degrees(made["x1"].value),
        "counts_right": made["motor-right1"].value / turn,
        "counts_left": made["motor-left"].value / turn,
        "current_right": made["motor-right1.torque"].value / -0.025,
        "pull_left": -made["motor-left.torque"].value / pay,
    }
    rows = [",".join(columns)]
    rows += [
        ",".join(repr(float(x[i])) if i < len(x) else "" for x in columns.values())
        for i in range(len(columns["stamp"]))
    ]
    (tmp_path / "log.csv").write_text("\n".join(rows), encoding="utf-8")
    where = tmp_path / "columns.yaml"
    where.write_text(blocks("docs/guide.md", "yaml")[3], encoding="utf-8")
    read = chorda.read_log(tmp_path / "log.csv", system, where)
    for name, channel in read.channels.items():
        assert channel.sensor == made[name].sensor
        assert np.allclose(channel.time, made[name].time)
        assert np.allclose(channel.value, made[name].value)


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
