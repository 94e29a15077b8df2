"""chorda stability, and chorda equilibrium with what is prescribed."""

from pathlib import Path

import pytest

import chorda as library

HELD = ["--hold", "motor1=2.59", "--hold", "motor2=0.55"]
BULGE = ["--set", "leg1.bend_z0=-1", "--set", "leg2.bend_z0=1"]
START = ("rfrfr", *HELD, *BULGE)


@pytest.fixture(scope="module")
def rest():
    system = library.assemble(library.load("rfrfr"))
    bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    return library.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bulge)


def test_the_command_gives_the_verbs_verdicts(chorda, rest) -> None:
    answer = chorda("stability", *START, "--frame", "leg1.tip", "--json")
    found = library.stability(rest)
    assert answer.code == 0
    for kind, verdict in found.kinds.items():
        told = answer.json["stability"][kind]
        assert told["stable"] is verdict.stable
        assert told["eigenvalues"] == pytest.approx(verdict.eigenvalues)
        assert told["mode"] == pytest.approx(dict(verdict.mode), abs=1e-6)
    near = library.kinematostatics(rest, "leg1.tip")
    rows = answer.json["kinematostatics"]["jacobian"]["values"]
    assert rows == [pytest.approx(row, abs=1e-9) for row in near.jacobian.values]


def test_flutter_is_in_the_answers_for_programs_and_for_people(chorda, tmp_path: Path) -> None:
    bar = "body: {mass: 1.0, center: [1, 0, 0]}, stiffness: 1.0"
    file = tmp_path / "pendulum.yaml"
    file.write_text(
        "chorda: 1\nname: pendulum\ngravity: [0, 0, 0]\njoints:\n"
        f"- {{name: near, kind: revolute, {bar}}}\n"
        "- {name: far, kind: revolute, parent: near, placement: {position: [1, 0, 0]}, "
        f"{bar}}}\n"
        "loads:\n- {name: push, at: {frame: far, point: [1, 0, 0]}, force: [-3, 0, 0], "
        "follows: true}\n"
    )
    told = chorda("stability", str(file), "--json").json["stability"]["locked"]
    assert (told["criterion"], told["instability"]) == ("motion", "flutter")
    told = chorda("equilibrium", str(file), "--json").json
    assert (told["criterion"], told["instability"]) == ("motion", "flutter")
    assert "by flutter" in " ".join(chorda("stability", str(file)).out.split())


def test_people_read_both_verdicts_and_the_table(chorda) -> None:
    out = " ".join(chorda("stability", *START, "--frame", "leg1.tip").out.split())
    assert "Stable with the motors locked" in out
    assert "Stable at constant efforts" in out
    assert "kinemato-statics of leg1.tip" in out
    assert "type 2 (forward)" in out


def test_the_critical_mode_is_drawn(chorda) -> None:
    drawn = chorda("stability", *START, "--plot", "mode.svg", "--kind", "constant-efforts")
    assert drawn.code == 0
    assert "<svg" in Path("mode.svg").read_text()


def test_an_equilibrium_is_placed_by_its_motors(chorda) -> None:
    there = ["--pose", "leg1.tip.x=0", "--pose", "leg1.tip.y=0.8", "--actuated", "motor1,motor2"]
    answer = chorda("equilibrium", "rfrfr", *there, *BULGE, "--set", "motor1=2.6", "--json")
    assert answer.json["tips"]["leg1.tip"]["position"] == pytest.approx([0, 0.8, 0], abs=1e-9)
    assert set(answer.json["efforts"]) == {"motor1", "motor2"}


def test_efforts_of_what_is_held_are_told(chorda, rest) -> None:
    out = " ".join(chorda("equilibrium", *START).out.split())
    for motor, effort in rest.efforts.items():
        assert f"effort {motor} {effort:.4g} N m" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--pose", "x=0"], "expected FRAME.AXIS=VALUE"),
        (["--pose", "leg1.tip.x=a"], "--pose leg1.tip.x: expected a number"),
        (["--pose", "leg1.tip.x=0", "--pose", "leg1.tip.x=1"], "is given twice"),
        (["--hold", "engine=1"], "'engine' is not there"),
        ([*HELD, *BULGE, "--frame", "hand"], "'hand' is not there"),
        (["--plot", "mode.txt"], "--plot: expected a file ending in"),
    ],
)
def test_what_is_not_understood_is_refused(chorda, arguments, says) -> None:
    answer = chorda("stability", "rfrfr", *arguments)
    assert answer.code == 2
    assert says in " ".join(answer.err.split())


def test_the_command_takes_tensions_and_motor_angles(chorda) -> None:
    system = library.assemble(library.load("neck-3"))
    for option, given in (("--tension", {"tensions": 20.0}), ("--angle", {"angles": -0.3})):
        (value,) = given.values()
        answer = chorda("stability", "neck-3", f"{option}={value}", "--json")
        found = library.stability(library.equilibrium(system, **given))
        assert answer.code == 0
        assert answer.json["stability"]["locked"]["stable"] is found["locked"].stable
        assert answer.json["stability"]["locked"]["eigenvalues"] == pytest.approx(
            found["locked"].eigenvalues.tolist(), rel=1e-6
        )
