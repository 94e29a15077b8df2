"""The C export compiles without a warning and makes the library's steps."""

import csv
import re
import shutil
import subprocess

import numpy as np
import pytest

import chorda
from chorda.describe import Capstan
from chorda.errors import InputError
from tests.helpers.export_robots import four_bar
from tests.helpers.motor_robots import WINDING, spun
from tests.helpers.rubbing_robots import brushed_neck, loaded_joints
from tests.helpers.rubbing_tendons import chain

STICKING = Capstan(coefficient=0.3, deflection=1e-3)
needs_c = pytest.mark.skipif(
    not (shutil.which("make") and shutil.which("cc")), reason="no C compiler"
)
DRIVEN = spun(
    winding={**WINDING, "inductance": 1e-3, "max_voltage": 12.0},
    max_current=2e-3,
    backlash={"gap": 0.02, "stiffness": 50.0, "damping": 0.2, "smoothing": 1e-3},
).robot
ROBOTS = [
    ("neck-3", "elastic", "implicit-euler", 2e-3, {"x1": 0.3, "tension": 20.0}),
    ("neck-3", "rigid", "implicit-euler", 2e-3, {"x1": 0.3}),
    ("neck-1", "elastic", "rk45", 2e-3, {"x1": 0.3, "tension": 20.0}),
    ("neck-1", "rigid", "generalized-alpha", 2e-3, {"x1": 0.3}),
    ("recursive-1", "elastic", "bdf2", 1e-3, None),
    ("fasquelle-3-pulleys", "elastic", "implicit-euler", 1e-3, {"x1": 0.2, "tension": 20.0}),
    (four_bar(), "elastic", "bdf2", 5e-3, {"crank": 0.3}),
    (four_bar(), "elastic", "implicit-euler", 5e-3, {"crank": 0.3}),
    (brushed_neck(), "elastic", "generalized-alpha", 1e-3, {"x1.bristle1": 0.01}),
    (loaded_joints("bristle", deflection=0.05), "elastic", "implicit-euler", 1e-3, None),
    (chain(3, friction=STICKING), "elastic", "bdf2", 1e-3, {"j0": 0.2, "tension": 5.0}),
    (chain(3), "elastic", "implicit-euler", 1e-3, {"j0": 0.2, "tension": 5.0}),
    ("till", "elastic", "bdf2", 5e-3, None),
    (DRIVEN, "elastic", "bdf2", 1e-3, {"wheel": 0.3}),
    (DRIVEN, "elastic", "implicit-euler", 1e-3, {"wheel": 0.3}),
    pytest.param("3-rfr", "elastic", "bdf2", 5e-3, None, marks=pytest.mark.slow),
    pytest.param("6-rfs", "elastic", "bdf2", 5e-3, None, marks=pytest.mark.slow),
]


def make(folder, target):
    return subprocess.run(["make", target], cwd=folder, capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def neck(tmp_path_factory):
    folder = tmp_path_factory.mktemp("c") / "neck"
    system = chorda.assemble(chorda.load("neck-3"))
    start = {"x1": 0.3, "tension": 20.0}
    chorda.export(system, folder, to="c", step=2e-3, initial=start)
    return system, start, folder


@needs_c
@pytest.mark.parametrize(
    ("robot", "tendons", "scheme", "step", "initial"),
    ROBOTS,
    ids=lambda x: getattr(x, "name", None),
)
def test_steps_are_the_librarys_to_1e_12_and_outputs_agree(
    robot, tendons, scheme, step, initial, tmp_path
):
    described = chorda.load(robot) if isinstance(robot, str) else robot
    system = chorda.assemble(described, tendons)
    chorda.export(system, tmp_path / "c", to="c", scheme=scheme, step=step, initial=initial)
    ran = make(tmp_path / "c", "test")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "-Wall -Wextra -Werror -pedantic" in ran.stdout
    assert ran.stdout.count("good") == 4


@needs_c
def test_a_wrong_number_fails_the_exports_own_test(neck, tmp_path):
    folder = shutil.copytree(neck[2], tmp_path / "wrong")
    text = (folder / "neck_3.c").read_text()
    parameters = re.search(r"neck_3_default_parameters\[59\] = \{([^,]+),", text)
    changed = text.replace(parameters[0], parameters[0].replace(parameters[1], "-9.0"))
    (folder / "neck_3.c").write_text(changed)
    ran = make(folder, "test")
    assert ran.returncode != 0
    assert "WRONG" in ran.stdout


@needs_c
def test_the_example_moves_as_simulate_does(neck):
    system, start, folder = neck
    assert make(folder, "example").returncode == 0
    ran = subprocess.run(["./example"], cwd=folder, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0
    assert re.search(r"[\d.e-]+ microseconds a step", ran.stderr)
    header, *rows = csv.reader(ran.stdout.splitlines())
    values = np.array(rows, float)
    run = chorda.simulate(system, duration=1.0, step=2e-3, initial=start)
    assert header[1:8] == list(system.coordinate_names)
    assert np.allclose(values[:, 0], run.time)
    printed = 1e-9  # ten digits
    assert np.allclose(values[:, 1:8], run.position, rtol=printed, atol=1e-9)
    column = header.index("tension.left")
    tension = run.data["tension"].sel(tendon="left").values
    assert np.allclose(values[:, column], tension, rtol=1e-8)


@needs_c
def test_two_robots_link_into_one_program(neck, tmp_path):
    other = tmp_path / "other"
    chorda.export(chorda.assemble(chorda.load("neck-1")), other, to="c")
    (tmp_path / "main.c").write_text(
        '#include "neck_1.h"\n#include "neck_3.h"\n'
        "static neck_1_work a;\nstatic neck_3_work b;\n"
        "int main(void) { neck_1_reset(&a); neck_3_reset(&b); return 7; }\n"
    )
    sources = ["main.c", other / "neck_1.c", neck[2] / "neck_3.c"]
    command = ["cc", "-std=c99", "-Werror", f"-I{other}", f"-I{neck[2]}", *sources, "-lm"]
    linked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert linked.returncode == 0, linked.stderr
    assert subprocess.run(["./a.out"], cwd=tmp_path, timeout=600).returncode == 7


def test_only_names_of_the_robot_are_visible(neck):
    text = (neck[2] / "neck_3.c").read_text()
    visible = re.findall(r"^(?!static|typedef|#|/\*| |enum|\})[\w *]*?(\w+)[\[(]", text, re.M)
    assert visible
    assert all(name.startswith("neck_3_") for name in visible)
    assert "malloc" not in text


def test_the_header_says_where_each_number_is(neck):
    system, _, folder = neck
    text = (folder / "neck_3.h").read_text()
    assert "NECK_3_Q_X2 = 1, /* x2 [rad] */" in text
    assert "NECK_3_V_X1_RATE = 7, /* x1.rate [rad/s] */" in text
    assert "NECK_3_U_MOTOR_LEFT = 3 /* motor-left [N m] */" in text
    row = system.parameter_names.index("left.stiffness")
    assert f"NECK_3_P_LEFT_STIFFNESS = {row}, /* left.stiffness [N/m, 100000] */" in text


def test_the_adaptive_reference_cannot_be_exported(tmp_path):
    system = chorda.assemble(chorda.load("neck-1"))
    with pytest.raises(InputError, match=r"'cvodes' is a program of its own.*take rk45"):
        chorda.export(system, tmp_path / "c", to="c", scheme="cvodes")


def test_a_step_that_fails_is_refused_with_a_remedy(tmp_path):
    system = chorda.assemble(chorda.load("neck-3"))
    with pytest.raises(InputError, match="does not get through one step of 10 s"):
        chorda.export(
            system, tmp_path / "c", to="c", scheme="explicit-euler", step=10.0, initial={"x1": 1.0}
        )
