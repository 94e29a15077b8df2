"""chorda simulate: the same motion as the verb, files, exit codes."""

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

import chorda as library
from chorda.cli.simulate_command import SCHEMES
from chorda.dynamics.schemes import REFERENCE
from chorda.dynamics.schemes import SCHEMES as KNOWN
from tests.helpers.interrupts import interrupted

SHORT = ("--duration", "0.05", "--step", "0.001")


def test_the_command_gives_the_verbs_motion(chorda) -> None:
    options = ("--set", "x1=0.2", "--set", "tension=10", "--parameter", "*.damping=50")
    answer = chorda("simulate", "neck-3", *SHORT, *options, "--input", "motor-left=-0.01", "--json")
    run = library.simulate(
        library.assemble(library.load("neck-3")),
        duration=0.05,
        step=1e-3,
        initial={"x1": 0.2, "tension": 10.0},
        parameters={"*.damping": 50.0},
        inputs={"motor-left": -0.01},
    )
    assert answer.code == 0
    assert list(answer.json["end"]["position"].values()) == pytest.approx(run.position[-1])
    right1 = next(q for q in answer.json["quantities"] if q["name"] == "tension right1")
    assert right1["end"] == pytest.approx(run.outputs["tension"][-1, 0])
    assert right1["max"] == pytest.approx(run.outputs["tension"][:, 0].max())


def test_json_stands_alone_on_stdout(chorda) -> None:
    answer = chorda("simulate", "neck-1", *SHORT, "--output", "run.nc", "--json")
    assert answer.json["status"]["ok"] is True
    assert answer.json["files"] == ["run.nc"]


def test_rigid_tendons_have_no_motor_coordinates(chorda) -> None:
    answer = chorda("simulate", "neck-3", *SHORT, "--tendons", "rigid", "--json")
    assert list(answer.json["end"]["position"]) == ["x1", "x2", "x3"]


@pytest.mark.parametrize("name", ["run.nc", "run.csv", "run.mat"])
def test_the_output_file_holds_the_motion(chorda, name: str) -> None:
    answer = chorda("simulate", "neck-1", *SHORT, "--set", "x1=0.2", "--output", name, "--json")
    end = answer.json["end"]["position"]["x1"]
    if name == "run.nc":
        position = library.open(name).position
    elif name == "run.mat":
        position = loadmat(name)["position"]
    else:
        position = np.loadtxt(name, delimiter=",", skiprows=1)[:, 1:]
    assert len(position) == 51
    assert position[-1, 0] == pytest.approx(end)


def test_inputs_of_a_written_run_make_the_same_run_again(chorda) -> None:
    Path("u.csv").write_text("time [s], motor-left [N m]\n0, 0\n0.02, -0.03\n0.05, -0.01\n")
    how = ("simulate", "neck-1", *SHORT, "--set", "tension=8", "--json")
    first = chorda(*how, "--inputs", "u.csv", "--output", "run.csv").json
    again = chorda(*how, "--inputs", "run.csv").json
    assert again["end"]["position"] == pytest.approx(first["end"]["position"], rel=1e-9)
    assert abs(first["end"]["position"]["x1"]) > 1e-3


def test_inputs_from_a_file_run_linearly_between_its_rows(chorda) -> None:
    Path("u.csv").write_text("time [ms], motor-left [mN m]\n0, 0\n50, -10\n")
    answer = chorda("simulate", "neck-1", *SHORT, "--inputs", "u.csv", "--output", "run.nc")
    assert answer.code == 0
    run = library.open("run.nc")
    assert run.input[:, 1] == pytest.approx(-0.2 * run.time)


@pytest.mark.parametrize(
    ("kind", "error"),
    [("computed-torque", 0.01), ("feed-forward", 0.05), ("pd", 0.15)],  # pd feels dry friction
)
def test_control_follows_a_reference(chorda, kind: str, error: float) -> None:
    answer = chorda(
        "simulate", "neck-1", "--duration", "3.1", "--control", kind, "--reference", "sine:0.3",
        "--set", "tension=8", "--minimum-tension", "4", "--json",
    )  # fmt: skip
    assert answer.code == 0
    assert answer.json["end"]["position"]["x1"] == pytest.approx(0.3, abs=error)


def test_a_reference_from_a_file_is_followed(chorda) -> None:
    t = np.linspace(0, 1, 11)
    rows = "\n".join(f"{a},{0.1 * a**3 * (10 - 15 * a + 6 * a**2)}" for a in t)
    Path("wanted.csv").write_text(f"time,x1\n{rows}\n")
    answer = chorda(
        "simulate", "neck-1", "--duration", "1", "--control", "computed-torque",
        "--reference", "wanted.csv", "--set", "tension=8", "--json",
    )  # fmt: skip
    assert answer.json["end"]["position"]["x1"] == pytest.approx(0.1, abs=0.01)


def test_a_run_that_diverges_exits_with_1_and_keeps_what_was_computed(chorda) -> None:
    options = ("--scheme", "explicit-euler", "--set", "x1=0.3", "--output", "run.nc", "--json")
    answer = chorda("simulate", "neck-3", *options)
    assert answer.code == 1
    assert answer.json["status"]["ok"] is False
    assert "explicit Euler is stable only up to" in " ".join(answer.err.split())
    assert library.open("run.nc").status.code == answer.json["status"]["code"]


def test_the_help_names_every_scheme() -> None:
    assert set(SCHEMES.split(", ")) == {*KNOWN, REFERENCE}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["neck-33"], "neither in the catalogue nor"),
        (["neck-1", "--set", "x1"], "--set: expected NAME=VALUE, got 'x1'"),
        (["neck-1", "--set", "x1=a"], "--set x1: expected a number, got 'a'"),
        (["neck-1", "--set", "x1=1", "--set", "x1=2"], "given twice"),
        (["neck-1", "--set", "x7=1"], "'x7' is not there"),
        (["neck-1", "--parameter", "x1.mass=1"], "'x1.mass' is not there"),
        (["neck-1", "--scheme", "rk9"], "'rk9' is not known; expected one of"),
        (["neck-1", "--step", "0"], "step: expected a positive number of seconds"),
        (["neck-1", "--step", "nan"], "step: expected a positive number of seconds"),
        (["neck-1", "--every", "0"], "every: expected a whole number"),
        (["neck-1", "--output", "run.xls"], ".nc, .csv, .mat"),
        (["neck-1", "--output", "none/run.nc"], "the folder none does not exist"),
        (["neck-1", "--plot", "run.nc"], ".png, .svg, .pdf"),
        (["neck-1", "--animate", "run.png"], ".gif, .mp4"),
        (["neck-1", "--control", "pd"], "needs --reference"),
        (["neck-1", "--reference", "sine:1"], "has no effect without --control"),
        (["neck-1", "--control", "pd", "--reference", "sine:1,2"], "expected 1 coordinates"),
        (["neck-1", "--control", "pd", "--reference", "none.csv"], "none.csv"),
        (["neck-1", "--inputs", "none.csv"], "cannot be read"),
        (["neck-1", "--inputs", "none.csv", "--input", "motor-left=1"], "not both"),
        (["none.yaml"], "none.yaml"),
    ],
)
def test_a_wrong_input_is_one_sentence_and_exit_code_2(chorda, arguments, says: str) -> None:
    answer = chorda("simulate", *arguments)
    assert answer.code == 2
    assert says in " ".join(answer.err.split())
    assert answer.out == ""
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "got an empty file"),
        ("t,motor-left\n0,0\n", "first column must be 'time'"),
        ("time,motor-lift\n0,0\n", "'motor-lift' is no input"),
        ("time,motor-left\n0,a\n", "line 2, column 'motor-left': expected a number"),
        ("time,motor-left\n0,0,0\n", "line 2: expected 2 cells"),
        ("time,motor-left\n0,0\n0,1\n", "times must increase"),
        ("time,motor-left\n0,nan\n", "finite"),
        ("time,motor-left [deg]\n0,0\n", "expected N m, got deg"),
    ],
)
def test_a_wrong_file_of_inputs_says_what_is_wrong(chorda, text: str, says: str) -> None:
    Path("u.csv").write_text(text)
    answer = chorda("simulate", "neck-1", "--inputs", "u.csv")
    assert answer.code == 2
    assert says in " ".join(answer.err.split())


def test_debug_raises_the_error(chorda) -> None:
    with pytest.raises(library.errors.InputError):
        chorda("--debug", "simulate", "neck-33")


def test_brackets_of_units_are_printed(chorda) -> None:
    """Rich would take [rad] for markup."""
    assert "x1 [rad]" in chorda("show", "neck-1").out


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_keeps_what_was_computed_and_exits_with_130(tmp_path: Path) -> None:
    options = ["--duration", "10000", "--step", "1e-3", "--every", "10", "--output", "run.nc"]
    answer = interrupted(
        "from chorda.cli import main; main()", "simulate", "neck-1", *options, cwd=tmp_path
    )
    assert answer.code == 130, answer.errors
    assert "what was computed is kept" in " ".join(answer.errors.split())
    run = library.open(tmp_path / "run.nc")
    assert run.status.code == "interrupted"
    assert 1 < len(run.time) < 1_000_000


def test_a_motion_is_drawn_and_animated(chorda) -> None:
    files = ("--plot", "motion.svg", "--animate", "motion.gif")
    answer = chorda("simulate", "neck-1", *SHORT, "--set", "x1=0.2", *files, "--json")
    assert answer.json["files"] == ["motion.svg", "motion.gif"]
    assert "<svg" in Path("motion.svg").read_text()
    assert Path("motion.gif").read_bytes().startswith(b"GIF8")


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_while_outputs_are_computed_keeps_them_up_to_there(tmp_path: Path) -> None:
    options = ["--duration", "100", "--step", "2e-4", "--output", "run.nc"]
    answer = interrupted(
        "from chorda.cli import main; main()",
        *("simulate", "neck-3", *options),
        inside="chorda.results.run_outputs:observed",
        cwd=tmp_path,
    )
    assert answer.code == 130, answer.errors
    assert "Interrupted while outputs were computed" in " ".join(answer.errors.split())
    run = library.open(tmp_path / "run.nc")
    assert run.status.code == "interrupted"
    assert 1 < len(run.time) < 500_001


def test_a_step_that_does_not_divide_the_duration_is_shortened_with_inputs_from_a_file(
    chorda,
) -> None:
    Path("inputs.csv").write_text("time,motor-left\n0,0\n0.33,-0.033\n")
    options = ("--duration", "0.33", "--step", "0.05", "--inputs", "inputs.csv", "--json")
    answer = chorda("simulate", "neck-1", *options)
    assert answer.json["end"]["time"] == pytest.approx(0.33)
    assert answer.json["end"]["input"]["motor-left"] == pytest.approx(-0.033)
    assert "shortened from 0.05 s" in answer.json["status"]["message"]


def test_rho_inf_is_that_of_generalized_alpha(chorda) -> None:
    line = ("simulate", "neck-1", *SHORT, "--scheme", "generalized-alpha", "--set", "x1=0.2")
    ends = [
        chorda(*line, "--rho-inf", rho, "--json").json["end"]["position"]["x1"]
        for rho in ("0", "0.8", "1")
    ]
    assert len(set(ends)) == 3
    assert chorda(*line, "--json").json["end"]["position"]["x1"] == ends[1]


def test_an_accuracy_finds_the_step(chorda) -> None:
    line = ("simulate", "neck-1", "--duration", "0.05", "--set", "x1=0.2", "--accuracy", "1e-4")
    answer = chorda(*line, "--json").json
    assert answer["accuracy"]["time"]["position"] <= 1e-4
    assert answer["step"] == 0.05 / 200
    assert "were chosen for an accuracy" in answer["status"]["message"]
    coarse = chorda(*line, "--step", "0.01", "--json").json
    assert coarse["step"] == 0.01
    assert coarse["accuracy"]["time"]["position"] <= 1e-4
