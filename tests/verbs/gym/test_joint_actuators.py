"""A robot whose joints are moved by torques and motions learns as others do."""

import numpy as np

import chorda
from chorda.describe import DryFriction, JointEffort, JointMotion
from chorda.gym import Reach, RobotEnv
from tests.helpers.actuated_robots import arm


def test_an_episode_is_the_motion_that_simulate_gives():
    system = chorda.assemble(
        arm(JointEffort(name="t", joint="one"), JointMotion(name="lead", joint="three"))
    )
    limits = {"t": (-0.5, 0.5), "lead": (-0.1, 0.1)}
    env = RobotEnv(
        system, Reach(target={"two": (-0.4, 0.4)}), limits, step=1e-3, frame_skip=10, scheme="bdf2"
    )
    env.reset(seed=2)
    start = np.concatenate([env.episodes.moving.q, env.episodes.moving.v])[:, 0]
    seen = np.array([env.step(np.array([0.5, 0.0], np.float32))[0] for _ in range(20)])
    run = chorda.simulate(
        system,
        initial=start,
        inputs=[0.25, 0.0],
        duration=0.2,
        step=1e-3,
        every=10,
        scheme="bdf2",
    )
    np.testing.assert_allclose(seen[:, :3], run.position[1:], atol=1e-10)


def test_an_episode_of_a_robot_with_bristles_is_that_of_simulate():
    """They begin unbent, and their deflections are observed beside the angles."""
    law = {"kind": "bristle", "torque": 0.05, "deflection": 1e-2}
    robot = arm(JointEffort(name="t", joint="one"))
    rubs = robot.joints[0].model_copy(update={"dry_friction": DryFriction(**law)})
    system = chorda.assemble(robot.model_copy(update={"joints": (rubs, *robot.joints[1:])}))
    reach = Reach(target={"two": (-0.4, 0.4)})
    env = RobotEnv(system, reach, {"t": (-0.5, 0.5)}, step=1e-3, frame_skip=10, scheme="bdf2")
    env.reset(seed=2)
    start = np.concatenate([env.episodes.moving.q, env.episodes.moving.v])[:, 0]
    assert start[3] == 0.0
    seen = np.array([env.step(np.array([0.5], np.float32))[0] for _ in range(20)])
    options = {"duration": 0.2, "step": 1e-3, "every": 10, "scheme": "bdf2"}
    run = chorda.simulate(system, initial=start, inputs=[0.25], **options)
    assert np.max(np.abs(run.position[:, 3])) > 1e-3
    np.testing.assert_allclose(seen[:, :4], run.position[1:], atol=1e-10)


def test_led_joints_begin_where_they_are_drawn_or_where_the_robot_starts():
    lead = JointMotion(name="lead", joint="one"), JointMotion(name="slide", joint="three")
    reach = Reach(start={"one": (0.2, 0.4)}, target={"one": (-0.4, -0.2)})
    env = RobotEnv(arm(*lead, start={"three": 0.05}), reach, (-1.0, 1.0), frame_skip=1)
    seen, _ = env.reset(seed=2)
    assert 0.2 <= seen[0] <= 0.4
    assert seen[2] == 0.05
    assert -0.4 <= env.episodes.target[0, 0] <= -0.2
    seen = env.step(seen[[0, 2]])[0]  # held there
    assert np.abs(seen[3:6:2]).max() < 1e-5
