"""The compound pendulum at large angles against Jacobi's elliptic functions."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import chorda
from chorda.describe import Body, Revolute, Robot

MASS, ARM, INERTIA, G = 1.5, 0.4, 0.03, 9.81
OMEGA = np.sqrt(MASS * G * ARM / (INERTIA + MASS * ARM**2))


def pendulum(axis=(0, 0, 1), center=(0, -ARM, 0)):
    body = Body(mass=MASS, center=center, inertia=(INERTIA,) * 3 + (0, 0, 0))
    return Robot(name="pendulum", joints=(Revolute(name="hinge", axis=axis, body=body),))


@pytest.mark.parametrize("amplitude", [0.1, 1.5, 3.0])
def test_swing_follows_the_elliptic_sine(amplitude):
    system = chorda.assemble(pendulum())
    k = np.sin(amplitude / 2)
    period = 4 * ellipk(k**2) / OMEGA
    run = chorda.simulate(
        system, duration=period, step=period / 4000, scheme="rk4", initial={"hinge": amplitude}
    )
    sn, cn, *_ = ellipj(ellipk(k**2) - OMEGA * run.time, k**2)
    exact = 2 * np.arcsin(k * sn)
    assert np.max(np.abs(run.position[:, 0] - exact)) < 1e-9
    assert run.position[1000, 0] == pytest.approx(0, abs=1e-9)
    assert run.position[-1, 0] == pytest.approx(amplitude, abs=1e-9)
    assert np.max(np.abs(run.velocity[:, 0] + 2 * k * OMEGA * cn)) < 1e-8


def test_axis_and_hanging_direction_do_not_matter():
    """A hinge along x swings in the y-z plane as one along z does in the x-y plane."""
    runs = [
        chorda.simulate(
            chorda.assemble(pendulum(axis)), duration=1, step=1e-3, scheme="rk4", initial=[1.0]
        )
        for axis in ((0, 0, 1), (1, 0, 0))
    ]
    assert np.allclose(runs[0].position, runs[1].position, rtol=0, atol=1e-12)


def test_inverted_pendulum_falls_away_at_the_rate_of_the_linear_theory():
    """Upside down, a small angle grows like cosh."""
    system = chorda.assemble(pendulum(center=(0, ARM, 0)))
    run = chorda.simulate(system, duration=0.5, step=1e-3, scheme="rk4", initial=[1e-5])
    assert np.allclose(run.position[:, 0], 1e-5 * np.cosh(OMEGA * run.time), rtol=1e-8)
