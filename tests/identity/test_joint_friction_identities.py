"""Dry friction of joints takes energy, has exact derivatives, and is the same in the recursion."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chorda
from chorda.describe import Body, Revolute, Robot
from chorda.tendons import newton_euler
from tests.helpers.evaluate import acceleration, close, forces, jacobian
from tests.helpers.rubbing_robots import rubbing_arm, rubbing_mass

STRIBECK = {"torque": 0.1, "slope": 5.0, "breakaway": 0.2, "stribeck_rate": 0.3}
LEVELS = {"arm.dry_torque": 0.0, "arm.dry_breakaway": 0.0} | {
    "x.dry_torque": 0.0,
    "x.dry_breakaway": 0.0,
}


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(rubbing_arm(**STRIBECK))


def rubbed(system, q, v):
    """Generalized force of dry friction: what is missing without it."""
    return forces(system, q, v)[1] - forces(system, q, v, changes=LEVELS)[1]


@given(q=st.floats(-1.0, 1.0), v=st.floats(-30, 30), w=st.floats(-30, 30))
def test_friction_never_gives_energy(system, q, v, w):
    power = rubbed(system, [0.3, q], [v, w]) @ [v, w]
    assert power <= 1e-12


def test_an_x_joint_rubs_in_its_four_pivots(system):
    """Their rates are half that of the bar, more or less by e = b sin(h) / (2 d)."""
    q, w, L, b = 0.7, 1.3, 0.1, 0.05
    d = np.sqrt(L**2 - (b * np.cos(q / 2)) ** 2)
    e = b * np.sin(q / 2) / (2 * d)
    rates = np.array([0.5 + e, 0.5 - e, 0.5 + e, 0.5 - e])
    level = 0.1 + 0.1 * np.exp(-((rates * w / 0.3) ** 2))
    torque = level * 2 / np.pi * np.arctan(5.0 * rates * w)
    assert rubbed(system, [0.0, q], [0.0, w])[1] == pytest.approx(-rates @ torque, rel=1e-12)


def test_stiffness_and_damping_are_exact(system):
    slopes = system.function(
        "slopes", "q v u p", *(ca.jacobian(system.dynamics.F, x) for x in (system.q, system.v))
    )
    q, v = np.array([0.2, 0.5]), np.array([0.4, -0.7])
    K, D = (x.full() for x in slopes(q, v, [], system.parameters()))
    assert close(K, jacobian(lambda d: forces(system, q + d, v)[1], 2))
    assert close(D, jacobian(lambda d: forces(system, q, v + d)[1], 2))


def test_the_recursion_over_the_tree_finds_no_effort_left():
    body = Body(mass=0.5, center=(0.1, 0, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    joints = (
        Revolute(name="a", body=body, friction=0.1, dry_friction=STRIBECK),
        Revolute(name="b", parent="a", body=body, dry_friction={"kind": "sign", "torque": 0.2}),
    )
    system = chorda.assemble(Robot(name="two", joints=joints))
    q, v = np.array([0.34, -0.25]), np.array([0.2, -1.1])
    found = newton_euler(system, q, v, acceleration(system, q, v), [])
    np.testing.assert_allclose(found.effort, 0, atol=1e-9)


def test_a_motion_loses_what_friction_takes():
    """Energy at the end, and the integral of the friction's power, to the order of the scheme."""
    system, missing = chorda.assemble(rubbing_mass(force=6.0, slope=30.0)), []
    for step in (4e-4, 2e-4):
        run = chorda.simulate(
            system, duration=0.5, step=step, scheme="bdf2", initial={"mass": 0.1}, strict=True
        )
        T, V = run.energy
        v = run.velocity[:, 0]
        work = np.trapezoid(-6.0 * 2 / np.pi * np.arctan(30.0 * v) * v, run.time)
        assert work < -1.0
        missing.append(abs(T[-1] + V[-1] - T[0] - V[0] - work))
    assert missing[1] < missing[0] / 3
