"""What declared pairs add to the time of a step, and grasps beside MuJoCo's.

Of two copies of a kernel's file, the same byte by byte, one may take twice as long as the other, in
every process that maps it, whatever else changes (presumably by the pages that it lies in). Repeats
do not show that. Necks are therefore timed by several copies of each kernel, of which the best
counts. Grasps have one copy, as MuJoCo's library has.
"""

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

from chorda.bench import mujoco_grasps, peers
from chorda.bench.groups import Group, Target, at_least, at_most, us
from chorda.bench.steps import OURS, SCHEME, Stepping
from chorda.catalogue import load
from chorda.describe import Capsule, Contact, ContactFriction, Cylinder, Robot, Sphere
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.numerics.timing import best_in_turns
from chorda.results import Table

COPIES = 4  # of each kernel of a neck
STEP = 1e-3  # [s] of the grasps, in both programs
DRUM = 0.006  # [m] of their motors
THEIRS = "MuJoCo implicit"
SUPPORT = "pedestal-top"  # shape on which the ball stands
GRASPS = {  # tensions that close them [N], and inputs that stay zero
    "finger-grasp": ((20.0, 6.0, 4.0, 2.0), 0),
    "hand-ball": ((5.0, 5.4, 4.8), 2),
}
LAW: dict[str, Any] = {"stiffness": 2e4, "dissipation": 2.0}
SMOOTH = ContactFriction(coefficient=0.3)
BRISTLES = ContactFriction(kind="bristle", coefficient=0.3, deflection=1e-4, relaxation=1e-3)
COUNTED = "8 pairs with balls, smooth friction"
NECKS: dict[str, tuple[str, ContactFriction | None]] = {  # what the bars touch
    "8 pairs with balls, no friction": ("ball", None),
    COUNTED: ("ball", SMOOTH),
    "8 pairs with balls, bristles": ("ball", BRISTLES),
    "8 pairs with capsules, smooth friction": ("capsule", SMOOTH),
    "8 pairs with cylinders, smooth friction": ("cylinder", SMOOTH),
}


def neck_among_posts(post: str = "ball", friction: ContactFriction | None = None) -> Robot:
    """neck-3 with its three bars, which are capsules, between three posts: eight pairs."""
    at = {"low-right": (0.07, 0.1), "low-left": (-0.07, 0.1), "high": (0.07, 0.25)}
    bars = [
        Capsule(name=f"bar{k}", frame=f"x{k}.top", start="left", end="right", radius=0.008)
        for k in (1, 2, 3)
    ]
    posts = [_post(post, name, x, y) for name, (x, y) in at.items()]
    contacts = [
        Contact(
            name="around-low",
            first="x1",
            second=("low-right", "low-left"),
            friction=friction,
            **LAW,
        ),
        Contact(name="around-high", first="x2", second="high", friction=friction, **LAW),
    ]
    robot = load("neck-3")
    fields = {x: getattr(robot, x) for x in robot.model_fields_set}
    return Robot(**fields | {"shapes": [*bars, *posts], "contacts": contacts})


def _post(kind: str, name: str, x: float, y: float) -> Sphere | Capsule | Cylinder:
    if kind == "ball":
        return Sphere(name=name, center=(x, y, 0.0), radius=0.02)
    made = Capsule if kind == "capsule" else Cylinder
    return made(name=name, start=(x, y, -0.05), end=(x, y, 0.05), radius=0.02)


class Copies:
    """Steps of a neck by copies of its kernel, each compiled into a cache of its own."""

    def __init__(self, system: System, steps: int) -> None:
        self.each = [_copy(system, steps) for _ in range(COPIES)]
        self.best = [float("inf")] * COPIES  # [s] a step, by copy

    def __call__(self) -> float:
        now = [copy() for copy in self.each]
        self.best = [min(pair) for pair in zip(self.best, now, strict=True)]
        return min(now)


def _copy(system: System, steps: int) -> Stepping:
    with (
        tempfile.TemporaryDirectory(prefix="chorda-bench-") as cache,
        patch.dict(os.environ, CHORDA_CACHE=cache),
    ):
        return Stepping(system, SCHEME, steps)


@dataclass(frozen=True)
class _Case:
    """Contenders that take turns."""

    robot: str
    each: dict[str, Callable[[], float]]
    best: dict[str, float]

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        first = next(iter(self.best.values()))
        return [
            (self.robot, name, us(t), f"{t / first:.3g}", _operations(self.each[name]))
            for name, t in self.best.items()
        ]


def _operations(contender: Callable[[], float]) -> str:
    one = contender.each[0] if isinstance(contender, Copies) else contender
    return str(one.kernel.operations) if isinstance(one, Stepping) else "-"


def contact_group(neck: System, steps: int, repeats: int) -> Group:
    """neck-3 without pairs and with eight; a finger and a hand that grasp, beside MuJoCo."""
    among = {"no pairs": neck} | {
        name: assemble(neck_among_posts(*choice)) for name, choice in NECKS.items()
    }
    copies = {name: Copies(system, steps) for name, system in among.items()}
    cases = [_measured("neck-3", dict(copies), repeats)]
    cases += [_measured(name, _grasping(name, steps), repeats) for name in GRASPS]
    ratio = cases[0].best[COUNTED] / cases[0].best["no pairs"]
    return Group(
        Table(
            "One step with contact, implicit-euler",
            ("robot", "what", "time a step", "ratio", "operations"),
            tuple(row for case in cases for row in case.rows()),
            f"{_spread(copies)} {_note()}",
        ),
        (
            at_most("neck-3 with 8 declared pairs with balls, a step", 2.0, ratio, "times"),
            *(_lead(case) for case in cases[1:]),
        ),
        {
            "contact_seconds_per_step": {case.robot: case.best for case in cases},
            "contact_seconds_by_copy": {name: x.best for name, x in copies.items()},
        },
    )


def _measured(robot: str, each: dict[str, Callable[[], float]], repeats: int) -> _Case:
    return _Case(robot, each, best_in_turns(each, repeats))


def _torques(name: str) -> Array:
    return -DRUM * np.array(GRASPS[name][0])


def _grasping(name: str, steps: int) -> dict[str, Callable[[], float]]:
    """The same robot, torques and steps in both programs, from open to a grasp that is held."""
    robot = load(name)
    inputs = [*_torques(name), *[0.0] * GRASPS[name][1]]
    each: dict[str, Callable[[], float]] = {
        OURS: Stepping(assemble(robot), SCHEME, steps, inputs, STEP)
    }
    if peers.installed():
        each[THEIRS] = lambda: peers.stepped(
            *mujoco_grasps.load(robot, _torques(name), STEP), steps
        )
    return each


def _lead(case: _Case) -> Target:
    theirs = case.best.get(THEIRS)
    what = f"MuJoCo's implicit step over ours, {case.robot}"
    return at_least(what, 1.0, None if theirs is None else theirs / case.best[OURS], "times")


def _spread(copies: dict[str, Copies]) -> str:
    worst = max(max(x.best) / min(x.best) for x in copies.values())
    return (
        f"Of each neck the best of {COPIES} copies of its kernel counts; another copy took up to "
        f"{worst:.2f} times as long."
    )


def _note() -> str:
    if not peers.installed():
        return peers.INSTALL
    alike = "; ".join(f"{name}: {held(name).sentence}" for name in GRASPS)
    return (
        f"Grasps begin open and at rest, both programs take steps of {STEP * 1e3:g} ms. MuJoCo has "
        "the same shapes and declared pairs, its own law of contact without bristles, and tendons "
        f"as fixed ones. After 3 s, {alike}."
    )


@dataclass(frozen=True)
class Held:
    """A grasp here and in MuJoCo."""

    turn: float  # [rad] largest difference of the joints' angles
    fingers: tuple[float, float]  # [N] sums of normal forces of the fingers: here, there
    support: tuple[float, float]  # [N] of what the ball stood on

    @property
    def sentence(self) -> str:
        (mine, theirs), (ours, other) = self.fingers, self.support
        found = f"joints differ by {self.turn:.1g} rad, fingers press with {mine:.4f} N here and "
        found += f"{theirs:.4f} N there"
        if ours or other:
            found += f", the pedestal with {ours:.4f} N and {other:.4f} N"
        return found


def held(name: str, duration: float = 3.0) -> Held:
    """The same grasp in both programs, some time [s] after it began to close."""
    import mujoco

    robot = load(name)
    system = assemble(robot)
    inputs = [*_torques(name), *[0.0] * GRASPS[name][1]]
    run = simulate(system, duration=duration, step=STEP, inputs=inputs, progress=False)
    model, data = mujoco_grasps.load(robot, _torques(name), STEP)
    mujoco.mj_step(model, data, nstep=round(duration / STEP))
    hinges = [x.name for x in robot.joints if x.kind == "revolute"]
    mine = run.position[-1, [list(system.coordinate_names).index(x) for x in hinges]]
    theirs = np.array([data.joint(x).qpos[0] for x in hinges])
    found = [[0.0, 0.0], [0.0, 0.0]]
    for touch, force in zip(system.touches, run.data["normal_force"].values[-1], strict=True):
        found[SUPPORT in (touch.first, touch.second)][0] += float(force)
    for names, force in mujoco_grasps.normal_forces(model, data):
        found[SUPPORT in names][1] += force
    fingers, support = ((x, y) for x, y in found)
    return Held(float(np.abs(mine - theirs).max()), fingers, support)
