"""What the documents print works as printed: snippets, commands, examples."""

import math
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import typer

import chorda
from chorda.cli import app
from chorda.describe import Body, KelvinVoigt, Pulley, Robot, chain, line
from chorda.errors import DescriptionError, InputError
from tests.helpers.refusals import refused

ROOT = Path(__file__).parents[1]
MADE = {"_build", "generated"}  # by `make docs`
PAGES = [x for x in sorted(ROOT.glob("docs/**/*.md")) if not MADE & set(x.parts)]
DOCUMENTS = ("README.md", *(x.relative_to(ROOT).as_posix() for x in PAGES))


def blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def block(language: str, within: str) -> str:
    """The one block of a language in all documents that has some words in it."""
    (found,) = (x for d in DOCUMENTS for x in blocks(d, language) if within in x)
    return found


def shown(document: str, language: str) -> list[str]:
    """What documents show as the output of each block: the next one if it is text, else ''."""
    text = (ROOT / document).read_text(encoding="utf-8")
    both = re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)
    pairs = pairwise([*both, ("", "")])
    return [y if after == "text" else "" for (now, _), (after, y) in pairs if now == language]


def lines(text: str) -> list[str]:
    """Without the spaces that tables are laid out with."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


PYTHON = [(d, i) for d in DOCUMENTS for i, _ in enumerate(blocks(d, "python"))]
SHELL = [  # make is what runs this test
    (d, i) for d in DOCUMENTS for i, x in enumerate(blocks(d, "sh")) if not x.startswith("make ")
]
REFUSALS = {"thumb.yaml:", "arm:"}  # texts that follow no output, but say what is refused


RUN_ELSEWHERE = {"{code-cell}", "{eval-rst}"}  # by test_tutorials; by Sphinx
LOOKED_UP = {  # words of blocks that tests below run
    "yaml": (
        "name: finger\n",
        "name: a-bit-of-everything",
        "name: thumb",
        "time: {column: stamp",
        "kind: mesh",
        "name: grasp",
    ),
    "c": ("neck_3_outputs(&work", "static neck_3_work work;"),
}
NOT_RUN = ("python -m venv", "dask scheduler")  # commands that change the machine


def test_every_block_of_the_documents_is_of_a_kind_that_is_run() -> None:
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        kinds = set(re.findall(r"^ *```(\S*)$", text, re.M)[::2])
        assert kinds <= {"python", "sh", "text", *LOOKED_UP, *RUN_ELSEWHERE}, document
        for kind, known in LOOKED_UP.items():
            for found in blocks(document, kind):
                assert any(words in found for words in known), (document, found)
        both = re.findall(r"^```(\S+)\n(.*?)^```", text, re.M | re.S)
        for (before, _), (kind, found) in pairwise([("", ""), *both]):
            if kind == "text" and before not in ("python", "sh"):
                assert found.split()[0] in REFUSALS or found.startswith(NOT_RUN), (document, found)


@pytest.mark.parametrize(("document", "number"), PYTHON)
def test_a_python_snippet_runs_and_prints_as_printed(
    document: str,
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(document, "python")[number], f"{document}[{number}]", "exec"), {})
    expected = lines(shown(document, "python")[number])
    if not (expected and expected[0].split()[0] in REFUSALS):
        printed = lines(capsys.readouterr().out)
        assert [line for line in expected if line not in printed] == []


@pytest.mark.parametrize(("document", "number"), SHELL)
def test_commands_run_and_print_as_printed(document: str, number: int, tmp_path: Path) -> None:
    commands = blocks(document, "sh")[number]
    if "make -C" in commands and shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    here = f'chorda() {{ {shlex.quote(sys.executable)} -m chorda "$@"; }}\n'
    run = subprocess.run(
        ["bash", "-e", "-c", here + commands],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    printed = " ".join(lines(run.stdout))
    rows, *prose = shown(document, "sh")[number].split("\n\n")
    expected = [*lines(rows)[:1], *lines(rows)[2:], *(" ".join(lines(x)) for x in prose)]
    assert [text for text in expected if text and text not in printed] == []


OTHERS = {
    "--help",
    "--nthreads",
    "--nworkers",
    "--port",
    "--part",
    "--case",
    "--count",
    "--no-print-directory",
}  # of Dask, of the fuzzer and of make


def test_options_that_documents_name_exist() -> None:
    group = typer.main.get_command(app)
    known = {
        option
        for command in (group, *group.commands.values())
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))
        assert named - known <= OTHERS, document


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_guides_c_compiles_and_steps(tmp_path: Path) -> None:
    chorda.export(chorda.assemble(chorda.load("neck-3")), tmp_path, to="c")
    code = block("c", "neck_3_outputs(&work")
    sizes = {"q": "NQ", "v": "NV", "u": "NU", "x": "NX", "y": "NY"}
    arrays = "".join(f"static double {name}[NECK_3_{size}];" for name, size in sizes.items())
    program = f'#include "neck_3.h"\n{arrays}\nint main(void) {{\n{code}return failed;\n}}\n'
    (tmp_path / "main.c").write_text(program)
    command = ["cc", "-std=c99", "-Werror", "main.c", "neck_3.c", "-lm"]
    linked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert linked.returncode == 0, linked.stderr
    assert subprocess.run(["./a.out"], cwd=tmp_path).returncode == 0


def test_refusals_of_the_guide_are_those_of_the_library(tmp_path: Path) -> None:
    path, skipped = (" ".join(lines(block("text", words))) for words in ("thumb.yaml: t", "arm: t"))
    thumb = block("yaml", "name: thumb").replace("[0.004, -0.03, 0]", "[0.004, -0.003, 0]", 1)
    (tmp_path / "thumb.yaml").write_text(thumb, encoding="utf-8")
    assert path in refused(DescriptionError, chorda.load, tmp_path / "thumb.yaml")
    joints = chain(
        [(0.2, 0, 0, 0), (0.2, 0, 0, 0)],
        bodies=[Body(mass=1.0, inertia=(1e-3,) * 3 + (0,) * 3)] * 2,
    )
    pulleys = [
        Pulley(point=(-0.2, 0, 0), radius=0.02, side="left"),
        Pulley(frame="joint2", radius=0.03, side="left"),
    ]
    tendons = line("pull", pulleys, KelvinVoigt(stiffness=1e4), carriers=["world"])
    arm = Robot(name="arm", joints=joints, tendons=tendons)
    ours = refused(InputError, chorda.assemble, arm)
    number = r"by [\d.]+ m while"  # how far it moves depends on the arm
    assert re.sub(number, "", ours) == re.sub(number, "", skipped)


def test_the_guides_mesh_is_on_its_finger(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    corners = [(0.0, 0.0, 0.0), (30.0, 0.0, 0.0), (0.0, 30.0, 0.0), (0.0, 0.0, 30.0)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    lines_ = [*(f"v {x} {y} {z}" for x, y, z in corners)]
    lines_ += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (tmp_path / "meshes/bone.obj").write_text("\n".join(lines_), encoding="utf-8")
    mesh = block("yaml", "kind: mesh").replace("bone.stl", "bone.obj")
    path = tmp_path / "finger.yaml"
    path.write_text(block("yaml", "name: finger\n") + mesh, encoding="utf-8")
    assert [shape.kind for shape in chorda.load(path).shapes] == ["mesh"]


def test_the_guides_finger_presses_on_its_bar(tmp_path: Path) -> None:
    path = tmp_path / "finger.yaml"
    finger = block("yaml", "name: finger\n") + block("yaml", "name: grasp")
    path.write_text(finger, encoding="utf-8")
    rest = chorda.equilibrium(chorda.assemble(chorda.load(path)), tensions=[30.0, 12.0, 1.0])
    assert rest.status.ok
    assert rest.normal_forces["grasp"] > 1.0


def test_pages_of_the_guide_have_no_code_that_is_not_run() -> None:
    """Indented code has no language, so that the tests above do not see it."""
    for document in DOCUMENTS:
        if not document.startswith(("docs/architecture", "docs/papers")):  # pictures and outputs
            text = (ROOT / document).read_text(encoding="utf-8")
            text = re.sub(r"^ *(```|:::).*?^ *\1$", "", text, flags=re.M | re.S)
            indented = re.findall(r"\n\n    \S.*", text)
            assert indented == [], document


def test_the_guides_bit_of_everything_moves(tmp_path: Path) -> None:
    path = tmp_path / "everything.yaml"
    path.write_text(block("yaml", "name: a-bit-of-everything"), encoding="utf-8")
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
    path.write_text(block("yaml", "name: finger\n"), encoding="utf-8")
    system = chorda.assemble(chorda.load(path))
    assert system.coordinate_names == ("base", "tip", "m1", "m2", "m3")
    assert chorda.simulate(system, duration=0.05, step=1e-3, inputs=-1e-3).status.ok


def test_the_guides_thumb_leaves_its_pulley_and_its_drum_has_a_constant_arm(tmp_path: Path) -> None:
    path = tmp_path / "thumb.yaml"
    path.write_text(block("yaml", "name: thumb"), encoding="utf-8")
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
    where.write_text(block("yaml", "time: {column: stamp"), encoding="utf-8")
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
