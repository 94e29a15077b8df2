"""Stops: the force is the derivative of what is stored, what is damped is lost, K and D are exact,
and the recursion over the tree has the same force."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chorda
from chorda.describe import Body, Revolute, Robot, Stop
from chorda.tendons import newton_euler
from tests.helpers.evaluate import acceleration, close, energies, forces, slope
from tests.helpers.stopped_robots import pendulum, sliding_mass

STOPS = {
    "corner": {"stiffness": 300.0},
    "smooth": {"stiffness": 300.0, "smoothing": 0.05},
    "damped": {"stiffness": 300.0, "damping": 4.0, "smoothing": 0.05},
}
BEYOND = (-1.2, -1.03, -1.001, -0.5, 0.3, 1.002, 1.02, 1.2)  # [rad] of ends at -1 and 1


@pytest.fixture(scope="module")
def systems():
    return {name: chorda.assemble(pendulum(**stop)) for name, stop in STOPS.items()}


@pytest.mark.parametrize("kind", STOPS)
def test_at_rest_the_force_is_the_derivative_of_the_energy(systems, kind):
    system = systems[kind]
    for q in BEYOND:
        _, F = forces(system, [q])
        stored = slope(lambda t, q=q: energies(system, [q + t], [0.0], [])[1], 1e-5)
        assert F[0] == pytest.approx(-stored, abs=1e-7)


@pytest.mark.parametrize("kind", STOPS)
@pytest.mark.parametrize("rate", [-2.0, 0.7])
def test_stiffness_and_damping_are_exact(systems, kind, rate):
    system = systems[kind]
    K, D = (ca.jacobian(system.dynamics.F, x) for x in (system.q, system.v))
    slopes = system.function("slopes", "q v u p", K, D)
    for q in BEYOND:
        K, D = (float(x) for x in slopes([q], [rate], [], system.parameters()))
        by_q = slope(lambda t, q=q: forces(system, [q + t], [rate])[1][0], 1e-5)
        by_v = slope(lambda t, q=q: forces(system, [q], [rate + t])[1][0], 1e-5)
        assert close(np.array([K, D]), np.array([by_q, by_v]), 1e-6)


@given(
    q=st.floats(-1.5, 1.5),
    v=st.floats(-50, 50),
    damping=st.floats(0, 100),
    smoothing=st.floats(1e-3, 0.5),
)
def test_a_stop_never_pulls_and_never_gives_more_than_it_stored(systems, q, v, damping, smoothing):
    """dT/dt + dV/dt <= 0, and the push is never outwards."""
    system = systems["damped"]
    changes = {"arm.stop.damping": damping, "arm.stop.smoothing": smoothing}
    a = acceleration(system, [q], [v], changes=changes)[0]
    M, _ = forces(system, [q], [v])
    stored = forces(system, [q], [0.0], changes=changes)[1][0]  # -dV/dq
    power = M[0, 0] * a * v - stored * v
    assert power <= 1e-9 * (1 + abs(v) * M[0, 0] * abs(a))
    p = system.parameters(changes)
    push = float(system.observe([q], [v], [a], [], [], p))
    assert push * np.sign(q) <= 0


def test_a_motion_over_stops_loses_what_damping_takes():
    """Energy at the end, and the integral of the damping's power, to the order of the scheme."""
    robot = sliding_mass((9.81, 0, 0), stiffness=5000.0, damping=60.0, smoothing=2e-3)
    system = chorda.assemble(robot)
    missing = []
    for step in (2e-4, 1e-4):
        start = {"mass": -0.1}
        run = chorda.simulate(system, duration=0.6, step=step, scheme="bdf2", initial=start)
        T, V = run.energy
        stored = np.array([forces(system, [q])[1][0] - 2.0 * 9.81 for q in run.position[:, 0]])
        lost = (run.data["stop_effort"].values[:, 0] - stored) * run.velocity[:, 0]
        work = np.trapezoid(lost, run.time)
        assert work < -1.0
        missing.append(abs(T[-1] + V[-1] - T[0] - V[0] - work))
    assert missing[1] < 2e-3
    assert missing[1] < missing[0] / 2.5


def test_the_recursion_over_the_tree_finds_no_effort_left():
    """Two links with stops, deep in them: the accelerations of the System balance."""
    body = Body(mass=0.5, center=(0.1, 0, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    stop = Stop(stiffness=80.0, damping=0.5, smoothing=0.02)
    joints = (
        Revolute(name="a", body=body, range=(-0.2, 0.3), stop=stop),
        Revolute(name="b", parent="a", body=body, range=(-0.1, 0.1), stop=stop),
    )
    system = chorda.assemble(Robot(name="two", joints=joints))
    q, v = np.array([0.34, -0.25]), np.array([0.8, -1.1])
    found = newton_euler(system, q, v, acceleration(system, q, v), [])
    np.testing.assert_allclose(found.effort, 0, atol=1e-9)
