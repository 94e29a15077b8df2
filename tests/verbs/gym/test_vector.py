"""Many robots at a task: gymnasium's own vector of single ones gives the same, bit by bit."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from chorda.errors import InputError
from chorda.gym import Reach, RobotEnv, RobotVectorEnv

TASK = Reach(
    target={"x1": (-0.4, 0.4), "x2": (-0.4, 0.4)},
    start={"x1": (-0.2, 0.2)},
    frame="x2.top",
    tension=20.0,
)
COUNT = 5


def recorded(envs, steps=20):
    """Everything that some steps with the same random actions give."""
    rng = np.random.default_rng(0)
    rows = [envs.reset(seed=11)]
    for _ in range(steps):
        rows.append(envs.step(rng.uniform(-1, 1, (COUNT, 3)).astype(np.float32)))
    return rows


def same(first, second):
    for a, b in zip(first, second, strict=True):
        *arrays, info = a
        *others, told = b
        assert all(np.array_equal(x, y) for x, y in zip(arrays, others, strict=True))
        assert info.keys() == told.keys()
        assert all(np.array_equal(info[key], told[key]) for key in info)
    return True


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2"])
def test_it_equals_single_robots_member_by_member_over_autoresets(neck, scheme):
    settings = {
        "limits": (-2.0, 1.0),  # some diverge
        "horizon": 7,
        "scheme": scheme,
        "parameters": {"motor-*.inertia": (0.5e-5, 2e-5), "left.damping": (50, 150)},
        "observe": ("position", "velocity", "achieved", "target", "tension"),
    }
    many = recorded(RobotVectorEnv(COUNT, neck, TASK, **settings))
    single = [lambda: RobotEnv(neck, TASK, **settings)] * COUNT
    assert same(many, recorded(SyncVectorEnv(single, autoreset_mode=AutoresetMode.NEXT_STEP)))
    terminated, truncated = (np.array([row[i] for row in many[1:]]) for i in (2, 3))
    assert terminated.any()
    assert truncated.any()


def test_threads_give_the_same(neck):
    envs = [RobotVectorEnv(COUNT, neck, TASK, (-0.048, 0.0), jobs=jobs) for jobs in (1, 2)]
    assert same(*[recorded(x, 5) for x in envs])
    envs[1].close()


def test_the_step_after_an_end_resets_and_ignores_the_action(neck):
    envs = RobotVectorEnv(2, neck, TASK, (-0.048, 0.0), horizon=2)
    start, _ = envs.reset(seed=1)
    zero, one = np.zeros((2, 3), np.float32), np.ones((2, 3), np.float32)
    envs.step(zero)
    *_, truncated, _ = envs.step(zero)
    assert truncated.all()
    seen, reward, terminated, truncated, _ = envs.step(one)
    assert not reward.any()
    assert not np.any([terminated, truncated])
    assert not np.array_equal(seen, start)
    assert not envs.episodes.moving.v.any()
    *_, truncated, _ = envs.step(zero)
    assert not truncated.any()


def test_parameters_differ_between_robots_and_between_episodes(neck):
    envs = RobotVectorEnv(
        64, neck, TASK, (-0.048, 0.0), parameters={"right*.stiffness": (5e4, 1e5)}
    )
    rows = [neck.parameter_names.index(f"right{j}.stiffness") for j in (1, 2)]
    envs.reset(seed=1)
    first = envs.episodes.moving.p[rows]
    assert np.array_equal(first[0], first[1])
    assert len(set(first[0])) == 64
    assert first.min() >= 5e4
    assert first.max() <= 1e5
    envs.reset()
    assert not np.isin(envs.episodes.moving.p[rows[0]], first[0]).any()


def test_a_mask_resets_some_and_leaves_the_others(neck):
    envs = RobotVectorEnv(3, neck, TASK, (-0.048, 0.0))
    envs.reset(seed=1)
    seen, *_ = envs.step(np.ones((3, 3), np.float32))
    after, info = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(after[[0, 2]], seen[[0, 2]])
    assert not np.array_equal(after[1], seen[1])
    assert info["_distance"].tolist() == [False, True, False]
    with pytest.raises(InputError, match="reset_mask: expected 3 booleans"):
        envs.reset(options={"reset_mask": np.zeros(3, bool)})
    with pytest.raises(InputError, match="seed: expected 3 seeds, got 2"):
        envs.reset(seed=[1, 2])


def test_wrong_calls_are_refused_in_words(neck):
    envs = RobotVectorEnv(8, neck, TASK, (-0.048, 0.0))
    with pytest.raises(InputError, match=r"options: expected a mapping such as .*, got 'abc'"):
        envs.reset(options="abc")
    envs.reset(seed=1)
    with pytest.raises(InputError, match=r"action: expected shape \(8, 3\), got \(7, 3\)"):
        envs.step(np.zeros((7, 3), np.float32))


def test_names_make_one_robot_or_many():
    one = gymnasium.make("chorda/NeckConfiguration-v0", joints=1, horizon=5)
    many = gymnasium.make_vec("chorda/NeckConfiguration-v0", num_envs=3, joints=1, horizon=5)
    assert isinstance(one.unwrapped, RobotEnv)
    assert isinstance(many, RobotVectorEnv)
    seen, _ = one.reset(seed=4)
    assert np.array_equal(many.reset(seed=4)[0][0], seen)
    assert many.observation_space.contains(many.reset(seed=4)[0])
