"""Forces on frames as inputs against closed forms: a pendulum that is pushed."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import chorda
from chorda.dynamics.linearize import linearize
from tests.helpers.pushed_robots import at_bob, pendulum

MASS, LENGTH, G = 2.0, 0.5, 9.81


def test_a_dead_force_at_rest_turns_a_pendulum_by_the_arc_tangent_of_force_over_weight():
    system = chorda.assemble(pendulum(at_bob(components=("fx", "fy"))))
    for force in (3.0, -40.0):
        rest = chorda.equilibrium(system, inputs={"push.fx": force}, strict=True)
        assert rest.position["swing"] == pytest.approx(np.arctan(force / (MASS * G)), abs=1e-10)
        assert rest.stable


def test_a_force_that_follows_holds_a_pendulum_at_the_arc_sine():
    system = chorda.assemble(pendulum(at_bob(force_along=(1, 0, 0), follows=True)))
    rest = chorda.equilibrium(system, inputs={"push": 10.0}, strict=True)
    assert rest.position["swing"] == pytest.approx(np.arcsin(10.0 / (MASS * G)), abs=1e-10)


@pytest.mark.parametrize(("follows", "turn"), [(False, 1.0), (True, 0.0)])
def test_a_pushed_pendulum_moves_as_its_equation_says(follows, turn):
    """m L^2 a = -m g L sin(q) + L F(t) cos(q), without the cosine where the force follows."""
    system = chorda.assemble(pendulum(at_bob(force_along=(1, 0, 0), follows=follows)))

    def force(t):
        return 8.0 * np.sin(7 * t)

    def slope(t, y):
        arm = np.cos(y[0]) if turn else 1.0
        return y[1], -G / LENGTH * np.sin(y[0]) + force(t) * arm / (MASS * LENGTH)

    run = chorda.simulate(
        system, duration=1.5, step=1e-3, scheme="rk4", inputs={"push": force}, strict=True
    )
    exact = solve_ivp(slope, (0, 1.5), [0, 0], rtol=1e-11, atol=1e-12, t_eval=run.time)
    # the input runs linearly over a step
    np.testing.assert_allclose(run.position[:, 0], exact.y[0], atol=1e-5)
    assert np.abs(exact.y[0]).max() > 0.3


def test_a_moment_accelerates_a_pendulum_by_itself_over_its_inertia():
    system = chorda.assemble(pendulum(at_bob(components=("mz",)), gravity=(0, 0, 0)))
    run = chorda.simulate(system, duration=1.0, step=1e-2, inputs={"push.mz": 0.3}, strict=True)
    a = 0.3 / (MASS * LENGTH**2)
    np.testing.assert_allclose(run.velocity[:, 0], a * run.time, rtol=1e-9)


def test_the_inputs_that_hold_a_pose_are_found():
    """A horizontal force that holds the pendulum at q is m g tan(q)."""
    system = chorda.assemble(pendulum(at_bob(components=("fx",))))
    rest = chorda.equilibrium(system, hold={"swing": 0.7}, actuated=["push.fx"], strict=True)
    assert rest.u[0] == pytest.approx(MASS * G * np.tan(0.7), rel=1e-9)
    path = chorda.follow(rest, hold={"swing": np.linspace(0.7, -0.2, 10)}, actuated=["push.fx"])
    wanted = MASS * G * np.tan(np.linspace(0.7, -0.2, 10))
    np.testing.assert_allclose(path.u[:, 0], wanted, atol=1e-7)


def test_the_linear_system_has_the_arms_of_the_forces_as_b():
    system = chorda.assemble(pendulum(at_bob(components=("fx", "fy", "mz"))))
    q = np.array([0.4])
    B = linearize(system, q).B
    arms = LENGTH * np.cos(q[0]), LENGTH * np.sin(q[0]), 1.0
    np.testing.assert_allclose(B, [arms], rtol=1e-12)
