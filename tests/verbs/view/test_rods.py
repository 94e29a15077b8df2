"""Rods in pictures: smooth curves, disks, tendons in sheaths, tips over time."""

import math

import numpy as np
import pytest

import chorda
from chorda.describe import Circle, Disk, Modes, Robot, Rod, Sheath, Tendon, TensionActuator
from chorda.mechanics.posing import frame_poses
from chorda.view import plot_configuration, plot_run
from chorda.view.curves import smooth
from chorda.view.drawing import make_drawing
from chorda.view.strain_names import strain_of

L, OFFSET = 0.3, 0.01


@pytest.fixture(scope="session")
def planar_rod():
    rod = Rod(
        name="spine",
        length=L,
        section=Circle(radius=0.001),
        young_modulus=6e10,
        density=6450.0,
        bend_damping=1e-4,
        modes=Modes(twist=0, bend_y=0, bend_z=2, stretch=0, intervals=6),
        disks=(Disk(name="middle", at=L / 2, radius=0.012), Disk(name="end", at=L, radius=0.012)),
    )
    tendon = Tendon(name="cable", sheaths=(Sheath(rod="spine", y=OFFSET),), actuator="pull")
    actuators = (TensionActuator(name="pull"),)
    return chorda.assemble(Robot(name="rod", joints=(rod,), actuators=actuators, tendons=(tendon,)))


@pytest.fixture(scope="session")
def till():
    return chorda.assemble(chorda.load("till"))


@pytest.fixture(scope="session")
def helical():
    return chorda.assemble(chorda.load("helical"))


def by_gid(figure, gid):
    return next(c for ax in figure.axes for c in ax.collections if c.get_gid() == gid)


def test_a_smooth_curve_goes_through_its_points_and_along_a_circle():
    a = np.array([0, 0.2, 0.5, 0.6, 1.0, 1.3])
    circle = np.column_stack([np.cos(a), np.sin(a)])
    curve = smooth(circle, 4)
    np.testing.assert_allclose(curve[::4], circle, atol=1e-12)
    assert np.max(np.abs(np.linalg.norm(curve, axis=1) - 1)) < 2e-3


def test_a_curve_with_repeated_or_missing_points_is_no_accident():
    twice = np.array([[0.0, 0], [0, 0], [1, 0], [2, 0]])
    assert np.isfinite(smooth(twice)).all()
    lost = np.array([[0.0, 0], [np.nan, 0], [2, 0]])
    assert smooth(lost) is lost


def test_frames_of_a_constantly_bent_rod_lie_on_its_circle(planar_rod):
    k = 4.0  # [rad/m]
    q = np.array([[k, 0.0]])
    R, p = frame_poses(planar_rod, ["spine.tip", "spine.base"], q, planar_rod.parameter_values)
    angle = k * L
    np.testing.assert_allclose(p[0, 0], [math.sin(angle) / k, (1 - math.cos(angle)) / k, 0])
    np.testing.assert_allclose(R[0, 0][:, 0], [math.cos(angle), math.sin(angle), 0], atol=1e-12)
    np.testing.assert_allclose(R[0, 1], np.eye(3))


def test_frames_agree_with_the_drawing_of_a_spatial_rod(helical):
    q = np.random.default_rng(2).uniform(-1, 1, (3, helical.nq))
    R, p = frame_poses(helical, ["rod.tip"], q, helical.parameter_values)
    tip = next(x for x in helical.picture.lines if x.kind == "rod").points[-1]
    for k in range(3):
        drawn = helical.drawing(q[k], helical.parameter_values).full()[:, tip]
        np.testing.assert_allclose(p[k, 0], drawn, atol=1e-14)
        np.testing.assert_allclose(R[k, 0] @ R[k, 0].T, np.eye(3), atol=1e-12)
        assert np.linalg.det(R[k, 0]) == pytest.approx(1)


def test_a_rod_in_the_x_z_plane_is_drawn_there_with_the_sky_above(till):
    drawing = make_drawing(till, till.rest[None], till.parameter_values)
    assert drawing.planar
    np.testing.assert_allclose(drawing.axes, [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    assert np.linalg.det(drawing.axes) == pytest.approx(1)


def test_planes_of_other_robots_stay_as_they_were(planar_rod, helical):
    flat = make_drawing(planar_rod, planar_rod.rest[None], planar_rod.parameter_values)
    assert flat.planar
    np.testing.assert_array_equal(flat.axes, np.eye(3))
    assert not make_drawing(helical, helical.rest[None], helical.parameter_values).planar


def test_a_tendon_is_drawn_from_the_base_to_where_it_is_attached(planar_rod):
    figure = plot_configuration(planar_rod, tension=1.0)
    (way,) = by_gid(figure, "tendons").get_segments()
    np.testing.assert_allclose(way[[0, -1]], [[0, OFFSET], [L, OFFSET]], atol=1e-12)


def test_the_drawn_tendon_is_as_long_as_the_system_says(planar_rod):
    q = np.array([4.0, 1.0])
    (way,) = by_gid(plot_configuration(planar_rod, q), "tendons").get_segments()
    drawn = np.linalg.norm(np.diff(way, axis=0), axis=1).sum()
    run = chorda.simulate(planar_rod, duration=1e-3, step=1e-3, initial=q, inputs=0.0)
    assert drawn == pytest.approx(run.outputs["length"][0, 0], rel=1e-3)


def test_every_disk_is_a_filled_patch_at_its_place(helical):
    disks = by_gid(plot_configuration(helical), "disks")
    assert len(disks.get_paths()) == len(helical.robot.joints[0].disks)
    assert 0 < disks.get_facecolor()[0, 3] < 1


def test_strains_are_told_from_other_coordinates(till, planar_rod):
    assert strain_of(planar_rod) == {"spine.bend_z0": "bend_z", "spine.bend_z1": "bend_z"}
    assert set(strain_of(till)) == set(till.coordinate_names)
    neck = chorda.assemble(chorda.neck(1))
    assert strain_of(neck) == {}


def test_a_run_shows_the_tip_and_names_the_strains(planar_rod):
    run = chorda.simulate(planar_rod, duration=0.02, step=5e-3, scheme="bdf2", inputs=2.0)
    figure = plot_run(run).figure
    panels = {ax.get_ylabel(): ax for ax in figure.axes if ax.get_ylabel()}
    assert list(panels)[:2] == ["position of the tip [mm]", "bend [rad/m]"]
    lines = {x.get_label(): x.get_ydata() for x in panels["position of the tip [mm]"].get_lines()}
    _, p = frame_poses(planar_rod, ["spine.tip"], run.position, run.parameters)
    np.testing.assert_allclose(lines["spine.tip y"], 1e3 * p[:, 0, 1])
    assert "spine.tip z" not in lines  # it never moves there


def test_an_animation_of_a_rod_is_written(planar_rod, tmp_path):
    run = chorda.simulate(planar_rod, duration=0.1, step=5e-3, scheme="bdf2", inputs=2.0)
    assert run.animate(tmp_path / "rod.gif", width=200).read_bytes().startswith(b"GIF89a")
