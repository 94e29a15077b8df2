"""Bores are drawn as tubes that can be seen through, in pictures, pages and exported shapes."""

import numpy as np
import pytest

import chorda
from chorda.describe import Bore
from chorda.describe.bent_lines import bent_line
from chorda.view import export_shape, plot_configuration
from chorda.view.bores import WALL, band, sampled
from chorda.view.configurations import configurations
from chorda.view.drawing import make_drawing
from chorda.view.scene import make_scene
from tests.helpers.browser import browser, opened

RADIUS = 0.0025  # of wire-tube
CORNERS, BEND = ((0, 0, 0), (0.12, 0, 0), (0.12, 0.14, 0)), 0.08


@pytest.fixture(scope="module")
def tube():
    return chorda.assemble(chorda.load("wire-tube"))


@pytest.fixture(scope="module")
def run(tube):
    return chorda.simulate(
        tube,
        duration=0.8,
        step=4e-3,
        inputs=lambda t: [0.04 + 0.04 * t, 0.0],
        initial={"wire.length.rate": 0.04},
        progress=False,
    )


@pytest.fixture(scope="module")
def carried():
    """A bore that a joint carries."""
    robot = chorda.load("neck-1")
    bore = Bore(name="pipe", frame="x1.top", points=((0, 0, 0), (0, 0.05, 0)), radius=0.004)
    return chorda.assemble(robot.model_copy(update={"shapes": (bore,)}))


def test_points_of_a_bent_line_lie_on_its_arcs():
    line = sampled(bent_line(CORNERS, BEND))
    centre = np.array([0.12 - BEND, BEND, 0])
    bent = (line[:, 0] > centre[0] - 1e-12) & (line[:, 1] < centre[1] + 1e-12)
    assert np.linalg.norm(line[bent] - centre, axis=1) == pytest.approx(BEND)
    length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    assert length == pytest.approx(0.04 + BEND * np.pi / 2 + 0.06, rel=1e-3)


def test_the_inner_wall_has_the_radius_of_the_bore_and_faces_look_outwards(tube):
    drawing = make_drawing(tube, tube.rest[None], tube.parameter_values)
    mesh = drawing.bores[0].mesh((0, 0, 0, 1))
    line = sampled(bent_line(CORNERS, BEND))
    away = np.linalg.norm(mesh.corners[:, None] - line, axis=2).min(axis=1)
    near = [np.isclose(away, r, rtol=1e-9) for r in (RADIUS, (1 + WALL) * RADIUS)]
    assert near[0].any()
    assert np.all(near[0] | near[1])
    a, b, c = (mesh.corners[mesh.triangles[:, k]] for k in range(3))
    outward = np.cross(b - a, c - a)
    assert np.all(np.sum(outward * mesh.normals[mesh.triangles[:, 0]], axis=1) > 0)


def test_a_band_on_the_page_is_two_radii_wide():
    outline = band(np.array([[0.0, 0], [1, 0], [2, 0]]), 0.1)
    assert np.ptp(outline, axis=0) == pytest.approx([2, 0.2])
    assert len(band(np.zeros((3, 2)), 0.1)) == 0


def test_a_picture_shows_all_of_the_tube_around_a_short_wire(tube):
    figure = plot_configuration(tube)
    ax = figure.axes[0]
    (drawn,) = [x for x in ax.collections if x.get_gid() == "bores"]
    corners = drawn.get_paths()[0].vertices
    low, high = corners.min(axis=0), corners.max(axis=0)
    assert low == pytest.approx([0, -RADIUS], abs=1e-9)
    assert high == pytest.approx([0.12 + RADIUS, 0.14], abs=1e-9)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert left < low[0] < high[0] < right
    assert bottom < low[1] < high[1] < top


def test_a_bore_moves_with_its_frame(carried):
    q = np.array([carried.rest, carried.rest + 0.2])
    drawing = make_drawing(carried, q, carried.parameter_values)
    (bore,) = drawing.bores
    assert not bore.fixed
    assert np.linalg.norm(bore.line(1)[-1] - bore.line(0)[-1]) > 0.01
    moved = drawing.moved(q[1:], np.tile(carried.parameter_values, (1, 1)))
    assert moved.bores[0].line(0) == pytest.approx(bore.line(1))
    plot_configuration(carried)


def test_a_robot_on_a_table_is_seen_from_above_upright(tube):
    drawing = make_drawing(tube, tube.rest[None], tube.parameter_values)
    assert drawing.planar
    assert drawing.up.tolist() == [0, 1, 0]


def test_points_that_touch_nothing_do_not_stretch_a_page(run):
    c = configurations(run)
    scene = make_scene(c)
    anchors = scene.anchors(c)
    assert np.abs(anchors).max() < 10 * scene.drawing.size


def test_exported_shapes_have_the_tube(run, tmp_path):
    text = export_shape(run, tmp_path / "wire.obj").read_text(encoding="utf-8")
    assert "o tube" in text
    corners = np.array([x.split()[1:4] for x in text.splitlines() if x.startswith("v ")], float)
    assert corners.max() == pytest.approx(0.14, rel=0.02)


def test_the_tube_in_a_page_can_be_seen_through(run, tmp_path):
    file = run.to_html(tmp_path / "wire.html")
    with browser() as made, opened(made, file.resolve().as_uri()) as page:
        page.wait_for_selector("body[data-playing='false']", timeout=60_000)
        if page.evaluate("!gl"):
            pytest.skip("this Chromium has no WebGL 2")
        shade = page.evaluate(
            """() => { draw(frame);
            const L = look(), s = onScreen([0.12, 0.13, 0], L), pixel = new Uint8Array(4);
            const r = canvas.width / canvas.clientWidth;
            gl.readPixels(Math.round(s[0] * r), Math.round(canvas.height - s[1] * r), 1, 1,
              gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            return Array.from(pixel); }"""
        )
        assert shade[3] == 255
        assert 120 < shade[0] < 235
        assert shade[0] < shade[2]
        assert page.errors == []
