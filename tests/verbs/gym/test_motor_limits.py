"""Actions of motors with limits stand for all that they can do, unless others are given."""

import numpy as np
import pytest

from chorda.errors import InputError
from chorda.gym import Reach, RobotEnv
from tests.helpers.motor_robots import WINDING, spun
from tests.helpers.refusals import refused

TASK = Reach(target={"wheel": (-0.4, 0.4)})


@pytest.mark.parametrize(
    ("parts", "most"),
    [
        ({"max_torque": 0.1}, 0.1),
        ({"max_torque": 0.1, "max_current": 1.0, "torque_constant": 0.05}, 0.05),
        ({"winding": {**WINDING, "max_voltage": 6.0}, "max_current": 1.0}, 6.0),
    ],
)
def test_the_default_is_the_described_limit(parts, most):
    env = RobotEnv(spun(**parts), TASK)
    assert (env.episodes.low[0], env.episodes.high[0]) == (-most, most)
    env.reset(seed=1)
    env.step(np.array([1.0], np.float32))
    assert env.episodes.moving.u[0, 0] == pytest.approx(most)


def test_limits_that_are_given_count():
    env = RobotEnv(spun(max_torque=0.1), TASK, limits={"m": (-0.02, 0.05)})
    assert (env.episodes.low[0], env.episodes.high[0]) == (-0.02, 0.05)


@pytest.mark.parametrize("parts", [{}, {"winding": WINDING, "max_current": 1.0}])
def test_an_input_without_a_limit_asks_for_one(parts):
    message = refused(InputError, RobotEnv, spun(**parts), TASK)
    assert "limits: expected (low, high) for every input, got none for m, which has" in message
