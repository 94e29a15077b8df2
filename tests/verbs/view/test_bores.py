"""Walls of bores in pictures: as far from the line in their middle as they are, in every view."""

import numpy as np
import pytest

import chorda
from chorda.describe import Body, Bore, Fixed, Free, Placement, Robot
from chorda.view.bores import bore_walls
from chorda.view.drawing import make_drawing

RADIUS, BEND = 0.01, 0.05
CORNERS = ((0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0))


def robot(frame="world", placement=None):
    body = Body(mass=1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    joints = [
        Fixed(name="stand", placement=placement or Placement()),
        Free(name="body", placement=Placement(position=(0.3, 0.1, 0.2)), body=body),
    ]
    bore = Bore(name="tube", frame=frame, points=CORNERS, bend_radius=BEND, radius=RADIUS)
    return chorda.assemble(Robot(name="r", joints=joints, shapes=[bore]))


def drawing_of(system):
    return make_drawing(system, system.rest[None], system.parameter_values)


def sides_of(system):
    """Both walls as they are on the page, and the drawing."""
    drawing = drawing_of(system)
    return bore_walls(drawing), drawing


def middle(drawing, shift=(0.0, 0.0, 0.0)):
    """Many points of the line in the middle of the bore, on the page."""
    s, angle = np.linspace(0, 1, 2001)[:, None], np.linspace(0, np.pi / 2, 2001)[:, None]
    start, end = np.array([[0.05, 0, 0]]), np.array([[0.1, 0.05, 0], [0.1, 0.1, 0]])
    arc = [0.05, BEND, 0] + BEND * np.hstack([np.sin(angle), -np.cos(angle), 0 * angle])
    line = np.vstack([s * start, arc, end[:1] + s * (end[1:] - end[:1])])
    return drawing.project(line + np.array(shift))


@pytest.mark.parametrize("shift", [(0.0, 0.0, 0.0), (0.2, -0.1, 0.3)])
def test_walls_are_a_radius_from_the_line_and_mouths_are_drawn(shift):
    frame = "stand" if any(shift) else "world"
    walls, drawing = sides_of(robot(frame, Placement(position=shift)))
    assert not drawing.planar
    assert len(walls) == 4  # two sides, two mouths
    line = middle(drawing, shift)
    for wall in walls[:2]:
        away = np.linalg.norm(wall[:, None] - line, axis=2).min(axis=1)
        assert away.max() < RADIUS * 1.01
        assert np.median(away) == pytest.approx(RADIUS, rel=0.01)
    ends = drawing.project(np.array(shift) + np.array([CORNERS[0], CORNERS[-1]]))
    for mouth, end in zip(walls[2:], ends, strict=True):
        assert np.linalg.norm(mouth - end, axis=1).max() == pytest.approx(RADIUS, rel=0.01)


def test_pictures_show_them_and_are_large_enough():
    system = chorda.assemble(chorda.load("wire-tube"))
    rest = chorda.equilibrium(system, inputs={"feed": 0.05}, strict=True)
    shown = rest.plot()
    (axes,) = getattr(shown, "figure", shown).axes
    (drawn,) = [x for x in axes.collections if x.get_gid() == "bores"]
    assert len(drawn.get_segments()) == 2
    wide = np.ptp(np.vstack(drawn.get_segments()), axis=0)
    assert wide[0] > 0.1
    assert np.ptp(axes.get_xlim()) > 0.1


def test_a_bore_that_moves_is_left_out():
    assert bore_walls(drawing_of(robot("body"))) == []
