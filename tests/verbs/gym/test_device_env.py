"""Environments on a GPU: what those on the cores give, and robots that stay there."""

import sys

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from chorda.gym import DeviceVectorEnv, Reach, RobotVectorEnv
from chorda.numerics.array_library import host
from tests.helpers import fake_cupy
from tests.helpers.fake_cupy import DeviceArray
from tests.helpers.gpu_host import compiler

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C++ compiler")
N = 5
START = {"x1": 0.1, "x2": -0.1}
AIM = {"x1": 0.3, "x2": 0.2}
TASK = Reach(target={"x1": (-0.5, 0.5), "x2": (-0.2, 0.2)}, tension=20.0, effort=0.1)
GIVEN = {"limits": (-0.1, 0.0), "frame_skip": 5, "horizon": 4}


@pytest.fixture
def cupy(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("CHORDA_CACHE", str(folder))
    made = fake_cupy.module(tmp_path)
    monkeypatch.setitem(sys.modules, "cupy", made)
    return made


def actions(times):
    return np.random.default_rng(3).uniform(-1, 1, (times, N, 3))


@pytest.mark.parametrize("scheme", ["implicit-euler", "generalized-alpha"])
def test_robots_do_what_they_do_on_cores(cupy, scheme):
    observe = ("position", "velocity", "achieved", "target", "tension")
    given = GIVEN | {"observe": observe, "scheme": scheme}
    there = DeviceVectorEnv(N, "neck-2", TASK, **given)
    here = RobotVectorEnv(N, "neck-2", TASK, **given)
    options = {"start": START, "target": AIM}
    seen, info = there.reset(seed=1, options=options)
    wanted, known = here.reset(seed=1, options=options)
    assert np.allclose(seen.get(), wanted, rtol=1e-12, atol=1e-9)
    assert np.allclose(info["distance"].get(), known["distance"])
    for action in actions(4):
        seen, reward, *ends, _ = there.step(DeviceArray(action))
        wanted, worth, *over, _ = here.step(action)
        assert np.allclose(seen.get(), wanted, rtol=1e-9, atol=1e-9)
        assert np.allclose(reward.get(), worth)
        assert [x.get().tolist() for x in ends] == [x.tolist() for x in over]
    assert ends[1].get().all()  # the horizon


def test_robots_whose_episodes_ended_begin_anew(cupy):
    env = DeviceVectorEnv(N, "neck-2", TASK, **GIVEN)
    env.reset(seed=2)
    many = env.steps(DeviceArray(actions(6)))
    observations, rewards, _, truncated = (x.get() for x in many)
    assert truncated[3].all()
    assert not truncated[4:].any()
    assert not rewards[4].any()
    targets = observations[:, :, -2:]
    assert (targets[3] == targets[0]).all()
    assert (targets[4] != targets[0]).all()
    assert len(np.unique(targets[4, :, 0])) == N
    assert np.abs(targets).max() <= 0.5


def test_parameters_are_drawn_for_each_robot(cupy):
    env = DeviceVectorEnv(N, "neck-2", TASK, parameters={"x1.bar_mass": (0.05, 0.2)}, **GIVEN)
    env.reset(seed=3)
    seen, *_ = env.step(DeviceArray(np.zeros((N, 3))))
    assert len(np.unique(seen.get()[:, 0])) == N


def test_nothing_of_a_step_comes_to_the_host_but_flags(cupy):
    env = DeviceVectorEnv(N, "neck-2", TASK, **GIVEN)
    env.reset(seed=4)
    before = DeviceArray.copies.numbers
    env.step(DeviceArray(actions(1)[0]))
    assert DeviceArray.copies.numbers == before


def test_wrong_arguments_are_refused(cupy):
    robot = chorda.load("tendon-parallel")
    task = Reach(target={chorda.assemble(robot).coordinate_names[0]: (0.0, 0.0)})
    with pytest.raises(InputError, match="observe: outputs that need accelerations"):
        DeviceVectorEnv(N, robot, task, limits=(0, 1), observe=("reaction",))
    env = DeviceVectorEnv(N, "neck-2", TASK, **GIVEN)
    with pytest.raises(Exception, match="call reset first"):
        env.step(DeviceArray(np.zeros((N, 3))))
    env.reset(seed=1)
    with pytest.raises(InputError, match="action: expected shape"):
        env.step(DeviceArray(np.zeros((N, 2))))
    with pytest.raises(InputError, match="finite numbers"):
        env.step(DeviceArray(np.full((N, 3), np.nan)))
    with pytest.raises(InputError, match="all robots share"):
        env.reset(options={"parameters": {"x1.bar_mass": 0.1}})
    assert host(env.reset(seed=1)[0]).shape[0] == N
