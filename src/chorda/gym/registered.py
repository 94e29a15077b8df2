"""Environments by name: gymnasium.make("chorda/NeckReach-v0")."""

from functools import lru_cache
from typing import Any

import gymnasium

from chorda.catalogue import neck
from chorda.errors import InputError
from chorda.gym.env import RobotEnv
from chorda.gym.tasks import Reach, Task
from chorda.gym.vector import RobotVectorEnv
from chorda.mechanics import System, assemble

PULLS = {"motor-*": (-0.048, 0.0)}  # [N m] tensions of 0 to 60 N at rest
TENSION = 20.0  # [N] at the start


@lru_cache
def _system(joints: int) -> System:
    return assemble(neck(joints))


def _reach(joints: int) -> Task:
    names = [f"x{j}" for j in range(1, joints + 1)]
    return Reach(
        target=dict.fromkeys(names, (-0.4, 0.4)),
        start=dict.fromkeys(names, (-0.2, 0.2)),
        frame=f"{names[-1]}.top",
        tension=TENSION,
    )


def _configuration(joints: int) -> Task:
    names = [f"x{j}" for j in range(1, joints + 1)]
    return Reach(
        target=dict.fromkeys(names, (-0.4, 0.4)),
        start=dict.fromkeys(names, (-0.2, 0.2)),
        tension=TENSION,
        tolerance=0.05,
        scale=0.5,
    )


TASKS = {"Reach": _reach, "Configuration": _configuration}


def one(kind: str, joints: int = 3, **settings: Any) -> RobotEnv:
    """A bird neck that brings its head to a place, or its joints to angles."""
    return RobotEnv(_system(joints), _task(kind, joints, settings), **{"limits": PULLS, **settings})


def many(kind: str, num_envs: int, joints: int = 3, **settings: Any) -> RobotVectorEnv:
    """The same, many in one."""
    task = _task(kind, joints, settings)
    return RobotVectorEnv(num_envs, _system(joints), task, **{"limits": PULLS, **settings})


def _task(kind: str, joints: int, settings: dict[str, Any]) -> Task:
    if "render_mode" in settings and settings.pop("render_mode") is not None:
        raise InputError("render_mode: these environments draw nothing; leave it out")
    given: Task | None = settings.pop("task", None)
    return TASKS[kind](joints) if given is None else given


def register_all() -> None:
    """chorda/NeckReach-v0 and chorda/NeckConfiguration-v0; keywords of RobotEnv, and `joints`."""
    for kind in TASKS:
        name = f"chorda/Neck{kind}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="chorda.gym.registered:one",
                vector_entry_point="chorda.gym.registered:many",
                kwargs={"kind": kind},
            )
