"""Forces on frames as inputs: derivatives, energy, a second formulation, and rollouts."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import Load
from chorda.mechanics.posing import frame_poses
from chorda.tendons.reactions import newton_euler
from tests.helpers.evaluate import close, forces, jacobian, moved, random_state
from tests.helpers.pushed_robots import DEAD, FOLLOWING, TIP, TWIST, pushed_arm

U = np.array([1.5, -2.0, 0.4, 3.0, -0.5])


@pytest.fixture(scope="module")
def system():
    return chorda.assemble(pushed_arm())


def test_derivatives_by_configuration_and_inputs_are_exact(system):
    q, v, _, _ = random_state(system, np.random.default_rng(0))
    F, N = system.dynamics.F, system.dynamics.N
    by = [ca.jacobian(F, system.q) @ N, ca.jacobian(F, system.u)]
    K, B = (x.full() for x in system.function("K", "q v u p", *by)(q, v, U, system.parameters()))

    def at(d):
        return forces(system, moved(system, q, d, 1.0), v, U)[1]

    assert close(K, jacobian(at, 3))
    assert close(B, jacobian(lambda d: forces(system, q, v, U + d)[1], 5))
    assert np.abs(B).min(initial=0) < np.abs(B).max()


def test_the_work_of_the_inputs_is_the_change_of_energy(system):
    """Power from the motion of the frames by differences, not from generalized forces."""
    given = {"push.fx": 1.0, "push.fz": lambda t: 2 * np.sin(9 * t), "push.my": 0.2}
    given |= {"thrust": lambda t: np.cos(5 * t), "twist": -0.1}
    run = chorda.simulate(
        system,
        duration=0.4,
        step=1e-4,
        scheme="rk4",
        inputs=given,
        parameters={"one.friction": 0.0},
        strict=True,
    )
    R, p = frame_poses(system, ["three", "two"], run.position, run.parameters)
    point = p[:, 0] + R[:, 0] @ np.array(TIP.point)
    speed = np.gradient(point, run.time, axis=0, edge_order=2)
    turn = np.gradient(R, run.time, axis=0, edge_order=2) @ R.transpose(0, 1, 3, 2)
    spin = np.stack([turn[..., 2, 1], turn[..., 0, 2], turn[..., 1, 0]], -1)
    fx, fz, my, thrust, twist = run.input.T
    power = fx * speed[:, 0] + fz * speed[:, 2] + my * spin[:, 0, 1]
    power += thrust * np.einsum("nij,j,ni->n", R[:, 0], (0.6, 0, 0.8), speed)
    power += twist * np.einsum("nij,j,ni->n", R[:, 1], (0, 0.6, 0.8), spin[:, 1])
    T, V = run.energy
    work = np.trapezoid(power, run.time)
    assert abs(work) > 0.1
    assert T[-1] + V[-1] - T[0] - V[0] == pytest.approx(work, rel=1e-5)


def test_a_constant_input_is_a_load():
    """The same robot with loads instead: forces, and how they change with the configuration."""
    loads = (
        Load(name="dead", at=TIP, force=(1.5, 0, -2.0), moment=(0, 0.4, 0)),
        Load(name="along", at=TIP, force=(1.8, 0, 2.4), follows=True),
        Load(name="turn", at=TWIST.at, moment=(0, -0.3, -0.4), follows=True),
    )
    pushed = chorda.assemble(pushed_arm())
    robot = pushed_arm().model_copy(update={"actuators": (), "loads": loads})
    loaded = chorda.assemble(robot)
    q, v, _, _ = random_state(pushed, np.random.default_rng(1))
    np.testing.assert_allclose(forces(pushed, q, v, U)[1], forces(loaded, q, v)[1], atol=1e-13)


def test_reactions_by_vectors_leave_no_effort(system):
    run = chorda.simulate(
        system,
        duration=0.2,
        step=1e-3,
        scheme="rk4",
        inputs={"push.fx": lambda t: 3 * t, "push.my": 0.2, "thrust": 2.0, "twist": -0.3},
        strict=True,
    )
    found = chorda.reactions(run)
    assert np.abs(found.effort.values).max() < 1e-10
    q, v = run.position[-1], run.velocity[-1]
    bare = newton_euler(system, q, v, 0 * v)
    names = ("push.fx", "push.my", "thrust", "twist")
    last = {name: run.input[-1, system.given.index(name)] for name in names}
    pushed = newton_euler(system, q, v, 0 * v, inputs=last)
    u = run.input[-1]
    wanted = forces(system, q, v)[1] - forces(system, q, v, u)[1]
    np.testing.assert_allclose(pushed.effort - bare.effort, wanted, atol=1e-10)


def test_a_rollout_with_forces_in_columns_is_each_motion_alone(system):
    time = np.arange(51) * 1e-3
    rng = np.random.default_rng(2)
    push = rng.normal(size=(4, 51))
    thrust = rng.normal(size=4)
    many = chorda.rollout(
        system,
        duration=0.05,
        step=1e-3,
        scheme="bdf2",
        inputs={"push.fz": push, "thrust": thrust, "twist": lambda t: np.sin(t)},
        every=1,
    )
    for m in range(4):
        alone = chorda.simulate(
            system,
            duration=0.05,
            step=1e-3,
            scheme="bdf2",
            inputs={"push.fz": push[m], "thrust": thrust[m], "twist": np.sin(time)},
        )
        np.testing.assert_allclose(many.position[m], alone.position[1:], atol=1e-12)


def test_directions_and_components_are_the_same_force():
    a = chorda.assemble(pushed_arm())
    (one, two) = (a.given.index("push.fx"), a.given.index("push.fz"))
    along = DEAD.model_copy(update={"components": (), "force_along": (0.6, 0, 0.8)})
    b = chorda.assemble(pushed_arm().model_copy(update={"actuators": (along, FOLLOWING)}))
    q, v, _, _ = random_state(a, np.random.default_rng(3))
    u = np.zeros(5)
    u[[one, two]] = 1.2, 1.6
    np.testing.assert_allclose(forces(a, q, v, u)[1], forces(b, q, v, [2.0, 0])[1], atol=1e-13)
