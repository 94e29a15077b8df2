"""What declared pairs add to the time of a step, and grasps beside MuJoCo's."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.bench import mujoco_grasps, peers
from chorda.bench.groups import Group, Target, at_least, at_most, us
from chorda.bench.steps import OURS, SCHEME, Stepping
from chorda.catalogue import load
from chorda.describe import Capsule, Contact, ContactFriction, Robot, Sphere
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.numerics.timing import best_in_turns
from chorda.results import Table

STEP = 1e-3  # [s] of the grasps, in both programs
DRUM = 0.006  # [m] of their motors
THEIRS = "MuJoCo implicit"
GRASPS = {  # tensions that close them [N], and inputs that stay zero
    "finger-grasp": ((20.0, 6.0, 4.0, 2.0), 0),
    "hand-ball": ((5.0, 5.4, 4.8), 2),
}
LAW: dict[str, Any] = {"stiffness": 2e4, "dissipation": 2.0}
NECKS: dict[str, ContactFriction | None] = {
    "8 pairs without friction": None,
    "8 pairs, smooth friction": ContactFriction(coefficient=0.3),
    "8 pairs with bristles": ContactFriction(
        kind="bristle", coefficient=0.3, deflection=1e-4, relaxation=1e-3
    ),
}
COUNTED = "8 pairs, smooth friction"


def neck_among_posts(friction: ContactFriction | None) -> Robot:
    """neck-3 with its bars between three balls: eight pairs of a bar and a ball."""
    at = {"low-right": (0.07, 0.1, 0.0), "low-left": (-0.07, 0.1, 0.0), "high": (0.07, 0.25, 0.0)}
    bars = [
        Capsule(name=f"bar{k}", frame=f"x{k}.top", start="left", end="right", radius=0.008)
        for k in (1, 2, 3)
    ]
    balls = [Sphere(name=name, center=place, radius=0.02) for name, place in at.items()]
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
    return Robot(**fields | {"shapes": [*bars, *balls], "contacts": contacts})


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
    return str(contender.kernel.operations) if isinstance(contender, Stepping) else "-"


def contact_group(neck: System, steps: int, repeats: int) -> Group:
    """neck-3 without pairs and with eight; a finger and a hand that grasp, beside MuJoCo."""
    plain: dict[str, Callable[[], float]] = {"no pairs": Stepping(neck, SCHEME, steps)}
    among = {
        name: Stepping(assemble(neck_among_posts(friction)), SCHEME, steps)
        for name, friction in NECKS.items()
    }
    cases = [_measured("neck-3", plain | among, repeats)]
    cases += [_measured(name, _grasping(name, steps), repeats) for name in GRASPS]
    ratio = cases[0].best[COUNTED] / cases[0].best["no pairs"]
    return Group(
        Table(
            "One step with contact, implicit-euler",
            ("robot", "what", "time a step", "ratio", "operations"),
            tuple(row for case in cases for row in case.rows()),
            _note(),
        ),
        (
            at_most("neck-3 with 8 declared pairs, a step", 2.0, ratio, "times"),
            *(_lead(case) for case in cases[1:]),
        ),
        {"contact_seconds_per_step": {case.robot: case.best for case in cases}},
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


def _note() -> str:
    if not peers.installed():
        return peers.INSTALL
    alike = (
        f"{name}: joints differ by {turn:.1g} rad, the sum of normal forces is {mine:.4f} N here "
        f"and {theirs:.4f} N there"
        for name in GRASPS
        for turn, mine, theirs in [held(name)]
    )
    return (
        f"Grasps begin open and at rest, both programs take steps of {STEP * 1e3:g} ms. MuJoCo has "
        "the same shapes and declared pairs, its own law of contact without bristles, and tendons "
        f"as fixed ones. After 3 s, {'; '.join(alike)}."
    )


def held(name: str, duration: float = 3.0) -> tuple[float, float, float]:
    """Largest difference of joint angles [rad], sums of normal forces here and in MuJoCo [N]."""
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
    pressing = float(run.data["normal_force"].values[-1].sum())
    return float(np.abs(mine - theirs).max()), pressing, mujoco_grasps.pressing(model, data)
