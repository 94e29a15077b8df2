"""The page says what its colours and arrows mean, in newtons."""

import pytest

import chorda
from chorda.view.configurations import configurations
from chorda.view.live import opening
from chorda.view.live.keys import as_html, comparison_rows, robot_key, stability_rows
from chorda.view.live.robot_nodes import RobotNodes
from chorda.view.live.viewer import Viewer
from chorda.view.scene import largest_force, make_scene
from tests.helpers.fake_viser import FakeServer


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("neck-3"))


def test_arrows_have_a_scale_in_newtons_and_say_where_they_end():
    hand = chorda.assemble(chorda.load("hand-ball"))
    c = configurations(chorda.equilibrium(hand, tensions=8.0))
    largest = largest_force(c)
    assert largest > 0.5
    for scale, more in ((2 * largest, False), (largest / 2, True)):
        nodes = RobotNodes(FakeServer(), make_scene(c, scale), "robot")
        nodes.show(c)
        key = robot_key(nodes)
        assert f"longest arrow {scale:.3g} N" in key
        assert ("or more" in key) == more


def test_a_robot_without_forces_has_no_scale_of_them(neck):
    c = configurations(chorda.equilibrium(neck, tensions=8.0))
    nodes = RobotNodes(FakeServer(), make_scene(c), "robot")
    nodes.show(c)
    assert "arrow" not in robot_key(nodes)
    assert "tension 0 to" in robot_key(nodes)


def test_stability_is_that_with_motors_locked():
    assert stability_rows(("stable", "stable"))[0] == "stability, motors locked"
    assert as_html(stability_rows(())) == ""


def test_a_comparison_says_which_is_which_and_that_the_robot_is_another(neck):
    run = chorda.simulate(neck, duration=0.02, step=1e-3)
    longer = chorda.simulate(neck, duration=0.03, step=1e-3)
    assert comparison_rows(run, longer) == [
        "solid: neck-3, to 0.02 s",
        "seen through: neck-3, to 0.03 s",
    ]
    other = chorda.simulate(chorda.assemble(chorda.load("neck-1")), duration=0.02, step=1e-3)
    assert comparison_rows(run, other)[1:] == [
        "seen through: neck-1, to 0.02 s",
        "The one that is seen through is another robot.",
    ]


def test_a_program_prints_where_its_page_is(neck, monkeypatch, capsys):
    pytest.importorskip("viser", reason="pip install 'chorda[view]'")
    monkeypatch.setattr(Viewer, "wait", Viewer.stop)
    monkeypatch.setattr(opening.webbrowser, "open", lambda _: False)
    page = chorda.equilibrium(neck, tensions=5.0).view(wait=True)
    assert capsys.readouterr().out == f"{page.url} shows neck-3; Ctrl-C ends it.\n"
