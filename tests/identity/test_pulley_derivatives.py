"""Around pulleys too, Z and K are derivatives, and energy is kept."""

import numpy as np
import pytest

import chorda
from chorda.papers.fasquelle2021.published import DAMPING, FRICTION
from tests.helpers.evaluate import arms, energy_gap, forces, jacobian, lengths
from tests.helpers.pulley_robots import random_robot

PLANES = {"planar": True, "spatial": False}


def robots(plane, leave):
    return [
        chorda.assemble(random_robot(seed, leave=leave, planar=PLANES[plane])) for seed in range(4)
    ]


@pytest.mark.parametrize("plane", PLANES)
@pytest.mark.parametrize("leave", [False, None])
def test_moment_arms_are_minus_the_slopes_of_the_lengths(plane, leave):
    rng = np.random.default_rng(3)
    for system in robots(plane, leave):
        for q in rng.uniform(-0.6, 0.6, (3, system.nq)):
            slopes = jacobian(lambda d, s=system, q=q: lengths(s, q + d), system.nq, 1e-4)
            assert np.allclose(arms(system, q), -slopes.T, rtol=0, atol=1e-10)
            assert np.abs(slopes).max() > 1e-3


@pytest.mark.parametrize("plane", PLANES)
def test_stiffness_is_the_slope_of_the_force(plane):
    rng = np.random.default_rng(4)
    for system in robots(plane, False):
        q, v = rng.uniform(-0.6, 0.6, (2, system.nq))
        K = chorda.linearize(system, q, v, np.zeros(0)).K
        slopes = jacobian(lambda d, s=system, q=q, v=v: forces(s, q + d, v)[1], system.nq, 1e-3)
        assert np.allclose(K, slopes, rtol=0, atol=1e-8 * np.abs(K).max())


@pytest.mark.parametrize("plane", PLANES)
def test_a_length_depends_only_on_the_joints_that_the_path_crosses(plane):
    """A base that turns under the whole path does not enter the expression at all."""
    robot = random_robot(1, planar=PLANES[plane])
    path = robot.tendons[0].path[1:]
    tendon = robot.tendons[0].model_copy(update={"path": path})
    Z = chorda.assemble(robot.model_copy(update={"tendons": (tendon,)})).tendons.Z
    assert [i for i in range(3) if Z[i, 0].nnz()] == [1, 2]


def test_a_turned_plane_changes_nothing():
    """The same robot in the x-y plane and in another one."""
    rng = np.random.default_rng(5)
    for flat, turned in zip(robots("planar", None), robots("spatial", None), strict=True):
        for q in rng.uniform(-0.6, 0.6, (3, 3)):
            assert lengths(flat, q) == pytest.approx(lengths(turned, q), abs=1e-13)


def test_work_of_the_motors_on_a_neck_with_pulleys_goes_into_energy_and_losses():
    system = chorda.assemble(chorda.load("fasquelle-3-pulleys"))
    torques = np.array([-0.016, -0.012, -0.016, -0.02])
    run = chorda.simulate(
        system,
        duration=0.1,
        step=1e-5,
        scheme="rk4",
        inputs=torques,
        initial={"x1": 0.3, "x2": -0.2, "x3": 0.1, "tension": 20.0},
        strict=True,
    )
    alpha, rate = run.position[:, :3], run.velocity[:, :3]
    w = run.outputs["motor_rate"]
    d = np.sqrt(0.1**2 - (0.05 * np.cos(alpha / 2)) ** 2)
    e = 0.05 * np.sin(alpha / 2) / (2 * d)
    pivots = (0.001 * (1 + 4 * e**2) * rate**2).sum(axis=1)
    f_s = np.array(list(FRICTION.values())) * 0.02 / 25
    dry = (2 / np.pi * f_s * np.arctan(0.5 * w) * w).sum(axis=1)
    Z = np.array([arms(system, q) for q in alpha])
    stretching = -np.einsum("nij,ni->nj", Z, rate) - 0.02 / 25 * w
    damping = (np.array(list(DAMPING.values())) * stretching**2).sum(axis=1)
    gap, lost = energy_gap(run, torques, pivots + dry + damping)
    assert np.ptp(alpha, axis=0).min() > 0.01
    assert abs(gap) < 1e-8 * lost


def test_energy_is_kept_while_a_cable_comes_on_and_off_its_pulley():
    robot = random_robot(2, joints=2, leave=True)
    system = chorda.assemble(robot)
    run = chorda.simulate(
        system,
        duration=1.0,
        step=1e-4,
        scheme="rk4",
        parameters={"*.damping": 0.0},
        initial={"j1": 0.4, "j2": -0.5},
        strict=True,
    )
    contact = run.outputs["contact"]
    T, V = run.energy
    assert np.ptp(contact, axis=0).max() == 1
    assert np.ptp(T) > 0.1
    assert np.ptp(T + V) < 1e-6 * np.ptp(T)
