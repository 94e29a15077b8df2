"""Commands on robots made of rods."""

from pathlib import Path

import numpy as np
import pytest

from chorda.catalogue import load, names
from chorda.cli.parameter_sources import _parameter, parameter_sources
from chorda.describe import Modes, Robot, Rod, Strains, Tube, dump
from chorda.mechanics import assemble

WITH_RODS = [x for x in names() if any(j.kind == "rod" for j in load(x).joints)]


def test_show_tells_length_section_modes_and_sheaths(chorda) -> None:
    out = " ".join(chorda("show", "till").out.split())
    for text in (
        "rod.bend_y0 to 5 [rad/m]",
        "0.7144 m circle, radius 0.000675 m",
        "0.034 kg",
        "bend_y 6, stretch 3, shear_z 3; legendre",
        "in rod at y 0, z -0.01506 m",
    ):
        assert text in out
    assert "in rod at y 0.008, z 0 m, 1 turn" in " ".join(chorda("show", "helical").out.split())


@pytest.mark.parametrize("name", WITH_RODS)
def test_every_parameter_of_a_rod_has_its_source(name: str) -> None:
    assert all(parameter_sources(assemble(load(name))).values())


def test_strains_at_rest_and_sections_find_their_source() -> None:
    rod = Rod(
        name="r",
        length=0.1,
        section=Tube(radius=0.002, inner_radius=0.001),
        young_modulus=1e9,
        density=1000.0,
        rest=Strains(bend_y=(1.0, 2.0)),
        modes=Modes(intervals=4),
    )
    sources = {"joints.*.section.*": "assumed: wide"}
    robot = Robot(name="bent", joints=(rod,), sources=sources)
    found = parameter_sources(assemble(robot))
    assert found["r.section.inner_radius"] == "assumed: wide"
    assert _parameter(robot, "joints.0.rest.bend_y.1") == "r.rest.bend_y1"
    assert set(system_names(robot)) >= {"r.rest.bend_y0", "r.rest.bend_y1"}


def system_names(robot: Robot) -> tuple[str, ...]:
    return assemble(robot).parameter_names


def test_an_equilibrium_tells_where_the_tip_is(chorda) -> None:
    answer = chorda("equilibrium", "till", "--json").json
    tip = answer["tips"]["rod.tip"]
    # converged statics of Till's continuous rod
    assert tip["position"] == pytest.approx([-0.1478147, 0.0, 0.6957325], abs=2e-6)
    assert np.linalg.norm(tip["tangent"]) == pytest.approx(1)
    assert np.linalg.norm(tip["quaternion"]) == pytest.approx(1)
    assert "rod.bend_y0" in answer["position"]


def test_people_read_the_tip_instead_of_strains(chorda) -> None:
    out = chorda("equilibrium", "till", "--export", "till.obj").out
    assert "rod.tip x" in out
    assert "-0.1478 m" in out
    assert "rod.bend_y0" not in out
    assert "Strains of the rods, 12 coordinates: with --json" in out
    assert "the smallest 6 of 12" in out
    assert Path("till.obj").read_text().count("\no ") == 9  # rod, 7 disks, tendon


def test_robots_without_rods_have_no_tips(chorda) -> None:
    assert chorda("equilibrium", "neck-1", "--tension", "5", "--json").json["tips"] == {}


def test_a_motion_is_exported_and_told_by_its_tip(chorda) -> None:
    Path("rod.yaml").write_text(
        "chorda: 1\nname: rod\njoints:\n"
        "  - {name: r, kind: rod, length: 0.3, section: {kind: circle, radius: 0.001},\n"
        "     young_modulus: 6.0e+10, density: 6450, bend_damping: 1.0e-4,\n"
        "     modes: {twist: 0, bend_y: 0, bend_z: 2, stretch: 0, intervals: 6}}\n"
    )
    common = ("simulate", "rod.yaml", "--duration", "0.05", "--step", "0.005")
    answer = chorda(*common, "--export", "rod.csv", "--json").json
    last = Path("rod.csv").read_text().splitlines()[-1].split(",")
    position = answer["end"]["tips"]["r.tip"]["position"]
    assert [float(x) for x in last[3:]] == pytest.approx(position, abs=1e-8)
    assert answer["files"] == ["rod.csv"]
    out = chorda(*common).out
    assert "r.tip y" in out
    assert "r.bend_z0" not in out


def test_a_motion_can_start_settled_under_its_first_inputs(chorda) -> None:
    """Nothing moves while the winch rests; from the straight rod it would swing."""
    how = ("--settle", "--duration", "0.1", "--step", "0.01", "--json")
    tip = chorda("simulate", "till", *how).json["end"]["tips"]["rod.tip"]["position"]
    assert tip == pytest.approx([-0.1478147, 0, 0.6957325], abs=1e-6)


def test_a_controlled_motion_cannot_start_settled(chorda) -> None:
    control = ("--control", "pd", "--reference", "sine:0.1,0.1,0.1")
    assert "--settle" in chorda("simulate", "neck-3", "--settle", *control).err


def test_a_shape_of_another_kind_is_refused_before_any_work(chorda) -> None:
    answer = chorda("simulate", "till", "--export", "shape.stl")
    assert answer.code == 2
    assert "--export: expected a file ending in .glb, .obj, .csv" in answer.err


def test_show_draws_loops_shut(chorda, monkeypatch) -> None:
    drawn = []
    monkeypatch.setattr(
        "chorda.view.plot_configuration", lambda system, q, path: drawn.append((system, q))
    )
    answer = chorda("show", "rfrfr", "--picture", "robot.png")
    ((system, q),) = drawn
    gap = system.closing(q, np.zeros(system.nu), system.parameter_values)[0].full()
    assert np.max(np.abs(gap)) < 1e-9
    assert "loops open" not in answer.err


def test_show_says_where_loops_cannot_be_shut(chorda) -> None:
    joints = [
        j.model_copy(update={"length": 0.1}) if j.kind == "rod" else j for j in load("rfrfr").joints
    ]
    robot = load("rfrfr").model_copy(update={"joints": tuple(joints)})
    Path("short.yaml").write_text(dump(robot))
    answer = chorda("show", "short.yaml", "--picture", "robot.png")
    assert answer.code == 0
    assert "as described; loops open" in answer.err


def test_tendons_are_not_told_where_there_are_none(chorda) -> None:
    assert "12 velocities; coordinates" in chorda("show", "rfrfr").out
    assert "tendons" not in chorda("equilibrium", "rfrfr").out
    assert "elastic tendons" in chorda("equilibrium", "till").out


def test_what_auto_chose_is_shown_and_in_json(chorda, tmp_path: Path) -> None:
    robot = load("till")
    rod = robot.joints[0].model_copy(update={"modes": Modes(auto=True, accuracy=1e-4)})
    file = tmp_path / "auto.yaml"
    file.write_text(dump(robot.model_copy(update={"joints": (rod,)})))
    found = chorda("equilibrium", str(file), "--tension", "2", "--json").json
    modes = found["modes"]["rod"]
    assert modes["bend_y"] > 2
    assert (modes["bend_z"], modes["stretch"], modes["accuracy"]) == (0, 1, 1e-4)
    counts = f"bend_y {modes['bend_y']}, stretch 1; {modes['intervals']} intervals"
    out = " ".join(chorda("show", str(file)).out.split())
    assert f"{counts}, for 0.0001 m; legendre" in out
    text = " ".join(chorda("equilibrium", str(file), "--tension", "2").out.split())
    assert "functions of rod" in text
    assert counts in text
