"""What the viewer shows is what the verbs compute: at rest `equilibrium`, in motion `simulate`."""

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

import chorda
from chorda.errors import InputError
from chorda.view.configurations import configurations, picked
from chorda.view.live import motion_panel
from chorda.view.live.first_look import FIELD, first_look
from chorda.view.live.moving_robot import MovingRobot
from chorda.view.live.page_colors import line_colors
from chorda.view.live.playback_panel import PlaybackPanel
from chorda.view.live.resting import HOLD, TENSIONS, Resting
from chorda.view.live.robot_nodes import RobotNodes
from chorda.view.live.sliders import INPUTS, PARAMETERS, Slider, SliderHandle
from chorda.view.live.state_link import decoded, encoded
from chorda.view.live.surfaces import Tubes, dashes, surfaces, tendon_segments
from chorda.view.motion_page import motion_page
from chorda.view.scene import make_scene
from chorda.view.style import ROLES
from chorda.view.tension_look import one_sided, tension_colors, tension_scale
from tests.helpers.fake_viser import FakeGui, FakeServer

STEP = 1e-3


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("neck-3"))


@pytest.fixture(scope="module")
def rest(neck):
    return chorda.equilibrium(neck, tensions=20.0)


def test_tensions_of_sliders_give_the_equilibrium_under_them(neck):
    model = Resting(neck)
    names = model.tendons
    for high in (12.0, 30.0, 5.0):
        pulls = dict.fromkeys(names, 10.0) | {"left": high}
        shown = model.put({TENSIONS: pulls})
        wanted = chorda.equilibrium(neck, tensions=pulls)
        assert shown.q == pytest.approx(wanted.q, abs=1e-8)
        assert shown.stability == wanted.stability


def test_parameters_and_held_joints_are_given_too(neck):
    model = Resting(neck, chorda.equilibrium(neck, tensions=20.0))
    name = next(x for x in neck.parameter_names if x.endswith(".bar_mass"))
    value = 3 * dict(zip(neck.parameter_names, neck.parameter_values, strict=True))[name]
    model.put({PARAMETERS: {name: value}})
    wanted = chorda.equilibrium(neck, tensions=20.0, parameters={name: value})
    assert model.rest.q == pytest.approx(wanted.q, abs=1e-8)
    held = model.put({HOLD: {"x1": 0.2}})
    assert held.position["x1"] == pytest.approx(0.2, abs=1e-10)
    free = model.put({HOLD: {"x1": None}})
    assert free.q == pytest.approx(wanted.q, abs=1e-8)


def test_inputs_take_over_where_tensions_left_off(neck, rest):
    model = Resting(neck, rest)
    model.give(INPUTS)
    assert model.solve().q == pytest.approx(rest.q, abs=1e-7)
    assert model.values[TENSIONS] == {}


def test_where_there_is_no_equilibrium_the_last_one_stays_with_a_message(neck, rest):
    model = Resting(neck, rest)
    before = model.rest
    model.put({PARAMETERS: {"*.stiffness": -1.0}})
    assert model.rest is before
    assert "must not be negative" in model.message


def test_reset_takes_back_what_sliders_gave(neck, rest):
    model = Resting(neck, rest)
    home = dict(model.values[TENSIONS])
    model.put({TENSIONS: {"left": 60.0}, HOLD: {"x1": 0.1}})
    model.reset()
    assert model.values[TENSIONS] == home
    assert model.values[HOLD] == {}
    assert model.put({TENSIONS: {"left": home["left"]}}).q == pytest.approx(rest.q, abs=1e-8)


def test_a_tension_takes_over_from_a_pose_that_was_held(neck):
    held = chorda.equilibrium(neck, poses={"x3.top": {"x": 0.05}}, actuated=["motor-left"])
    model = Resting(neck, held)
    model.put({TENSIONS: {"left": held.tension[-1] + 1.0}})
    assert model.found
    assert model.rest.tension[-1] == pytest.approx(held.tension[-1] + 1.0)
    assert model.rest.tension[:-1] == pytest.approx(held.tension[:-1], abs=1e-6)


def test_a_motion_that_is_prescribed_starts_where_its_joint_is():
    tube = chorda.assemble(chorda.load("wire-tube"))
    assert tube.idle() == {"feed": 0.04}
    model = Resting(tube)
    assert model.found
    assert model.joints == []
    (slider,) = model.sliders(INPUTS)
    assert (slider.low, slider.high, slider.value) == (0.04, 0.25, pytest.approx(0.04))
    assert MovingRobot(tube, push=False).home == {"feed": 0.04}


@pytest.mark.parametrize(
    ("x", "label", "bounds"),
    [
        (Slider(INPUTS, "motor", "N m", -0.01, 0.01, -0.000255), "motor [mN m]", (-10, 10)),
        (Slider(HOLD, "x1", "rad", -np.pi / 2, np.pi / 2, 0.1), "x1 [°]", (-90, 90)),
        (Slider(TENSIONS, "left", "N", 0.0, 50.0, 20.0), "left [N]", (0, 50)),
    ],
)
def test_sliders_show_units_for_people_and_give_si(x, label, bounds):
    made = []

    class Gui(FakeGui):
        def add_slider(self, name, low, high, step, value):
            made.append((name, (low, high)))
            node = FakeGui()
            node.min, node.max, node.value = low, high, value
            return node

    handle = SliderHandle(Gui(), x)
    assert made == [(label, bounds)]
    assert handle.value == pytest.approx(x.value, abs=(x.high - x.low) / 5000)
    handle.value = 3 * x.high
    assert handle.value == pytest.approx(3 * x.high, rel=1e-5)
    assert handle.node.max == handle.node.value


def test_a_tendon_that_pushes_is_green_in_pictures_pages_and_the_viewer(neck):
    run = chorda.simulate(neck, duration=0.2, step=STEP, initial={"x1": 0.4, "tension": 20.0})
    c = configurations(run)
    (row, column), *_ = np.argwhere(c.tension < 0)
    green = tension_colors(c.tension[row], tension_scale(c.tension), one_sided(neck))[column]
    assert to_hex(green) == ROLES.push
    assert f'"push":"{ROLES.push}"' in motion_page(run).replace(": ", ":")
    now = picked(c, np.array([row]))
    nodes = RobotNodes(FakeServer(), make_scene(now), "robot")
    nodes.show(now)
    shades = nodes._tendons.colors[:, 0]
    assert np.any(np.all(shades == line_colors(to_rgb(ROLES.push)), axis=1))
    assert nodes.unusual == (False, True)


def test_the_first_look_shows_everything(neck):
    run = chorda.simulate(neck, duration=0.05, step=STEP, initial={"x1": 0.4})
    scene = make_scene(configurations(run))
    for aspect in (0.5, 1.0, 2.0):
        position, middle = first_look([scene], aspect)
        right, up, near = scene.drawing.axes
        assert np.cross(position - middle, near) == pytest.approx(np.zeros(3), abs=1e-12)
        away = scene.seen - position
        depth = -(away @ near)
        assert np.all(depth > 0)
        half = np.tan(FIELD / 2)
        assert np.all(np.abs(away @ up) < half * depth)
        assert np.all(np.abs(away @ right) < aspect * half * depth)


@pytest.mark.parametrize("push", [False, True])
def test_a_motion_in_pieces_is_that_of_simulate(neck, rest, push):
    model = MovingRobot(rest, step=STEP, push=push)
    name, torque = "motor-left", 1.2 * model.home["motor-left"]
    model.inputs[name] = torque
    for _ in range(5):
        assert model.advance(0.02) == pytest.approx(0.02)
    inputs = dict(zip(neck.given, rest.u.tolist(), strict=False)) | {name: torque}
    run = chorda.simulate(neck, initial=rest, duration=0.1, step=STEP, inputs=inputs)
    assert model.q == pytest.approx(run.position[-1], abs=1e-9)
    assert model.v == pytest.approx(run.velocity[-1], abs=1e-7)
    tension = model.configuration().tension[0]
    assert tension == pytest.approx(run.outputs["tension"][-1], abs=1e-5)


def test_a_hand_pulls_the_end_along_its_way(rest):
    still, pulled = MovingRobot(rest), MovingRobot(rest)
    pulled.pull = np.array([3.0, 0.0, 0.0])
    for model in (still, pulled):
        model.advance(0.1)
    assert (pulled.pulled_point() - still.pulled_point())[0] > 1e-4
    c = pulled.configuration()
    assert c.pushes is not None
    assert c.pushes.forces[0, -1] == pytest.approx([3.0, 0.0, 0.0])


def test_lengths_follow_their_sliders_with_their_rates():
    system = chorda.assemble(chorda.load("till"))
    model = MovingRobot(chorda.equilibrium(system, inputs=0.0), step=5e-3, push=False)
    model.inputs["winch"] = 0.004
    rows = model._rows(200)
    length, rate = rows.T
    assert length[-1] == pytest.approx(0.004, rel=1e-3)
    assert np.max(length) < 0.004 * (1 + 1e-9)
    assert np.diff(length) / 5e-3 == pytest.approx(rate[1:], abs=1e-12)


def test_reset_goes_back_to_the_equilibrium(rest):
    model = MovingRobot(rest, push=False)
    model.inputs["motor-left"] *= 2
    model.advance(0.05)
    model.reset()
    assert model.q == pytest.approx(rest.q, abs=1e-12)
    assert model.inputs == model.home
    assert model.time == 0


def test_parameters_are_changed_in_motion(neck, rest):
    model = MovingRobot(rest, step=STEP)
    name = next(x for x in neck.parameter_names if x.endswith(".bar_mass"))
    heavy = 3 * model.parameters[name]
    assert not [x for x in model.parameters if x.startswith("push")]
    model.advance(0.1)
    assert model.q == pytest.approx(rest.q, abs=1e-9)
    model.change({name: heavy})
    model.advance(0.1)
    inputs = dict(zip(neck.given, rest.u.tolist(), strict=False))
    run = chorda.simulate(
        neck, initial=rest, duration=0.1, step=STEP, inputs=inputs, parameters={name: heavy}
    )
    assert model.q == pytest.approx(run.position[-1], abs=1e-8)
    assert model.configuration().parameters[0, list(model.system.parameter_names).index(name)] == (
        heavy
    )
    with pytest.raises(InputError, match="mass"):
        model.change({name: -1.0})
    assert model.parameters[name] == heavy
    model.reset()
    assert model.parameters[name] == pytest.approx(heavy / 3)


def test_a_motion_that_cannot_go_on_says_why(neck):
    model = MovingRobot(neck, push=False)
    model.inputs = dict.fromkeys(model.inputs, 0.0) | {"motor-left": -50.0}
    for _ in range(50):
        model.advance(0.05)
    assert model.ended
    assert model.advance(0.05) == 0


def test_what_is_held_stays_held_in_motion():
    system = chorda.assemble(chorda.load("rfrfr"))
    bent = {"leg1.bend_z0": -1, "leg2.bend_z0": 1}
    rest = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bent)
    model = MovingRobot(rest, push=False)
    model.advance(0.05)
    assert model.configuration().q[0] == pytest.approx(rest.q, abs=1e-6)
    assert set(model.home) == {"hold-motor1", "hold-motor2"}


def test_corners_of_tubes_are_a_radius_away_from_their_curve(rest):
    c = configurations(rest)
    scene = make_scene(c)
    anchors = scene.anchors(c)[0]
    seen = 0
    for surface in surfaces(scene):
        for part in surface.parts:
            if isinstance(part, Tubes) and part.curves[0].kind == "bar":
                corners = part.corners(anchors).reshape(len(part.curves), -1, 3)
                for curve, own in zip(part.curves, corners, strict=True):
                    a, b = anchors[curve.first], anchors[curve.first + 1]
                    along = (b - a) / np.linalg.norm(b - a)
                    s = np.clip((own - a) @ along, 0, np.linalg.norm(b - a))
                    gap = np.linalg.norm(own - a - s[:, None] * along, axis=1)
                    assert gap.max() == pytest.approx(curve.radii[0], rel=0.01)
                    seen += 1
        assert surface.triangles(anchors).max() == len(surface.corners(anchors)) - 1
    assert seen


def test_slack_tendons_are_dashes_and_taut_ones_whole(rest):
    c = configurations(rest)
    scene = make_scene(c)
    anchors, shades = scene.anchors(c)[0], np.ones((4, 4))
    lengths = []
    for hangs in (np.zeros(4, bool), np.ones(4, bool)):
        lines, colors = tendon_segments(scene, anchors, c.tension[0], shades, hangs)
        assert lines.shape == colors.shape
        lengths.append(np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum())
    assert 0.45 < lengths[1] / lengths[0] < 0.65
    pieces = dashes(np.array([[0.0, 0, 0], [1.0, 0, 0]]), 1.0)
    assert np.all(pieces[1:, 0, 0] > pieces[:-1, 1, 0])


def test_states_are_read_back_and_others_refused():
    state = {"mode": "at rest", "tensions": {"left": 3.5}}
    assert decoded(encoded(state)) == state
    for text in ("nonsense!", encoded({})[:-2] + "%%", "WzFd"):
        with pytest.raises(InputError, match="state"):
            decoded(text)


def test_time_passes_as_fast_as_it_does_outside(monkeypatch):
    monkeypatch.setattr(motion_panel, "PATIENCE", np.inf)
    rod = chorda.assemble(chorda.load("till"))  # its steps of 5 ms fit no picture
    panel = motion_panel.MotionPanel(FakeGui(), lambda: rod, 1.0, lambda: None)
    panel._speed.value, panel._pull.value = 1.0, 10.0
    while panel.model is None:
        panel.tick(0.0)
    for _ in range(60):
        panel.tick(0.0331)
    assert panel.model.time == pytest.approx(60 * 0.0331, abs=1.01 * panel.model.step)


def test_playback_ends_where_the_run_ends(neck):
    run = chorda.simulate(neck, duration=0.3, step=STEP, initial={"x1": 0.2})
    panel = PlaybackPanel(FakeGui(), run, lambda: None)
    panel._speed.value = 1.0
    shown = [panel.tick(0.05) for _ in range(20)]
    last = [c for c in shown if c is not None][-1]
    assert last.at[0] == run.time[-1]
    assert last.q[0] == pytest.approx(run.position[-1])
    assert shown[-1] is None
    panel.toggle()
    assert panel.tick(0.1).at[0] == pytest.approx(0.1)


def test_step_goes_to_the_next_time_that_was_computed(neck):
    run = chorda.simulate(neck, duration=0.01, step=STEP, initial={"x1": 0.2})
    panel = PlaybackPanel(FakeGui(), run, lambda: None)
    panel.step()
    panel.step()
    assert panel.tick(1.0).q[0] == pytest.approx(run.position[2])
