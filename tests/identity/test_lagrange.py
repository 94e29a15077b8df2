"""Newton-Euler = Lagrange: velocity forces from the recursion are those of d/dt dT/dv - dT/dq."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import Fixed, Robot
from tests.helpers.evaluate import forces, random_state
from tests.helpers.robots import everything


def grounded():
    """The robot with every kind of joint, its hull fixed, so that q_dot = v."""
    robot = everything()
    hull = robot.joints[0]
    fixed = Fixed(name=hull.name, placement=hull.placement, body=hull.body)
    return robot.model_copy(update={"joints": (fixed, *robot.joints[1:])})


@pytest.mark.parametrize(
    ("robot", "tendons"),
    [
        (chorda.neck(3), "elastic"),
        (chorda.neck(3), "rigid"),
        (grounded(), "elastic"),
    ],
    ids=["neck-elastic", "neck-rigid", "every joint"],
)
@pytest.mark.parametrize("seed", range(3))
def test_coriolis_forces_follow_from_the_kinetic_energy(robot: Robot, tendons, seed):
    system = chorda.assemble(robot, tendons=tendons)
    q, v, _, _ = random_state(system, np.random.default_rng(seed))
    v = 10 * v
    damping = ("*friction", "*damping", "*dry_torque")
    names = system.parameter_names
    still = {n: 0.0 for n in damping if any(k.endswith(n[1:]) for k in names)}
    T = system.dynamics.kinetic
    momentum = ca.gradient(T, system.v)
    lagrange = ca.jtimes(momentum, system.q, system.v) - ca.gradient(T, system.q)
    expected = ca.Function("L", [system.q, system.v, system.p], [lagrange])
    p = system.parameters(still)
    moving = forces(system, q, v, changes=still)[1]
    resting = forces(system, q, 0 * v, changes=still)[1]
    wanted = -expected(q, v, p).full().ravel()
    assert np.linalg.norm(wanted) > 1e-3
    assert np.allclose(moving - resting, wanted, rtol=1e-9, atol=1e-11 * np.abs(resting).max())


@pytest.mark.parametrize("tendons", ["elastic", "rigid"])
def test_forces_at_rest_are_minus_the_slope_of_the_potential_energy(tendons):
    system = chorda.assemble(chorda.neck(3), tendons=tendons)
    q, v, _, _ = random_state(system, np.random.default_rng(1))
    V = system.dynamics.potential
    slope = ca.Function("dV", [system.q, system.p], [ca.gradient(V, system.q)])
    _, F = forces(system, q, 0 * v)
    assert np.allclose(F, -slope(q, system.parameters()).full().ravel(), rtol=1e-9)
