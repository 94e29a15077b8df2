"""Chains of many joints and a hand: how builds and steps grow with the robot, beside MuJoCo's."""

import math
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from os import environ
from typing import Any
from unittest.mock import patch

import numpy as np

from chorda.bench import eyelets, hand, peers
from chorda.bench.groups import Group, Target, at_least, at_most, us
from chorda.bench.steps import OURS, SCHEME, Stepping
from chorda.describe import Robot
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import find
from chorda.mechanics import Array, System, assemble
from chorda.numerics.timing import best_in_turns
from chorda.results import Table

ALL_JOINTS, QUICK_JOINTS = (5, 10, 20, 40, 60, 100), (5, 20)
MAX_GROWTH = 1.5  # exponent of the time of a step over the number of joints
MAX_COLD, MAX_WARM = 10.0, 1.0  # [s]
MIN_LEAD, MIN_FAST_LEAD = 3.0, 1.0  # over MuJoCo's implicit and implicitfast
Peer = Callable[[str], tuple[Any, Any]]  # MuJoCo's model and data by integrator


def sizes_group(joints: Sequence[int], steps: int, repeats: int) -> Group:
    """One row a robot: its build, from nothing and from the cache, and one step."""
    rows, targets, data = [], list[Target](), dict[str, Any]()
    robots: list[tuple[str, Robot, Callable[[System], Array], Peer]] = [
        (str(n), eyelets.robot(n), eyelets.inputs, partial(eyelets.load, n)) for n in joints
    ]
    robots.append(("hand", hand.robot(), hand.pull, hand.load))
    for name, robot, inputs, peer in robots:
        count = max(steps // max(len(robot.joints) // 5, 1), 50)
        cold, warm, made = _built(robot)
        step = _stepped(made, inputs(made), peer, count, repeats)
        operations = SchemeLoop(made, find(SCHEME)).kernel.operations
        rows.append(_row(name, cold, warm, operations, step))
        data[name] = {"cold": cold, "warm": warm, "operations": operations, "seconds": step}
        what = robot.name
        targets += [
            at_most(f"{what}, build from nothing", MAX_COLD, cold, "s"),
            at_most(f"{what}, build from the cache", MAX_WARM, warm, "s"),
            at_least(f"MuJoCo's implicit over ours, {what}", MIN_LEAD, _lead(step, "implicit"), ""),
            at_least(
                f"MuJoCo's implicitfast over ours, {what}",
                MIN_FAST_LEAD,
                _lead(step, "implicitfast"),
                "",
            ),
        ]
    growth = fitted_growth([(n, data[str(n)]["seconds"][OURS]) for n in joints])
    targets.append(at_most("time of a step, exponent over joints", MAX_GROWTH, growth, ""))
    data["growth"] = growth
    note = (
        f"Hinges with alternating axes and four cables through eyelets; the hand has 20 joints, 40 "
        f"tendons and 25 motors. A step takes time as joints^{growth:.2f}."
    )
    if peers.installed():
        alike = max(eyelets.likeness(min(joints)), hand.likeness())
        note += f" Accelerations by both programs agree to {alike:.0e}."
    head = (
        "joints",
        "cold build",
        "warm build",
        "operations",
        "a step",
        "implicit",
        "implicitfast",
    )
    table = Table("Robots of many joints, implicit-euler, beside MuJoCo", head, tuple(rows), note)
    return Group(table, tuple(targets), {"sizes": data})


def _built(robot: Robot) -> tuple[float, float, System]:
    """Seconds to a kernel, with an empty cache and with it in there, and the System."""

    def once() -> tuple[float, System]:
        begin = time.perf_counter()
        made = assemble(robot)
        _ = SchemeLoop(made, find(SCHEME)).kernel
        return time.perf_counter() - begin, made

    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(environ, CHORDA_CACHE=f"{folder}/cache"),
    ):
        cold, _ = once()
        warm = min(once() for _ in range(2))
    return cold, *warm


def _stepped(made: System, inputs: Array, peer: Peer, steps: int, repeats: int) -> dict[str, float]:
    """Seconds a step by program, in turns."""
    timed: dict[str, Callable[[], float]] = {OURS: Stepping(made, SCHEME, steps, tuple(inputs))}
    if peers.installed():
        for integrator in peers.CHAIN_INTEGRATORS:
            timed[f"MuJoCo {integrator}"] = partial(_theirs, peer, integrator, steps)
    return best_in_turns(timed, repeats)


def _theirs(peer: Peer, integrator: str, steps: int) -> float:
    return peers.stepped(*peer(integrator), steps)


def _lead(step: dict[str, float], integrator: str) -> float | None:
    theirs = step.get(f"MuJoCo {integrator}")
    return None if theirs is None else theirs / step[OURS]


def _row(
    name: str, cold: float, warm: float, operations: int, step: dict[str, float]
) -> tuple[str, ...]:
    theirs = [step.get(f"MuJoCo {x}") for x in peers.CHAIN_INTEGRATORS]
    shown = ["-" if t is None else f"{us(t)} ({t / step[OURS]:.1f} x)" for t in theirs]
    return name, f"{cold:.1f} s", f"{warm:.2f} s", str(operations), us(step[OURS]), *shown


def fitted_growth(times: Sequence[tuple[int, float]]) -> float:
    """The exponent by least squares."""
    n, t = (np.array([math.log(x[k]) for x in times]) for k in (0, 1))
    return float(np.polyfit(n, t, 1)[0])
