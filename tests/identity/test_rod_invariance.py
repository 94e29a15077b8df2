"""A rod does not know where the world's axes are."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.describe import Placement
from tests.helpers.evaluate import forces, random_state
from tests.helpers.rod_robots import balanced, pose, robot, rod

MODES = {"twist": 1, "bend_y": 2, "bend_z": 2, "stretch": 1}
GRAVITY = np.array([2.0, -8.0, 3.0])
TURN, SHIFT = Rotation.from_rotvec([1.5, -2.0, 1.2]), np.array([0.3, -0.2, 0.5])


@pytest.fixture(scope="module")
def systems():
    """A rod, and the same in a world that is turned and shifted."""
    v = TURN.as_rotvec()
    angle = float(np.linalg.norm(v))
    place = Placement(position=tuple(SHIFT), axis=tuple(v / angle), angle=angle)
    here = robot(rod(MODES, young_modulus=2e10), gravity=tuple(GRAVITY))
    there = robot(
        rod(MODES, young_modulus=2e10, placement=place), gravity=tuple(TURN.apply(GRAVITY))
    )
    return chorda.assemble(here), chorda.assemble(there)


def test_turning_base_and_gravity_together_turns_the_configuration(systems):
    here, there = systems
    q, q_there = balanced(here), balanced(there)
    assert np.abs(q).max() > 0.5
    assert np.allclose(q, q_there, rtol=0, atol=1e-9)
    (R, p), (R_there, p_there) = pose(here, q), pose(there, q_there)
    assert np.allclose(TURN.apply(p) + SHIFT, p_there, rtol=0, atol=1e-10)
    assert np.allclose(TURN.as_matrix() @ R, R_there, rtol=0, atol=1e-10)


def test_turning_base_and_gravity_together_leaves_the_equations(systems):
    here, there = systems
    q, v, *_ = random_state(here, np.random.default_rng(0), 2.0)
    for a, b in zip(forces(here, q, v), forces(there, q, v), strict=True):
        assert np.allclose(a, b, rtol=1e-9, atol=1e-11 * np.abs(a).max())


def test_round_rod_bends_alike_in_every_direction():
    """Turning the load about the rod turns the answer."""
    bends = []
    for angle in (0.0, 0.7, 2.0):
        g = Rotation.from_rotvec([angle, 0, 0]).apply([0, -5.0, 0])
        system = chorda.assemble(robot(rod({"bend_y": 3, "bend_z": 3}), gravity=tuple(g)))
        bends.append(Rotation.from_rotvec([-angle, 0, 0]).apply(pose(system, balanced(system))[1]))
    assert np.allclose(bends, bends[0], rtol=0, atol=1e-10)


def test_rod_wound_up_more_than_once_keeps_its_equations():
    """After three turns M and T are still those of the same rod: F = M a along a motion by hand."""
    system = chorda.assemble(robot(rod({"bend_z": 2, "intervals": 40, "order": 6})))
    k = 6 * np.pi / 0.5
    R, p = pose(system, [k, 0.0])
    assert np.allclose(p, 0, rtol=0, atol=1e-10)
    assert np.allclose(R, np.eye(3), rtol=0, atol=1e-10)
    q, v, *_ = random_state(system, np.random.default_rng(1))
    q[0] += k
    M, _ = forces(system, q, v)
    assert np.linalg.eigvalsh(M)[0] > 0
    T = float(system.energies(q, v, [], system.parameters())[0])
    assert pytest.approx(v @ M @ v / 2, rel=1e-11) == T
