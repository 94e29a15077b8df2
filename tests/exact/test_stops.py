"""Stops against closed forms: bounces, restitution, how deep a joint goes, where it rests."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import chorda
from chorda.continuous import shooting
from chorda.describe import Body, Circle, Load, Point, Revolute, Robot, Rod, Stop
from tests.helpers.stopped_robots import ARM, MASS, pendulum, sliding_mass

STIFF, SPEED = 5000.0, 0.8  # [N/m, m/s]
OMEGA = math.sqrt(STIFF / MASS)  # [rad/s] of the mass on its stop


def thrown(system, duration, **options):
    """The mass sent against its upper stop, which it meets at t = 0."""
    start = {"mass": 0.1, "mass.rate": SPEED}
    return chorda.simulate(system, duration=duration, step=1e-5, initial=start, **options)


def test_a_mass_on_a_stop_is_half_an_oscillation():
    run = thrown(chorda.assemble(sliding_mass(stiffness=STIFF)), 0.1, scheme="rk4", strict=True)
    t, leaves = run.time, math.pi / OMEGA
    inside = 0.1 + SPEED / OMEGA * np.sin(OMEGA * t)
    exact = np.where(t < leaves, inside, 0.1 - SPEED * (t - leaves))
    np.testing.assert_allclose(run.position[:, 0], exact, atol=1e-9)
    effort = run.data["stop_effort"].sel(stop="mass").values
    np.testing.assert_allclose(effort, -STIFF * np.maximum(run.position[:, 0] - 0.1, 0), atol=1e-9)


def restitution(smoothing, zeta):
    """Speed after over speed before."""
    damping = 2 * zeta * math.sqrt(STIFF * MASS)
    robot = sliding_mass(stiffness=STIFF, damping=damping, smoothing=smoothing)
    return -thrown(chorda.assemble(robot), 0.1, scheme="bdf2").velocity[-1, 0] / SPEED


def test_a_damped_stop_gives_back_what_its_closed_form_does_as_the_smoothing_shrinks():
    """It lets go where k r + d r' = 0: e = exp(-zeta / s * atan2(2 zeta s, 2 zeta^2 - 1))."""
    zeta = 0.3
    s = math.sqrt(1 - zeta**2)
    exact = math.exp(-zeta / s * math.atan2(2 * zeta * s, 2 * zeta**2 - 1))
    errors = [abs(restitution(w, zeta) - exact) for w in (4e-4, 1e-4)]
    assert errors[1] < 2e-4
    assert errors[1] < errors[0] / 2


def test_a_pendulum_goes_as_deep_into_its_stop_as_its_energy_takes_it_and_comes_back():
    high, stiffness, start = 0.2, 400.0, -0.9
    system = chorda.assemble(pendulum((-1.0, high), stiffness=stiffness))
    run = chorda.simulate(system, duration=3.0, step=1e-4, scheme="rk4", initial={"arm": start})

    def missing(q):
        weight = MASS * 9.81 * ARM
        return weight * (math.cos(q) - math.cos(start)) - stiffness * (q - high) ** 2 / 2

    assert run.position.max() == pytest.approx(brentq(missing, high, 1.0), abs=1e-7)
    later = run.position[run.time > 1.0]
    assert later.min() == pytest.approx(start, abs=1e-6)


@pytest.mark.parametrize(("smoothing", "shift"), [(None, 0.0), (1e-3, 0.5e-3)])
def test_a_mass_rests_on_its_stop_where_the_stiffness_carries_it(smoothing, shift):
    """Beyond the smoothing, a smooth stop is one that begins in the middle of it."""
    robot = sliding_mass((9.81, 0, 0), stiffness=STIFF, smoothing=smoothing)
    rest = chorda.equilibrium(chorda.assemble(robot))
    assert rest.status.ok
    assert rest.q[0] == pytest.approx(0.1 + MASS * 9.81 / STIFF + shift, abs=1e-9)
    assert rest.stability == "stable"


def test_a_rod_without_modes_rests_on_the_same_stop():
    """A rod on a sprung hinge against its stop, by modes and by the continuous model."""
    hinge = Revolute(name="base", body=Body(mass=0.1), range=(-0.5, 0.05), stop=Stop(stiffness=2.0))
    rod = Rod(
        name="rod",
        parent="base",
        length=0.4,
        section=Circle(radius=1e-3),
        young_modulus=2e11,
        density=7800,
        modes={"bend_z": 6, "bend_y": 0, "twist": 0, "stretch": 0},
    )
    load = Load(name="push", at=Point(frame="rod.tip"), force=(0, 0.5, 0))
    robot = Robot(name="leaning", gravity=(0, 0, 0), joints=(hinge, rod), loads=(load,))
    rest = chorda.equilibrium(chorda.assemble(robot))
    assert rest.status.ok
    assert rest.q[0] > 0.1
    found = shooting(robot)
    assert found.position["base"] == pytest.approx(rest.q[0], abs=1e-6)
