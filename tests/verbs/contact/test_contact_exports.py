"""Standalone C and CasADi files of robots that touch make the library's steps."""

import subprocess

import numpy as np
import pytest

import chorda
from chorda.exporting.discrete_model import reference_steps
from tests.helpers.touching_robots import gaps_at, touching
from tests.verbs.export.test_c import make, needs_c
from tests.verbs.export.test_casadi_files import in_a_fresh_process

CASES = (("frictionless", "rk45"), ("bristle", "bdf2"))


def touching_start(kind):
    """A system, and coordinates from which it touches, is lifted or lowered within few steps."""
    system, rest = touching(kind, pairs=1, stiffness=1e4, dissipation=2.0)
    start = {k: x for k, x in rest.position.items() if "bristle" not in k}
    return system, start | {"x3": start["x3"] + 0.02}


def touched(system, known):
    gaps = [gaps_at(system, x[: system.nq])[0] for x in known.states]
    return min(gaps) < -1e-4 and max(gaps) > 1e-5


@needs_c
@pytest.mark.parametrize(("kind", "scheme"), CASES)
def test_c_steps_through_a_touch_as_the_library_does(kind, scheme, tmp_path):
    system, start = touching_start(kind)
    how = {"scheme": scheme, "step": 1e-3, "initial": start}
    made = chorda.export(system, tmp_path / "c", to="c", **how)
    assert touched(system, reference_steps(made.model))
    ran = make(tmp_path / "c", "test")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("good") == 4
    header = (tmp_path / "c" / "neck_3.h").read_text()
    assert "leans.stiffness [N/m, 10000]" in header
    assert "normal_force.leans [N]" in header


@needs_c
def test_the_example_in_c_presses_as_simulate_does(tmp_path):
    system, start = touching_start("smooth")
    chorda.export(system, tmp_path / "c", to="c", step=1e-3, initial=start)
    assert make(tmp_path / "c", "example").returncode == 0
    ran = subprocess.run(
        ["./example"], cwd=tmp_path / "c", capture_output=True, text=True, timeout=600
    )
    header, *rows = (line.split(",") for line in ran.stdout.splitlines())
    column = header.index("normal_force.leans")
    forces = np.array([float(row[column]) for row in rows])
    run = chorda.simulate(system, duration=1.0, step=1e-3, initial=start)
    assert forces.max() > 5
    np.testing.assert_allclose(forces, run.outputs["normal_force"][:, 0], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(("kind", "scheme"), [("smooth", "implicit-euler"), CASES[1]])
def test_casadi_files_step_through_a_touch_as_the_library_does(kind, scheme, tmp_path):
    system, start = touching_start(kind)
    how = {"scheme": scheme, "step": 1e-3, "initial": start}
    made = chorda.export(system, tmp_path / "out", to="casadi", **how)
    known = reference_steps(made.model)
    assert touched(system, known)
    found = in_a_fresh_process(tmp_path / "out", known)
    n = system.nq + system.nv
    np.testing.assert_allclose(np.array(found["step"])[:, :n], known.states[1:, :n], atol=1e-10)
