"""Bodies on pictures: solids, and everything that a robot carries is joined to it."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

import chorda
from chorda.describe import Body, Fixed, Placement, RodFrame
from chorda.view.artists import RobotArtists
from chorda.view.drawing import make_drawing
from chorda.view.style import ROLES, TENSION, new_figure
from chorda.view.symbols import around
from chorda.view.tension_look import tension_colors, tension_samples, tension_scale

INERTIA = (1e-4, 1e-4, 1e-4, 0, 0, 0)


def drawn(system, q=None):
    """Artists of a configuration."""
    at = system.start if q is None else np.asarray(q)
    drawing = make_drawing(system, at[None], system.parameter_values)
    ax = new_figure().add_subplot()
    low, high = drawing.bounds
    ax.set(xlim=(low[0] - 0.1, high[0] + 0.1), ylim=(low[1] - 0.1, high[1] + 0.1))
    robot = RobotArtists(ax, drawing)
    robot.show(0)
    return robot


def test_a_payload_beside_a_bar_is_joined_to_it():
    neck = chorda.neck(1)
    body = Body(mass=0.3, inertia=INERTIA)
    at = Placement(position=(0.02, 0.05, 0))
    load = Fixed(name="payload", parent="x1.top", placement=at, body=body)
    system = chorda.assemble(neck.model_copy(update={"joints": (*neck.joints, load)}))
    q = np.where(np.array(system.coordinate_names) == "x1", 0.4, 0.0)
    mount = next(x for x in system.picture.lines if x.kind == "mount")
    drawing = make_drawing(system, q[None], system.parameter_values)
    ends = drawing.points[0, list(mount.points)]
    rest = chorda.equilibrium(system, hold={"x1": 0.4})
    np.testing.assert_allclose(ends[0], rest.frame("x1.top")[0], atol=1e-9)
    np.testing.assert_allclose(ends[1], rest.frame("payload")[0], atol=1e-9)
    assert mount in drawn(system, q).drawn_bars
    assert not [x for x in chorda.assemble(neck).picture.lines if x.kind == "mount"]


def test_a_body_on_a_rod_is_drawn_and_joined_to_it():
    robot = chorda.load("till")
    rod = robot.joints[0]
    body = Body(mass=0.05, center=(0, 0.03, 0.02), inertia=INERTIA)
    sensor = RodFrame(name="sensor", at=0.4 * rod.length, body=body)
    joints = (rod.model_copy(update={"frames": (sensor,)}), *robot.joints[1:])
    system = chorda.assemble(robot.model_copy(update={"joints": joints}))
    mount = next(x for x in system.picture.lines if x.kind == "mount")
    drawing = make_drawing(system, system.start[None], system.parameter_values)
    start, end = drawing.points[0, list(mount.points)]
    assert np.linalg.norm(end - start) == pytest.approx(np.hypot(0.03, 0.02))
    line = next(x for x in system.picture.lines if x.kind == "rod")
    along = drawing.points[0, list(line.points)]
    assert np.min(np.linalg.norm(along - start, axis=1)) < 0.05 * rod.length


def test_a_body_that_holds_several_tendons_is_a_solid_around_them(arm):
    system = chorda.assemble(chorda.load("hand-ball"))
    robot = drawn(system)
    drawing = robot.drawing
    joints = {x.name for x in drawing.lines_of("link")}
    assert joints
    for vertices, rows in zip(
        (path.vertices for path in robot.plates.get_paths()), robot._plates, strict=True
    ):
        for x, y in drawing.projected[0][rows]:  # each point lies well inside
            edge = np.roll(vertices, -1, axis=0) - vertices
            normal = np.column_stack([-edge[:, 1], edge[:, 0]])
            away = np.array([x, y]) - vertices
            length = np.maximum(np.linalg.norm(normal, axis=1), 1e-12)
            inside = np.einsum("ij,ij->i", normal, away) / length
            assert np.min(inside[length > 1e-9]) > 0


def test_an_outline_keeps_its_distance():
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    found = around(square, 0.2)
    np.testing.assert_allclose([found.min(), found.max()], [-0.2, 1.2])
    assert len(around(np.full((3, 2), np.nan), 0.2)) == 0


def test_tendons_that_push_are_neither_grey_nor_in_the_colours_of_tension():
    tension, only_pull = np.array([5.0, -1.0, -1.0, 0.0, np.nan]), np.array([1, 1, 0, 0, 0], bool)
    norm = tension_scale(tension)
    found = tension_colors(tension, norm, only_pull)
    want = [TENSION(1.0), to_rgba(ROLES.slack), to_rgba(ROLES.push), TENSION(0.0)]
    np.testing.assert_allclose(found, [*want, to_rgba(ROLES.slack)])
    words = [x.get_label() for x in tension_samples(tension[:4], only_pull[:4])]
    assert words == ["slack", "pushing"]
    assert not tension_samples(tension[:1], only_pull[:1])
