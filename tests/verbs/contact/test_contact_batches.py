"""Robots that touch, many at once: rollouts, their gradients, and learning."""

import numpy as np
import pytest

import chorda
from chorda.describe import (
    Body,
    Capsule,
    Contact,
    ContactFriction,
    JointEffort,
    Placement,
    Revolute,
    Robot,
    Sphere,
)
from chorda.errors import InputError
from tests.helpers.evaluate import slope
from tests.helpers.touching_robots import ball, touching

LAW = {"stiffness": 1e4, "dissipation": 2.0}


@pytest.mark.parametrize("kind", ["smooth", "bristle"])
def test_members_of_a_batch_touch_as_single_motions_do(kind):
    system, rest = touching(kind, **LAW)
    stiffness = np.array([5e3, 1e4, 2e4])
    rubs = np.array([0.0, 0.5, 1.0])
    changes = {"leans.stiffness": stiffness, "leans.friction.coefficient": rubs}
    start = np.concatenate([rest.q, np.zeros(system.nv)])
    start[2] += 0.1
    how = {"duration": 0.2, "step": 1e-3, "inputs": rest.u, "every": 1}
    batch = chorda.rollout(system, parameters=changes, initial=start, **how)
    assert not len(batch.failed)
    forces = batch.output("normal_force")
    for m in range(3):
        own = {name: float(x[m]) for name, x in changes.items()}
        run = chorda.simulate(system, parameters=own, initial=start, **how)
        np.testing.assert_allclose(batch.position[m], run.position[1:], atol=1e-12)
        np.testing.assert_allclose(forces[m], run.outputs["normal_force"][1:], atol=1e-9)
        assert run.outputs["normal_force"].max() > 5
    assert np.abs(batch.position[0] - batch.position[1]).max() > 1e-5


def test_gradients_of_a_batch_that_bounces_are_slopes():
    system = chorda.assemble(ball(0.01, stiffness=2e4, exponent=1.5, dissipation=0.5))
    wanted = ("touch.stiffness", "touch.dissipation", "ball.radius")
    begin = np.array([[0.0, -1.0], [0.02, -0.5]])
    how = {"duration": 0.08, "step": 1e-4, "scheme": "rk4", "initial": begin, "every": 1}
    found = chorda.rollout(system, gradients=wanted, **how)
    assert (found.output("normal_force").max(axis=(1, 2)) > 1).all()
    values = dict(zip(system.parameter_names, system.parameter_values, strict=True))
    for k, name in enumerate(wanted):
        size = 1e-5 * values[name]

        def moved(s, name=name, size=size):
            run = chorda.rollout(system, parameters={name: values[name] + s * size}, **how)
            return np.concatenate([run.position, run.velocity], axis=2)

        numeric = slope(moved, 1.0)
        exact = found.by[..., found.unknowns.index(name)] * size
        assert k == found.unknowns.index(name)
        assert np.abs(exact - numeric).max() < 1e-5 * np.abs(numeric).max()


def pusher():
    """An arm that a torque swings against a post."""
    return Robot(
        name="pusher",
        gravity=(0, 0, -9.81),
        joints=[
            Revolute(
                name="arm",
                friction=5e-3,
                body=Body(mass=0.1, center=(0.1, 0, 0), inertia=(0, 0, 1e-4, 0, 0, 0)),
            ),
            Revolute(
                name="hand",
                parent="arm",
                placement=Placement(position=(0.2, 0, 0)),
                stiffness=0.1,
                friction=1e-3,
                body=Body(mass=0.05, center=(0.05, 0, 0), inertia=(0, 0, 1e-5, 0, 0, 0)),
            ),
        ],
        actuators=[JointEffort(name="torque", joint="arm")],
        shapes=[
            Capsule(name="finger", frame="hand", start=(0, 0, 0), end=(0.1, 0, 0), radius=0.01),
            Sphere(name="post", center=(0.25, 0.08, 0), radius=0.02),
        ],
        contacts=[
            Contact(
                name="push",
                first="post",
                second="finger",
                friction=ContactFriction(kind="bristle", coefficient=0.4, deflection=1e-3),
                **LAW,
            )
        ],
    )


def reach(**more):
    from chorda.gym import Reach

    return Reach(target={"arm": (0.3, 0.4)}, **more)


def test_an_episode_with_a_touch_is_the_motion_of_simulate_and_feels_the_force():
    pytest.importorskip("gymnasium")
    from chorda.gym import RobotEnv

    system = chorda.assemble(pusher())
    how = {"step": 1e-3, "frame_skip": 10, "observe": ("position", "normal_force")}
    env = RobotEnv(system, reach(), {"torque": (-0.1, 0.1)}, **how)
    env.reset(seed=1)
    start = np.concatenate([env.episodes.moving.q, env.episodes.moving.v])[:, 0]
    seen = np.array([env.step(np.array([1.0], np.float32))[0] for _ in range(40)])
    run = chorda.simulate(
        system, initial=start, inputs=[0.1], duration=0.4, step=1e-3, every=10, strict=True
    )
    np.testing.assert_allclose(seen[:, : system.nq], run.position[1:], atol=1e-10)
    np.testing.assert_allclose(seen[:, system.nq :], run.outputs["normal_force"][1:], atol=1e-8)
    assert seen[:, -1].max() > 0.5
    assert "touches" in [x.kind for x in run.events]


def test_episodes_begin_where_shapes_do_not_overlap():
    pytest.importorskip("gymnasium")
    from chorda.gym import RobotEnv

    env = RobotEnv("finger-grasp", reach_of_finger(), (-0.1, 0.0), step=1e-3)
    env.reset(seed=0)
    assert env.step(np.full(4, 0.5, np.float32))[-1]["status"] == "completed"
    system = chorda.assemble(pusher())
    spread = reach(start={"arm": (-0.5, 1.0)})
    env = RobotEnv(system, spread, {"torque": (-0.1, 0.1)}, step=1e-3)
    still = np.zeros(system.nv), np.zeros(system.nu), system.parameter_values
    gaps = []
    for seed in range(60):
        env.reset(seed=seed)
        gaps.append(float(system.touch_gaps(env.episodes.moving.q[:, 0], *still)))
    assert min(gaps) > -5e-4  # what overlaps less is not thrown apart
    with pytest.raises(InputError, match=r"'post' and 'finger' of contact 'push' overlap by"):
        env.reset(seed=0, options={"start": {"arm": 0.3}})


def reach_of_finger():
    from chorda.gym import Reach

    return Reach(target={"joint1": (0.1, 0.2)}, tension=4.0)
