"""chorda transmission, and the line about slack tendons of chorda simulate."""

import pytest

import chorda as library

SLIDER = """
name: slider
joints: [{kind: prismatic, name: s, axis: [0, 1, 0], body: {mass: 2.0}}]
tendons:
  - name: cable
    path: [{point: [0, 1, 0]}, {frame: s}]
    law: {kind: kelvin-voigt, stiffness: 800, one_sided: true}
"""


def test_the_command_gives_the_verbs_answer(chorda) -> None:
    answer = chorda(
        "transmission", "neck-3", "--set", "x1=0.3", "--torque", "x1=0.2", "--low", "5", "--json"
    )
    system = library.assemble(library.load("neck-3"))
    found = library.transmission(system, {"x1": 0.3})
    assert answer.code == 0
    assert answer.json["B"] == [pytest.approx(row) for row in found.B.tolist()]
    assert answer.json["wrench_closure"] is True
    held = found.distribute({"x1": 0.2}, low=5.0)
    assert answer.json["tension"] == pytest.approx(held.tension)


def test_a_torque_that_cannot_be_held_is_an_error_with_its_sentence(chorda) -> None:
    answer = chorda("transmission", "neck-3", "--torque", "x1=20", "--high", "100")
    assert answer.code == 1
    assert "Joint x1 cannot be held: 20 N m are needed" in answer.err
    assert "Every torque can be held" in answer.out


def test_a_run_tells_of_slack_tendons(chorda, tmp_path) -> None:
    (tmp_path / "slider.yaml").write_text(SLIDER)
    command = ("simulate", "slider.yaml", "--duration", "0.6", "--set", "s.rate=2")
    shown = chorda(*command)
    assert "Events: cable taut at 0.40" in shown.out
    data = chorda(*command, "--json").json["events"]
    assert [e["kind"] for e in data[:2]] == ["taut", "slack"]
    assert "Events" not in chorda("simulate", "neck-3", "--duration", "0.01").out


def test_refusals_name_the_options_of_the_command(chorda) -> None:
    assert "--set: 'mpc' is not there" in chorda("transmission", "finger-2n", "--set", "mpc=1").err
    low = chorda("transmission", "finger-2n", "--low", "nan")
    assert low.code != 0
    assert "low: expected tensions of 0 N or more, got nan" in low.err


def test_belts_are_told_that_pretension_sets_their_sums(chorda) -> None:
    answer = chorda("transmission", "belt-arm", "--torque", "joint2=0.3")
    assert "the sums are those of the pretension" in " ".join(answer.out.split())
    told = chorda("transmission", "belt-arm", "--json").json
    assert told["actuators"] == ["motor1", "motor2"]
    assert told["passive"] == []
