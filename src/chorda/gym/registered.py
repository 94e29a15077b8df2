"""Environments by name: gymnasium.make("chorda/NeckReach-v0")."""

from functools import lru_cache
from typing import Any

import gymnasium

from chorda.catalogue import neck
from chorda.errors import InputError
from chorda.gym.environments import RobotEnv, RobotVectorEnv
from chorda.gym.learning_tasks import Reach, Task
from chorda.mechanics import System, assemble

TORQUES = {"motor-*": (-0.048, 0.0)}  # [N m] tensions of 0 to 60 N at rest
TENSION = 20.0  # [N] at the start
KINDS = ("Reach", "Configuration")


@lru_cache
def _system(joints: int) -> System:
    return assemble(neck(joints))


def one(kind: str, joints: int = 3, **settings: Any) -> RobotEnv:
    """A bird neck that brings its head to a position, or its joints to angles."""
    return RobotEnv(
        _system(joints), _task(kind, joints, settings), **{"limits": TORQUES, **settings}
    )


def many(kind: str, num_envs: int, joints: int = 3, **settings: Any) -> RobotVectorEnv:
    """The same, many in one."""
    task = _task(kind, joints, settings)
    return RobotVectorEnv(num_envs, _system(joints), task, **{"limits": TORQUES, **settings})


def _task(kind: str, joints: int, settings: dict[str, Any]) -> Task:
    if settings.pop("render_mode", None) is not None:
        raise InputError("render_mode: these environments draw nothing; leave it out")
    given: Task | None = settings.pop("task", None)
    if given is not None:
        return given
    names = [f"x{j}" for j in range(1, joints + 1)]
    start, target = dict.fromkeys(names, (-0.2, 0.2)), dict.fromkeys(names, (-0.4, 0.4))
    if kind == "Reach":
        return Reach(target, frame=f"{names[-1]}.top", start=start, tension=TENSION)
    return Reach(target, start=start, tension=TENSION, tolerance=0.05, scale=0.5)


def register_all() -> None:
    """chorda/NeckReach-v0 and chorda/NeckConfiguration-v0; keywords of RobotEnv, and `joints`."""
    for kind in KINDS:
        name = f"chorda/Neck{kind}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="chorda.gym.registered:one",
                vector_entry_point="chorda.gym.registered:many",
                kwargs={"kind": kind},
            )
