"""A page with a robot that moves is one file, and shows what the result has."""

import re

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from chorda.view.configurations import configurations
from chorda.view.drawing import make_drawing
from chorda.view.live.playback_panel import PlaybackPanel, _about
from chorda.view.motion_page import motion_page
from chorda.view.scene import make_scene
from tests.helpers.browser import browser, opened
from tests.helpers.fake_viser import FakeGui

NEAR = 1e-4  # over the robot's size: positions in a page have 65,536 steps


@pytest.fixture(scope="module")
def run(neck):
    return chorda.simulate(neck, duration=0.25, step=1e-3, initial={"x1": 0.4, "tension": 20.0})


@pytest.fixture(scope="module")
def path():
    system = chorda.assemble(chorda.load("rfrfr"))
    bent = {"leg1.bend_z0": -1, "leg2.bend_z0": 1}
    rest = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bent)
    return chorda.follow(rest, hold={"motor1": 2.3}, points=9)


@pytest.fixture(scope="module")
def window():
    with browser() as made:
        yield made


def shown(made, file):
    return opened(made, file.resolve().as_uri())


def wait_for_end(page):
    page.wait_for_selector("body[data-playing='false']", timeout=60_000)


def test_a_page_refers_to_nothing_outside_itself(run):
    text = motion_page(run)
    assert "default-src 'none'" in text
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!data:)""", text)
    assert not re.findall(r"\bfetch\(|XMLHttpRequest|WebSocket|\bimport\b|https?://", text)


def test_a_page_opens_from_disk_without_a_request_and_plays_to_the_end_of_the_run(
    run, tmp_path, window
):
    with shown(window, run.to_html(tmp_path / "run.html")) as page:
        wait_for_end(page)
        assert float(page.evaluate("document.body.dataset.value")) == pytest.approx(0.25)
        assert page.inner_text("#now") == "t = 0.250 s"
        assert page.requests == [(tmp_path / "run.html").resolve().as_uri()]
        assert page.errors == []


def test_the_robot_in_the_page_is_where_the_run_has_it(run, tmp_path, window):
    drawing = make_drawing(run.system, run.position, run.parameters)
    with shown(window, run.to_html(tmp_path / "run.html")) as page:
        wait_for_end(page)
        times = page.evaluate("chorda.times")
        for k in (0, len(times) // 2, len(times) - 1):
            row = int(np.argmin(np.abs(run.time - times[k])))
            tip = page.evaluate(f"chorda.tip({k})")
            assert tip == pytest.approx(drawing.end[row].tolist(), abs=3e-3 * drawing.size)


def test_play_begins_again_and_the_slider_sets_the_time(run, tmp_path, window):
    with shown(window, run.to_html(tmp_path / "run.html")) as page:
        wait_for_end(page)
        assert page.inner_text("#play") == "Again"
        page.select_option("#speed", "0.05")
        page.click("#play")
        assert page.evaluate("document.body.dataset.playing") == "true"
        assert float(page.evaluate("document.body.dataset.value")) < 0.2
        page.fill("#slider", "5")
        assert page.evaluate("document.body.dataset.playing") == "false"
        wanted = page.evaluate("chorda.times[5]")
        assert float(page.evaluate("document.body.dataset.value")) == pytest.approx(wanted)


def test_pixels_of_the_robot_change_when_it_moves(run, tmp_path, window):
    with shown(window, run.to_html(tmp_path / "run.html")) as page:
        wait_for_end(page)
        if page.evaluate("!gl"):
            pytest.skip("this Chromium has no WebGL 2")
        pixels = []
        for k in (0, "1e9"):
            page.evaluate(f"chorda.show({k}); draw(frame)")
            pixels.append(page.screenshot(clip={"x": 0, "y": 70, "width": 500, "height": 560}))
        assert pixels[0] != pixels[1]


def test_pages_of_equilibria_paths_and_workspaces_open_without_an_error(path, tmp_path, window):
    rest = path.at(0)
    place = rest.frame("leg1.tip")[0]
    region = {"leg1.tip.x": (place[0] - 0.02, place[0] + 0.02, 3), "leg1.tip.y": (0.75, 0.79, 3)}
    workspace = chorda.workspace(rest, region, progress=False)
    for result, words in ((rest, 1), (path, len(path)), (workspace, int(workspace.reached.sum()))):
        with shown(window, result.to_html(tmp_path / "page.html")) as page:
            assert page.errors == []
            assert page.evaluate("data.words.length") == words
            assert page.evaluate("data.frames") == words


def test_a_click_on_a_cell_shows_the_robot_there(path, tmp_path, window):
    rest = path.at(0)
    x, y, _ = rest.frame("leg1.tip")[0]
    region = {"leg1.tip.x": (x - 0.1, x + 0.1, 3), "leg1.tip.y": (y - 0.1, y, 2)}
    workspace = chorda.workspace(rest, region, progress=False)
    with shown(window, workspace.to_html(tmp_path / "cells.html")) as page:
        before = page.evaluate("frame")
        other = 0 if before else 1
        at = page.evaluate(f"onScreen(at(places, {other}), look())")
        box = page.locator("#view canvas").bounding_box()
        page.mouse.click(box["x"] + at[0], box["y"] + at[1])
        assert page.evaluate("frame") == other
        assert "leg1.tip.x = " in page.inner_text("#now")


def test_cells_beyond_a_limit_have_another_colour_and_say_so(path):
    rest = path.at(0)
    place = rest.frame("leg1.tip")[0]
    region = {"leg1.tip.x": (place[0] - 0.1, place[0] + 0.1, 5), "leg1.tip.y": (0.7, 0.79, 3)}
    efforts = chorda.workspace(rest, region, progress=False).quantity("motor1.effort")
    limit = {"motor1.effort": float(np.nanmedian(np.abs(efforts)))}
    workspace = chorda.workspace(rest, region, limits=limit, progress=False)
    words = np.array(configurations(workspace).stability)
    allowed = workspace.allowed.ravel()[workspace.reached.ravel()]
    assert 0 < allowed.sum() < len(allowed)
    assert np.array_equal(words == "stable", allowed & workspace.stable()[workspace.reached])
    assert "stable, beyond a limit" in words
    panel = PlaybackPanel(FakeGui(), workspace, lambda: None)
    assert f"{int(workspace.usable.sum())} of 15 are stable and within" in _about(workspace)
    panel.at = float(np.flatnonzero(~allowed)[0])
    assert panel._text().endswith("**: motor1.effort")


def test_long_motions_fit_into_a_few_megabytes(neck):
    long = chorda.simulate(neck, duration=60.0, step=1e-2, initial={"x1": 0.4}, progress=False)
    assert len(motion_page(long)) < 5_000_000


def test_slack_tendons_are_dashed_and_those_that_push_are_not(neck):
    run = chorda.simulate(neck, duration=0.01, step=1e-3)
    two = configurations(run).two_sided
    one = configurations(chorda.simulate(_one_sided(), duration=0.01, step=1e-3)).two_sided
    assert two == (True,) * len(two)
    assert one == (False,) * len(one)


def _one_sided():
    robot = chorda.load("finger-3")
    return chorda.assemble(robot)


def test_hostile_names_stay_text(tmp_path, window):
    robot = chorda.load("neck-1")
    robot = robot.model_copy(update={"name": "</script><img src=x onerror=alert(1)>$data"})
    rest = chorda.equilibrium(chorda.assemble(robot), tensions=10.0)
    with shown(window, rest.to_html(tmp_path / "page.html")) as page:
        assert page.errors == []
        assert page.locator("img").count() == 0
        assert "</script>" in page.inner_text("h1")


def test_a_page_is_a_html_file(run):
    with pytest.raises(InputError, match=r"\.html"):
        run.to_html("run.png")


def test_tubes_are_drawn_where_the_drawing_has_its_points(run):
    c = configurations(run)
    scene = make_scene(c)
    anchors = scene.anchors(c)
    drawing = make_drawing(run.system, run.position, run.parameters)
    bars = [x for x in scene.curves if x.kind == "bar"]
    lines = drawing.lines_of("bar")
    assert len(bars) == len(lines)
    for bar, line in zip(bars, lines, strict=True):
        at = anchors[:, bar.first : bar.first + bar.count]
        assert np.array_equal(at, drawing.points[:, list(line.points)])


@pytest.mark.parametrize("size", [(1100, 700), (420, 800), (1900, 500)])
def test_a_spatial_robot_is_seen_whole_under_perspective(tmp_path, window, size):
    system = chorda.assemble(chorda.load("continuum-2x3"))
    rest = chorda.equilibrium(system, tensions=[3, 1, 1, 2, 1, 1])
    with shown(window, rest.to_html(tmp_path / "page.html")) as page:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        places = page.evaluate(
            "(() => { const L = look(), P = anchorsAt(0), found = [];"
            "for (const x of data.curves) for (let k = 0; k < x.count; k++)"
            "found.push(onScreen(at(P, x.first + k), L).slice(0, 2)"
            ".map((s, i) => s / [L.w, L.h][i])); return found; })()"
        )
        assert np.all(np.abs(np.array(places) - 0.5) < 0.5)
        assert np.ptp(places, axis=0).max() > 0.7, "and it fills the picture"
