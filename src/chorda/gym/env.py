"""RobotEnv: one robot at a task."""

from typing import Any, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt

from chorda.describe import Robot
from chorda.gym.episodes import Episodes, Settings, shaped
from chorda.gym.learning_tasks import Task
from chorda.gym.value_ranges import Range, Ranges
from chorda.mechanics import Array, System, numeric

Action = npt.NDArray[np.float32]


def spaces(episodes: Episodes) -> tuple[Any, Any]:
    """Of observations and of actions, for one robot."""
    seen = episodes.observer
    return (
        gymnasium.spaces.Box(seen.low, seen.high, dtype=np.float64),
        gymnasium.spaces.Box(-1.0, 1.0, (len(episodes.low),), np.float32),
    )


class RobotEnv(gymnasium.Env[Array, Action]):
    """Environment of one robot at a task.

    Parameters
    ----------
    system : System, Robot or str
        The robot, or its name in the catalogue.
    task : Task
        Such as a Reach.
    limits : (float, float) or mapping
        Least and largest value of the inputs, which actions of -1 and 1 stand for; or by name,
        where '*' matches many.
    step : float
        Step of the scheme [s], by default 2 ms.
    frame_skip : int
        Steps for which an action is held, by default 10.
    scheme : str, optional
        As of `chorda.simulate`, without cvodes.
    horizon : int
        Actions until the episode is truncated, by default 100.
    parameters : mapping, optional
        Name to (low, high), drawn anew at each reset.
    observe : sequence of str
        Of position, velocity, achieved, target, which are the default, and outputs such as tension.
    penalty : float
        A robot that diverges ends its episode with -penalty, and info has 'diverged'.

    Notes
    -----
    `reset` takes the options 'start', 'target' and 'parameters': mappings by name, in place of what
    would be drawn.

    Examples
    --------
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
        **settings: Unpack[Settings],
    ) -> None:
        self.episodes = Episodes(1, system, task, limits, **settings)
        self.observation_space, self.action_space = spaces(self.episodes)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        self.episodes.reset([0], [self.np_random], options)
        return self.episodes.observation()[:, 0], _first(self.episodes.info())

    def step(self, action: Action) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        held = shaped(np.ravel(numeric("action", action)), (len(self.episodes.low),))
        found, late = self.episodes.step(held[:, None])
        return (
            self.episodes.observation()[:, 0],
            float(found.reward[0]),
            bool(found.terminated[0]),
            bool(late[0]),
            _first(self.episodes.info_of(found)),
        )


def _first(info: dict[str, npt.NDArray[Any]]) -> dict[str, Any]:
    """Of the only member, as plain numbers and words."""
    return {name: x[0].item() if x.dtype != object else x[0] for name, x in info.items()}
