"""plot_configuration: the picture is the robot."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

import chorda
from chorda.errors import InputError
from chorda.view import ROLES, new_figure, plot_configuration
from chorda.view.drawing import make_drawing, world_points
from chorda.view.style import TENSION
from chorda.view.symbols import dashpot, hatch, outline, zigzag
from chorda.view.tension_look import tension_scale

TENSIONS = np.array([10.0, 30.0, 0.0, -2.0])


def tendons(figure):
    return next(c for ax in figure.axes for c in ax.collections if c.get_gid() == "tendons")


@pytest.fixture(scope="module")
def pulling():
    """The neck with tendons that only pull."""
    neck = chorda.neck(3)
    laws = [t.law.model_copy(update={"one_sided": True}) for t in neck.tendons]
    both = zip(neck.tendons, laws, strict=True)
    tendons = tuple(t.model_copy(update={"law": law}) for t, law in both)
    return chorda.assemble(neck.model_copy(update={"tendons": tendons}))


def test_slack_tendons_are_dashed_and_others_are_not(pulling):
    styles = tendons(plot_configuration(pulling, tension=TENSIONS)).get_linestyle()
    assert [dashes is not None for _, dashes in styles] == [False, False, True, True]


def test_tendons_that_may_push_are_never_dashed(neck):
    styles = tendons(plot_configuration(neck, tension=TENSIONS)).get_linestyle()
    assert all(dashes is None for _, dashes in styles)


def test_colours_follow_tension_and_slack_is_grey(pulling):
    found = tendons(plot_configuration(pulling, tension=TENSIONS)).get_color()
    expected = [TENSION(1 / 3), TENSION(1.0), to_rgba(ROLES.slack), to_rgba(ROLES.slack)]
    np.testing.assert_allclose(found, expected)


def test_a_colour_bar_stands_beside_known_tensions_only(neck):
    assert len(plot_configuration(neck, tension=20.0).axes) == 2
    assert len(plot_configuration(neck).axes) == 1


def test_tendons_are_drawn_where_the_system_says(neck):
    q = np.zeros(neck.nq)
    q[:3] = 0.3, -0.2, 0.1
    segments = tendons(plot_configuration(neck, q)).get_segments()
    points = neck.drawing(q, neck.parameters()).full().T
    lines = [line for line in neck.picture.lines if line.kind == "tendon"]
    for segment, line in zip(segments, lines, strict=True):
        np.testing.assert_allclose(segment, points[list(line.points), :2])


def test_coordinates_tensions_and_parameters_go_by_name(pulling):
    longer = plot_configuration(
        pulling, {"x1": 0.2}, {"*.diagonal_length": 0.12}, {"right1": 10.0, "left": 5.0}
    )
    ends = np.vstack(tendons(longer).get_segments())
    assert ends[:, 1].max() > 1.1 * 3 * np.sqrt(0.1**2 - 0.05**2)
    assert [dashes is None for _, dashes in tendons(longer).get_linestyle()] == [
        True,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"q": [0.1, 0.2]}, "q: expected 7 numbers"),
        ({"q": {"x9": 0.1}}, "q: 'x9' is not there"),
        ({"q": {"x1": np.nan}}, "q: 'x1' must be a finite number"),
        ({"tension": [1.0]}, "tension: expected 4 numbers"),
        ({"parameters": {"mass": 1.0}}, "parameters: 'mass' is not there"),
    ],
)
def test_wrong_arguments_are_named(neck, arguments, message):
    with pytest.raises(InputError, match=message):
        plot_configuration(neck, **arguments)


def test_planar_robots_are_seen_from_the_front_and_spatial_ones_from_above(neck, arm, cart, ball):
    seen = {s.robot.name: make_drawing(s, s.rest[None], s.parameters()) for s in (neck, cart)}
    assert all(drawing.planar for drawing in seen.values())
    for system in (arm, ball):
        drawing = make_drawing(system, system.rest[None], system.parameters())
        assert not drawing.planar
        np.testing.assert_allclose(drawing.axes @ drawing.axes.T, np.eye(3), atol=1e-12)
        assert drawing.project(drawing.up)[1] > 0.9  # up is up
        assert drawing.axes[2] @ drawing.up > 0.2  # from above


def test_a_robot_that_happens_to_lie_in_the_plane_is_still_spatial(ball):
    assert not make_drawing(ball, ball.rest[None], ball.parameters()).planar


@pytest.mark.parametrize("name", ["neck", "arm", "cart", "ball"])
def test_every_kind_of_robot_is_drawn(name, request, tmp_path):
    system = request.getfixturevalue(name)
    figure = plot_configuration(system, path=tmp_path / "robot.png")
    assert (tmp_path / "robot.png").read_bytes().startswith(b"\x89PNG")
    ax = figure.axes[0]
    lines = [s for c in ax.collections if hasattr(c, "get_segments") for s in c.get_segments()]
    lines += [line.get_xydata() for line in ax.lines]
    drawn = np.vstack([x for x in lines if len(x)])
    view = make_drawing(system, system.rest[None], system.parameters())
    points = view.project(system.drawing(system.rest, system.parameters()).full().T)
    for line in system.picture.lines:
        for end in points[[line.points[0], line.points[-1]]]:
            assert np.min(np.linalg.norm(drawn - end, axis=1)) < 1e-9, line


@pytest.mark.parametrize("joints", [1, 12])
def test_short_and_long_necks_are_drawn(joints, tmp_path):
    system = chorda.assemble(chorda.load(f"neck-{joints}"))
    figure = plot_configuration(system, tension=10.0, path=tmp_path / "neck.png")
    segments = tendons(figure).get_segments()
    assert len(segments) == joints + 1
    low, high = figure.axes[0].get_ylim()
    heights = np.vstack(segments)[:, 1]
    assert low < heights.min()
    assert high > heights.max() == pytest.approx(joints * np.sqrt(0.1**2 - 0.05**2))


def test_several_pictures_share_a_figure(neck, arm):
    figure = new_figure(6, 3)
    left, right = figure.subplots(1, 2)
    assert plot_configuration(neck, ax=left) is figure
    assert plot_configuration(arm, ax=right) is figure
    assert figure.axes == [left, right]
    counts = [len(c.get_segments()) for ax in (left, right) for c in ax.collections
              if c.get_gid() == "tendons"]  # fmt: skip
    assert counts == [4, 1]


def test_the_ground_is_below_a_neck_and_above_a_hanging_pendulum(neck):
    from chorda.describe import Body, Placement, Revolute, Robot
    from chorda.view.surroundings import make_surroundings

    body = Body(mass=1.0, center=(0.1, 0, 0), inertia=(0, 1e-3, 1e-3, 0, 0, 0))
    joint = Revolute(name="j", body=body, placement=Placement(angle=-np.pi / 2))
    hanging = chorda.assemble(Robot(name="pendulum", joints=(joint,)))
    for system, side in ((neck, -1), (hanging, 1)):
        drawing = make_drawing(system, system.rest[None], system.parameters())
        heights = np.vstack(make_surroundings(drawing).strokes)[:, 1] * side
        assert heights.min() >= 0
        assert heights.max() > 0


def test_one_peak_of_tension_does_not_wash_out_the_rest():
    tension = np.full(1000, 20.0)
    tension[3] = 500.0
    assert tension_scale(tension).vmax == pytest.approx(20.0)
    assert tension_scale(np.array([np.nan, -1.0])).vmax == 1.0


def test_points_of_many_configurations_are_those_of_each(arm):
    q = np.random.default_rng(0).uniform(-1, 1, (5, arm.nq))
    p = arm.parameters()
    together = world_points(arm, q, p)
    for k in range(5):
        np.testing.assert_allclose(together[k], arm.drawing(q[k], p).full().T, atol=1e-15)


def test_symbols_begin_and_end_at_their_points():
    a, b = np.array([0.1, 0.2]), np.array([-0.3, 0.5])
    for draw in (zigzag, dashpot):
        shape = draw(a, b, 0.05)
        np.testing.assert_allclose(shape[[0, -1]], [a, b])
        assert np.all(np.isfinite(draw(a, a, 0.05)[[0, -1]]))
    edge, *strokes = hatch(a, b, 0.02)
    np.testing.assert_allclose(edge, [a, b])
    assert len(strokes) >= 4


def test_the_outline_of_a_square_is_its_corners():
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
    inside = np.random.default_rng(0).uniform(0.1, 0.9, (20, 2))
    found = outline(np.vstack([inside, corners]))
    assert {tuple(x) for x in found} == {tuple(x) for x in corners}
