"""The benchmark runs and prints its rows; how fast things are is not tested here."""

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import chorda
from chorda.bench import chain, contact_steps, peers, steps
from chorda.bench.chorda_rod import BENDING
from chorda.bench.groups import at_least, at_most
from chorda.cli import app
from chorda.dynamics.schemes import SCHEMES
from chorda.numerics.timing import best_in_turns

measure = import_module("chorda.bench.measure")
ROOT = Path(__file__).parents[3]

CALLS = ("equilibrium", "follow, two points")


@pytest.fixture(scope="module")
def quick():
    return measure.measure(quick=True, joints=[1])


def test_the_quick_benchmark_has_every_row(quick) -> None:
    step, chains, rubbing, touching, along, sizes, rods, batches, *others = quick.tables
    calling, equilibria, *rest = others
    motions, many, schemes, calls, statics, estimates, identifying, live, building, _ = rest
    programs = [row[0] for row in step.rows]
    assert programs[:2] == ["Chorda implicit-euler", "Chorda implicit-euler, interpreted"]
    if peers.installed():
        assert programs[2:] == [f"MuJoCo {name}" for name in peers.INTEGRATORS]
    assert chains.rows[0][0] == "Chorda implicit-euler"
    assert len(chains.rows) == (3 if peers.installed() else 1)
    assert len(rubbing.rows) == 3
    grasps = 2 if peers.installed() else 1
    assert [row[0] for row in touching.rows] == [
        *6 * ["neck-3"],
        *grasps * ["finger-grasp"],
        *grasps * ["hand-ball"],
    ]
    assert len(along.rows) == 2
    assert all(int(row[1]) for row in along.rows)
    assert {row[0] for row in rods.rows} == {BENDING}
    assert [row[0] for row in schemes.rows] == list(SCHEMES)
    assert len(calls.rows) == 2
    assert [row[:2] for row in statics.rows] == [
        (modes, call) for modes in ("5", "10") for call in CALLS
    ]
    assert len(estimates.rows) == 5
    assert len(identifying.rows) == 3
    assert [row[0] for row in live.rows] == ["neck-3", "continuum-2x3"]
    assert [row[0] for row in building.rows] == ["1"]
    assert all(row[1].endswith(" us") for row in step.rows)
    assert [row[0] for row in batches.rows][:2] == ["one robot", "batch, 1 core"]
    assert [row[0] for row in equilibria.rows] == 4 * ["rfrfr"] + 2 * ["6-rfs"]
    assert [row[:2] for row in motions.rows] == [("rfrfr", motion) for motion in ("10 s", "0.5 s")]
    assert [row[0] for row in sizes.rows] == ["5", "20", "hand"]
    assert many.rows[0][0] == "1 core"
    assert [row[0] for row in calling.rows][:2] == ["angles", "angles, tensions wound"]
    assert len(quick.targets) == 55


@pytest.mark.skipif(not peers.installed(), reason="MuJoCo is an extra")
def test_both_programs_move_the_same_neck(quick) -> None:
    alike = quick.groups[0].data["mujoco"]
    assert alike["velocities"] == 13
    assert alike["loops"] == 3
    assert alike["mid_bar_distance"] == pytest.approx(alike["expected_distance"], abs=1e-9)
    assert alike["closure_error"] < 1e-6
    assert alike["angle_difference"] < 2e-3 < alike["largest_angle"]


@pytest.mark.skipif(not peers.installed(), reason="MuJoCo is an extra")
def test_both_programs_move_the_same_chain() -> None:
    system = chorda.assemble(chain.robot())
    run = chorda.simulate(
        system, duration=0.1, step=1e-4, scheme="rk4", inputs=list(chain.PULL), strict=True
    )
    model, data = chain.load(1e-4, "RK4")
    import_module("mujoco").mj_step(model, data, nstep=1000)
    theirs = data.qpos[: chain.JOINTS]
    assert np.max(np.abs(theirs)) > 0.05
    assert np.all(run.outputs["tension"] > 0)
    assert np.allclose(run.position[-1, : chain.JOINTS], theirs, rtol=0, atol=1e-9)


@pytest.mark.skipif(not peers.installed(), reason="MuJoCo is an extra")
@pytest.mark.parametrize("name", ["finger-grasp", "hand-ball"])
def test_both_programs_hold_alike(name) -> None:
    """Laws of contact differ, so where friction stops a finger differs a little, and how much of
    the ball its pedestal still carries is not determined by statics."""
    found = contact_steps.held(name)
    assert found.turn < 0.03
    assert found.fingers[0] == pytest.approx(found.fingers[1], rel=0.06)


@pytest.mark.parametrize("post", ["ball", "capsule", "cylinder"])
def test_the_neck_among_posts_has_eight_pairs(post) -> None:
    assert len(chorda.assemble(contact_steps.neck_among_posts(post)).touches) == 8


def test_the_report_is_plain_data(quick) -> None:
    data = json.loads(json.dumps(quick.as_data()))
    assert {v["verdict"] for v in data["targets"]} <= {"met", "not met", "not measured"}
    assert data["measurements"]["building"][0]["joints"] == 1
    assert "/" not in data["machine"]["processor"]


def test_without_mujoco_the_benchmark_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "installed", lambda: False)
    counted = {contact_steps.COUNTED: contact_steps.NECKS[contact_steps.COUNTED]}
    monkeypatch.setattr(contact_steps, "NECKS", counted)
    neck = chorda.assemble(chorda.load("neck-3"))
    groups = steps.neck_group(neck, 20, 1), steps.chain_group(20, 1)
    for group, missing in (
        *((x, 1) for x in groups),
        (contact_steps.contact_group(neck, 20, 1), 2),
    ):
        assert "pip install 'chorda[peers]'" in group.table.note
        assert [t.word for t in group.targets].count("not measured") == missing
        assert "mujoco" not in group.data


def test_the_command_prints_tables_and_verdicts(quick, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chorda.bench.measure", lambda *_, **__: quick)
    out = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["bench", "--quick"]).stdout
    for text in ("Targets", "verdict", "cold build", "rosenbrock", "time a step"):
        assert text in out
    shown = CliRunner().invoke(app, ["bench", "--json"]).stdout
    assert json.loads(shown) == json.loads(json.dumps(quick.as_data()))


@pytest.mark.parametrize("text", ["0", "13", "a", "1..", "..3", ""])
def test_necks_that_are_not_there_are_refused(text: str) -> None:
    result = CliRunner().invoke(app, ["bench", "--joints", text])
    assert result.exit_code == 2
    assert "--joints" in result.output


def test_contenders_take_turns() -> None:
    order: list[str] = []

    def runner(name: str, times: list[float]):
        def run() -> float:
            order.append(name)
            return times.pop()

        return run

    best = best_in_turns({"a": runner("a", [3, 1]), "b": runner("b", [2, 5])}, repeats=2)
    assert order == ["a", "b", "a", "b"]
    assert best == {"a": 1, "b": 2}


def test_verdicts_compare_with_the_target() -> None:
    assert at_most("x", 3.0, 2.0, "us").word == "met"
    assert at_most("x", 3.0, 4.0, "us").word == "not met"
    assert at_least("x", 5.0, 4.0, "times").word == "not met"
    assert at_least("x", 5.0, None, "times").word == "not measured"


def test_the_recorded_run_names_no_path() -> None:
    text = (ROOT / "benchmarks" / "results.md").read_text()
    assert "/tmp" not in text
    assert "/home" not in text
    assert "chorda bench" in text
