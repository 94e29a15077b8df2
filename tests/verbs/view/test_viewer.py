"""The viewer in a browser: it opens, its sliders move the robot, its links carry the state."""

import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from io import BytesIO

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

import chorda
from chorda.errors import InputError
from chorda.view import Viewer
from chorda.view.configurations import configurations
from chorda.view.live.state_link import encoded
from chorda.view.motion_page import WORD_COLORS
from tests.helpers.browser import browser, opened

pytest.importorskip("viser", reason="pip install 'chorda[view]'")
PATIENCE = 60.0  # [s] for what takes a moment, on a busy machine too


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("neck-3"))


@pytest.fixture(scope="module")
def window():
    with browser() as made:
        yield made


@pytest.fixture
def viewing():
    made = []

    def view(*arguments, **more):
        made.append(Viewer(*arguments, **more))
        return made[-1]

    yield view
    for viewer in made:
        viewer.stop()
        assert viewer.failure is None


def until(what, wanted=True):
    """Wait until something has a value."""
    end = time.monotonic() + PATIENCE
    while (found := what()) != wanted and time.monotonic() < end:
        time.sleep(0.05)
    assert found == wanted


def beside(page, label):
    """The input in the row of a label."""
    return page.get_by_text(label, exact=True).locator(
        "xpath=following::input[not(@type='hidden')][1]"
    )


def numbers(text):
    return [float(x) for x in text.split(",")]


def test_a_slider_moves_the_robot_to_the_equilibrium_and_nothing_is_asked_outside(
    neck, window, viewing
):
    rest = chorda.equilibrium(neck, tensions=20.0)
    viewer = viewing(rest)
    with opened(window, viewer.url) as page:
        page.get_by_text("left [N]", exact=True).wait_for()
        until(lambda: beside(page, "end [m]").input_value() != "")
        before = numbers(beside(page, "end [m]").input_value())
        slider = beside(page, "left [N]")
        slider.fill("35")
        slider.press("Enter")
        pulls = {"right1": 20.0, "right2": 20.0, "right3": 20.0, "left": 35.0}
        wanted = chorda.equilibrium(neck, tensions=pulls)
        place = wanted.frame("x3.top")[0]
        until(lambda: np.allclose(numbers(beside(page, "end [m]").input_value()), place, atol=2e-6))
        assert not np.allclose(before, place, atol=1e-4)
        outside = [x for x in page.requests if not x.startswith(("data:", "blob:", viewer.url))]
        assert outside == []
        assert page.errors == []


def test_the_viewer_is_served_to_this_machine_alone(neck, viewing):
    viewer = viewing(chorda.equilibrium(neck, tensions=5.0))
    assert viewer.url.startswith("http://127.0.0.1:")
    port = viewer.server.get_port()
    try:
        own = socket.gethostbyname(socket.gethostname())
    except OSError:
        own = "127.0.0.1"
    if own.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
        socket.create_connection((own, port), timeout=2.0)


def test_a_motion_runs_in_the_page_and_pauses(neck, window, viewing):
    viewer = viewing(chorda.equilibrium(neck, tensions=20.0))
    with opened(window, viewer.url) as page:
        page.get_by_text("end [m]", exact=True).wait_for()
        viewer.put_state({"mode": "in motion", "motion": {"motor-left": -0.05}})
        panel = viewer._panels["in motion"]
        until(lambda: panel.model is not None and panel.model.time > 0.2)
        start = numbers(beside(page, "end [m]").input_value())
        assert panel.model.inputs["motor-left"] == -0.05
        until(lambda: not np.allclose(numbers(beside(page, "end [m]").input_value()), start))
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Play").wait_for()
        assert panel.model.ended == ""
        assert viewer._model.values["tensions"] == dict.fromkeys(viewer._model.tendons, 20.0)
        at = panel.model.time
        page.get_by_role("button", name="Step").click()
        until(lambda: round((panel.model.time - at) / panel.model.step), 1)
        assert page.errors == []


def test_playback_in_the_page_ends_where_the_run_ends(neck, window, viewing):
    run = chorda.simulate(neck, duration=0.4, step=1e-3, initial={"x1": 0.3, "tension": 20.0})
    other = chorda.simulate(neck, duration=0.2, step=1e-3, initial={"x1": -0.3, "tension": 20.0})
    viewer = viewing(run, other)
    with opened(window, viewer.url) as page:
        page.get_by_text("t = 0.4000 s").wait_for(timeout=1e3 * PATIENCE)
        assert page.get_by_role("button", name="Play").count() == 1
        place = run.frame("x3.top")[0][-1]
        until(lambda: np.allclose(numbers(beside(page, "end [m]").input_value()), place, atol=2e-6))
        behind = viewer._nodes["beside"].end
        assert behind == pytest.approx(other.frame("x3.top")[0][-1], abs=1e-9)


def test_a_link_sets_the_sliders_and_shows_the_page(neck, viewing):
    viewer = viewing(neck)
    until(lambda: "?state=" in viewer.link)
    state = {"mode": "at rest", "tensions": dict.fromkeys(viewer._model.tendons, 7.0)}
    with urllib.request.urlopen(f"{viewer._links.address}?state={encoded(state)}") as answer:
        assert answer.geturl() == viewer.url
    until(lambda: viewer._model.values["tensions"] == state["tensions"])
    wanted = chorda.equilibrium(neck, tensions=7.0)
    until(lambda: bool(np.allclose(viewer._model.rest.q, wanted.q, atol=1e-8)))
    until(lambda: encoded(viewer.state) in viewer.link)


@pytest.mark.parametrize(
    "state",
    [
        {"mode": "flying"},
        {"tensions": {"nobody": 1.0}},
        {"hold": {"nothing": 0.0}},
        {"tensions": {"left": "much"}},
        {"tensions": [1]},
        {"at": "end"},
    ],
)
def test_a_link_that_fits_no_robot_is_refused(neck, viewing, state):
    viewer = viewing(chorda.equilibrium(neck, tensions=5.0))
    before = viewer._model.arguments()
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(f"{viewer._links.address}?state={encoded(state)}")
    assert viewer._model.arguments() == before


def test_a_click_on_a_cell_of_a_workspace_picks_it(viewing):
    system = chorda.assemble(chorda.load("rfrfr"))
    bent = {"leg1.bend_z0": -1, "leg2.bend_z0": 1}
    rest = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bent)
    x, y, _ = rest.frame("leg1.tip")[0]
    region = {"leg1.tip.x": (x - 0.05, x + 0.05, 3), "leg1.tip.y": (y - 0.05, y, 2)}
    workspace = chorda.workspace(rest, region, progress=False)
    viewer = viewing(workspace)
    panel = viewer._panels["playback"]
    cells = np.flatnonzero(workspace.reached.ravel())
    places = workspace.points(cells.tolist())
    ends = np.column_stack([places, np.zeros(len(places))])
    for k in (0, len(cells) - 1):
        panel.pick(ends[k] + [0.001, 0, 1.0], np.array([0, 0, -1.0]), ends)
        until(
            lambda k=k: bool(np.allclose(viewer._nodes["playback"].end[:2], places[k], atol=1e-6))
        )
        until(lambda k=k: bool(np.allclose(viewer._mark.position[:2], places[k], atol=1e-6)))


def test_where_there_is_no_equilibrium_the_page_says_so_and_goes_on(neck, window, viewing):
    viewer = viewing(chorda.equilibrium(neck, tensions=5.0))
    with opened(window, viewer.url) as page:
        page.get_by_text("left [N]", exact=True).wait_for()
        viewer._panels["at rest"]._ask("parameters", "x1.stiffness", -1.0)
        page.get_by_text("refused", exact=True).wait_for(timeout=1e3 * PATIENCE)
        page.get_by_role("button", name="Reset").click()
        until(lambda: viewer._model.found)
        page.get_by_text("refused", exact=True).wait_for(state="detached")
        assert page.errors == []


def test_two_pages_show_the_same(neck, window, viewing):
    viewer = viewing(chorda.equilibrium(neck, tensions=5.0))
    with opened(window, viewer.url) as one, opened(window, viewer.url) as other:
        for page in (one, other):
            page.get_by_text("left [N]", exact=True).wait_for()
        for value in ("6", "9", "8", "11"):
            beside(one, "left [N]").fill(value)
        beside(one, "left [N]").press("Enter")
        until(lambda: beside(other, "left [N]").input_value(), "11")
        until(lambda: viewer._model.values["tensions"]["left"], 11.0)
        ends = [beside(page, "end [m]") for page in (one, other)]
        until(lambda: ends[0].input_value() == ends[1].input_value() != "")
        one.get_by_role("button", name="Reset").click()
        until(lambda: [beside(page, "left [N]").input_value() for page in (one, other)], ["5", "5"])


def test_lines_have_the_colour_of_the_key(window, viewing):
    system = chorda.assemble(chorda.load("rfrfr"))
    bent = {"leg1.bend_z0": -1, "leg2.bend_z0": 1}
    rest = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bent)
    path = chorda.follow(rest, hold={"motor1": 2.2}, points=5)
    assert set(configurations(path).stability) == {"stable"}
    viewer = viewing(path)
    with opened(window, viewer.url) as page:
        page.get_by_text("stable", exact=True).first.wait_for()
        wanted = np.array(to_rgb(WORD_COLORS["stable"])) * 255

        def seen():
            picture = np.array(Image.open(BytesIO(page.screenshot())).convert("RGB"), float)
            page_part = picture[200:, :650]  # without the panel and what Chromium lacks
            picture = np.concatenate(
                [page_part.reshape(-1, 3), picture[:200, 330:650].reshape(-1, 3)]
            )
            return int(np.sum(np.abs(picture - wanted).max(axis=1) < 12)) > 40

        until(seen)


def test_the_robot_stays_in_the_page_until_the_one_in_motion_is_ready(neck, window, viewing):
    viewer = viewing(chorda.equilibrium(neck, tensions=20.0))
    with opened(window, viewer.url) as page:
        page.get_by_text("end [m]", exact=True).wait_for()
        until(lambda: "at rest" in viewer._nodes and bool(viewer._nodes["at rest"].meshes))
        panel, ready = viewer._panels["in motion"], threading.Event()
        make = panel._make
        panel._make = lambda: ready.wait(PATIENCE) and make()
        viewer.put_state({"mode": "in motion"})
        page.get_by_text("Getting ready").wait_for()
        assert viewer._nodes["at rest"].meshes
        ready.set()
        until(lambda: bool(viewer._nodes["at rest"].meshes), False)
        assert viewer._nodes["in motion"].meshes


def test_no_time_passes_while_no_page_is_open(neck, window, viewing):
    viewer = viewing(chorda.equilibrium(neck, tensions=20.0))
    viewer.put_state({"mode": "in motion"})
    panel = viewer._panels["in motion"]
    until(lambda: panel.model is not None)
    with opened(window, viewer.url) as page:
        page.get_by_text("of real time").wait_for()
        until(lambda: panel.model.time > 0.1)
    until(lambda: len(viewer.server.get_clients()), 0)
    time.sleep(0.2)
    at = panel.model.time
    time.sleep(0.5)
    assert panel.model.time == at


def test_frames_are_shown_in_motion_too(neck, window, viewing):
    viewer = viewing(chorda.equilibrium(neck, tensions=20.0))
    with opened(window, viewer.url) as page:
        page.get_by_text("end [m]", exact=True).wait_for()
        viewer._show_frames(True)
        viewer.put_state({"mode": "in motion"})
        nodes = viewer._nodes
        until(lambda: "in motion" in nodes and nodes["in motion"]._axes is not None)
        assert all(x.opacity < 1 for x in viewer._nodes["in motion"].meshes)


def test_asked_to_it_is_served_to_other_machines_under_its_name(neck, viewing):
    viewer = viewing(chorda.equilibrium(neck, tensions=5.0), host="0.0.0.0")
    name = socket.gethostname()
    assert viewer.url == f"http://{name}:{viewer.server.get_port()}/"
    until(lambda: viewer.link.startswith(f"http://{name}:") and "state=" in viewer.link)


def test_a_port_that_is_taken_is_passed_over(neck, viewing):
    rest = chorda.equilibrium(neck, tensions=5.0)
    first = viewing(rest)
    second = viewing(rest, port=first.server.get_port())
    assert second.server.get_port() != first.server.get_port()


def test_hostile_names_stay_text(window, viewing):
    robot = chorda.load("neck-1")
    robot = robot.model_copy(update={"name": "<img src=x onerror=alert(1)> [a](javascript:b)"})
    viewer = viewing(chorda.equilibrium(chorda.assemble(robot), tensions=5.0))
    with opened(window, viewer.url) as page:
        page.get_by_text("end [m]", exact=True).wait_for()
        page.get_by_text("<img src=x").first.wait_for()
        assert page.locator("img[src='x']").count() == 0
        assert page.locator("a[href^='javascript']").count() == 0


@pytest.mark.parametrize("name", ["wire-tube", "hand-ball", "neck-obstacle", "till-spatial"])
def test_robots_of_many_kinds_open(window, viewing, name):
    viewer = viewing(chorda.assemble(chorda.load(name)))
    with opened(window, viewer.url) as page:
        page.get_by_text("end [m]", exact=True).wait_for()
        until(lambda: beside(page, "end [m]").input_value() != "")
        assert viewer._model.found
        assert page.errors == []


def test_without_viser_the_extra_is_named(neck, monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(InputError, match=r"chorda\[view\]"):
        Viewer(neck)


def test_a_second_result_must_be_a_run_beside_a_run(neck):
    run = chorda.simulate(neck, duration=0.01, step=1e-3)
    with pytest.raises(InputError, match="beside"):
        Viewer(neck, run)


@pytest.mark.parametrize("host", ["192.0.2.1", "no such name", "x" * 300, "a\0b"])
def test_an_address_that_is_none_of_this_machine_is_refused(neck, host):
    """A server's own thread would end without a word, and the program wait for it."""
    with pytest.raises(InputError, match="host: expected an address of this machine"):
        Viewer(neck, host=host)


@pytest.mark.parametrize("port", [0, -1, 65536, "8080"])
def test_a_port_that_is_none_is_refused(neck, port):
    with pytest.raises(InputError, match="port: expected a number from 1 to 65535"):
        Viewer(neck, port=port)
