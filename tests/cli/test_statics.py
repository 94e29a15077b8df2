"""chorda equilibrium and chorda step-limits."""

from pathlib import Path

import pytest

import chorda as library

BENT = {"left": 30.0, "right1": 10.0, "right2": 12.0, "right3": 14.0}


def neck():
    return library.assemble(library.load("neck-3"))


@pytest.mark.parametrize(
    ("option", "text", "verb"),
    [
        ("--tension", "20", {"tensions": 20.0}),
        ("--tension", "10,12,14,30", {"tensions": [10.0, 12.0, 14.0, 30.0]}),
        ("--tension", "left=30,right1=10,right2=12,right3=14", {"tensions": BENT}),
        ("--torque", "-0.016,-0.016,-0.016,-0.02", {"torques": [-0.016, -0.016, -0.016, -0.02]}),
        ("--angle", "-0.3,-0.3,-0.3,-1", {"angles": [-0.3, -0.3, -0.3, -1.0]}),
    ],
)
def test_the_command_gives_the_verbs_equilibrium(chorda, option: str, text: str, verb) -> None:
    answer = chorda("equilibrium", "neck-3", option, text, "--json")
    found = library.equilibrium(neck(), **verb)
    assert answer.code == 0
    assert answer.json["position"] == pytest.approx(found.position)
    assert answer.json["stable"] is found.stable
    assert list(answer.json["tension"].values()) == pytest.approx(found.tension)


def test_values_by_name_may_be_repeated(chorda) -> None:
    texts = [f"{name}={value}" for name, value in BENT.items()]
    together = chorda("equilibrium", "neck-3", "--tension", ",".join(texts), "--json")
    apart = [word for text in texts for word in ("--tension", text)]
    assert together.json == chorda("equilibrium", "neck-3", *apart, "--json").json


def test_people_read_degrees_and_units(chorda) -> None:
    out = chorda("equilibrium", "neck-3", "--tension", "10,12,14,30").out
    assert "deg)" in out
    assert "30 N" in out
    assert "N m" in out


def test_an_equilibrium_is_drawn(chorda) -> None:
    assert chorda("equilibrium", "neck-3", "--tension", "20", "--picture", "p.svg").code == 0
    assert "<svg" in Path("p.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--tension", "20", "--torque", "1"], "expected values by name where several are given"),
        (["--tension", "20,30"], "expected 4 values"),
        (["--tension", "up=30"], "'up' is not there"),
        (["--tension", "left=30,20"], "expected NAME=VALUE, got '20'"),
        (["--tension", "x"], "--tension: expected a number, got 'x'"),
        (["--angle", "1", "--tendons", "rigid"], "no motor coordinates"),
    ],
)
def test_wrong_values_are_refused_in_one_sentence(chorda, arguments, says: str) -> None:
    answer = chorda("equilibrium", "neck-3", *arguments)
    assert answer.code == 2
    assert says in " ".join(answer.err.split())


def test_a_result_without_equilibrium_exits_with_1(chorda) -> None:
    answer = chorda("equilibrium", "neck-3", "--torque", "motor-left=-5", "--json")
    found = library.equilibrium(neck(), torques={"motor-left": -5.0})
    assert answer.code == 1
    assert answer.json["status"]["ok"] is found.status.ok is False
    assert answer.json["status"]["message"] == found.status.message


def test_step_limits_are_the_verbs(chorda) -> None:
    answer = chorda("step-limits", "neck-3", "--tension", "20", "--json")
    system = neck()
    found = library.step_limits(system, initial=library.equilibrium(system, tensions=20.0))
    steps = {row["scheme"]: row["step"] for row in answer.json["limits"]}
    assert steps["explicit-euler"] == pytest.approx(found.limits["explicit-euler"].step)
    assert steps["bdf2"] == "inf"
    assert answer.json["suggestion"]["scheme"] == found.scheme


def test_step_limits_print_milliseconds_and_a_suggestion(chorda) -> None:
    out = chorda("step-limits", "neck-3", "--tendons", "rigid").out
    assert " ms" in out
    assert "Suggested: scheme=" in out


def test_step_limits_of_a_finger_in_the_air_name_its_contacts_and_take_a_configuration(
    chorda,
) -> None:
    out = " ".join(chorda("step-limits", "finger-grasp").out.split())
    assert "finger-grasp, elastic tendons, at its start" in out
    assert "at rest" not in out
    assert "limit where open contacts press" in out
    assert "Shapes that do not touch at this configuration: grasp." in out
    answer = chorda("step-limits", "finger-grasp", "--set", "joint1=0.3", "--json")
    system = library.assemble(library.load("finger-grasp"))
    found = library.step_limits(system, initial={"joint1": 0.3})
    assert answer.json["open_contacts"] == list(found.open_contacts)
    steps = {row["scheme"]: row["step"] for row in answer.json["limits_pressing"]}
    assert steps["rk4"] == pytest.approx(found.pressing["rk4"].step)
