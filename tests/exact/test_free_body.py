"""A body without joints: free fall, the torque-free top, angular momentum."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.describe import Body, Free, Placement, Robot
from tests.helpers.evaluate import frames
from tests.helpers.robots import unit

MASS, CENTER = 1.3, np.array([0.1, -0.2, 0.05])


def free(inertia, center=(0, 0, 0), gravity=(0, 0, 0), placement=None):
    body = Body(mass=MASS, center=tuple(center), inertia=inertia)
    joint = Free(name="body", body=body, placement=placement or Placement())
    return Robot(name="free", gravity=gravity, joints=(joint,))


def spin(robot, w, duration=2.0, step=1e-3, **rates):
    """Motion with angular velocity w [rad/s] at the start."""
    system = chorda.assemble(robot)
    start = {f"body.w{k}": value for k, value in zip("xyz", w, strict=True)}
    return chorda.simulate(
        system, duration=duration, step=step, scheme="rk4", initial={**start, **rates}, every=20
    )


def turns(run):
    return Rotation.from_quat(run.position[:, [1, 2, 3, 0]]).as_matrix()


def test_symmetric_top_precesses_about_its_angular_momentum():
    I1, I3, w = 0.02, 0.035, np.array([0.7, 0.0, 6.0])
    run = spin(free((I1, I1, I3, 0, 0, 0)), w)
    H = np.array([I1, I1, I3]) * w  # axes of body and world coincide at the start
    rate = np.linalg.norm(H) / I1
    for t, R in zip(run.time, turns(run), strict=True):
        axis = Rotation.from_rotvec(H / np.linalg.norm(H) * rate * t).apply([0, 0, 1])
        assert np.allclose(R[:, 2], axis, atol=1e-9)


def test_angular_momentum_and_energy_of_a_torque_free_body_are_conserved():
    Ixx, Iyy, Izz, Ixy, Ixz, Iyz = inertia = (0.02, 0.05, 0.06, 0.004, -0.003, 0.002)
    matrix = np.array([[Ixx, Ixy, Ixz], [Ixy, Iyy, Iyz], [Ixz, Iyz, Izz]])
    run = spin(free(inertia), [1.0, 5.0, -2.0])
    H = [R @ matrix @ R.T @ w for R, w in zip(turns(run), run.velocity[:, :3], strict=True)]
    assert np.allclose(H, H[0], rtol=0, atol=1e-10)
    T, V = run.energy
    assert np.allclose(T, T[0], rtol=1e-10)
    assert np.allclose(V, 0)


def test_tumbling_body_falls_along_a_parabola_whatever_its_frame():
    """The centre of mass, not the frame's origin, falls freely; the placement turns the axes."""
    g = np.array([0.5, -9.81, 1.0])
    placement = Placement(position=(0.3, 0.1, -0.2), axis=unit(1, 2, -1), angle=1.2)
    robot = free((0.02, 0.05, 0.06, 0.004, 0, 0), CENTER, tuple(g), placement)
    run = spin(robot, [3.0, -4.0, 2.0], **{"body.vx": 1.0, "body.vy": 2.0})
    poses = frames(robot)
    path = np.array([(lambda R, p: p + R @ CENTER)(*poses(q)["body"]) for q in run.position])
    v0 = Rotation.from_rotvec(1.2 * np.array(placement.axis)).apply(
        np.array([1.0, 2.0, 0]) + np.cross([3.0, -4.0, 2.0], CENTER)
    )
    t = run.time[:, None]
    assert np.allclose(path, path[0] + v0 * t + g * t**2 / 2, rtol=0, atol=1e-10)


def test_quaternion_stays_at_unit_length():
    run = spin(free((0.02, 0.05, 0.06, 0, 0, 0)), [9.0, 5.0, -20.0])
    assert np.linalg.norm(run.position[:, :4], axis=1) == pytest.approx(1, abs=1e-14)
