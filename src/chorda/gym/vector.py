"""RobotVectorEnv: many robots at a task, all moved by one compiled call."""

from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from chorda.describe import Robot
from chorda.errors import InputError
from chorda.gym.env import spaces
from chorda.gym.episodes import Episodes, Flags, Settings, by_name, shaped
from chorda.gym.learning_tasks import Task
from chorda.gym.value_ranges import Range, Ranges
from chorda.mechanics import Array, System

Actions = npt.NDArray[np.float32]


class RobotVectorEnv(gymnasium.vector.VectorEnv[Array, Actions, npt.NDArray[Any]]):
    """Environment of many robots at a task, all moved by one compiled call.

    A robot whose episode ended is reset by the next step, which ignores its action and gives 0.
    Each has random numbers of its own: with seed s, robot i is RobotEnv with seed s + i.

    Parameters
    ----------
    num_envs : int
        How many robots.
    system, task, limits, **settings
        As of RobotEnv.
    jobs : int, optional
        Threads, by default 1; None: as many as there are cores.

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
        limits: Range | Ranges,
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
        return tuple(seed for _, seed in self._draws)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """options: as of RobotEnv, for all alike; 'reset_mask' leaves the others as they are."""
        given = by_name("options", {} if options is None else options)
        mask = self._mask(given.pop("reset_mask", None))
        for m, own in enumerate(self._seeds(seed)):
            if mask[m] and own is not None:
                self._draws[m] = seeding.np_random(own)
        self._reset(mask, given)
        self._ended &= ~mask
        return self._seen(), _paired(self.episodes.info(), mask)

    def step(
        self, actions: Actions
    ) -> tuple[Array, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
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
