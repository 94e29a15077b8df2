"""RobotEnv and RobotVectorEnv: one robot at a task, or many that one compiled call moves."""

from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from chorda.checks import numeric
from chorda.describe import Robot
from chorda.errors import InputError
from chorda.gym.episodes import Episodes, Flags, Settings, by_name, shaped
from chorda.gym.learning_tasks import Task
from chorda.gym.value_ranges import Range, Ranges
from chorda.mechanics import Array, System

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
    limits : (float, float) or mapping, optional
        Least and largest value of the inputs, which actions of -1 and 1 stand for; or by name,
        where '*' matches many. By default the described limits of motors.
    **settings : dict
        step: of the scheme [s], by default 2 ms. frame_skip: steps for which an action is held, by
        default 10. scheme: as of `chorda.simulate`, without cvodes. horizon: actions until the
        episode is truncated, by default 100. parameters: a mapping of names to (low, high), drawn
        anew at each reset. observe: some of position, velocity, achieved, target, which are the
        default, and outputs such as tension. penalty: a robot that diverges ends its episode with
        -penalty, and info has 'diverged'.

    See Also
    --------
    RobotVectorEnv : many robots in one compiled call.

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
        limits: Range | Ranges | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        self.episodes = Episodes(1, system, task, limits, **settings)
        self.observation_space, self.action_space = spaces(self.episodes)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin an episode.

        Parameters
        ----------
        seed : int, optional
            Of the random numbers.
        options : dict, optional
            What would be drawn: 'start', 'target' and 'parameters', mappings by name.

        Returns
        -------
        (array, dict)
            Observation and info.
        """
        super().reset(seed=seed)
        self.episodes.reset([0], [self.np_random], options)
        return self.episodes.observation()[:, 0], _first(self.episodes.info())

    def step(self, action: Action) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Hold an action for `frame_skip` steps.

        Parameters
        ----------
        action : array of shape (inputs,)
            Within -1 and 1, which stand for the limits of the inputs.

        Returns
        -------
        (array, float, bool, bool, dict)
            Observation, reward, terminated, truncated, info.
        """
        held = shaped(np.ravel(numeric("action", action)), (len(self.episodes.low),))
        found, late = self.episodes.step(held[:, None])
        return (
            self.episodes.observation()[:, 0],
            float(found.reward[0]),
            bool(found.terminated[0]),
            bool(late[0]),
            _first(self.episodes.info_of(found)),
        )


class RobotVectorEnv(gymnasium.vector.VectorEnv[Array, Action, npt.NDArray[Any]]):
    """Environment of many robots at a task, all moved by one compiled call.

    A robot whose episode ended is reset by the next step, which ignores its action and gives 0.
    Each has random numbers of its own: with seed s, robot i is RobotEnv with seed s + i.

    Parameters
    ----------
    num_envs : int
        How many robots.
    system : System, Robot or str
        The robot, or its name in the catalogue.
    task : Task
        Such as a Reach.
    limits : (float, float) or mapping, optional
        Of the inputs, as of RobotEnv.
    jobs : int, optional
        Threads, by default 1; None: as many as there are cores.
    **settings : dict
        As of RobotEnv.

    See Also
    --------
    RobotEnv : one robot.
    DeviceVectorEnv : many on a GPU.

    Examples
    --------
    >>> from chorda.gym import Reach
    >>> task = Reach(target={"x1": (-0.5, 0.5)}, tension=20.0)
    >>> envs = RobotVectorEnv(16, "neck-1", task, limits=(-0.048, 0.0))
    >>> observations, info = envs.reset(seed=1)
    >>> observations, rewards, *_ = envs.step(envs.action_space.sample())
    >>> observations.shape, rewards.shape
    ((16, 8), (16,))
    """

    metadata = {  # noqa: RUF012
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        system: System | Robot | str,
        task: Task,
        limits: Range | Ranges | None = None,
        *,
        jobs: int | None = 1,
        **settings: Unpack[Settings],
    ) -> None:
        self.num_envs = num_envs
        self.episodes = Episodes(num_envs, system, task, limits, jobs=jobs, **settings)
        self.single_observation_space, self.single_action_space = spaces(self.episodes)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, bool)
        self._draws = [seeding.np_random(None) for _ in range(num_envs)]

    @property  # type: ignore[misc]  # a generator for each robot, none to be set
    def np_random(self) -> Any:
        """Random numbers of each robot."""
        return tuple(rng for rng, _ in self._draws)

    @property
    def np_random_seed(self) -> Any:
        """Seed of each robot's random numbers."""
        return tuple(seed for _, seed in self._draws)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Begin episodes.

        Parameters
        ----------
        seed : int or sequence of int, optional
            Of the random numbers.
        options : dict, optional
            As of RobotEnv, for all alike; 'reset_mask' leaves the others as they are.

        Returns
        -------
        (array, dict)
            Observations and info.
        """
        given = by_name("options", {} if options is None else options)
        mask = self._mask(given.pop("reset_mask", None))
        for m, own in enumerate(self._seeds(seed)):
            if mask[m] and own is not None:
                self._draws[m] = seeding.np_random(own)
        self._reset(mask, given)
        self._ended &= ~mask
        return self._seen(), _paired(self.episodes.info(), mask)

    def step(
        self, actions: Action
    ) -> tuple[Array, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Hold actions for `frame_skip` steps.

        Parameters
        ----------
        actions : array of shape (robots, inputs)
            Within -1 and 1, which stand for the limits of the inputs.

        Returns
        -------
        (array, array, array, array, dict)
            Observations, rewards, terminated, truncated, info; robots first.
        """
        anew = self._ended
        found, late = self.episodes.step(shaped(actions, (self.num_envs, len(self.episodes.low))).T)
        info = self.episodes.info_of(found)
        terminated, truncated = found.terminated & ~anew, late & ~anew
        if anew.any():
            self._reset(anew, {})
            info = {k: np.where(anew, x, info[k]) for k, x in self.episodes.info().items()}
        self._ended = terminated | truncated
        reward = np.where(anew, 0.0, found.reward)
        return self._seen(), reward, terminated, truncated, _paired(info, np.ones_like(anew))

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads.

        Parameters
        ----------
        **kwargs : dict
            Of gymnasium; nothing of it is used.
        """
        self.episodes.moving.close()

    def _reset(self, mask: Flags, options: dict[str, Any]) -> None:
        self.episodes.reset(np.flatnonzero(mask).tolist(), self.np_random, options)

    def _seen(self) -> Array:
        return np.ascontiguousarray(self.episodes.observation().T)

    def _mask(self, mask: Any) -> Flags:
        if mask is None:
            return np.ones(self.num_envs, bool)
        found = np.asarray(mask)
        if found.dtype != bool or found.shape != (self.num_envs,) or not found.any():
            raise InputError(
                f"options.reset_mask: expected {self.num_envs} booleans, some of them true, got "
                f"{mask!r:.60}"
            )
        return found

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            return [int(seed) + m for m in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise InputError(f"seed: expected {self.num_envs} seeds, got {len(seed)}")
        return [None if own is None else int(own) for own in seed]


def _paired(info: dict[str, npt.NDArray[Any]], mask: Flags) -> dict[str, Any]:
    """Each entry with '_entry', which is true for those whom it was made for."""
    return {**info, **{f"_{name}": mask.copy() for name in info}}


def _first(info: dict[str, npt.NDArray[Any]]) -> dict[str, Any]:
    """Of the only member, as plain numbers and words."""
    return {name: x[0].item() if x.dtype != object else x[0] for name, x in info.items()}
