"""Tasks of robots: where an episode starts, where it shall go, and what a step is worth.

The last index of arrays is the member.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import casadi as ca
import numpy as np
import numpy.typing as npt

from chorda.errors import InputError
from chorda.gym import value_ranges as ranges
from chorda.gym.value_ranges import Range, Ranges
from chorda.mechanics import Array, System
from chorda.mechanics.posing import posing

Values = dict[str, float]


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a step was worth, of each member.

    Parameters
    ----------
    reward : array of shape (members,)
        Of the step.
    terminated : array of bool of shape (members,)
        Whether it ends the episode.
    info : mapping of str to arrays of shape (members,)
        Entries of info.

    See Also
    --------
    Task.judge : makes it.

    Examples
    --------
    >>> near = np.array([True, False])
    >>> Judgement(-np.array([0.1, 0.4]), near, {"near": near}).reward.tolist()
    [-0.1, -0.4]
    """

    reward: Array
    terminated: npt.NDArray[np.bool_]
    info: Mapping[str, npt.NDArray[Any]]


class Task(Protocol):
    """A task of your own needs these three; on a GPU also `draw_many` of Reach.

    See Also
    --------
    Reach : a task that has them.
    """

    def goal(self, system: System) -> Any:
        """Say what shall become equal to the target.

        Parameters
        ----------
        system : System
            The robot.

        Returns
        -------
        casadi.Function
            (q, p) -> a dense column.
        """
        ...

    def draw(self, system: System, rng: np.random.Generator) -> tuple[Values, Values]:
        """Draw where an episode starts, and where it shall go.

        Parameters
        ----------
        system : System
            The robot.
        rng : numpy.random.Generator
            Of the episode.

        Returns
        -------
        (dict, dict)
            Start and target configuration by name [rad, m]; a start may have 'tension' [N], see
            `chorda.simulate`.
        """
        ...

    def judge(self, achieved: Array, target: Array, velocity: Array, action: Array) -> Judgement:
        """Judge a step after it was made.

        Parameters
        ----------
        achieved, target : array of shape (goals, members)
            What `goal` gives for the configuration, and for the target.
        velocity : array of shape (nv, members)
            Rates of the coordinates.
        action : array of shape (inputs, members)
            Within -1 and 1.

        Returns
        -------
        Judgement
            Of each member.
        """
        ...


@dataclass(frozen=True, eq=False)
class Reach:
    """Task of bringing a frame to a pose, or joints to angles, and of keeping them there.

    A step gives -distance / scale - effort * mean(action^2), and `bonus` within the tolerance.

    Parameters
    ----------
    target : mapping of str to (float, float)
        Ranges of coordinates, from which target configurations are drawn.
    frame : str, optional
        Its position in the drawn configuration is the goal; without, the coordinates themselves.
    arm : float
        Makes the frame's orientation count too, 1 rad as much as this distance [m].
    start : mapping of str to (float, float)
        Ranges of coordinates at the start; the others are where the robot starts.
    tension : float, optional
        To which motors are wound at the start [N].
    tolerance, scale : float
        [m, or rad].
    effort, bonus : float
        Weights in the reward.
    ends : bool
        Whether the episode ends within the tolerance.

    See Also
    --------
    RobotEnv : an environment of one robot at a task.

    Examples
    --------
    >>> task = Reach(target={"x1": (-0.5, 0.5)}, tension=20.0)
    >>> task.tolerance
    0.01
    """

    target: Ranges
    frame: str | None = None
    arm: float = 0.0
    start: Ranges = field(default_factory=dict)
    tension: float | None = None
    tolerance: float = 0.01
    scale: float = 0.1
    effort: float = 0.0
    bonus: float = 0.0
    ends: bool = False
    _start: Mapping[str, Range] = field(init=False, repr=False)
    _target: Mapping[str, Range] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("start", "target"):
            object.__setattr__(self, f"_{name}", ranges.spans(name, getattr(self, name)))
        if not self.target:
            raise InputError("target: expected ranges of at least one coordinate, got none")
        for name in ("tolerance", "scale"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name}: expected more than 0, got {getattr(self, name)!r}")
        if self.arm < 0 or (self.arm and self.frame is None):
            raise InputError(f"arm: expected 0 or more, with a frame, got {self.arm!r}")

    def goal(self, system: System) -> Any:
        """Say what shall become equal to the target: a position, a pose, or coordinates.

        Parameters
        ----------
        system : System
            The robot.

        Returns
        -------
        casadi.Function
            (q, p) -> a dense column.

        Raises
        ------
        InputError
            A coordinate or frame is not there, or the frame does not move.
        """
        names = system.coordinate_names
        ranges.check(system, "target", self._target)
        ranges.check(system, "start", self._start)
        if self.frame is None:
            found = ca.vertcat(*[system.q[names.index(name)] for name in self._target])
        else:
            pose = posing(system, [self.frame])(system.q, system.p)
            # |R - S| / sqrt(2) is 2 sin(angle / 2) for rotations R and S
            turned = pose[:9] * (self.arm / np.sqrt(2)) if self.arm else ca.SX(0, 1)
            found = ca.vertcat(pose[9:], turned)
            moves = ca.which_depends(found, system.q, 1, True)
            found = ca.vertcat(*[found[i] for i, moving in enumerate(moves) if moving])
            if found.is_empty():
                raise InputError(f"frame: '{self.frame}' does not move; expected one that does")
        return system.function("goal", "q p", ca.densify(found))

    def draw(self, system: System, rng: np.random.Generator) -> tuple[Values, Values]:
        """Draw where an episode starts, and where it shall go.

        Parameters
        ----------
        system : System
            The robot.
        rng : numpy.random.Generator
            Of the episode.

        Returns
        -------
        (dict, dict)
            Start and target configuration by name [rad, m], the start with 'tension' [N].
        """
        start, target = ranges.drawn(self._start, rng), ranges.drawn(self._target, rng)
        return start | ({} if self.tension is None else {"tension": self.tension}), target

    def draw_many(
        self, system: System, uniform: Callable[[float, float], Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Draw as `draw` does, for many robots at once.

        Parameters
        ----------
        system : System
            The robot.
        uniform : callable
            (low, high) -> numbers between, one for each robot, of the library that has its arrays.

        Returns
        -------
        (dict, dict)
            Start and target configurations by name, arrays of shape (robots,).
        """
        start, target = (
            {name: uniform(*ends) for name, ends in x.items()} for x in (self._start, self._target)
        )
        return start | ({} if self.tension is None else {"tension": self.tension}), target

    def judge(self, achieved: Array, target: Array, velocity: Array, action: Array) -> Judgement:
        """Judge a step by how far the goal is.

        Parameters
        ----------
        achieved, target : array of shape (goals, members)
            What `goal` gives for the configuration, and for the target.
        velocity : array of shape (nv, members)
            Rates of the coordinates.
        action : array of shape (inputs, members)
            Within -1 and 1.

        Returns
        -------
        Judgement
            With the entries distance [m, or rad] and reached.
        """
        distance = ((target - achieved) ** 2).sum(0) ** 0.5
        reached = distance <= self.tolerance
        reward = -distance / self.scale + self.bonus * reached
        if self.effort:
            reward -= self.effort * (action**2).mean(0)
        info = {"distance": distance, "reached": reached}
        return Judgement(reward, reached & self.ends, info)
