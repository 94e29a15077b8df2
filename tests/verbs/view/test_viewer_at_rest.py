"""At rest the page says what was found and what takes long, and the robot stays in the picture."""

from types import SimpleNamespace

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from chorda.view.configurations import configurations
from chorda.view.live import rest_panel
from chorda.view.live.first_look import FIELD, WIDER_MARGIN, fit, is_outside
from chorda.view.live.rest_panel import RestPanel
from chorda.view.live.resting import NOT_FOUND, REFUSED, TENSIONS, Resting
from chorda.view.live.slider_pages import SliderPages
from chorda.view.live.sliders import PARAMETERS, Slider, SliderHandle, input_sliders
from chorda.view.scene import make_scene
from tests.helpers.fake_viser import FakeGui


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("neck-3"))


def test_what_an_equilibrium_finds_from_anywhere_is_found_at_rest_too():
    hand = chorda.assemble(chorda.load("hand-ball"))
    model = Resting(hand)
    words = []
    for name in model.tendons:  # one finger alone throws the ball out
        model.put({TENSIONS: {name: 8.0}})
        words.append((model.found, model.word))
    assert words[0] == (False, NOT_FOUND)
    assert words[-1] == (True, "stable")
    wanted = chorda.equilibrium(hand, tensions=8.0)
    assert model.rest.frame("ball")[0] == pytest.approx(wanted.frame("ball")[0], abs=1e-6)


def test_a_value_that_is_refused_is_no_equilibrium_that_was_not_found(neck):
    model = Resting(neck, chorda.equilibrium(neck, tensions=20.0))
    model.put({PARAMETERS: {"x1.stiffness": -1.0}})
    assert (model.found, model.word) == (False, REFUSED)
    with pytest.raises(InputError, match="stiffness"):
        chorda.equilibrium(neck, tensions=20.0, parameters={"x1.stiffness": -1.0})


def test_the_page_says_that_it_is_getting_ready_before_the_first_equilibrium_of_a_kind(
    neck, monkeypatch
):
    seen = []
    panel = RestPanel(FakeGui(), Resting(neck), lambda: None)
    monkeypatch.setattr(rest_panel.clock, "sleep", lambda _: seen.append(panel.text.content))
    panel.tick(0.0)
    for high in (30.0, 31.0):
        panel._ask(TENSIONS, "left", high)
        panel._took = 0.0
        panel.tick(0.0)
        assert "stable" in panel.text.content
    assert seen == [rest_panel.PREPARING]
    panel._took = 2 * rest_panel.LONG
    panel._ask(TENSIONS, "left", 32.0)
    panel.tick(0.0)
    assert seen[1:] == [rest_panel.SEARCHING]


@pytest.mark.parametrize("aspect", [0.6, 1.0, 1.8])
def test_a_robot_that_left_the_picture_is_seen_whole_again_from_the_same_side(neck, aspect):
    rest = chorda.equilibrium(neck, tensions=20.0)
    seen = make_scene(configurations(rest)).seen
    camera = SimpleNamespace(
        position=np.array([0.1, 0.3, 1.5]),
        look_at=np.array([0.1, 0.2, 0.0]),
        up_direction=np.array([0.0, 1.0, 0.0]),
        fov=FIELD,
        aspect=aspect,
        image_height=700,
    )
    way = camera.position - camera.look_at
    moved = seen + np.array([1.5, 0.0, 0.0])
    assert not is_outside(camera, seen)
    assert is_outside(camera, moved)
    fit(camera, moved, 0.3, WIDER_MARGIN)
    assert not is_outside(camera, moved)
    now = camera.position - camera.look_at
    assert np.cross(now, way) == pytest.approx(np.zeros(3), abs=1e-9)


def test_sliders_show_few_digits_and_keep_what_was_typed():
    handle = SliderHandle(FakeGui(), Slider("inputs", "winch", "m", -0.1, 0.1, -0.0199361234))
    assert handle.node.value == -19.94
    handle.node.value = 12.34567
    handle.value = 0.01234567
    assert handle.node.value == 12.34567
    handle.value = 0.05
    assert handle.node.value == 50.0


def test_no_slider_of_a_robot_with_many_tendons_is_left_out():
    names = [f"t{k}" for k in range(75)]
    moved = []
    pages = SliderPages(
        FakeGui(),
        FakeGui(),
        lambda: [Slider(TENSIONS, x, "N", 0.0, 10.0, 1.0) for x in names],
        lambda x, value: moved.append((x.name, value)),
    )
    seen = list(pages.handles)
    for label in list(pages._pages)[1:]:
        pages._choice.value = label
        pages.turn()
        seen += pages.handles
    assert seen == names
    assert label == "t50 to t74"
    pages.handles["t74"].node.value = 3.0
    pages.handles["t74"].node.act(SimpleNamespace(client=1))
    assert moved == [("t74", 3.0)]


def test_a_tendon_that_pushes_has_a_slider_below_zero(neck):
    rest = chorda.equilibrium(neck, tensions=-3.0)
    model = Resting(neck, rest)
    assert [(x.low, x.value) for x in model.sliders(TENSIONS)] == [(-20.0, -3.0)] * 4
    model.put({TENSIONS: {"left": -2.0}})
    assert model.rest.tension == pytest.approx([-3.0, -3.0, -3.0, -2.0])


def test_an_input_that_is_rounding_has_a_slider_of_a_usual_range(neck):
    value, small = (input_sliders(neck, {"motor-left": x})[0] for x in (-0.02, -3e-13))
    assert (value.low, value.high, value.value) == (-0.2, 0.2, -0.02)
    assert (small.low, small.high, small.value) == (-0.4, 0.4, 0.0)
