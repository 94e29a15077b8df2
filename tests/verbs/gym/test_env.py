"""One robot at a task: the motion is that of simulate, and gymnasium's rules are kept."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import chorda
import chorda.gym
from chorda.errors import InputError
from chorda.gym import Reach, RobotEnv
from chorda.mechanics.posing import frame_poses

PULLS = (-0.048, 0.0)
TASK = Reach(target={"x1": (-0.4, 0.4)}, start={"x2": (-0.1, 0.1)}, tension=20.0)


@pytest.mark.parametrize("name", ["chorda/NeckReach-v0", "chorda/NeckConfiguration-v0"])
def test_gymnasiums_checker_finds_no_fault(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*infinity.*")  # where a head may be
        check_env(gymnasium.make(name, joints=1).unwrapped)


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "generalized-alpha"])
def test_an_episode_is_the_motion_that_simulate_gives(neck, scheme):
    env = RobotEnv(neck, TASK, PULLS, step=1e-3, frame_skip=5, scheme=scheme)
    env.reset(seed=2)
    start = np.concatenate([env.episodes.moving.q, env.episodes.moving.v])[:, 0]
    action = np.array([0.5, -0.25, 0.1], np.float32)
    seen = np.array([env.step(action)[0] for _ in range(50)])
    inputs = -0.024 + 0.024 * action.astype(float)
    options = {"duration": 0.25, "step": 1e-3, "every": 5, "scheme": scheme}
    run = chorda.simulate(neck, initial=start, inputs=inputs, **options)
    assert np.allclose(seen[:, : neck.nq], run.position[1:], rtol=0, atol=1e-12)
    assert np.ptp(run.position[:, 0]) > 0.02  # rad: it does move


def test_a_start_is_wound_to_its_tension(neck):
    env = RobotEnv(neck, TASK, PULLS, observe=("tension",))
    seen, _ = env.reset(seed=3, options={"start": {"x1": 0.2}})
    assert env.episodes.moving.q[0, 0] == 0.2
    assert seen == pytest.approx(20.0, abs=1e-6)


def test_one_name_of_what_is_observed_needs_no_list(neck):
    seen, listed = (
        RobotEnv(neck, TASK, PULLS, observe=x).reset(seed=3)[0] for x in ("position", ["position"])
    )
    assert seen.shape == (neck.nq,)
    assert np.array_equal(seen, listed)


@pytest.mark.parametrize("tendons", ["elastic", "rigid"])
def test_observed_tensions_are_those_of_a_run(tendons):
    system = chorda.assemble(chorda.load("neck-1"), tendons=tendons)
    env = RobotEnv(system, Reach(target={"x1": 0.3}), PULLS, observe=("tension", "position"))
    env.reset(seed=1)
    action = np.array([0.0, 0.5], np.float32)
    seen = env.step(action)[0]
    u = -0.024 + 0.024 * action.astype(float)
    run = chorda.simulate(system, duration=0.02, step=2e-3, inputs=u)
    assert seen[:2] == pytest.approx(run.outputs["tension"][-1], rel=1e-8)


def test_a_seed_decides_the_episode_and_options_hold_what_they_name(neck):
    env = RobotEnv(neck, TASK, PULLS, parameters={"left.stiffness": (5e4, 1e5)})
    first, again = (env.reset(seed=7)[0] for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, env.reset()[0])
    options = {"start": {"x2": 0.05}, "target": {"x1": 0.3}, "parameters": {"left.stiffness": 6e4}}
    seen, _ = env.reset(seed=7, options=options)
    assert seen[neck.coordinate_names.index("x2")] == 0.05
    assert seen[-1] == 0.3
    row = neck.parameter_names.index("left.stiffness")
    assert env.episodes.moving.p[row, 0] == 6e4


def test_a_robot_that_diverges_ends_its_episode_with_the_penalty(neck):
    env = RobotEnv(neck, TASK, (-50.0, 50.0), penalty=123.0)
    env.reset(seed=1)
    for _ in range(100):
        seen, reward, terminated, truncated, info = env.step(np.array([1, -1, 1], np.float32))
        if terminated:
            break
    assert (terminated, truncated, reward, info["diverged"]) == (True, False, -123.0, True)
    assert info["status"] == "diverged"
    assert np.all(np.isfinite(seen))
    assert env.reset()[1]["status"] == "completed"


def test_an_episode_is_truncated_at_the_horizon_and_may_end_where_it_gets_to():
    task = Reach(target={"x1": 0.0}, tension=20.0, bonus=5.0, effort=2.0, scale=0.5)
    env = RobotEnv("neck-1", task, PULLS, horizon=3)
    env.reset(seed=1)
    ends = [env.step(np.zeros(2, np.float32))[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    env.reset(options={"start": {"x1": 0.3}})
    _, reward, *_, info = env.step(np.array([1, 0], np.float32))
    assert not info["reached"]
    assert reward == pytest.approx(-info["distance"] / 0.5 - 2.0 * 0.5)
    ending = Reach(target={"x1": 0.0}, tension=20.0, bonus=5.0, ends=True)
    env = RobotEnv("neck-1", ending, PULLS)
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(np.zeros(2, np.float32))
    assert terminated
    assert info["reached"]
    assert reward == pytest.approx(5.0 - info["distance"] / 0.1)


def test_an_arm_makes_a_turn_count_as_a_distance(neck):
    configurations = {"start": {"x1": 0.1, "x2": -0.3}, "target": {"x1": 0.2, "x2": 0.1}}
    at = [neck.start.copy(), neck.start.copy()]
    for q, values in zip(at, configurations.values(), strict=True):
        q[:2] = list(values.values())
    R, p = frame_poses(neck, ["x2.top"], np.array(at), neck.parameter_values)
    turn = np.arccos((np.trace(R[0, 0].T @ R[1, 0]) - 1) / 2)
    away = np.linalg.norm(p[1, 0] - p[0, 0])
    for arm in (0.0, 0.5):
        task = Reach(target={"x1": 0.0}, frame="x2.top", arm=arm)
        _, info = RobotEnv(neck, task, PULLS).reset(seed=1, options=configurations)
        expected = np.hypot(away, arm * 2 * np.sin(turn / 2))
        assert info["distance"] == pytest.approx(expected, rel=1e-9)


def test_a_task_of_ones_own_is_called(neck):
    class Fall(Reach):
        def judge(self, achieved, target, velocity, action):
            ones = np.ones(velocity.shape[1])
            return chorda.gym.Judgement(velocity[0], ones > 0, {"speed": velocity[0]})

    env = RobotEnv(neck, Fall(target={"x1": 0.1}), PULLS)
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(np.ones(3, np.float32))
    assert terminated
    assert reward == info["speed"] == env.episodes.moving.v[0, 0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"limits": {"motor-left": PULLS}}, "limits: .* none for motor-right1"),
        ({"limits": {"engine": PULLS}}, "limits: 'engine' is not there"),
        ({"limits": (0.0, -0.1)}, "^limits: low must be below high, got low 0 and high -0.1"),
        ({"limits": (1.0, 2.0, 3.0)}, r"^limits: expected a number or \(low, high\)"),
        ({"observe": "tensions"}, "observe: 'tensions' is not there; did you mean tension"),
        ({"observe": 5}, "observe: expected some of position, .* got 5"),
        ({"task": "reach"}, "task: expected a Reach, or an object with goal, .* got 'reach'"),
        ({"task": Reach}, "task: expected a Reach, or an object with goal"),
        ({"step": -1}, "^step: expected a positive number of seconds, got -1"),
        ({"step": "1"}, "^step: expected a positive number of seconds, got '1'"),
        ({"observe": ("tensions",)}, "observe: 'tensions' is not there; did you mean tension"),
        ({"parameters": {"stiff": (1, 2)}}, "parameters: 'stiff' is not there"),
        ({"scheme": "cvodes"}, "scheme: 'cvodes' has no compiled step"),
        ({"horizon": 0}, "horizon: expected a whole number"),
        ({"penalty": -1}, "penalty: expected a finite number of at least 0, got -1"),
        ({"task": Reach(target={"y": (0, 1)})}, "target: 'y' is not there"),
        ({"task": Reach(target={"x1": (0, 9)})}, "target.x1: 0 to 9 leaves"),
        ({"task": Reach(target={"x1": 0}, frame="head")}, "frame: 'head' is not there"),
        ({"task": Reach(target={"x1": 0}, frame="x1.base")}, "frame: 'x1.base' does not move"),
        ({"system": 3}, "system: expected a System, a Robot or its name"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(neck, change, words):
    with pytest.raises(InputError, match=words):
        RobotEnv(**{"system": neck, "task": TASK, "limits": PULLS, **change})


def test_wrong_calls_are_refused_in_words(neck):
    env = RobotEnv(neck, TASK, PULLS)
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset first"):
        env.step(np.zeros(3, np.float32))
    with pytest.raises(InputError, match="options: 'begin' is not there"):
        env.reset(options={"begin": {}})
    with pytest.raises(InputError, match="start: 'y' is not there"):
        env.reset(options={"start": {"y": 0.1}})
    with pytest.raises(InputError, match=r"options: expected a mapping such as .*, got 'abc'"):
        env.reset(options="abc")
    with pytest.raises(
        InputError, match=r"options.start: expected a mapping such as .*, got \[1, 2"
    ):
        env.reset(options={"start": [1, 2, 3]})
    env.reset()
    with pytest.raises(InputError, match=r"action: expected shape \(3,\), got \(2,\)"):
        env.step(np.zeros(2, np.float32))
    with pytest.raises(InputError, match="action: expected 3 finite numbers"):
        env.step(np.full(3, np.nan))
    with pytest.raises(InputError, match="arm"):
        Reach(target={"x1": 0.0}, arm=0.1)
