"""RobotEnv: one robot at a task."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from chorda.describe import Robot
from chorda.gym.members import Members, shaped
from chorda.gym.observing import STATE
from chorda.gym.ranges import Range, Ranges
from chorda.gym.tasks import Task
from chorda.mechanics import Array, System, numeric

Action = npt.NDArray[np.float32]


def spaces(members: Members) -> tuple[Any, Any]:
    """Of observations and of actions, for one robot."""
    eyes = members.eyes
    return (
        gymnasium.spaces.Box(eyes.low, eyes.high, dtype=np.float64),
        gymnasium.spaces.Box(-1.0, 1.0, (len(members.low),), np.float32),
    )


class RobotEnv(gymnasium.Env[Array, Action]):
    """One robot at a task.

    system: or a robot, or its name. limits: (low, high) of the inputs, or a mapping by name
    ('*' matches many); -1 and 1 of an action. An action is held for `frame_skip` steps [s] of the
    scheme. horizon: actions until the episode is truncated. parameters: name -> (low, high), drawn
    anew at each reset. observe: of position, velocity, achieved, target, and outputs such as
    tension. A robot that diverges ends its episode with -penalty, and info says 'diverged'.

    reset takes options 'start', 'target' and 'parameters': mappings by name, in place of what would
    be drawn.

    >>> from chorda.gym import Reach
    >>> task = Reach(target={"x1": (-0.5, 0.5)}, tension=20.0)
    >>> env = RobotEnv("neck-1", task, limits=(-0.048, 0.0))
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    >>> observation.shape, info["status"]
    ((8,), 'completed')
    """

    metadata = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        system: System | Robot | str,
        task: Task,
        limits: Range | Ranges,
        step: float = 2e-3,
        frame_skip: int = 10,
        scheme: str | None = None,
        horizon: int = 100,
        parameters: Ranges | None = None,
        observe: Sequence[str] = STATE,
        penalty: float = 100.0,
    ) -> None:
        self.members = Members(
            1,
            system,
            task,
            limits,
            step=step,
            frame_skip=frame_skip,
            scheme=scheme,
            horizon=horizon,
            parameters=parameters,
            observe=observe,
            penalty=penalty,
        )
        self.observation_space, self.action_space = spaces(self.members)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        self.members.reset([0], [self.np_random], options)
        return self.members.observation()[:, 0], _first(self.members.info())

    def step(self, action: Action) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        held = shaped(np.ravel(numeric("action", action)), (len(self.members.low),))
        found, late = self.members.step(held[:, None])
        return (
            self.members.observation()[:, 0],
            float(found.reward[0]),
            bool(found.terminated[0]),
            bool(late[0]),
            _first(self.members.told(found)),
        )


def _first(info: dict[str, npt.NDArray[Any]]) -> dict[str, Any]:
    """Of the only member, as plain numbers and words."""
    return {name: x[0].item() if x.dtype != object else x[0] for name, x in info.items()}
