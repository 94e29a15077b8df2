"""chorda list and chorda show."""

from pathlib import Path

from chorda.catalogue import load, names
from chorda.describe import (
    Body,
    Coupling,
    JointMotion,
    Material,
    Revolute,
    Robot,
    Stiffening,
    parse,
    schema,
    write,
)


def test_list_names_every_robot_of_the_catalogue(chorda) -> None:
    answer = chorda("list")
    assert answer.code == 0
    assert all(name in answer.out and load(name).title in answer.out for name in names())


def test_list_as_json_is_what_the_catalogue_holds(chorda) -> None:
    assert [robot["name"] for robot in chorda("list", "--json").json] == names()


def test_show_prints_units_and_sources(chorda) -> None:
    out = chorda("show", "neck-3").out
    for text in ("600 N/m", "0.046 m", "kelvin-voigt: 1e+05 N/m", "motor-left", "kg m^2"):
        assert text in out
    assert "Testard2023, section 2: 46 mm" in out


def test_show_has_a_source_for_every_parameter_of_a_catalogue_robot(chorda) -> None:
    for name in names():
        shown = chorda("show", name, "--json").json
        assert shown["parameters"]
        assert all(p["source"] and p["unit"] for p in shown["parameters"])


def test_the_yaml_that_show_prints_is_the_robot(chorda) -> None:
    assert parse(chorda("show", "neck-4", "--yaml").out) == load("neck-4")


def test_a_yaml_file_works_like_a_name(chorda, tmp_path: Path) -> None:
    Path("mine.yaml").write_text(chorda("show", "neck-3", "--yaml").out)
    assert chorda("show", "mine.yaml").out == chorda("show", "neck-3").out


def test_the_schema_needs_no_robot(chorda) -> None:
    assert chorda("show", "--schema").json == schema()


def test_show_without_a_robot_says_what_to_give(chorda) -> None:
    answer = chorda("show")
    assert answer.code == 2
    assert "chorda list" in answer.err


def test_show_draws_a_picture(chorda) -> None:
    assert chorda("show", "neck-3", "--picture", "neck.png").code == 0
    assert Path("neck.png").read_bytes().startswith(b"\x89PNG")


def test_show_tells_pulleys_and_every_law(chorda) -> None:
    out = " ".join(chorda("show", "fasquelle-3-pulleys").out.split())
    assert "x1.base.right (pulley 0.005 m, left)" in out
    robot = load("neck-1")
    laws = (
        Material(young_modulus=4e9, section=1e-6, over="unwound", pretension=2.0),
        Stiffening(stiffness=4e3, stiffening=1e6, one_sided=False),
    )
    tendons = [
        t.model_copy(update={"law": law}) for t, law in zip(robot.tendons, laws, strict=True)
    ]
    write(robot.model_copy(update={"tendons": tuple(tendons)}), "mine.yaml")
    out = " ".join(chorda("show", "mine.yaml").out.split())
    for text in ("material:", "4e+09 Pa", "over the unwound length", "stiffening:", "may push"):
        assert text in out


def test_list_counts_joints_that_move(chorda) -> None:
    joints = {robot["name"]: robot["joints"] for robot in chorda("list", "--json").json}
    assert (joints["finger-3"], joints["finger-2n"], joints["neck-3"]) == (3, 2, 3)
    row = next(x for x in chorda("list").out.splitlines() if "finger-3" in x)
    assert " 3 " in row.replace("3 joints", "")


def test_show_lists_couplings_and_actuators_of_joints(chorda, tmp_path: Path) -> None:
    hinge = Body(mass=1, inertia=(1, 1, 1, 0, 0, 0))
    robot = Robot(
        name="geared",
        joints=(Revolute(name="a", body=hinge), Revolute(name="b", body=hinge)),
        couplings=(Coupling(name="mesh", factors={"a": 0.5, "b": -1.0}),),
        actuators=(JointMotion(name="lead", joint="a"),),
    )
    write(robot, tmp_path / "geared.yaml")
    out = chorda("show", str(tmp_path / "geared.yaml")).out
    assert "Couplings" in out
    assert "0.5 a, -1 b" in out
    assert "Actuators on joints" in out


def test_show_lists_limits_windings_and_play_of_motors(chorda, tmp_path: Path) -> None:
    path = tmp_path / "arm.yaml"
    path.write_text(
        """
chorda: 1
name: arm
joints: [{name: j, kind: revolute, body: {mass: 1, inertia: [0, 0, 1.0e-3, 0, 0, 0]}}]
actuators:
  - name: m
    kind: joint-motor
    joint: j
    inertia: 1.0e-5
    max_current: 2
    winding: {resistance: 3, torque_constant: 0.05, inductance: 1.0e-3}
    backlash: {gap: 0.01, stiffness: 40}
""",
        encoding="utf-8",
    )
    printed = chorda("show", str(path)).out
    for words in ("max_current 2 A", "resistance 3 ohm", "inductance 0.001 H", "gap 0.01 rad or m"):
        assert words in " ".join(printed.split())
