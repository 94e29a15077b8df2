"""Robots to learn on: gymnasium environments, one robot or many in one compiled step.

import gymnasium
import chorda.gym

one = gymnasium.make("chorda/NeckReach-v0")
many = gymnasium.make_vec("chorda/NeckReach-v0", num_envs=64)
"""

try:
    import gymnasium as _  # noqa: F401
except ImportError as error:
    raise ImportError(
        "chorda.gym: needs the package gymnasium; pip install 'chorda[gym]' brings it"
    ) from error

from chorda.gym.device_environments import DeviceVectorEnv
from chorda.gym.environments import RobotEnv, RobotVectorEnv
from chorda.gym.learning_tasks import Judgement, Reach, Task
from chorda.gym.registered import register_all

register_all()

__all__ = ["DeviceVectorEnv", "Judgement", "Reach", "RobotEnv", "RobotVectorEnv", "Task"]
