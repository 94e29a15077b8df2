"""A .glb of a motion plays: at each time it is the shape at that time."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.describe import Body, Fixed, Placement
from chorda.view import export_shape
from chorda.view.moving_parts import rigid, shortest_turns, tangents_of
from tests.helpers.gltf import posed, read_glb, values

SIDES = 16  # of a tube


@pytest.fixture(scope="module")
def swing():
    neck = chorda.neck(2)
    body = Body(mass=0.1, inertia=(1e-4, 1e-4, 1e-4, 0, 0, 0))
    at = Placement(position=(0.0, 0.05, 0.02))
    load = Fixed(name="payload", parent="x2.top", placement=at, body=body)
    system = chorda.assemble(neck.model_copy(update={"joints": (*neck.joints, load)}))
    return chorda.simulate(
        system, duration=0.96, step=0.01, initial={"x1": 0.5, "tension": 10.0}, inputs=-0.008
    )


@pytest.fixture(scope="module")
def hand():
    system = chorda.assemble(chorda.load("hand-ball"))
    pull = {f"motor{k}": -0.03 for k in (1, 2, 3)}
    return chorda.simulate(system, duration=0.24, step=0.01, inputs=pull)


@pytest.mark.parametrize("name", ["swing", "hand"])
def test_a_motion_is_at_each_time_the_shape_of_that_time(name, request, tmp_path):
    run = request.getfixturevalue(name)
    moving = read_glb(export_shape(run, tmp_path / "run.glb").read_bytes())
    for time in run.time[[0, 8, -1]]:
        still = read_glb(export_shape(run, tmp_path / "still.glb", time=time).read_bytes())
        here, there = posed(*moving, time), posed(*still, time)
        assert list(here) == list(there)
        for part in here:
            a, b = here[part][0], there[part][0]
            if len(a) != len(b):  # a still cable has no rings where it touches no pulley
                a, b = a[-2 * SIDES :], b[-2 * SIDES :]  # both ends
            np.testing.assert_allclose(a.mean(axis=0), b.mean(axis=0), atol=2e-6)
            spread = [np.sort(np.linalg.norm(x - x.mean(axis=0), axis=1)) for x in (a, b)]
            np.testing.assert_allclose(*spread, atol=3e-3 * np.ptp(b))


def test_a_glb_without_a_time_moves_and_one_with_a_time_does_not(swing, tmp_path):
    tree, binary = read_glb(export_shape(swing, tmp_path / "a.glb").read_bytes())
    (motion,) = tree["animations"]
    clock = values(tree, binary, motion["samplers"][0]["input"])
    assert (clock[0], clock[-1]) == pytest.approx((0.0, 0.96))
    still, _ = read_glb(export_shape(swing, tmp_path / "b.glb", time=0.5).read_bytes())
    assert "animations" not in still
    rest = chorda.equilibrium(swing.system, tensions=5.0)
    assert "animations" not in read_glb(export_shape(rest, tmp_path / "c.glb").read_bytes())[0]


def test_a_motion_keeps_the_rules_of_gltf(swing, tmp_path):
    tree, binary = read_glb(export_shape(swing, tmp_path / "run.glb").read_bytes())
    (motion,) = tree["animations"]
    targets = [tuple(x["target"].values()) for x in motion["channels"]]
    assert len(set(targets)) == len(targets)
    for sampler in motion["samplers"]:
        times, moved = (values(tree, binary, sampler[x]) for x in ("input", "output"))
        assert len(times) == len(moved)
        assert np.all(np.diff(times) > 0)
        if moved.shape[1] == 4:
            np.testing.assert_allclose(np.linalg.norm(moved, axis=1), 1, atol=1e-6)
            assert np.all(np.einsum("ij,ij->i", moved[1:], moved[:-1]) > 0)
    for skin in tree["skins"]:
        back = values(tree, binary, skin["inverseBindMatrices"])
        assert len(back) == len(skin["joints"])
    children = sorted(tree["nodes"][0]["children"])
    assert children == list(range(1, len(tree["nodes"])))


def test_bodies_are_as_thick_as_they_look_and_payloads_are_there(swing, tmp_path):
    tree, binary = read_glb(export_shape(swing, tmp_path / "run.glb").read_bytes())
    parts = posed(tree, binary, 0.0)
    bar = parts["x1"][0]
    assert 0.003 < np.ptp(bar, axis=0).min() < 0.015  # of bars of 50 and 100 mm
    assert {"payload", "payload-2"} <= set(parts)


def test_the_motion_of_a_rigid_body_is_found_from_its_points():
    rng = np.random.default_rng(3)
    body, way = rng.normal(size=(5, 3)), rng.normal(size=(7, 3))
    turns = Rotation.random(7, rng=rng)
    moved = np.array([turns[k].apply(body) + way[k] for k in range(7)])
    found = rigid(moved)
    back = Rotation.from_quat(found.turns[:, 0])
    for k in range(7):
        again = back[k].apply(moved[0] - moved[0].mean(axis=0)) + found.origins[k, 0]
        np.testing.assert_allclose(again, moved[k], atol=1e-12)


def test_a_line_turns_the_shortest_way_and_a_point_not_at_all():
    angle = np.linspace(0, 6, 30)
    ends = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    turns = Rotation.from_quat(shortest_turns(ends))
    np.testing.assert_allclose(turns.apply(ends[0]), ends, atol=1e-12)
    np.testing.assert_allclose(turns[10].magnitude(), angle[10])
    still = rigid(np.repeat(way := np.ones((4, 1, 3)), 2, axis=1) * way)
    np.testing.assert_allclose(still.turns[:, 0], [[0, 0, 0, 1]] * 4)


def test_tangents_pass_over_points_that_repeat():
    path = np.array([[0.0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 1, 0]])
    found = tangents_of(path)
    np.testing.assert_allclose(found[[0, 1, 3]], [[1, 0, 0], [1, 0, 0], [0, 1, 0]])
