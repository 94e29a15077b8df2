"""Families of random robots; each returns a description, and a configuration to begin with."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chorda.describe import (
    Circle,
    Disk,
    Fixed,
    Modes,
    Placement,
    Prismatic,
    Rectangle,
    Revolute,
    Robot,
    Rod,
    Sheath,
    Tendon,
    Tube,
)
from chorda.describe.robot import frames_of
from tests.fuzz.drawn import loops
from tests.fuzz.drawn.parts import (
    Random,
    body,
    crossed,
    elements,
    gravity,
    joint,
    maybe,
    numbers,
    one_axis,
    place,
)
from tests.fuzz.drawn.tendons import actuator, law, tendons


def _grown(rng: Random, count: int, draw_joint: Callable[..., Any]) -> tuple[list[Any], list[str]]:
    joints: list[Any] = []
    frames = ["world"]
    for k in range(count):
        joints.append(draw_joint(rng, f"j{k}", frames))
        frames += frames_of(joints[-1])
    return joints, frames


def tree(rng: Random) -> Robot:
    """A tree of all kinds of joints but rods, with springs, dampers and loads."""
    while True:
        joints, frames = _grown(rng, int(rng.integers(1, 6)), joint)
        if any(x.kind != "fixed" for x in joints):
            break
    more = elements(rng, frames)
    return Robot(name="tree", gravity=gravity(rng), joints=joints, **more)


def chain(rng: Random) -> Robot:
    """A tree of hinges and slides alone."""

    def hinge(rng: Random, name: str, frames: list[str]) -> Any:
        return one_axis(rng, name, frames[-1] if rng.random() < 0.7 else str(rng.choice(frames)))

    joints, frames = _grown(rng, int(rng.integers(1, 6)), hinge)
    more = elements(rng, frames)
    return Robot(name="chain", gravity=gravity(rng), joints=joints, **more)


def pulled(rng: Random) -> Robot:
    """A tree with tendons through eyelets."""
    while True:
        joints, frames = _grown(rng, int(rng.integers(1, 5)), joint)
        if any(x.kind != "fixed" for x in joints):
            break
    more = elements(rng, frames) if rng.random() < 0.4 else {}
    more |= tendons(rng, frames, flat=False)
    return Robot(name="pulled", gravity=gravity(rng), joints=joints, **more)


def planar(rng: Random) -> Robot:
    """A planar chain that stands in any plane, with tendons around pulleys."""
    base = Fixed(name="base", placement=place(rng))
    joints: list[Any] = [base]
    frames = ["base"]
    for k in range(int(rng.integers(1, 4))):
        at = Placement(
            position=numbers([*rng.uniform(-0.3, 0.3, 2), 0.0]), angle=float(rng.uniform(-1.5, 1.5))
        )
        dice, name = rng.random(), f"j{k}"
        if dice < 0.25:
            made: Any = crossed(rng, name, frames[-1], placement=at)
        else:
            kind = Revolute if dice < 0.85 else Prismatic
            axis = (0.0, 0.0, float(rng.choice([-1, 1])))
            if kind is Prismatic:
                axis = numbers([np.cos(dice * 40), np.sin(dice * 40), 0.0])
            made = one_axis(rng, name, frames[-1], body=body(rng, True), link=None)
            stiff = made.stiffness or 60.0
            made = kind(
                name=name,
                parent=frames[-1],
                placement=at,
                axis=axis,
                body=made.body,
                friction=made.friction,
                stiffness=stiff,
                range=(-0.6, 0.6) if kind is Prismatic else None,
            )
        joints.append(made)
        frames.append(frames_of(made)[-1])
    more = tendons(rng, frames, flat=True, most=2)
    return Robot(name="planar", gravity=gravity(rng), joints=joints, **more)


def soft(rng: Random) -> Robot:
    """A rod or two, on a joint at times, with tendons in sheaths."""
    joints: list[Any] = []
    parent = "world"
    if rng.random() < 0.4:
        joints.append(one_axis(rng, "hinge", "world", link=None, axis=(0.0, 0.0, 1.0)))
        parent = "hinge"
    for k in range(1 if rng.random() < 0.85 else 2):
        joints.append(_rod(rng, f"rod{k}", parent))
        parent = f"rod{k}.tip"
    if rng.random() < 0.3:
        joints.append(one_axis(rng, "end", parent))
    rods = [x for x in joints if x.kind == "rod"]
    actuators, made = [], []
    for k in range(rng.integers(0, 3)):
        rod = rods[0]
        sheath = Sheath(
            rod=rod.name,
            y=numbers(rng.uniform(-0.01, 0.01, rng.integers(1, 3))),
            z=numbers(rng.uniform(-0.01, 0.01, rng.integers(1, 3))),
            turns=float(rng.choice([0.0, 0.0, 0.5, 1.0])),
            start=float(rng.choice([0.0, 0.0, 0.2])) * rod.length,
            end=maybe(rng, 0.5 * rod.length, rod.length),
        )
        actuators.append(actuator(rng, f"actuator{k}"))
        name = actuators[-1].name
        made.append(Tendon(name=f"tendon{k}", sheaths=[sheath], law=law(rng, 0.1), actuator=name))
    frames = [f for x in joints for f in frames_of(x)]
    more = elements(rng, ["world", *frames]) if rng.random() < 0.5 else {}
    return Robot(
        name="soft", gravity=gravity(rng), joints=joints, actuators=actuators, tendons=made, **more
    )


def _rod(rng: Random, name: str, parent: str) -> Rod:
    L = float(rng.uniform(0.2, 0.6))
    r = float(rng.uniform(0.004, 0.008))
    section: Any = Circle(radius=r)
    if rng.random() < 0.25:
        section = Tube(radius=r, inner_radius=r * float(rng.uniform(0.2, 0.8)))
    elif rng.random() < 0.25:
        section = Rectangle(width=2 * r, height=2 * r * float(rng.uniform(0.5, 2)))
    counts = {
        "twist": int(rng.integers(0, 3)),
        "bend_y": int(rng.integers(0, 3)),
        "bend_z": int(rng.integers(1, 4)),
        "stretch": int(rng.integers(0, 2)),
        "shear_y": int(rng.random() < 0.2),
        "shear_z": int(rng.random() < 0.2),
    }
    basis = str(
        rng.choice(["legendre", "legendre", "chebyshev", "monomial", "piecewise", "bspline"])
    )
    breaks = (0.4 * L,) if rng.random() < 0.15 else ()
    rest = {
        s: float(rng.uniform(-1, 1)) for s in ("twist", "bend_y", "bend_z") if rng.random() < 0.2
    }
    disks = []
    if rng.random() < 0.5:
        disks = [Disk(name="d", at=float(rng.choice([0.5, 1.0])) * L, radius=0.02, mass=0.03)]
    return Rod(
        name=name,
        parent=parent,
        placement=place(rng),
        length=L,
        section=section,
        taper=maybe(rng, 0.6, 1.2, 0.3),
        young_modulus=float(10 ** rng.uniform(7, 8)),
        shear_modulus=maybe(rng, 4e6, 3e7, 0.3),
        density=float(rng.uniform(500, 3000)),
        bend_damping=maybe(rng, 1e-4, 1e-2, 0.5),
        twist_damping=maybe(rng, 1e-4, 1e-2, 0.3),
        stretch_damping=maybe(rng, 0.1, 3, 0.3),
        rest=rest,
        modes=Modes(**counts, basis=basis, breaks=breaks, intervals=80),
        disks=disks,
    )


def looped(rng: Random) -> Robot:
    """Closed loops."""
    return loops.draw(rng)


FAMILIES: dict[str, tuple[Callable[[Random], Robot], float]] = {
    "tree": (tree, 0.2),
    "chain": (chain, 0.1),
    "pulled": (pulled, 0.2),
    "planar": (planar, 0.2),
    "looped": (looped, 0.24),
    "soft": (soft, 0.06),
}


def draw(rng: Random, family: str | None = None) -> Robot:
    """A random robot, of a family or of any; descriptions that are refused are drawn again."""
    if family is None:
        names = list(FAMILIES)
        weights = np.array([w for _, w in FAMILIES.values()])
        family = str(rng.choice(names, p=weights / weights.sum()))
    return FAMILIES[family][0](rng)
