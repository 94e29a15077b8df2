"""DeviceVectorEnv: many robots at a task on a GPU, where actions and observations stay."""

from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from chorda.checks import check_choice, check_names, shown, whole_number
from chorda.compile.columns import at_columns
from chorda.compile.device import cupy
from chorda.describe import Robot
from chorda.dynamics.rollouts import gpu, members
from chorda.dynamics.rollouts.ending import needs_host
from chorda.dynamics.rollouts.exchange import received
from chorda.dynamics.rollouts.rollout import PRECISIONS
from chorda.dynamics.time_loop import bounds
from chorda.errors import InputError
from chorda.gym.environments import spaces
from chorda.gym.episodes import OPTIONS, Episodes, Settings, by_name
from chorda.gym.learning_tasks import Task
from chorda.gym.value_ranges import Range, Ranges
from chorda.mechanics import System
from chorda.statics.parameter_columns import parameter_columns


class DeviceVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Environment of many robots at a task on a GPU; its arrays are CuPy's.

    As RobotVectorEnv, but for this: actions are arrays on the GPU of any library that speaks
    DLPack; observations, rewards, ends and info stay there; all robots draw from one generator of
    random numbers. The task draws for all at once, by its method `draw_many`. Whether solids pass
    through each other or loops come apart is not looked at.

    Parameters
    ----------
    num_envs : int
        How many robots.
    system : System, Robot or str
        The robot, or its name in the catalogue.
    task : Task
        Such as a Reach, with a method `draw_many`.
    limits : (float, float) or mapping, optional
        Of the inputs, as of RobotEnv.
    precision : {"double", "single"}
        Single is for schemes without Newton's method.
    **settings : dict
        As of RobotEnv.

    See Also
    --------
    RobotVectorEnv : the same on the cores of this machine.

    Notes
    -----
    A GPU is needed, so this is not run by the tests of examples:

        envs = DeviceVectorEnv(65_536, "neck-3", task, limits=(-0.05, 0.0))
        observations, info = envs.reset(seed=1)
        observations, rewards, terminated, truncated, info = envs.step(actions)
        policy_sees = torch.from_dlpack(observations)
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
        precision: str = "double",
        **settings: Unpack[Settings],
    ) -> None:
        whole_number("num_envs", num_envs)
        check_choice("precision", precision, PRECISIONS)
        self._cp = cp = cupy()
        self._one = one = Episodes(1, system, task, limits, **settings)  # refuses what is wrong
        self.system = one.system
        self._draw_many: Any = getattr(task, "draw_many", None)
        if not callable(self._draw_many):
            raise InputError("task: expected a method draw_many for a GPU, as Reach has it")
        if needs_host(one.system):
            raise InputError(
                "system: cables that may turn too far, and rigid tendons that may push, are looked "
                "at on the host; take RobotVectorEnv"
            )
        if one.observer.solves:
            raise InputError(
                "observe: outputs that need accelerations or reactions are not computed on a GPU; "
                "leave them out, or take RobotVectorEnv"
            )
        self.num_envs = n = num_envs
        self.single_observation_space, self.single_action_space = spaces(one)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        moving, s = one.moving, one.system
        self._launch = gpu.launch_of(moving.loop, precision, cp, None)
        nx = moving.loop.settings.nx
        p = s.parameter_values[:, None]
        start = (
            cp.zeros((nx, n)),
            cp.zeros((1, s.nu, n)),
            cp.repeat(cp.asarray(p), n if one.spread else 1, 1),
        )
        times, ends = (moving.step, moving.steps, moving.steps), bounds(s, nx)
        self._batch = gpu.batch_there(self._launch, times, (*start, *ends), moving.tolerance)
        low, high = (cp.asarray(x[:, None], self._launch.real) for x in (one.low, one.high))
        self._middle, self._half = (high + low) / 2, (high - low) / 2
        self._goal = task.goal(s)
        self._target = cp.zeros((self._goal.numel_out(0), n))
        self._achieved = cp.zeros(self._target.shape)
        self._age, self._ended = cp.full(n, -1), cp.zeros(n, bool)
        self._fresh = cp.zeros(n, bool)
        self._draws, self._ready = cp.random.default_rng(), False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin episodes.

        Parameters
        ----------
        seed : int, optional
            Of the random numbers.
        options : dict, optional
            As of RobotVectorEnv, the mask on the GPU or the host.

        Returns
        -------
        (array, dict)
            Observations and info.
        """
        given, cp = by_name("options", {} if options is None else options), self._cp
        mask = given.pop("reset_mask", None)
        check_names("options", given, OPTIONS)
        if seed is not None:
            self._draws = cp.random.default_rng(seed)
        if mask is None:
            which = cp.arange(self.num_envs)
        else:
            mask = cp.asarray(received("options.reset_mask", mask, cp))
            if mask.shape != (self.num_envs,):
                raise InputError(f"options.reset_mask: expected {self.num_envs} booleans")
            which = cp.flatnonzero(mask)
        self._put(which, given)
        self._ready |= mask is None
        self._ended[which] = False
        return self._seen(), self._info(self._judged(self._action(None)))

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
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
        held, cp, batch = self._action(actions), self._cp, self._batch
        if not self._ready:
            raise ResetNeeded("step: expected robots that were put somewhere; call reset first")
        anew = self._ended
        batch.signal[0, : len(self._middle)] = self._middle + self._half * held
        self._remember()
        gpu.run(self._launch, batch)
        self._age += 1
        self._achieved = self._goals(batch.x, batch.p)
        found, lost = self._judged(held), batch.code != 0
        reward = cp.where(lost, -self._one.penalty, found.reward)
        terminated = (found.terminated | lost) & ~anew
        truncated = (self._age >= self._one.horizon) & ~anew
        if bool(anew.any()):
            self._put(cp.flatnonzero(anew), {})
            reward = cp.where(anew, 0.0, reward)
            found = self._judged(held)
        self._ended = terminated | truncated
        return self._seen(), reward, terminated, truncated, self._info(found)

    def steps(self, actions: Any) -> tuple[Any, Any, Any, Any]:
        """Take many actions, one after the other, without a way to the host.

        Parameters
        ----------
        actions : array of shape (times, robots, inputs)
            Within -1 and 1.

        Returns
        -------
        (array, array, array, array)
            Observations, rewards, terminated and truncated; times first, then robots.
        """
        many = [self.step(action)[:4] for action in received("actions", actions, self._cp)]
        obs, reward, terminated, truncated = (self._cp.stack(x) for x in zip(*many, strict=True))
        return obs, reward, terminated, truncated

    def _action(self, actions: Any) -> Any:
        """(inputs, num_envs), none: 0."""
        cp, shape = self._cp, (self.num_envs, len(self._one.low))
        if actions is None:
            return cp.zeros(shape[::-1])
        found = cp.asarray(received("action", actions, cp))
        if found.shape != shape:
            raise InputError(f"action: expected shape {shape}, got {found.shape}")
        if not bool(cp.isfinite(found).all()):
            raise InputError(f"action: expected finite numbers from -1 to 1, got {shown(found)}")
        return cp.clip(found, -1.0, 1.0).T

    def _put(self, which: Any, given: dict[str, Any]) -> None:
        """Members at new starts, with new targets and parameters."""
        cp, one, batch, n = self._cp, self._one, self._batch, len(which)
        start, target, changes = (by_name(f"options.{x}", given.get(x, {})) for x in OPTIONS)

        def uniform(low: float, high: float) -> Any:
            return low + (high - low) * self._draws.random(n)

        p = batch.p
        if changes and not one.spread:
            raise InputError(
                f"options.parameters: all robots share {', '.join(changes)}, as none is drawn; "
                "name those that shall differ in parameters"
            )
        if one.spread:
            changed = {k: uniform(*ends) for k, ends in one.spread.items()} | changes
            p = parameter_columns(self.system, changed, n, None, cp)
            batch.p[:, which] = p.astype(self._launch.real)
        begin, end = self._draw_many(self.system, uniform)
        u = np.zeros((self.system.nu, 1))
        u[: len(one.low), 0] = np.clip(0.0, one.low, one.high)

        def held(q: Any, _: Any) -> tuple[Any, Any]:
            return members.staying(self.system, None, u[None], q)[0], np.zeros(u.shape)

        q, v = members.starts(self.system, begin | start, p, n, held, None, cp)
        aim, _ = members.starts(self.system, end | target, p, n, held, None, cp)
        x = one.moving.loop.start(batch.h, q, v, held(q, v)[0], p)
        batch.x[:, which] = x.astype(self._launch.real)
        self._fresh[which] = True
        batch.code[which], self._age[which] = 0, 0
        self._target[:, which] = self._goals(aim, p)
        self._achieved[:, which] = self._goals(q, p)

    def _remember(self) -> None:
        """What multistep schemes keep begins with the first input."""
        batch, s = self._batch, self.system
        if len(batch.x) > s.nq + s.nv and bool(self._fresh.any()):
            m = self._cp.flatnonzero(self._fresh)
            x, u = batch.x[:, m], batch.signal[0][:, m]
            p = batch.p[:, m] if batch.p.shape[1] > 1 else batch.p
            own = x[: s.nq], x[s.nq : s.nq + s.nv], u, p
            x = self._one.moving.loop.start(batch.h, *own)
            batch.x[:, m] = x.astype(self._launch.real)
            self._fresh[:] = False

    def _goals(self, x: Any, p: Any) -> Any:
        (found,) = at_columns(self.system, self._goal, x[: self.system.nq], p)
        return found

    def _velocity(self) -> Any:
        s = self.system
        return self._batch.x[s.nq : s.nq + s.nv]

    def _judged(self, held: Any) -> Any:
        return self._one.task.judge(self._achieved, self._target, self._velocity(), held)

    def _info(self, found: Any) -> dict[str, Any]:
        return {**found.info, "diverged": self._batch.code != 0}

    def _seen(self) -> Any:
        """Observations (num_envs, size)."""
        observer, x, s = self._one.observer, self._batch.x, self.system
        q, v, u, p = x[: s.nq], self._velocity(), self._batch.signal[0], self._batch.p
        found = {"position": q, "velocity": v}
        found |= {"achieved": self._achieved, "target": self._target}
        if observer.names:
            still = [np.zeros((size, 1)) for size in (s.nv, s.nc)]
            (rows,) = at_columns(s, observer.shown, q, v, *still, u, p)
            ends = np.cumsum([0, *observer.sizes]).tolist()
            for name, a, b in zip(observer.names, ends, ends[1:], strict=False):
                found[name] = rows[a:b]
        parts = [found[name].astype(np.float64) for name in observer.parts]
        return self._cp.ascontiguousarray(self._cp.concatenate(parts).T)

    def __repr__(self) -> str:
        return f"<DeviceVectorEnv of {self.system.robot.name}: {self.num_envs} robots>"
