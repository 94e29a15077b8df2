"""The reproduction of Recursive: what the paper says, with its numbers and tolerances."""

import numpy as np
import pytest

from chorda.papers.comparison import Verdict
from chorda.papers.recursive.example2 import Case
from chorda.papers.recursive.study import Study

LOW, HIGH = 0.5, 3.5  # [N]: the only numbers that the paper prints


@pytest.fixture(scope="module")
def made(reproduced):
    return reproduced("recursive")


@pytest.fixture(scope="module")
def study():
    return Study()


@pytest.fixture(scope="module")
def one(study):
    return study.example2


def row(made, start):
    (found,) = [x for x in made.rows if x.quantity.startswith(start)]
    return found


@pytest.mark.parametrize(
    ("start", "value", "verdict"),
    [
        ("least tension without O+", pytest.approx(-1.56, abs=0.02), "reproduced"),
        ("least tension with O+", 0, "reproduced"),
        ("difference of both models over", pytest.approx(0.556, abs=0.02), "reproduced"),
        ("time with a slack cable, 0.5 N", pytest.approx(0.69, abs=0.02), "reproduced"),
        ("time with a slack cable, 3.5 N", 0, "reproduced"),
        ("change of the angle with half the stiffness", pytest.approx(2.8e-3, rel=0.05),
         "reproduced"),
        ("change of the angle with half the K_p", pytest.approx(0.089, rel=0.05), "reproduced"),
        ("change of the angle with half the K_v", pytest.approx(2.3e-3, rel=0.05), "reproduced"),
        ("tip stiffness in motion, load 0.01 N: 3.5 N over 0.5 N",
         pytest.approx(1.647, rel=0.01), "reproduced"),
        ("tip stiffness in motion, load 0.01 N: 3.5 N over 1 N",
         pytest.approx(1, abs=1e-6), "differs"),
        ("tip stiffness at rest, load 0.01 N: 3.5 N over 0.5 N",
         pytest.approx(1, abs=1e-6), "differs"),
        ("tip stiffness at rest, load 1 N", pytest.approx(5 / 3, rel=1e-6), "reproduced"),
        ("tip stiffness at rest, both", pytest.approx(562.5, rel=1e-6), "own check"),
        ("largest angle", pytest.approx(0.89, abs=0.005), "not determined"),
        ("angles of links 1-4, by eqs. 27-30 as in the text",
         pytest.approx(0.242, abs=0.005), "differs"),
    ],
)  # fmt: skip
def test_rows_have_these_numbers_and_words(made, start, value, verdict):
    found = row(made, start)
    assert found.value == value
    assert found.verdict == Verdict(verdict)


@pytest.mark.parametrize(
    ("start", "high"),
    [
        ("angle by eq. 31 as printed, with O+, 0.5 N", 1e-4),
        ("angle by eq. 31 as printed, with O+, 3.5 N", 1e-4),
        ("angle by eq. 31 as printed, without O+, 0.5 N", 1e-4),
        ("angle by eq. 31 as printed, without O+, 3.5 N", 1e-4),
        ("angles of links 1-4, by the same", 1e-5),
        ("tensions of all five segments", 1e-9),
        ("force on link1", 1e-9),
        ("force on link2", 1e-9),
        ("force on link3", 1e-9),
        ("force on link4", 1e-9),
        ("tensions of all six runs", 1e-9),
    ],
)
def test_equations_of_the_paper_are_met(made, start, high):
    found = row(made, start)
    assert 0 <= found.value < high
    assert found.verdict is Verdict.REPRODUCED
    assert found.tolerance.high == high


def test_own_checks_are_met(made):
    checks = [x for x in made.rows if x.verdict is Verdict.OWN_CHECK]
    assert len(checks) >= 15
    assert [x.quantity for x in checks if not x.holds] == []


def test_what_was_not_printed_is_chosen_in_the_open(made):
    (chosen,) = [t for t in made.tables if t.title == "What was chosen"]
    helps = {line[0]: line[-1] for line in chosen.rows}
    assert {"link of example 2", "start", "signs of eq. 31", "t24 in eq. 27", "subscripts"} <= {
        key for key, count in helps.items() if count != "-"
    }
    assert row(made, "time with a slack cable, 3.5 N").helped_by == ("link of example 2", "start")


def test_from_rest_or_with_a_heavy_link_3_5_newtons_are_not_enough(made):
    (table,) = [t for t in made.tables if t.title.startswith("Example 2: time with a slack")]
    slack = {line[0]: line[1:] for line in table.rows}
    assert slack["2 kg"][1] == slack["4 kg"][1] == 0
    assert slack["2 kg, from rest"][1] == pytest.approx(1.8, abs=0.2)
    assert slack["8 kg"][1] > 20
    assert slack["1 kg"][0] < 1  # 0.5 N are then enough but for the start


def test_tensions_are_negative_without_the_operator_and_never_with_it(one):
    assert np.min(one.tension(Case(False, LOW))) < -0.5
    for pretension in (LOW, HIGH):
        assert np.min(one.tension(Case(True, pretension))) >= 0


def test_half_a_newton_lets_the_tendons_get_slack_and_3_5_do_not(one):
    late = one.run(Case(True, LOW)).time > 6.0  # not only at the start
    assert np.all(np.any(one.tension(Case(True, LOW))[late] == 0, axis=0))
    assert np.min(one.tension(Case(True, HIGH))) > 0.5


def test_both_models_get_alike_as_one_over_the_stiffness(one):
    gaps = one.differences()
    stiffness = np.array([1e3, 3e3, 1e4, 3e4, 1e5, 3e5])
    slope = np.polyfit(np.log(stiffness[2:]), np.log(gaps[2:]), 1)[0]
    assert slope == pytest.approx(-1.0, abs=0.05)
    assert np.all(np.diff(gaps) < 0)


def test_cables_in_a_second_column_are_soft_enough_to_see_a_difference(one):
    assert one.difference(Case(True, LOW, 20.0), Case(True, HIGH, 20.0)) > 0.05
    assert one.difference(Case(True, LOW), Case(True, HIGH)) < 0.002


def test_at_rest_the_tip_gives_way_as_the_taut_and_slack_cables_have_it(study):
    """Eqs. 31-33 at rest: r3 (t2 - t1) = -load a, and t = 0.5 -+ k (r3 + r1 K_p) angle."""
    k, r3, r1, K_p, a = 2e3, 0.05, 0.02, 20.0, 0.4
    lever, tip = r3 + r1 * K_p, study.tip
    assert tip.slack_load(LOW) == pytest.approx(0.125)
    for load in (0.1, 0.12):
        assert tip.at_rest(LOW, load) == pytest.approx(2 * k * r3 * lever / a**2, rel=1e-9)
    for load in (0.13, 0.5, 2.0):  # one cable is slack, the other has all of the load
        angle = (load * a / r3 - LOW) / (k * lever)
        assert tip.at_rest(LOW, load) == pytest.approx(load / (a * angle), rel=1e-9)


def test_in_motion_the_tip_is_between_one_cable_and_two_until_none_gets_slack(study):
    stiffness = [study.tip.in_motion(T) for T in (0.5, 0.75, 1.0, 2.0)]
    assert 281.25 < stiffness[0] < stiffness[1] < 562
    assert stiffness[2:] == pytest.approx([562.5, 562.5], rel=1e-6)


def test_the_small_load_is_small(study, monkeypatch):
    before = study.tip.in_motion(LOW)
    monkeypatch.setattr("chorda.papers.recursive.pretension.SMALL_LOAD", 0.002)
    assert study.tip.in_motion(LOW) == pytest.approx(before, rel=1e-3)


def test_the_belts_rows_are_the_statements_on_endless_routing(made):
    assert row(made, "largest moment of belt 1").value == pytest.approx(1.5, abs=0.05)
    assert row(made, "least moment of belt 1").value == pytest.approx(-1.47, abs=0.05)
    assert row(made, "least moment of the open-ended").value >= 0
    for k in (1, 2, 3):
        found = row(made, f"time with one run of belt{k}")
        assert found.value > 0.999
        assert found.verdict is Verdict.REPRODUCED


def test_figures_and_a_page_are_written(made):
    numbered = {"figure2.png", "figure10.png", "figure11.png", "figure12.png", "figures13-14.png",
                "figures1b-7-8.png"}  # fmt: skip
    ours = {f"example1-{x}.png" for x in ("motion", "tensions", "reactions")}
    others = {"stiffness.png", "tip-stiffness.png", "belts.png", "index.html"}
    assert {f.name for f in made.files} == numbered | ours | others
