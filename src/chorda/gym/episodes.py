"""Episodes of robots of one kind; the last index of arrays is the member."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from chorda.catalogue import load
from chorda.checks import check_names, mapping, number, numeric, whole_number
from chorda.compile.point_functions import Pointwise
from chorda.describe import Robot
from chorda.dynamics.overlapping_start import thrown_apart
from chorda.dynamics.rollouts.members import staying
from chorda.errors import InputError
from chorda.gym import value_ranges as ranges
from chorda.gym.learning_tasks import Judgement, Task, Values
from chorda.gym.moving import Moving
from chorda.gym.observing import STATE, Observer
from chorda.gym.value_ranges import Range, Ranges
from chorda.mechanics import Array, System
from chorda.mechanics.tensioning import winder
from chorda.numerics.ctrl_c import interruptible
from chorda.results.status import OF_EXIT
from chorda.statics import assemble
from chorda.statics import winding_limits as winding
from chorda.statics.closing import closed
from chorda.statics.initial import initial_state

OPTIONS = ("start", "target", "parameters")
DRAWS = 100  # of starts, until one has no shapes that overlap
TASK = ("goal", "draw", "judge")
STATUS = np.array(list(OF_EXIT.values()), object)
Flags = npt.NDArray[np.bool_]


class Settings(TypedDict, total=False):
    """Arguments of both environments; see RobotEnv."""

    step: float
    frame_skip: int
    scheme: str | None
    horizon: int
    parameters: Ranges | None
    observe: Sequence[str]
    penalty: float


class Episodes:
    """Robots at their task: RobotEnv has one of them, RobotVectorEnv many."""

    @interruptible()
    def __init__(
        self,
        count: int,
        system: System | Robot | str,
        task: Task,
        limits: Range | Ranges | None,
        *,
        step: float = 2e-3,
        frame_skip: int = 10,
        scheme: str | None = None,
        horizon: int = 100,
        parameters: Ranges | None = None,
        observe: Sequence[str] = STATE,
        penalty: float = 100.0,
        jobs: int | None = 1,
    ) -> None:
        self.system = system = made(system)
        for name, whole in (("num_envs", count), ("frame_skip", frame_skip), ("horizon", horizon)):
            whole_number(name, whole)
        number("penalty", penalty, least=0)
        if isinstance(task, type) or not all(callable(getattr(task, x, None)) for x in TASK):
            raise InputError(
                f"task: expected a Reach, or an object with {', '.join(TASK)}, got {task!r:.60}"
            )
        self.count, self.task, self.horizon, self.penalty = count, task, horizon, penalty
        self.low, self.high = ranges.inputs(system, limits)
        self.spread = ranges.parameters(system, parameters or {})
        goal = task.goal(system)
        self._goal, self._own_goal = Pointwise(goal, count), Pointwise(goal, 1)
        self._wound: set[float] = set()  # tensions that motors can be wound to
        self.observer = Observer(system, observe, goal.numel_out(0), count)
        self.moving = Moving(system, count, step, frame_skip, scheme, jobs)
        self.target = np.zeros((goal.numel_out(0), count))
        self.achieved = self.target.copy()
        self.age = np.full(count, -1)  # actions since the last reset; -1: never reset

    def observation(self) -> Array:
        x = self.moving
        return self.observer(x.q, x.v, x.u, x.p, self.achieved, self.target)

    @interruptible()
    def reset(
        self,
        which: Iterable[int],
        draws: Sequence[np.random.Generator],
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Puts members at new starts, with new targets and parameters; options hold some of it."""
        given = by_name("options", {} if options is None else options)
        check_names("options", given, OPTIONS)
        held = [by_name(f"options.{name}", given.get(name, {})) for name in OPTIONS]
        for m in which:
            self._put(m, draws[m], held)
        self.achieved = self._goal.columns(self.moving.q, self.moving.p)

    def _put(self, m: int, rng: np.random.Generator, held: Sequence[Values]) -> None:
        """held: values in place of drawn ones, for each of the options."""
        system, (start, target, changes) = self.system, held
        p = system.parameters(ranges.drawn(self.spread, rng) | changes)
        u = np.zeros(system.nu)
        u[: len(self.low)] = np.clip(0.0, self.low, self.high)
        for _ in range(DRAWS):
            begin, end = self.task.draw(system, rng)
            q, v, u = self._state(begin | start, u, p, "start")
            overlap = thrown_apart(system, *(x[:, None] for x in (q, u, p)))
            if not overlap:
                break
        else:
            raise InputError(f"start: {DRAWS} starts were drawn, and shapes overlap. {overlap}")
        aim, _, _ = self._state(end | target, u, p, "target")
        winding.refuse(system, None, q, p)
        self.moving.put(m, q, v, u, p)
        self.target[:, m] = self._own_goal.columns(aim[:, None], p[:, None])[:, 0]
        self.age[m] = 0

    def _state(self, values: Values, u: Array, p: Array, what: str) -> tuple[Array, Array, Array]:
        """q and v from values by name, under inputs u but for joints that are led, which stay
        there; and these inputs. `what` is the field they came in.

        Motors are wound to a tension by one function, which is checked once.
        """
        system, tension = self.system, values.get("tension")
        if isinstance(tension, int | float):
            if tension not in self._wound:
                initial_state(system, values, p, what)  # refuses what cannot be wound
                self._wound.add(tension)
            others = {name: x for name, x in values.items() if name != "tension"}
            q, v = initial_state(system, others, p, what)
            pulls = np.full((len(system.robot.tendons), 1), tension)
            wind = system.once("wind", lambda: Pointwise(winder(system), 1))
            q = wind.columns(pulls, q[:, None], p[:, None])[:, 0]
        else:
            q, v = initial_state(system, values, p, what)
        u = staying(system, None, u[None, :, None], q[:, None])[0, :, 0]
        return *closed(system, values, q, v, u, np.zeros(system.nu), p), u

    def step(self, action: Array) -> tuple[Judgement, Flags]:
        """Moves all members; what it was worth, and who has come to the horizon."""
        if np.any(self.age < 0):
            raise ResetNeeded("step: expected robots that were put somewhere; call reset first")
        given, moving = len(self.low), self.moving
        if not np.all(np.isfinite(action)):
            raise InputError(
                f"action: expected {given} finite numbers from -1 to 1, got {action!r:.60}"
            )
        held = np.clip(action, -1.0, 1.0)
        middle, half = (self.high + self.low) / 2, (self.high - self.low) / 2
        moving.u[:given] = middle[:, None] + half[:, None] * held
        moving.go()
        self.age += 1
        self.achieved = self._goal.columns(moving.q, moving.p)
        found = self.task.judge(self.achieved, self.target, moving.v, held)
        lost = moving.code != 0
        reward = np.where(lost, -self.penalty, found.reward)
        return Judgement(reward, found.terminated | lost, found.info), self.age >= self.horizon

    def info(self) -> dict[str, npt.NDArray[Any]]:
        """What the task reports where members are."""
        idle = np.zeros((len(self.low), self.count))
        return self.info_of(self.task.judge(self.achieved, self.target, self.moving.v, idle))

    def info_of(self, found: Judgement) -> dict[str, npt.NDArray[Any]]:
        """What the task reports, and how the last step ended."""
        code = self.moving.code
        return {**found.info, "diverged": code != 0, "status": STATUS[code]}


def by_name(what: str, given: Any) -> dict[str, Any]:
    """A mapping that the user gave."""
    return dict(mapping(what, given, "{'x1': 0.3}"))


def shaped(action: Any, shape: tuple[int, ...]) -> Array:
    """Numbers of the action space's shape."""
    found = numeric("action", action)
    if found.shape != shape:
        raise InputError(f"action: expected shape {shape}, got {found.shape}")
    return found


def made(given: Any) -> System:
    """A system from itself, a robot, or the name or file of one."""
    if isinstance(given, str | Robot):
        return assemble(load(given) if isinstance(given, str) else given)
    if not isinstance(given, System):
        raise InputError(f"system: expected a System, a Robot or its name, got {given!r:.60}")
    return given
